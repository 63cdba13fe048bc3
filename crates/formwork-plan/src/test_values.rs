//! Templates of tests, written as JSON.

use crate::side::{Iteration, Member, Section, Side, Site};
use crate::value::Value;

fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// A value of a JSON text; `Ref`, `Condition` and `Fn::` keys are calls.
pub(crate) fn value(json: &str) -> Value<'static> {
    of_json(&serde_json::from_str(json).expect("JSON"))
}

pub(crate) fn of_json(json: &serde_json::Value) -> Value<'static> {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(truth) => Value::Bool(*truth),
        serde_json::Value::Number(number) => Value::Number(leak(number.to_string())),
        serde_json::Value::String(text) => Value::String(leak(text.clone())),
        serde_json::Value::Array(items) => Value::List(items.iter().map(of_json).collect()),
        serde_json::Value::Object(members) => match members.iter().next() {
            Some((name, argument)) if members.len() == 1 && (name == "Ref" || name.starts_with("Fn::")) => {
                Value::Call(leak(name.clone()), Box::new(of_json(argument)))
            }
            _ => Value::Map(members.iter().map(|(key, value)| (leak(key.clone()), of_json(value))).collect()),
        },
    }
}

/// A template of a JSON text.
pub(crate) fn side(json: &str) -> Side<'static> {
    side_of(&serde_json::from_str(json).expect("JSON"))
}

pub(crate) fn side_of(json: &serde_json::Value) -> Side<'static> {
    let sections = Section::ALL.into_iter().filter_map(|section| {
        let members = json.get(section.name())?.as_object()?;
        let member = |(id, value): (&String, &serde_json::Value)| Member {
            id: leak(id.clone()),
            value: of_json(value),
            site: None,
        };
        Some((section, members.iter().map(member).collect()))
    });
    Side { sections: sections.collect() }
}

/// Says that resources were made by iterations of one loop: ID, item, number.
pub(crate) fn in_loop(side: &mut Side<'static>, loop_name: &str, key: &str, made: &[(&str, &str, u32)]) {
    for (section, members) in &mut side.sections {
        if *section != Section::Resources {
            continue;
        }
        for member in members {
            if let Some((_, item, index)) = made.iter().find(|(id, ..)| *id == member.id) {
                let iteration = Iteration {
                    loop_name: loop_name.to_owned(),
                    variable: "Value".to_owned(),
                    item: (*item).to_owned(),
                    index: *index,
                    is_module: false,
                };
                let body = format!("{loop_name}/{key}");
                member.site =
                    Some(Box::new(Site { iterations: vec![iteration], body, key: key.to_owned(), ..Site::default() }));
            }
        }
    }
}
