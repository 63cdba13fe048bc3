//! What is known of resource types finds every seeded error at its line, and nothing in what is right.
//!
//! Holds reference/schemas.md#judged, reference/schemas.md#names, reference/schemas.md#kinds, reference/schemas.md#calls.

mod facts;
mod generate;
mod oracle;

use std::sync::Arc;

use formwork::schemas::{ResourceType, Schemas};
use formwork::{Code, Compilation, Diagnostic, Goal, MemoryHost, Options, Session, Severity, codes};
use serde_json::{Map, Value, json};

use generate::{of_another_kind, resources};

/// How many types are looked at.
const TYPES: usize = 200;

fn schemas() -> Arc<Schemas> {
    Arc::new(Schemas::embedded())
}

fn compile(schemas: &Arc<Schemas>, files: &[(&str, &str)], goal: Goal) -> Arc<Compilation> {
    let host = files.iter().fold(MemoryHost::new(), |host, (name, text)| host.with(name, *text));
    let options = Options { schemas: Some(Arc::clone(schemas)), ..Options::default() };
    Session::new(&host, options).compile("template.json", goal)
}

/// Whether a diagnostic is about resource types.
fn is_of_schemas(found: &Diagnostic) -> bool {
    found.code == codes::NO_SUCH_ATTRIBUTE || (codes::UNKNOWN_PROPERTY..=codes::UNKNOWN_TYPE).contains(&found.code)
}

fn found(result: &Compilation) -> Vec<&Diagnostic> {
    result.diagnostics().iter().filter(|found| is_of_schemas(found) && found.severity > Severity::Note).collect()
}

fn check(schemas: &Arc<Schemas>, text: &str) -> Arc<Compilation> {
    compile(schemas, &[("template.json", text)], Goal::Check)
}

fn plain(known: ResourceType<'_>, properties: &Map<String, Value>) -> String {
    let template = json!({"Resources": {"R": {"Type": known.name(), "Properties": properties}}});
    format!("{template:#}\n")
}

/// The number of the first line that has a text, from one.
fn line_of(text: &str, part: &str) -> u32 {
    let at = text.lines().position(|line| line.contains(part)).unwrap_or_else(|| panic!("{part} in\n{text}"));
    at as u32 + 1
}

/// An error that is seeded in a right resource.
struct Seeded {
    properties: Map<String, Value>,
    code: Code,
    /// What is in the first line that has it.
    mark: String,
}

fn faults(known: ResourceType<'_>, right: &Map<String, Value>) -> Vec<Seeded> {
    let mut faults = Vec::new();
    let root = known.properties();
    if root.is_closed() {
        let mut properties = right.clone();
        properties.insert("Xyzzy".to_owned(), json!("wrong"));
        faults.push(Seeded { properties, code: codes::UNKNOWN_PROPERTY, mark: "\"Xyzzy\"".to_owned() });
    }
    for property in root.properties() {
        if property.required && right.contains_key(property.name) {
            let mut properties = right.clone();
            properties.remove(property.name);
            if !properties.is_empty() {
                faults.push(Seeded { properties, code: codes::MISSING_PROPERTY, mark: "\"Properties\": {".to_owned() });
            }
        }
        if let (true, Some(wrong)) = (right.contains_key(property.name), of_another_kind(property.node)) {
            let mut properties = right.clone();
            properties.insert(property.name.to_owned(), wrong);
            let mark = format!("\n        \"{}\": ", property.name);
            faults.push(Seeded { properties, code: codes::KIND_OF_PROPERTY, mark });
        }
    }
    faults
}

/// Whether a report has exactly the error, at its line.
fn has_it(result: &Compilation, fault: &Seeded, text: &str, count: u32) -> bool {
    let line = match fault.mark.strip_prefix('\n') {
        Some(mark) => text.lines().position(|line| line.starts_with(mark)).map_or(0, |at| at as u32 + 1),
        None => line_of(text, &fault.mark),
    };
    let place = |one: &Diagnostic| result.sources().place(one.span()).map(|place| place.line);
    let found = found(result);
    found.len() == 1 && found.iter().all(|one| one.code == fault.code && place(one) == Some(line) && one.count == count)
}

fn shown(result: &Compilation) -> String {
    let line = |one: &&Diagnostic| format!("  {} {} {}", one.code, one.severity.name(), one.message);
    found(result).iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn right_resources_are_silent_and_every_single_fault_is_found() {
    let schemas = schemas();
    let (mut wrong, mut count) = (Vec::new(), 0);
    let all = resources(&schemas, TYPES);
    assert_eq!(all.len(), TYPES);
    for (known, right) in &all {
        let result = check(&schemas, &plain(*known, right));
        if !found(&result).is_empty() {
            wrong.push(format!("{}: not silent\n{}", known.name(), shown(&result)));
            continue;
        }
        for fault in faults(*known, right) {
            let text = plain(*known, &fault.properties);
            let result = check(&schemas, &text);
            count += 1;
            if !has_it(&result, &fault, &text, 1) {
                wrong.push(format!("{}: {} at {:?}\n{}", known.name(), fault.code, fault.mark, shown(&result)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 1_000, "{count}");
}

#[test]
fn a_fault_in_a_loop_or_a_module_is_one_finding_at_its_line() {
    let schemas = schemas();
    let mut wrong = Vec::new();
    for (known, right) in &resources(&schemas, TYPES) {
        for fault in faults(*known, right).into_iter().take(3) {
            let resource = json!({"Type": known.name(), "Properties": fault.properties});
            let template = json!({
                "Transform": "AWS::LanguageExtensions",
                "Resources": {"Fn::ForEach::L": ["N", ["a", "b"], {"R${N}": resource}]},
            });
            let text = format!("{template:#}\n");
            let in_loop = Seeded { mark: fault.mark.replace("\n  ", "\n      "), ..fault };
            let result = check(&schemas, &text);
            if !has_it(&result, &in_loop, &text, 2) {
                wrong.push(format!("{} in a loop: {}\n{}", known.name(), in_loop.code, shown(&result)));
            }
            let module = format!("{:#}\n", json!({"Resources": {"R": resource}}));
            let importing = json!({"Modules": {"M": {"Source": "./module.json"}, "O": {"Source": "./module.json"}}});
            let importing = format!("{importing:#}\n");
            let files = [("template.json", importing.as_str()), ("module.json", module.as_str())];
            let result = compile(&schemas, &files, Goal::Check);
            let of_module = Seeded { mark: in_loop.mark.replace("\n      ", "\n  "), ..in_loop };
            if !has_it(&result, &of_module, &module, 2) {
                wrong.push(format!("{} in a module: {}\n{}", known.name(), of_module.code, shown(&result)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn an_expansion_has_the_findings_of_its_template() {
    let schemas = schemas();
    for (known, right) in &resources(&schemas, TYPES) {
        for fault in faults(*known, right).into_iter().take(2) {
            let resource = json!({"Type": known.name(), "Properties": fault.properties});
            let template = json!({
                "Transform": "AWS::LanguageExtensions",
                "Resources": {"Fn::ForEach::L": ["N", ["a", "b"], {"R${N}": resource}]},
            });
            let text = format!("{template:#}\n");
            let mut bytes = Vec::new();
            let expanded = compile(&schemas, &[("template.json", &text)], Goal::Expand);
            expanded.output().expect("no errors").write_bytes(None, &mut |part| bytes.extend_from_slice(part));
            let expansion = check(&schemas, &String::from_utf8(bytes).expect("text"));
            let of_template = check(&schemas, &text);
            let total = |result: &Compilation| -> Vec<(Code, u32)> {
                let mut counts: Vec<(Code, u32)> = Vec::new();
                for one in found(result) {
                    match counts.iter_mut().find(|(code, _)| *code == one.code) {
                        Some((_, count)) => *count += one.count,
                        None => counts.push((one.code, one.count)),
                    }
                }
                counts
            };
            assert_eq!(total(&of_template), total(&expansion), "{text}");
        }
    }
}

/// All scalars of a value, each replaced by what `with` makes of it.
fn replaced(value: &Value, with: &impl Fn(&Value) -> Value) -> Vec<Value> {
    match value {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, inner)| {
                replaced(inner, with).into_iter().map(move |inner| {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), inner);
                    Value::Object(fields)
                })
            })
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(at, inner)| {
                replaced(inner, with).into_iter().map(move |inner| {
                    let mut items = items.clone();
                    items[at] = inner;
                    Value::Array(items)
                })
            })
            .collect(),
        scalar => vec![with(scalar)],
    }
}

#[test]
fn what_is_not_known_is_not_reported() {
    let schemas = schemas();
    for (known, right) in &resources(&schemas, TYPES) {
        let right = Value::Object(right.clone());
        let reference = |_: &Value| json!({"Ref": "P"});
        let branch = |value: &Value| json!({"Fn::If": ["C", value, {"Ref": "AWS::NoValue"}]});
        for properties in replaced(&right, &reference).into_iter().chain(replaced(&right, &branch)).step_by(3) {
            let template = json!({
                "Parameters": {"P": {"Type": "String"}},
                "Conditions": {"C": {"Fn::Equals": [{"Ref": "P"}, "x"]}},
                "Resources": {"R": {"Type": known.name(), "Properties": properties}},
            });
            let text = format!("{template:#}\n");
            let result = check(&schemas, &text);
            assert!(found(&result).is_empty(), "{}\n{text}", shown(&result));
        }
    }
}

#[test]
fn fixes_make_the_finding_go_and_add_none() {
    let schemas = schemas();
    let mut count = 0;
    for (known, right) in &resources(&schemas, TYPES) {
        let Some((name, value)) = right.iter().find(|(name, _)| name.len() > 6) else { continue };
        if !known.properties().is_closed() {
            continue;
        }
        for slip in [name.to_uppercase(), format!("{name}s")] {
            let mut properties = right.clone();
            properties.remove(name);
            properties.insert(slip.clone(), value.clone());
            let text = plain(*known, &properties);
            let result = check(&schemas, &text);
            let all = found(&result);
            let Some(one) = all.iter().find(|one| one.code == codes::UNKNOWN_PROPERTY) else { continue };
            let Some(fix) = &one.fix else { continue };
            let mut fixed = text.clone();
            for (span, new) in fix.edits.iter().rev() {
                let place = result.sources().place(*span).expect("a place");
                let before: usize = text.split_inclusive('\n').take(place.line as usize - 1).map(str::len).sum();
                let at = before + place.column as usize - 1;
                fixed.replace_range(at..at + result.sources().slice(*span).len(), new);
            }
            let after = check(&schemas, &fixed);
            assert!(found(&after).is_empty(), "{}\n{fixed}", shown(&after));
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_number_gets_no_fix_by_its_digits() {
    let template = json!({"Resources": {"R": {"Type": "AWS::Logs::LogGroup", "Properties": {"RetentionInDays": 8}}}});
    let result = check(&schemas(), &template.to_string());
    let found = found(&result);
    assert!(
        matches!(found.as_slice(), [one] if one.code == codes::VALUE_NOT_ALLOWED && one.fix.is_none()),
        "{found:?}"
    );
}
