//! Values at random: scalars that readers stumble over, functions of every kind in right and wrong
//! shapes.

use formwork_syntax::value::Value;

use super::choices::Choices;

/// Strings that YAML readers interpret as something else, and others.
pub(super) const TEXTS: [&str; 38] = [
    "a",
    "plain words",
    "yes",
    "012",
    "1e3",
    "1_000",
    "1:30",
    "~",
    "",
    " lead",
    "trail ",
    "a: b",
    "a #b",
    "#c",
    "- d",
    "{e",
    "é\u{2028}",
    "tab\there",
    "two\nlines\n",
    "${!Literal}",
    "%",
    "\"quoted\"",
    "'single'",
    "2010-09-09",
    "null",
    "&{A}",
    "https://example.com/a?b=1",
    "?",
    "kept\n\n\n",
    "#!/bin/sh\nset -e\n\n  deep \"it's\"\nend",
    "  lead\nand end\n\n",
    "some more plain words",
    "ends deep\n   \n",
    "deep end\n    ",
    "  \n a\n   \n\n",
    ":lead",
    "-",
    "-_",
];

const NUMBERS: [&str; 6] = ["0", "1", "-7", "1.5", "007", "12345678901234567890"];

/// Names that a reference may have, right and wrong.
const NAMES: [&str; 9] =
    ["Stage", "Names", "Count", "Secret", "AWS::Region", "AWS::NoValue", "AWS::StackName", "Fixed", "Nowhere"];

pub(super) fn text(text: impl Into<String>) -> Value {
    Value::String(text.into())
}

pub(super) fn call(name: &str, argument: Value) -> Value {
    Value::Map(vec![(name.to_owned(), argument)])
}

pub(super) fn reference(name: &str) -> Value {
    call("Ref", text(name))
}

/// A name of the scope, or another.
fn name(choices: &mut Choices<'_>, scope: &[String]) -> String {
    if scope.is_empty() || choices.one_in(3) {
        choices.of(&NAMES).to_owned()
    } else {
        scope[choices.below(scope.len())].clone()
    }
}

/// The text of an `Fn::Sub`.
pub(super) fn pattern(choices: &mut Choices<'_>, scope: &[String]) -> String {
    let mut text = String::from(choices.of(&["", "x-", "Res", "a b "]));
    for _ in 0..choices.below(3) {
        let name = name(choices, scope);
        let (mark, name) = match choices.below(8) {
            0..=4 => ("${", name.as_str()),
            5 => ("&{", name.as_str()),
            6 => ("${!", name.as_str()),
            _ => ("${", "Fixed.Arn"),
        };
        text.extend([mark, name, "}"]);
        text.push_str(choices.of(&["", "-", "/y", "$"]));
    }
    text
}

/// Any value, for readers.
pub fn data(choices: &mut Choices<'_>) -> Value {
    Value::Map(vec![("a".to_owned(), value(choices, &[], 5)), ("b c".to_owned(), value(choices, &[], 5))])
}

/// Any value. `scope` has the variables of the loops around it.
pub(super) fn value(choices: &mut Choices<'_>, scope: &[String], depth: usize) -> Value {
    if choices.left == 0 || depth == 0 {
        return text("end");
    }
    choices.left -= 1;
    let inner = |choices: &mut Choices<'_>| value(choices, scope, depth - 1);
    match choices.below(27) {
        0..=2 => text(choices.of(&TEXTS)),
        3 => Value::Number(choices.of(&NUMBERS).to_owned()),
        4 => Value::Bool(choices.one_in(2)),
        5..=8 => reference(&name(choices, scope)),
        9..=11 => call("Fn::Sub", text(pattern(choices, scope))),
        12 => {
            let pattern = pattern(choices, scope);
            let variables = vec![("Var".to_owned(), inner(choices)), ("Stage".to_owned(), inner(choices))];
            call("Fn::Sub", Value::List(vec![text(format!("{pattern}${{Var}}")), Value::Map(variables)]))
        }
        13 => call("Fn::Join", Value::List(vec![text("-"), list(choices, scope, depth)])),
        14 => {
            let index = Value::Number(choices.below(3).to_string());
            call("Fn::Select", Value::List(vec![index, list(choices, scope, depth)]))
        }
        15 => call("Fn::Split", Value::List(vec![text(","), textual(choices, scope)])),
        16 => {
            let (top, second) = (key(choices, scope), choices.of(&["Size", "Kinds", "Lost"]));
            let mut items = vec![text("Table"), top, text(second)];
            if choices.one_in(2) {
                items.push(Value::Map(vec![("DefaultValue".to_owned(), inner(choices))]));
            }
            call("Fn::FindInMap", Value::List(items))
        }
        17 => {
            let condition = choices.of(&["IsDev", "IsOther", "IsLost"]);
            call("Fn::If", Value::List(vec![text(condition), inner(choices), inner(choices)]))
        }
        18 => call("Fn::GetAtt", Value::List(vec![text(choices.of(&["Fixed", "Nowhere"])), text("Arn")])),
        19 => call("Fn::Length", if choices.one_in(2) { list(choices, scope, depth) } else { reference("Names") }),
        20 => {
            let members = vec![("A".to_owned(), inner(choices)), ("B".to_owned(), inner(choices))];
            call("Fn::ToJsonString", Value::Map(members))
        }
        21 => call("Fn::Base64", textual(choices, scope)),
        22 => call("Fn::ImportValue", inner(choices)),
        23 => list(choices, scope, depth),
        _ => {
            let mut members: Vec<(String, Value)> = Vec::new();
            for _ in 0..choices.below(4) {
                let name = choices.of(&["A", "B", "Type", "yes", "a b", "Value", "${Name}"]).to_owned();
                if members.iter().all(|(known, _)| *known != name) {
                    let value = inner(choices);
                    members.push((name, value));
                }
            }
            Value::Map(members)
        }
    }
}

/// Something that returns a string.
fn textual(choices: &mut Choices<'_>, scope: &[String]) -> Value {
    match choices.below(4) {
        0 => text(choices.of(&["a,b", "x", "p,,q"])),
        1 => reference("Stage"),
        2 => call("Fn::ImportValue", text("Exported")),
        _ => call("Fn::Sub", text(pattern(choices, scope))),
    }
}

fn key(choices: &mut Choices<'_>, scope: &[String]) -> Value {
    match choices.below(4) {
        0 => text("dev"),
        1 => reference("Stage"),
        2 => text("prod"),
        _ => reference(&name(choices, scope)),
    }
}

pub(super) fn list(choices: &mut Choices<'_>, scope: &[String], depth: usize) -> Value {
    let count = choices.below(4);
    Value::List((0..count).map(|_| value(choices, scope, depth.saturating_sub(1))).collect())
}
