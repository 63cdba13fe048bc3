//! Templates with a few errors: a value of another kind, an argument too few or too many, a name with a letter
//! wrong.

use formwork_syntax::value::Value;

use super::choices::Choices;

/// Breaks up to three places of a template.
pub fn errors(mut template: Value, choices: &mut Choices<'_>) -> Value {
    for _ in 0..=choices.below(3) {
        let count = count(&template);
        let mut at = choices.below(256) * 256 + choices.below(256);
        at %= count.max(1);
        break_at(&mut template, &mut at, choices);
    }
    template
}

/// Number of values at and below one.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::List(items) => items.iter().map(count).sum::<usize>(),
        Value::Map(members) => members.iter().map(|(_, value)| count(value)).sum(),
        _ => 0,
    }
}

/// Breaks the value that is `at` steps after in document order. True when it was found.
fn break_at(value: &mut Value, at: &mut usize, choices: &mut Choices<'_>) -> bool {
    if *at == 0 {
        broken(value, choices);
        return true;
    }
    *at -= 1;
    match value {
        Value::List(items) => items.iter_mut().any(|item| break_at(item, at, choices)),
        Value::Map(members) => members.iter_mut().any(|(_, value)| break_at(value, at, choices)),
        _ => false,
    }
}

fn broken(value: &mut Value, choices: &mut Choices<'_>) {
    let text = || Value::String("text".to_owned());
    match value {
        Value::List(items) => match choices.below(4) {
            0 => drop(items.pop()),
            1 => items.push(text()),
            2 => items.clear(),
            _ => *value = text(),
        },
        Value::Map(members) => match choices.below(4) {
            0 => drop(members.pop()),
            1 => {
                if let Some((name, _)) = members.first_mut() {
                    misspell(name);
                }
            }
            2 => *value = text(),
            _ => *value = Value::List(vec![text()]),
        },
        Value::String(name) => match choices.below(3) {
            0 => misspell(name),
            1 => *value = Value::List(vec![text()]),
            _ => *value = Value::Map(vec![("A".to_owned(), text())]),
        },
        _ => *value = text(),
    }
}

/// Takes the letter before the last one out.
fn misspell(name: &mut String) {
    let Some((at, _)) = name.char_indices().rev().nth(1) else { return };
    name.remove(at);
}
