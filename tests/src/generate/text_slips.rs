//! Templates with a slip in a string: a placeholder without its end, in other brackets, with a letter or a mark too much.

use formwork_syntax::value::Value;

use super::choices::Choices;

/// What may be at the end of a string of `Fn::Sub`.
const ENDS: [&str; 9] =
    ["${b", "${Res0", "${", "${Nope}", "${AWS::Regio}", "${!Ref A}", "${ A B }", "$(A)", "${AWS:Region}"];

/// Puts up to three slips into the strings of `Fn::Sub` of a template, and into references.
pub fn text_slips(mut template: Value, choices: &mut Choices<'_>) -> Value {
    let Value::Map(sections) = &mut template else { return template };
    for (name, section) in sections {
        if matches!(name.as_str(), "Resources" | "Outputs" | "Conditions") {
            walk(section, choices, &mut 3);
        }
    }
    template
}

fn walk(value: &mut Value, choices: &mut Choices<'_>, left: &mut usize) {
    match value {
        Value::List(items) => items.iter_mut().for_each(|item| walk(item, choices, left)),
        Value::Map(members) => {
            for (name, value) in members {
                if *left > 0 && choices.one_in(3) && slip(name, value, choices) {
                    *left -= 1;
                } else {
                    walk(value, choices, left);
                }
            }
        }
        _ => {}
    }
}

/// Whether there was a string for a slip.
fn slip(name: &str, value: &mut Value, choices: &mut Choices<'_>) -> bool {
    match (name, value) {
        ("Fn::Sub", Value::String(text)) => text.push_str(choices.of(&ENDS)),
        ("Fn::Sub", Value::List(parts)) => match parts.first_mut() {
            Some(Value::String(text)) => text.push_str(choices.of(&ENDS)),
            _ => return false,
        },
        ("Ref" | "Condition", Value::String(text)) => text.push_str(choices.of(&["x", ".Arn", " ", "${b"])),
        (name, Value::String(text)) if name != "Type" && name != "Ref" => {
            choices.of(&["AWS::Region", "${AWS::Region}-x", "AWS::NoValue", "!Ref AWS::Region"]).clone_into(text);
        }
        _ => return false,
    }
    true
}
