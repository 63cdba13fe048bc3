//! What goes into the text of `Fn::Sub` is there as it is: no dollar sign and no brace of it becomes a part of a variable,
//! or takes one away.

use std::sync::Arc;

use formwork::{Compilation, Goal, MemoryHost, Options, Session, VirtualPath};
use serde_json::{Map, Value, json};

use super::{compile, text_of};
use crate::generate::Choices;

/// A text as `Fn::Sub` returns it.
#[derive(PartialEq, Eq, Debug)]
enum Part {
    Literal(char),
    Variable(String),
}

/// The law; returns how many of the runs have an output.
///
/// # Errors
/// In words.
pub fn texts_stay(choices: &mut Choices<'_>) -> Result<usize, String> {
    let data: Vec<String> = (0..3).map(|_| piece(choices)).collect();
    let text: String = (0..=choices.below(6)).map(|_| word(choices)).collect();
    let bound: Vec<(&str, &str)> = ["X", "Y", "Z"].into_iter().zip(data.iter().map(String::as_str)).collect();
    let value = |name: &str| bound.iter().find(|(known, _)| *known == name).map(|&(_, value)| value.to_owned());
    let expected = read(&text, &value);
    let is_right = |found| found == expected;
    let mut outputs = 0;
    for (what, root) in [("loops", loops(&text, &bound)), ("variables", variables(&text, &bound))] {
        let result = compile(&root.to_string(), &Options::default(), Goal::Resolve);
        outputs += check(what, &root, &result, is_right)?;
    }
    // Every variable has a value, and may be unused.
    let mut properties: Map<String, Value> =
        bound.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect();
    properties.extend([("Q".to_owned(), json!({"Ref": "Q"})), ("T".to_owned(), "".into())]);
    let root = import("M.O", &json!({"Source": "./module.json", "Properties": properties}));
    outputs += check("a module", &root, &with_module(&root, &module(&json!({"Fn::Sub": text}))), is_right)?;
    // The items of its copies have the values.
    let mut item = properties.clone();
    item.insert("Identifier".to_owned(), "A".into());
    let text_of_item = bound
        .iter()
        .fold(text.clone(), |text, (name, _)| text.replace(&format!("${{{name}}}"), &format!("${{Value.{name}}}")));
    properties.insert("T".to_owned(), json!({"Fn::Sub": &text_of_item}));
    let copies = json!({"Source": "./module.json", "ForEach": [item], "Properties": properties});
    let root = import("M[A].O", &copies);
    let expected = read(&text_of_item, &|name| value(name.strip_prefix("Value.")?));
    let is_right = |found| found == expected;
    outputs += check("copies", &root, &with_module(&root, &module(&json!({"Ref": "T"}))), is_right)?;
    let root = template(&json!({"Fn::ToJsonString": [data[0], {"Ref": "Q"}, data[1]]}));
    let mut parts = literal(&format!("[\"{}\",\"", data[0]));
    parts.push(Part::Variable("Q".to_owned()));
    parts.extend(literal(&format!("\",\"{}\"]", data[1])));
    let result = compile(&root.to_string(), &Options::default(), Goal::Resolve);
    outputs += check("Fn::ToJsonString", &root, &result, |found| found == parts)?;
    Ok(outputs)
}

fn with_module(root: &Value, module: &Value) -> Arc<Compilation> {
    let host = MemoryHost::new().with("module.json", module.to_string());
    let (path, text) = (VirtualPath::new("template.yaml"), root.to_string());
    Session::new(&host, Options::default()).compile_bytes(&path, text.as_bytes().into(), Goal::Resolve)
}

fn literal(text: &str) -> Vec<Part> {
    text.chars().map(Part::Literal).collect()
}

/// Characters that mean something in `Fn::Sub`, and one that does not.
fn piece(choices: &mut Choices<'_>) -> String {
    (0..choices.below(5)).map(|_| choices.of(&['$', '{', '}', '!', 'a'])).collect()
}

/// A word of the text.
fn word(choices: &mut Choices<'_>) -> String {
    match choices.below(6) {
        0 => choices.of(&["$", "}", "!", "a", "{", "${!a}"]).to_owned(),
        1 => "${Q}".to_owned(),
        2 => "${AWS::Region}".to_owned(),
        _ => format!("${{{}}}", choices.of(&["X", "Y", "Z"])),
    }
}

/// What a text means, read as CloudFormation reads it.
fn read(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Vec<Part> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let inner = rest.strip_prefix("${").and_then(|rest| rest.split_once('}'));
        let Some((inner, behind)) = inner else {
            parts.push(Part::Literal(first));
            rest = &rest[first.len_utf8()..];
            continue;
        };
        match inner.strip_prefix('!') {
            Some(name) => parts.extend(literal(&format!("${{{name}}}"))),
            None => match value(inner) {
                Some(value) => parts.extend(literal(&value)),
                None => parts.push(Part::Variable(inner.to_owned())),
            },
        }
        rest = behind;
    }
    parts
}

/// What the value of an output means, variables of maps in place.
fn meaning(value: &Value) -> Option<Vec<Part>> {
    if let Some(text) = value.as_str() {
        return Some(literal(text));
    }
    if let Some(name) = value.get("Ref").and_then(Value::as_str) {
        return Some(vec![Part::Variable(name.to_owned())]);
    }
    let argument = value.get("Fn::Sub")?;
    let text = argument.get(0).unwrap_or(argument).as_str()?;
    let mut made = Vec::new();
    for part in read(text, &|_| None) {
        let own = if let Part::Variable(name) = &part { argument.get(1).and_then(|own| own.get(name)) } else { None };
        match own {
            Some(value) => made.extend(meaning(value)?),
            None => made.push(part),
        }
    }
    Some(made)
}

/// Whether the output `O` of a template means what it should; the number of outputs.
fn check(
    what: &str,
    input: &Value,
    result: &Compilation,
    is_right: impl Fn(Vec<Part>) -> bool,
) -> Result<usize, String> {
    let Ok(output) = text_of(result, None) else { return Ok(0) };
    let wrong = || format!("{what}\n{input}\n{output}");
    let root = crate::data::long_form(&crate::data::read(&output).map_err(|_| wrong())?);
    let found = meaning(&root["Outputs"]["O"]["Value"]).ok_or_else(wrong)?;
    if is_right(found) { Ok(1) } else { Err(wrong()) }
}

/// A template with one output.
fn template(value: &Value) -> Value {
    json!({
        "Transform": "AWS::LanguageExtensions",
        "Resources": {"Q": {"Type": "AWS::SNS::Topic"}},
        "Outputs": {"O": {"Value": value}},
    })
}

/// The text in loops, one in another.
fn loops(text: &str, bound: &[(&str, &str)]) -> Value {
    let mut template = template(&Value::Null);
    let output = json!({"O": {"Value": {"Fn::Sub": text}}});
    template["Outputs"] = bound.iter().enumerate().fold(output, |body, (at, (name, item))| {
        let name_of_loop = format!("Fn::ForEach::L{at}");
        json!({name_of_loop: [name, [item], body]})
    });
    template
}

/// The text with variables of its own.
fn variables(text: &str, bound: &[(&str, &str)]) -> Value {
    let own: Map<String, Value> = bound.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect();
    template(&json!({"Fn::Sub": [text, own]}))
}

/// A module with an output of this value.
fn module(value: &Value) -> Value {
    let declared = json!({"Type": "String"});
    json!({
        "Parameters": {"X": declared, "Y": declared, "Z": declared, "Q": declared, "T": declared},
        "Outputs": {"O": {"Value": value}},
    })
}

/// A template with a module whose output is its own.
fn import(output: &str, import: &Value) -> Value {
    let mut root = template(&json!({"Fn::GetAtt": output}));
    root["Modules"] = json!({"M": import});
    if let Some(root) = root.as_object_mut() {
        root.remove("Transform");
    }
    root
}
