//! What is found outside of a loop is found inside of one: each entry of a template in a loop of one item, which its key
//! and the strings of its `Fn::Sub` take, has the same findings, at the same places.
//!
//! Holds reference/for-each.md#substitution.

use std::collections::BTreeSet;
use std::sync::Arc;

use formwork::{
    Code, Compilation, Diagnostic, FrameKind, Goal, Options, ParameterValue, Session, Severity, Span, ValueSource,
    codes,
};
use formwork_schemas::Schemas;
use serde_json::{Map, Value, json};

use super::{Verdict, compile};
use crate::data;

/// The sections whose entries loops generate.
const SECTIONS: [&str; 3] = ["Conditions", "Resources", "Outputs"];

/// Transforms under which loops are expanded here.
const KNOWN: [&str; 2] = ["AWS::LanguageExtensions", "AWS::Serverless-2016-10-31"];

/// A template twice: as it is, and with its entries in loops.
struct Pair {
    outside: String,
    inside: String,
    /// The items of the loops.
    items: Vec<String>,
    /// Whether another template imports both.
    is_module: bool,
}

/// What is found: severity and code, and what is written at the place.
type Finding = (String, String);

/// Warnings that depend on nothing but the text at their place; others are about names, or about values that loops know.
const WARNINGS: [&str; 3] = ["FW0404", "FW0408", "FW0410"];

/// Errors about the kind of what a key of a section has: that of a loop is reported where it is generated.
const KINDS: [&str; 2] = ["error FW0103", "error FW0503"];

/// Errors of a collection that depends on a resource: while loops are expanded, those that they generate are not known yet.
const OF_COLLECTIONS: [&str; 2] = ["error FW0302", "error FW0401"];

/// The law for one template; how many findings it has. Loops of its own stay as they are. Other documents than templates, and
/// templates with imports, have none.
///
/// # Errors
/// In words, with both templates.
pub fn found_in_loops(text: &str) -> Result<usize, String> {
    let Some(pair) = pair(text) else { return Ok(0) };
    agree(&pair, &|text| compile(text, &Options::default(), Goal::Check))
}

/// The same for a template that another one imports.
///
/// # Errors
/// In words, with both templates.
pub fn found_in_loops_of_modules(text: &str) -> Result<usize, String> {
    let Some(pair) = pair(text) else { return Ok(0) };
    let pair = Pair { is_module: true, ..pair };
    let parameters = data::read(text).ok().and_then(|template| template.get("Parameters")?.as_object().cloned());
    let values: Map<String, Value> =
        parameters.unwrap_or_default().keys().map(|name| (name.clone(), json!("x"))).collect();
    let root = json!({"Modules": {"M": {"Source": "m.json", "Properties": values}}}).to_string();
    agree(&pair, &|text| {
        let host = super::host([("template.json", root.clone()), ("m.json", text.to_owned())]);
        Session::new(&host, Options::default()).compile("template.json", Goal::Check)
    })
}

/// Codes of what the words at its place decide, whatever the item is.
const COUNTED: [&str; 6] = ["FW0110", "FW0201", "FW0203", "FW0403", "FW0404", "FW0501"];

/// Each finding of a loop of three items counts three times as often as in one of one item; how many there are.
///
/// # Errors
/// In words, with the template.
pub fn counted_in_loops(text: &str) -> Result<usize, String> {
    // Loops of the template itself have the items that they have.
    if text.contains("Fn::ForEach") {
        return Ok(0);
    }
    let (Some(one), Some(three)) = (pair_with(text, 1), pair_with(text, ITEMS)) else { return Ok(0) };
    let found = |text: &str| {
        let result = compile(text, &Options::default(), Goal::Check);
        let is_meant = |one: &&Diagnostic| {
            let is_in_loop = one.frames.iter().any(|frame| frame.kind == FrameKind::Loop);
            is_in_loop && COUNTED.contains(&one.code.to_string().as_str())
        };
        let place = |one: &Diagnostic| result.sources().slice(one.span()).to_owned();
        let found: Vec<(String, String, u32)> = result
            .diagnostics()
            .iter()
            .filter(is_meant)
            .map(|one| (one.code.to_string(), place(one), one.count))
            .collect();
        found
    };
    let (of_one, of_three) = (found(&one.inside), found(&three.inside));
    for (code, place, count) in &of_one {
        let wanted = (code.clone(), place.clone(), count * ITEMS as u32);
        if !of_three.contains(&wanted) {
            return Err(format!("{wanted:?} is not among {of_three:?} in\n{}", three.inside));
        }
    }
    Ok(of_one.len())
}

/// Items of a loop whose findings are counted.
const ITEMS: usize = 3;

/// Codes about names, which may be those that another item makes.
const OF_NAMES: [&str; 6] = ["FW0201", "FW0203", "FW0207", "FW0304", "FW0403", "FW0501"];

/// An error in a loop whose items are not known is one with items, too; and of the errors with items those are found that
/// are about no item and no name. How many there are.
///
/// # Errors
/// In words, with the template.
pub fn found_without_items(text: &str) -> Result<usize, String> {
    // Loops of the template itself have the items that they have.
    if text.contains("Fn::ForEach") || text.contains("Fn::Map") {
        return Ok(0);
    }
    let Some(pair) = pair_over(text, &|number, _| json!({"Ref": format!("Items{number}x")})) else { return Ok(0) };
    let Ok(Value::Object(mut template)) = serde_json::from_str(&pair.inside) else { return Ok(0) };
    let Value::Object(parameters) = template.entry("Parameters").or_insert_with(|| json!({})) else { return Ok(0) };
    for number in 0..pair.items.len() {
        parameters.insert(format!("Items{number}x"), json!({"Type": "CommaDelimitedList"}));
    }
    let text = serde_json::to_string_pretty(&template).map_err(|error| error.to_string())?;
    let values = pair.items.iter().enumerate().map(|(number, id)| ParameterValue {
        name: format!("Items{number}x"),
        value: id.clone(),
        given: ValueSource::CommandLine,
    });
    let with = Options { parameters: values.collect(), ..Options::default() };
    let errors = |options: Options| {
        let schemas = Some(Arc::new(Schemas::embedded()));
        let result = compile(&text, &options.for_check(schemas), Goal::Check);
        // Values decide a rule, and no loop.
        let is_meant = |one: &&Diagnostic| {
            one.severity == Severity::Error && !one.span().is_none() && one.code != codes::RULE_FAILED
        };
        let errors = result.diagnostics().iter().filter(is_meant);
        let errors: BTreeSet<(String, u32, u32)> =
            errors.map(|one| (one.code.to_string(), one.span().start(), one.span().end())).collect();
        (errors, result)
    };
    let ((without, result), (with, _)) = (errors(Options::default()), errors(with));
    let place = |&(_, start, end): &(String, u32, u32)| result.sources().slice(Span::new(start, end)).to_owned();
    if let Some(one) = without.iter().find(|one| !with.contains(one)) {
        return Err(format!("{} at {} is found without items alone, {with:?} in\n{text}", one.0, place(one)));
    }
    let is_meant = |one: &&(String, u32, u32)| {
        let code = Code::parse(&one.0);
        let is_of_items = code.is_none_or(|code| code.info().needs_items) || OF_NAMES.contains(&one.0.as_str());
        // An entry of another loop has a name that its items make.
        let place = place(one);
        let is_name = || pair.items.iter().any(|id| place.contains(&format!("\"{id}\"")));
        !is_of_items && !place.contains("${W") && !is_name()
    };
    match with.iter().filter(is_meant).find(|one| !without.contains(one)) {
        Some(one) => Err(format!("{} at {} is not found without items, {without:?} in\n{text}", one.0, place(one))),
        None => Ok(without.len()),
    }
}

fn agree(pair: &Pair, run: &dyn Fn(&str) -> Arc<Compilation>) -> Result<usize, String> {
    let found = |text: &str| findings(&run(text), &pair.items);
    let (outside, mut inside) = (found(&pair.outside), found(&pair.inside));
    let shown = || format!("outside {outside:#?}\ninside {:#?}\n{}", found(&pair.inside), pair.inside);
    for (code, place) in &outside {
        let is_same = |(other, at): &Finding| {
            let are_in = |codes: [&str; 2]| [code, other].iter().all(|code| codes.contains(&code.as_str()));
            let is_kind = are_in(KINDS);
            let is_key = || pair.items.contains(&at.trim_matches('"').to_owned());
            // A loop is looked at as it is written, where the placeholder itself has a place.
            let is_here = (at.contains(place) || place.contains(at)) && (other == code || are_in(OF_COLLECTIONS));
            is_here || is_kind && (at == place || is_key())
        };
        // What a loop of a module generates has no name in loops of it that have no items.
        let is_exempt = pair.is_module && code.ends_with(&codes::FUNCTION_NOT_ALLOWED.to_string());
        let Some(at) = inside.iter().position(is_same) else {
            if is_exempt {
                continue;
            }
            return Err(format!("{code} at {place} is not found in the loop, {}", shown()));
        };
        inside.remove(at);
    }
    match inside.iter().find(|(code, _)| code.starts_with("error")) {
        Some((code, place)) => Err(format!("{code} at {place} is found in the loop alone, {}", shown())),
        None => Ok(outside.len()),
    }
}

/// The errors, and some warnings.
fn findings(result: &Compilation, items: &[String]) -> Vec<Finding> {
    let is_meant = |one: &&Diagnostic| {
        let is_warning = one.severity == Severity::Warning && WARNINGS.contains(&one.code.to_string().as_str());
        // What a resource needs depends on what a loop knows; where `Fn::Map` is in a module that has no loop nobody asks.
        let is_value = one.code == codes::DEPENDENCY_CYCLE || one.code == codes::MAP_PLACE;
        one.severity == Severity::Error && !is_value || is_warning
    };
    let finding = |one: &Diagnostic| {
        let mut place = result.sources().slice(one.span()).split_whitespace().collect::<Vec<_>>().join(" ");
        for (number, item) in items.iter().enumerate() {
            place = place.replace(&format!("${{W{number}x}}"), item);
        }
        (format!("{} {}", one.severity.name(), one.code), place)
    };
    result.diagnostics().iter().filter(is_meant).map(finding).collect()
}

fn pair(text: &str) -> Option<Pair> {
    pair_with(text, 1)
}

/// The pair whose loops have so many items: the name of the entry, and others that begin with it.
fn pair_with(text: &str, count: usize) -> Option<Pair> {
    pair_over(text, &|_, id| json!(items_of(id, count)))
}

/// The pair whose loops have a collection each, by the number of the loop and the name of the entry.
fn pair_over(text: &str, collection: &dyn Fn(usize, &str) -> Value) -> Option<Pair> {
    let Value::Object(template) = data::read(text).ok()? else { return None };
    if template.contains_key("Modules") {
        return None;
    }
    let (mut outside, mut inside, mut items) = (Map::new(), Map::new(), Vec::new());
    let mut transforms = vec![json!("AWS::LanguageExtensions")];
    match template.get("Transform") {
        None => {}
        Some(Value::String(name)) if KNOWN.contains(&name.as_str()) => {
            transforms.push(json!(name));
            transforms.dedup();
        }
        // Under `Formwork` a loop drops what the text of an `Fn::Sub` does not name (reference/map-and-merge.md#map-references).
        Some(Value::Array(names)) if names.contains(&json!(KNOWN[0])) => {
            transforms = names.iter().filter(|name| **name != "Formwork").cloned().collect();
        }
        Some(_) => return None,
    }
    outside.insert("Transform".to_owned(), json!(transforms));
    inside.clone_from(&outside);
    for (name, section) in template.iter().filter(|(name, _)| *name != "Transform") {
        let (mut own, mut looped) = (section.clone(), section.clone());
        if let (true, Value::Object(entries)) = (SECTIONS.contains(&name.as_str()), section) {
            let (mut plain, mut loops) = (Map::new(), Map::new());
            for (id, value) in entries {
                let is_wrapped = !id.is_empty()
                    && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
                    && (name == "Conditions" || value.is_object());
                if !is_wrapped {
                    plain.insert(id.clone(), value.clone());
                    loops.insert(id.clone(), value.clone());
                    continue;
                }
                let variable = format!("W{}x", items.len());
                plain.insert(id.clone(), prefixed(value, id));
                let body = prefixed(value, &format!("${{{variable}}}"));
                loops.insert(
                    format!("Fn::ForEach::L{}x", items.len()),
                    json!([variable, collection(items.len(), id), {format!("${{{variable}}}"): body}]),
                );
                items.push(id.clone());
            }
            (own, looped) = (Value::Object(plain), Value::Object(loops));
        }
        outside.insert(name.clone(), own);
        inside.insert(name.clone(), looped);
    }
    let text = |template: Map<String, Value>| serde_json::to_string_pretty(&Value::Object(template)).ok();
    Some(Pair { outside: text(outside)?, inside: text(inside)?, items, is_module: false })
}

fn items_of(id: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| if number == 0 { id.to_owned() } else { format!("{id}Copy{number}") }).collect()
}

/// A value whose strings of `Fn::Sub` begin with this text.
fn prefixed(value: &Value, prefix: &str) -> Value {
    let added = |text: &str| Value::String(format!("{prefix}{text}"));
    match value {
        Value::Object(members) => {
            let inner = |(name, value): (&String, &Value)| {
                let value = match value {
                    Value::String(text) if name == "Fn::Sub" => added(text),
                    Value::Array(parts) if name == "Fn::Sub" => {
                        let part = |(at, part): (usize, &Value)| match part {
                            Value::String(text) if at == 0 => added(text),
                            part => prefixed(part, prefix),
                        };
                        parts.iter().enumerate().map(part).collect()
                    }
                    value => prefixed(value, prefix),
                };
                (name.clone(), value)
            };
            Value::Object(members.iter().map(inner).collect())
        }
        Value::Array(items) => items.iter().map(|item| prefixed(item, prefix)).collect(),
        value => value.clone(),
    }
}

/// The law where only its violation counts.
///
/// # Errors
/// In words, with both templates.
pub fn holds(text: &str) -> Verdict {
    found_in_loops(text).map(drop)
}
