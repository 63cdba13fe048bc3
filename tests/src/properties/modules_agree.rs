//! A module means what its text means: an import is the body with other names, properties are values
//! written in, a loop of imports is the imports, an include is the text.
//!
//! Rows in which the module language decides otherwise, and which the generator leaves out: a decided
//! condition prunes a module and leaves a template as it is (reference/modules/conditions.md#pruning);
//! two sides of `Fn::Equals` that are one expression are equal in a module
//! (reference/modules/conditions.md#evaluation); a list cannot be a variable of `Fn::Sub` in a module
//! (reference/modules/references.md#sub); the body of a loop without items is looked at in a template alone; an
//! output is computed before it is used, so that nothing is reported about the parts that its value leaves out.

use super::text_of;
use formwork::{
    Compilation, Goal, MemoryHost, Options, ParameterValue, PseudoParameter, Session, Severity, Values, VirtualPath,
};
use formwork_syntax::value::Value;
use formwork_template::sub_string::{self, Part};
use formwork_template::sub_text::SubText;

use super::Verdict;
use crate::generate::json;

/// The name of the import: no other name has it in it.
pub(super) const PREFIX: &str = "Qzq";

/// What a run yields, comparable: data without the prefix, or the codes of its errors.
pub(super) type Answer = Result<serde_json::Value, Vec<String>>;

pub(super) fn answer(result: &Compilation) -> Answer {
    let errors = result.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let mut codes: Vec<String> = errors.map(|diagnostic| diagnostic.code.to_string()).collect();
    if !codes.is_empty() {
        codes.sort();
        codes.dedup();
        return Err(codes);
    }
    let text = text_of(result, None).map_err(|failed| vec![failed])?.replace(PREFIX, "");
    let value = crate::data::read(&text).map(|value| crate::data::long_form(&value));
    let mut value = value.map_err(|error| vec![error])?;
    names_as_strings(&mut value);
    strings_without_variables(&mut value);
    if let Some(sections) = value.as_object_mut() {
        // A module brings the mappings and conditions that something needs.
        for name in ["Mappings", "Conditions", "Transform"] {
            sections.remove(name);
        }
    }
    Ok(value)
}

/// The name of an import is a string: a number in its place is written as one unless it is copied.
fn names_as_strings(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Array(items) => items.iter_mut().for_each(names_as_strings),
        serde_json::Value::Object(members) => {
            for (name, value) in members {
                if name == "Fn::ImportValue" && value.is_number() {
                    *value = value.to_string().into();
                }
                names_as_strings(value);
            }
        }
        _ => {}
    }
}

/// What is in a call that fails stays as it is written: an `Fn::Sub` whose last variable was put in is its string
/// where a module put it in, and a call where the text has it.
fn strings_without_variables(value: &mut serde_json::Value) {
    let text = value.as_object().filter(|members| members.len() == 1).and_then(|members| members.get("Fn::Sub"));
    let string = text.and_then(serde_json::Value::as_str).and_then(|text| {
        let of = |part: Part<'_>| match part {
            Part::Text(text) => Some(text.to_owned()),
            Part::Literal(name) => Some(["${", name, "}"].concat()),
            Part::Variable(_) => None,
        };
        sub_string::parts(text).map(of).collect::<Option<String>>()
    });
    if let Some(string) = string {
        *value = string.into();
        return;
    }
    match value {
        serde_json::Value::Array(items) => items.iter_mut().for_each(strings_without_variables),
        serde_json::Value::Object(members) => members.values_mut().for_each(strings_without_variables),
        _ => {}
    }
}

/// Compares two templates whose files are in one host.
pub(super) fn same(host: &MemoryHost, one: &str, other: &str) -> Verdict {
    same_with(host, &[], one, other)
}

/// Whether a template that needs no other files is accepted.
pub(super) fn is_accepted(text: &str) -> bool {
    let options = Options { values: Values::All, ..Options::default() };
    let host = MemoryHost::new();
    let compiler = Session::new(&host, options);
    let result = compiler.compile_bytes(&VirtualPath::new("template.json"), text.as_bytes().into(), Goal::Resolve);
    !result.diagnostics().iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// The same with values of parameters.
pub(super) fn same_with(host: &MemoryHost, given: &[ParameterValue], one: &str, other: &str) -> Verdict {
    for is_region_known in [false, true] {
        let mut options = Options { values: Values::All, parameters: given.to_vec(), ..Options::default() };
        if is_region_known {
            options.pseudo.push((PseudoParameter::Region, "eu-west-1".to_owned()));
        }
        let compile = |text: &str| {
            let compiler = Session::new(host, options.clone());
            compiler.compile_bytes(&VirtualPath::new("template.json"), text.as_bytes().into(), Goal::Resolve)
        };
        let mut runs = [compile(one), compile(other)];
        let answers = [answer(&runs[0]), answer(&runs[1])];
        if answers[0] != answers[1] {
            let words = |at: usize| match &answers[at] {
                Ok(value) => format!("{value:#}"),
                Err(codes) => {
                    let messages: Vec<&str> = runs[at].diagnostics().iter().map(|d| d.message.as_str()).collect();
                    format!("{codes:?} {messages:#?}")
                }
            };
            return Err(format!("{one}\n--- one\n{}\n--- other\n{}\n--- of\n{other}", words(0), words(1)));
        }
        for (run, text) in runs.iter_mut().zip([one, other]) {
            if answers[0].is_ok() {
                super::origins::origins_of(run).map_err(|error| format!("{error}\n{text}"))?;
            }
        }
    }
    Ok(())
}

pub(super) fn map(members: Vec<(&str, Value)>) -> Value {
    Value::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

pub(super) fn import(name: &str, members: Vec<(&str, Value)>) -> Value {
    let mut all = vec![("Source", Value::String("./module.json".to_owned()))];
    all.extend(members);
    map(vec![("Modules", map(vec![(name, map(all))]))])
}

/// A module with one import without properties is its body.
///
/// # Errors
/// In words.
pub fn an_import_is_its_body(body: &Value) -> Verdict {
    let body = json(body);
    let host = MemoryHost::new().with("module.json", body.as_str());
    same(&host, &body, &json(&import(PREFIX, Vec::new())))
}

/// Properties of an import are values that are written into the body.
///
/// # Errors
/// In words.
pub fn properties_are_values(body: &Value, values: &[(&str, Value)]) -> Verdict {
    let text = json(body);
    // A list is not text in a module.
    let is_list = |(_, value): &&(&str, Value)| matches!(value, Value::List(_));
    if values.iter().filter(is_list).any(|(name, _)| text.contains(&format!("${{{name}}}"))) {
        return Ok(());
    }
    let declared = values.iter().map(|(name, value)| {
        let kind = if matches!(value, Value::List(_)) { "CommaDelimitedList" } else { "String" };
        (*name, map(vec![("Type", Value::String(kind.to_owned()))]))
    });
    let Value::Map(mut sections) = body.clone() else { return Ok(()) };
    sections.push(("Parameters".to_owned(), map(declared.collect())));
    let host = MemoryHost::new().with("module.json", json(&Value::Map(sections)));
    let root = import(PREFIX, vec![("Properties", map(values.to_vec()))]);
    same(&host, &json(&written_in(body, values)), &json(&root))
}

/// A `ForEach` over imports is the imports.
///
/// # Errors
/// In words.
pub fn a_loop_is_its_imports(body: &Value, items: &[&str]) -> Verdict {
    let text = |text: &str| Value::String(text.to_owned());
    let Value::Map(mut sections) = body.clone() else { return Ok(()) };
    sections.push(("Parameters".to_owned(), map(vec![("Stage", map(vec![("Type", text("String"))]))])));
    let host = MemoryHost::new().with("module.json", json(&Value::Map(sections)));
    let properties = |value: &str| ("Properties", map(vec![("Stage", text(value))]));
    let collection = Value::List(items.iter().map(|item| text(item)).collect());
    let in_a_loop = import("Unit", vec![("ForEach", collection), properties("$Identifier")]);
    let imports = items
        .iter()
        .enumerate()
        .map(|(at, item)| (format!("Unit{at}"), map(vec![("Source", text("./module.json")), properties(item)])));
    let by_hand = map(vec![("Modules", Value::Map(imports.collect()))]);
    same(&host, &json(&by_hand), &json(&in_a_loop))
}

/// An include is its text: of a section, and of a value.
///
/// # Errors
/// In words.
pub fn an_include_is_its_text(body: &Value) -> Verdict {
    let Value::Map(sections) = body else { return Ok(()) };
    let include = |location: &str| {
        let location = map(vec![("Location", Value::String(location.to_owned()))]);
        let transform = map(vec![("Name", Value::String("AWS::Include".to_owned())), ("Parameters", location)]);
        map(vec![("Fn::Transform", transform)])
    };
    let mut host = MemoryHost::new();
    let mut included = Vec::new();
    for (name, value) in sections {
        let value = if matches!(name.as_str(), "Resources" | "Conditions" | "Mappings") {
            let file = format!("{name}.json");
            host = host.with(&file, json(value));
            include(&file)
        } else {
            value.clone()
        };
        included.push((name.clone(), value));
    }
    same(&host, &json(body), &json(&Value::Map(included)))
}

/// A value with other values in the place of references.
pub(super) fn written_in(value: &Value, values: &[(&str, Value)]) -> Value {
    let find = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
    match value {
        Value::List(items) => Value::List(items.iter().map(|item| written_in(item, values)).collect()),
        Value::Map(members) => match members.as_slice() {
            [(name, Value::String(target))] if name == "Ref" => find(target).unwrap_or(value).clone(),
            [(name, Value::String(text))] if name == "Fn::Sub" => {
                map(vec![("Fn::Sub", Value::String(filled(text, &[], values)))])
            }
            [(name, Value::List(parts))] if name == "Fn::Sub" => {
                let [Value::String(text), Value::Map(variables)] = parts.as_slice() else { return value.clone() };
                let text = Value::String(filled(text, variables, values));
                map(vec![("Fn::Sub", Value::List(vec![text, members_of(variables, values)]))])
            }
            _ => members_of(members, values),
        },
        other => other.clone(),
    }
}

fn members_of(members: &[(String, Value)], values: &[(&str, Value)]) -> Value {
    Value::Map(members.iter().map(|(name, value)| (name.clone(), written_in(value, values))).collect())
}

fn filled(text: &str, shadowing: &[(String, Value)], values: &[(&str, Value)]) -> String {
    let mut out = SubText::default();
    for part in sub_string::parts(text) {
        let Part::Variable(name) = part else {
            out.push(part);
            continue;
        };
        let is_shadowed = shadowing.iter().any(|(known, _)| known == name);
        match values.iter().find(|(known, _)| *known == name && !is_shadowed) {
            Some((_, Value::String(value) | Value::Number(value))) => out.push_literal(value),
            Some((_, Value::Map(reference))) if let [(_, Value::String(target))] = reference.as_slice() => {
                out.push_variable(target);
            }
            _ => out.push(part),
        }
    }
    out.finish();
    out.into_string()
}
