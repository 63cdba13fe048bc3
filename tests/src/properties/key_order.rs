//! The order of keys has no effect: a project whose entries are in another order has the same result, or is refused
//! as well (reference/reading.md#duplicate-keys, reference/modules/copies.md#resources).

use formwork::{Goal, Options, PseudoParameter, Session, Values};
use formwork_syntax::value::Value;

use super::modules_agree::answer;
use crate::generate::{Choices, Project, json};

/// The law for one project, whose first file is the template. Returns whether it has an output.
///
/// # Errors
/// In words.
pub fn key_order(project: &Project, choices: &mut Choices<'_>) -> Result<bool, String> {
    // Where a file is inserted as text, the order of its keys is a value.
    let is_inserted = project.iter().any(|(_, file)| json(file).contains("Fn::InsertFile"));
    let mut again = |file: &Value| if is_inserted { file.clone() } else { shuffled(file, choices) };
    let other: Project = project.iter().map(|(name, file)| (name.clone(), again(file))).collect();
    let host = |files: &Project| super::host(files.iter().map(|(name, file)| (name.as_str(), json(file))));
    let hosts = [host(project), host(&other)];
    let name = project.first().map_or("", |(name, _)| name);
    let mut has_output = false;
    for values in [Values::Keep, Values::All] {
        for goal in [Goal::Expand, Goal::Resolve, Goal::Check] {
            let mut options = Options { values, ..Options::default() };
            options.pseudo.push((PseudoParameter::Region, "eu-west-1".to_owned()));
            let [one, two] = [&hosts[0], &hosts[1]].map(|host| Session::new(host, options.clone()).compile(name, goal));
            let answers = if goal == Goal::Check {
                let codes = |run: &formwork::Compilation| {
                    let mut codes: Vec<String> = run.diagnostics().iter().map(|found| found.code.to_string()).collect();
                    codes.sort();
                    if run.has_errors() { vec!["errors".to_owned()] } else { codes }
                };
                [Err(codes(&one)), Err(codes(&two))]
            } else {
                [answer(&one), answer(&two)].map(|answer| answer.map(with_needs_in_order))
            };
            has_output |= answers[0].is_ok();
            // Which error hides another one depends on which is met first.
            let are_refused = goal != Goal::Check && answers.iter().all(Result::is_err);
            if !are_refused && answers[0] != answers[1] {
                let text = |files: &Project| {
                    let texts = files.iter().map(|(name, file)| format!("--- {name}\n{}", json(file)));
                    texts.collect::<Vec<_>>().join("\n")
                };
                let [one, two] = answers.map(|answer| match answer {
                    Ok(value) => format!("{value:#}"),
                    Err(codes) => format!("{codes:?}"),
                });
                let (goal, project, other) = (goal.name(), text(project), text(&other));
                return Err(format!("{goal} --values {values:?}: {one}\n--- other order\n{two}\n{project}\n{other}"));
            }
        }
    }
    Ok(has_output)
}

/// A template whose `DependsOn` are in one order, since what an import means there is in the order of its module, and whose
/// objects as strings are objects.
fn with_needs_in_order(mut template: serde_json::Value) -> serde_json::Value {
    let resources = template.get_mut("Resources").and_then(serde_json::Value::as_object_mut);
    for resource in resources.into_iter().flat_map(serde_json::Map::values_mut) {
        if let Some(needs) = resource.get_mut("DependsOn").and_then(serde_json::Value::as_array_mut) {
            needs.sort_by_key(ToString::to_string);
        }
    }
    json_as_data(&mut template);
    template
}

/// Objects that became strings as objects again: their keys are in the order in which they are written.
fn json_as_data(value: &mut serde_json::Value) {
    if let Some(text) = value.as_str().filter(|text| text.starts_with(['{', '[']))
        && let Ok(data) = serde_json::from_str(text)
    {
        *value = data;
    }
    match value {
        serde_json::Value::Array(items) => items.iter_mut().for_each(json_as_data),
        serde_json::Value::Object(members) => members.values_mut().for_each(json_as_data),
        _ => {}
    }
}

/// A value with its entries in another order, but for those whose order is a value: of what becomes a string, and of the
/// objects that are collections; a constant is declared above those that name it.
fn shuffled(value: &Value, choices: &mut Choices<'_>) -> Value {
    match value {
        Value::List(items) => Value::List(items.iter().map(|item| shuffled(item, choices)).collect()),
        Value::Map(members) => {
            let is_ordered = |name: &str| {
                ["Fn::ToJsonString", "Fn::Flatten", "ForEach", "Collection", "Sizes", "Data", "Constants", "Default"]
                    .contains(&name)
                    || name.starts_with("Fn::ForEach::")
            };
            // Of two entries with one key the last counts.
            let is_twice = |(name, _): &(String, Value)| members.iter().filter(|(other, _)| other == name).count() > 1;
            let stays = members.iter().any(is_twice);
            let mut all: Vec<(String, Value)> = Vec::new();
            for (name, value) in members {
                let value = if is_ordered(name) { value.clone() } else { shuffled(value, choices) };
                let at = if stays { all.len() } else { choices.below(all.len() + 1) };
                all.insert(at, (name.clone(), value));
            }
            Value::Map(all)
        }
        scalar => scalar.clone(),
    }
}
