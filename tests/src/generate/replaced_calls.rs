//! Templates at random in which calls take the place of calls: branches of `Fn::If`, elements of
//! `Fn::Select` and defaults of `Fn::FindInMap` that stay calls when they are chosen.

use formwork_syntax::value::Value;

use super::choices::Choices;
use super::values::{TEXTS, call, reference, text};

fn map(members: Vec<(&str, Value)>) -> Value {
    Value::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn list(items: Vec<Value>) -> Value {
    Value::List(items)
}

/// A template without errors whose values are calls in calls.
pub fn replaced_calls(choices: &mut Choices<'_>) -> Value {
    let stage = map(vec![("Type", text("String")), ("Default", text("dev"))]);
    let is_dev = call("Fn::Equals", list(vec![reference("Stage"), text("dev")]));
    let is_here = call("Fn::Equals", list(vec![reference("AWS::Region"), text("eu-west-1")]));
    let table = map(vec![("dev", map(vec![("Text", text(choices.of(&TEXTS)))]))]);
    let properties: Vec<(&str, Value)> =
        ["A", "B", "C"].into_iter().take(1 + choices.below(3)).map(|name| (name, any(choices, 4))).collect();
    let other = map(vec![("Type", text("AWS::SNS::Topic"))]);
    let topic = map(vec![("Type", text("AWS::SNS::Topic")), ("Properties", map(properties))]);
    let mut resources = vec![("Other", other), ("Topic", topic)];
    if choices.one_in(2) {
        let body = map(vec![("Type", text("AWS::SNS::Topic")), ("Properties", map(vec![("A", any(choices, 3))]))]);
        let parts = vec![text("Item"), list(vec![text("x"), text("y")]), map(vec![("Made${Item}", body)])];
        resources.push(("Fn::ForEach::Loop", list(parts)));
    }
    map(vec![
        ("Transform", text("AWS::LanguageExtensions")),
        ("Parameters", map(vec![("Stage", stage)])),
        ("Conditions", map(vec![("IsDev", is_dev), ("IsHere", is_here)])),
        ("Mappings", map(vec![("Table", table)])),
        ("Resources", map(resources)),
    ])
}

/// Any value.
fn any(choices: &mut Choices<'_>, depth: usize) -> Value {
    if depth == 0 {
        return string(choices, 0);
    }
    match choices.below(8) {
        0 | 1 => list((0..=choices.below(3)).map(|_| any(choices, depth - 1)).collect()),
        2 => map(["K", "L", "M"]
            .into_iter()
            .take(1 + choices.below(3))
            .map(|key| (key, any(choices, depth - 1)))
            .collect()),
        3 | 4 => chosen(choices, depth, any),
        _ => string(choices, depth),
    }
}

/// A call that yields one of its values.
fn chosen(choices: &mut Choices<'_>, depth: usize, value: fn(&mut Choices<'_>, usize) -> Value) -> Value {
    let mut inner = || value(choices, depth - 1);
    let (one, other) = (inner(), inner());
    match choices.below(5) {
        0 | 1 => {
            let condition = text(choices.of(&["IsDev", "IsDev", "IsHere"]));
            call("Fn::If", list(vec![condition, one, other]))
        }
        2 => call("Fn::Select", list(vec![text(choices.of(&["0", "1"])), list(vec![one, other])])),
        _ => {
            let options = map(vec![("DefaultValue", one)]);
            let key = choices.of(&["dev", "lost", "lost"]);
            call("Fn::FindInMap", list(vec![text("Table"), text(key), text("Text"), options]))
        }
    }
}

/// A value that is a string when it is known.
fn string(choices: &mut Choices<'_>, depth: usize) -> Value {
    if depth == 0 {
        return match choices.below(4) {
            0 => text(choices.of(&TEXTS)),
            1 => reference("Stage"),
            2 => call("Fn::GetAtt", list(vec![text("Other"), text("TopicName")])),
            _ => call("Fn::Sub", text("${AWS::StackName}-${Other}")),
        };
    }
    match choices.below(9) {
        0 => string(choices, 0),
        1 | 2 => {
            let variables = map(vec![("Var", string(choices, depth - 1))]);
            call("Fn::Sub", list(vec![text(choices.of(&["${Var}-${Other}", "a\n${Var}\n\n"])), variables]))
        }
        3 | 4 => {
            let items = (0..=choices.below(3)).map(|_| string(choices, depth - 1)).collect();
            call("Fn::Join", list(vec![text("-"), list(items)]))
        }
        5 => call("Fn::Base64", string(choices, depth - 1)),
        6 => call("Fn::ImportValue", string(choices, depth - 1)),
        _ => chosen(choices, depth, string),
    }
}
