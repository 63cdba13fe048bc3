//! Whole templates at random.

use formwork_syntax::value::Value;

use super::choices::Choices;
use super::values::{call, list, pattern, reference, text, value};

/// The value of every `NoEcho` parameter: it may be seen nowhere.
pub const CANARY: &str = "canary-5f2c";

fn map(members: Vec<(&str, Value)>) -> Value {
    Value::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A template: parameters, a mapping, conditions, and resources and outputs with loops.
pub fn template(choices: &mut Choices<'_>) -> Value {
    let mut sections = Vec::new();
    match choices.below(8) {
        0..=4 => sections.push(("Transform", text("AWS::LanguageExtensions"))),
        5 => {
            let transforms = vec![text("AWS::LanguageExtensions"), text("Formwork")];
            sections.push(("Transform", Value::List(transforms)));
        }
        6 => {
            let transforms = vec![text("AWS::LanguageExtensions"), text("AWS::Serverless-2016-10-31")];
            sections.push(("Transform", Value::List(transforms)));
        }
        _ => {}
    }
    sections.push(("Parameters", parameters(choices)));
    sections.push(("Mappings", mappings()));
    sections.push(("Conditions", conditions(choices)));
    sections.push(("Resources", members(choices, &[], 0, true)));
    if choices.one_in(2) {
        sections.push(("Outputs", members(choices, &[], 0, false)));
    }
    map(sections)
}

fn parameters(choices: &mut Choices<'_>) -> Value {
    let mut stage = vec![("Type", text("String"))];
    if !choices.one_in(3) {
        stage.push(("Default", text(choices.of(&["dev", "prod", "other"]))));
    }
    let names = vec![("Type", text("CommaDelimitedList")), ("Default", text(choices.of(&["a,b", "x", "", "A1,b-2"])))];
    let count = vec![("Type", text("Number")), ("Default", Value::Number("2".to_owned()))];
    let secret = vec![("Type", text("String")), ("NoEcho", Value::Bool(true))];
    map(vec![("Stage", map(stage)), ("Names", map(names)), ("Count", map(count)), ("Secret", map(secret))])
}

fn mappings() -> Value {
    let kinds = |names: &[&str]| Value::List(names.iter().map(|&name| text(name)).collect());
    let dev = map(vec![("Size", text("small")), ("Kinds", kinds(&["a", "b"]))]);
    let prod = map(vec![("Size", Value::Number("3".to_owned())), ("Kinds", kinds(&[]))]);
    map(vec![("Table", map(vec![("dev", dev), ("prod", prod)]))])
}

fn conditions(choices: &mut Choices<'_>) -> Value {
    let equals = |one: Value, other: Value| call("Fn::Equals", Value::List(vec![one, other]));
    let is_dev = equals(reference("Stage"), text("dev"));
    let is_other = match choices.below(4) {
        0 => call("Fn::Not", Value::List(vec![call("Condition", text("IsDev"))])),
        1 => {
            let region = equals(reference("AWS::Region"), text("eu-west-1"));
            call("Fn::Or", Value::List(vec![call("Condition", text("IsDev")), region]))
        }
        2 => equals(reference("Secret"), text("known")),
        _ => equals(text("a"), text("a")),
    };
    map(vec![("IsDev", is_dev), ("IsOther", is_other)])
}

/// The entries of a section, loops among them.
fn members(choices: &mut Choices<'_>, scope: &[String], depth: usize, is_resources: bool) -> Value {
    let mut made = Vec::new();
    if depth == 0 && is_resources {
        made.push(("Fixed".to_owned(), member(choices, scope, is_resources)));
    }
    for number in 0..=choices.below(3) {
        let kind = choices.below(6);
        if depth < 3 && kind >= 2 && choices.left > 20 {
            let loop_name = format!("Loop{depth}{number}{}", if is_resources { "" } else { "Out" });
            let variable = format!("Name{depth}{number}");
            let mut inner = scope.to_vec();
            inner.push(variable.clone());
            let fragment = if kind == 5 && depth < 2 {
                members(choices, &inner, depth + 1, is_resources)
            } else {
                let key = match choices.below(6) {
                    0..=2 => format!("Res{depth}{number}{}", all(&inner, '$')),
                    3 | 4 => format!("Res{depth}{number}{}", all(&inner, '&')),
                    _ => pattern(choices, &inner),
                };
                Value::Map(vec![(key, member(choices, &inner, is_resources))])
            };
            let parts = vec![text(variable), collection(choices, scope), fragment];
            made.push((format!("Fn::ForEach::{loop_name}"), Value::List(parts)));
        } else if kind == 1 && depth == 0 {
            let variable = format!("Item{number}");
            let mut inner = scope.to_vec();
            inner.push(variable.clone());
            let mapped = map(vec![
                ("Value", text(variable.clone())),
                ("Index", text(format!("At{number}"))),
                ("Collection", collection(choices, scope)),
                ("Key", text(format!("Mapped{number}&{{{variable}}}"))),
                ("Fragment", member(choices, &inner, is_resources)),
            ]);
            if made.iter().all(|(name, _)| name != "Fn::Merge") {
                made.push(("Fn::Merge".to_owned(), Value::List(vec![call("Fn::Map", mapped)])));
            }
        } else {
            let key = format!("Own{depth}{number}{}", all(scope, '&'));
            made.push((key, member(choices, scope, is_resources)));
        }
    }
    Value::Map(made)
}

fn all(scope: &[String], mark: char) -> String {
    scope.iter().fold(String::new(), |text, name| text + &format!("{mark}{{{name}}}"))
}

fn collection(choices: &mut Choices<'_>, scope: &[String]) -> Value {
    match choices.below(9) {
        0..=4 => {
            let texts = ["a", "b", "c", "A1", "b-2"];
            let (from, count) = (choices.below(3), choices.below(4));
            Value::List(texts.iter().skip(from).take(count).map(|&item| text(item)).collect())
        }
        5 => reference("Names"),
        6 => call("Fn::Split", Value::List(vec![text(","), text("p,q")])),
        7 => Value::List(vec![Value::Number("1".to_owned()), Value::Bool(true), reference("AWS::NoValue")]),
        _ => list(choices, scope, 2),
    }
}

fn member(choices: &mut Choices<'_>, scope: &[String], is_resource: bool) -> Value {
    if !is_resource {
        let mut output = vec![("Value", value(choices, scope, 3))];
        if choices.one_in(4) {
            output.push(("Description", text("what it is")));
        }
        return map(output);
    }
    let mut resource = vec![("Type", text("AWS::SNS::Topic"))];
    match choices.below(8) {
        0 => resource.push(("Condition", text(choices.of(&["IsDev", "IsOther"])))),
        1 => resource.push(("DependsOn", text("Fixed"))),
        2 => resource.push(("DeletionPolicy", text("Retain"))),
        3 => {
            let choice = vec![text("IsDev"), text("Retain"), text("Delete")];
            resource.push(("DeletionPolicy", call("Fn::If", Value::List(choice))));
        }
        _ => {}
    }
    let mut properties = Vec::new();
    for number in 0..choices.below(4) {
        properties.push((["One", "Two", "Three", "Four"][number], value(choices, scope, 4)));
    }
    if choices.one_in(12) {
        properties.push(("Nothing", Value::Null));
    }
    if choices.one_in(6) {
        let mapped = map(vec![
            ("Value", text("Part")),
            ("Index", text("Nth")),
            ("Collection", collection(choices, scope)),
            ("Fragment", value(choices, &[scope, &["Part".to_owned()]].concat(), 2)),
        ]);
        properties.push(("Mapped", Value::List(vec![text("first"), call("Fn::Map", mapped)])));
    }
    resource.push(("Properties", map(properties)));
    map(resource)
}
