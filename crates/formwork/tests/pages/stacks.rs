//! The stacks of an example: those of its `formwork.toml`, or its templates.

use formwork::repository::Template;
use formwork::{Goal, Options, ParameterValue, Report, Session, ValueSource};

use super::page::Example;

/// The stacks, each with the number of its template.
pub(super) fn of(example: &Example, reports: &[Report]) -> Vec<(usize, Template)> {
    let file = example.files.iter().find(|(name, _)| name == "formwork.toml");
    let Some((_, bytes)) = file else {
        return reports.iter().map(|report| report.compilation().links(&[])).enumerate().collect();
    };
    let file: toml::Table = String::from_utf8(bytes.clone()).expect("text").parse().expect("TOML");
    let mut found = Vec::new();
    for stack in file["stack"].as_array().expect("stacks") {
        let path = stack["template"].as_str().expect("a template");
        let number = usize::from(path != "template.yaml");
        let stages = stack.get("stages").and_then(toml::Value::as_array).cloned().unwrap_or_default();
        let stages: Vec<Option<&str>> = stages.iter().map(toml::Value::as_str).collect();
        for stage in if stages.is_empty() { vec![None] } else { stages } {
            found.push((number, one(example, (path, stack), stage)));
        }
    }
    for (number, report) in reports.iter().enumerate() {
        if !found.iter().any(|(known, _)| *known == number) {
            found.push((number, report.compilation().links(&[])));
        }
    }
    found
}

fn one(example: &Example, (path, stack): (&str, &toml::Value), stage: Option<&str>) -> Template {
    let values = stack.get("parameters").and_then(toml::Value::as_table);
    let value = |(name, value): (&String, &toml::Value)| ParameterValue {
        name: name.clone(),
        value: value.as_str().expect("text").replace("{stage}", stage.unwrap_or_default()),
        given: ValueSource::File,
    };
    let parameters: Vec<ParameterValue> = values.into_iter().flatten().map(value).collect();
    let names: Vec<String> = parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let session = Session::new(&example.host, Options { parameters, ..example.options.clone() });
    let compiled = session.compile(path, Goal::Expand);
    let mut template = compiled.links(&[]);
    template.stage = stage.map(str::to_owned);
    template.values = compiled.wrong_values(names.iter().map(String::as_str), "formwork.toml");
    template
}
