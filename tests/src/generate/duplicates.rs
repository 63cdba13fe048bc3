//! Keys that appear twice.

use formwork_syntax::value::Value;

use super::choices::Choices;
use super::values::{call, reference, text};

/// The same value, with entries in front of others of the same name: all of these are lost.
pub fn duplicates(value: &Value, choices: &mut Choices<'_>) -> Value {
    match value {
        Value::List(items) => Value::List(items.iter().map(|item| duplicates(item, choices)).collect()),
        Value::Map(members) => {
            let mut all: Vec<(String, Value)> =
                members.iter().map(|(name, value)| (name.clone(), duplicates(value, choices))).collect();
            while !all.is_empty() && choices.one_in(5) {
                let at = choices.below(all.len());
                let lost = (all[at].0.clone(), lost(&all, choices));
                let before = choices.below(at + 1);
                all.insert(before, lost);
            }
            Value::Map(all)
        }
        scalar => scalar.clone(),
    }
}

/// What the value of an entry that is lost may be.
fn lost(members: &[(String, Value)], choices: &mut Choices<'_>) -> Value {
    match choices.below(8) {
        0 => Value::Null,
        1 => reference("AWS::NoValue"),
        2 => call("Fn::Sub", text("lost ${Nowhere}")),
        3 => Value::List(vec![text("lost"), Value::Map(Vec::new())]),
        4 => Value::Map(vec![("Lost".to_owned(), text("lost\n  \n"))]),
        5 => text("lost\n\n"),
        6 => members[choices.below(members.len())].1.clone(),
        _ => text("lost"),
    }
}
