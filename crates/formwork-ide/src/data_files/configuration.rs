//! Reads `samconfig.toml` and `formwork.toml`.

use toml::de::DeValue;

use super::toml_context::TomlContext;
use super::toml_table::{Entry, entries, entries_of, read, strings};
use super::{DataFile, DataKind, assignments, members};
use crate::markdown::{block, words as inert};

/// Reads `samconfig.toml`: environments, below them commands, below them `parameters`.
pub(super) fn read_sam(text: &str, file: &mut DataFile) {
    let table = read(text);
    for environment in entries(text, table.get_ref()) {
        let commands = entries_of(text, environment.value);
        let settings: Vec<Vec<Entry<'_, '_>>> = commands
            .iter()
            .map(|command| {
                let parameters = entries_of(text, command.value).into_iter().find(|entry| entry.key == "parameters");
                parameters.map_or_else(Vec::new, |entry| entries_of(text, entry.value))
            })
            .collect();
        let template_of = |settings: &[Entry<'_, '_>]| {
            let named = settings.iter().find(|entry| matches!(entry.key, "template_file" | "template"));
            named.and_then(|entry| match entry.value.get_ref() {
                DeValue::String(path) => Some(path.to_string()),
                _ => None,
            })
        };
        // A setting that a command does not have may be in the section that applies to all of them.
        let global = commands.iter().position(|command| command.key == "global");
        let global = global.and_then(|at| settings.get(at)).and_then(|settings| template_of(settings));
        for settings in &settings {
            let template = template_of(settings).or_else(|| global.clone());
            file.templates.extend(template.clone());
            for entry in settings {
                if entry.key == "parameter_overrides" {
                    overrides(text, entry, template.as_deref(), file);
                } else {
                    paths(text, entry, file);
                }
            }
        }
    }
}

/// Reads the assignments of `parameter_overrides`: in one string, in a list of strings, or in a table.
fn overrides(text: &str, entry: &Entry<'_, '_>, template: Option<&str>, file: &mut DataFile) {
    if let DeValue::Table(_) = entry.value.get_ref() {
        for one in entries_of(text, entry.value) {
            file.add_use(one.key, one.key_range, template);
        }
        return;
    }
    let mut found = Vec::new();
    strings(text, entry.value, &mut found);
    for (_, range) in found {
        let source = text.get(range.start as usize..range.end as usize).unwrap_or_default();
        // A quote inside of a string is written with a backslash of the same width.
        let source = source.replace("\\\"", " \"");
        let words = assignments::names(&source);
        let words =
            words.into_iter().take(if matches!(entry.value.get_ref(), DeValue::Array(_)) { 1 } else { usize::MAX });
        for (name, at) in words {
            file.add_use(name, range.start + at.start as u32..range.start + at.end as u32, template);
        }
    }
}

/// Reads strings that may be paths.
fn paths(text: &str, entry: &Entry<'_, '_>, file: &mut DataFile) {
    let mut found = Vec::new();
    strings(text, entry.value, &mut found);
    for (string, range) in found {
        file.add_path(string, range);
    }
}

/// Reads `formwork.toml`: the tables below `parameters` are sets of values.
pub(super) fn read_project(text: &str, file: &mut DataFile) {
    let table = read(text);
    for entry in entries(text, table.get_ref()) {
        if entry.key != "parameters" {
            paths(text, &entry, file);
            continue;
        }
        for set in entries_of(text, entry.value) {
            for one in entries_of(text, set.value) {
                file.add_use(one.key, one.key_range, None);
            }
        }
    }
}

/// Returns the description of the setting at an offset of a configuration file, as Markdown, with its range.
pub fn hover(kind: DataKind, text: &str, offset: u32) -> Option<(std::ops::Range<u32>, String)> {
    let context = TomlContext::new(text, offset as usize);
    let range = context.start as u32..context.end as u32;
    let name = text.get(context.start..context.end)?;
    if context.is_value || context.is_header || name.is_empty() {
        return None;
    }
    let words = match kind {
        DataKind::Project => {
            let node = members::project_setting(&context.table, Some(name))?;
            let words = node.get("description").and_then(serde_json::Value::as_str)?;
            let values = members::enum_values(node).filter(|values| !values.is_empty());
            let values =
                values.map(|values| format!("\n\nAllowed values: {}", inert(&values.join(", ")))).unwrap_or_default();
            format!("{words}.{values}")
        }
        DataKind::SamConfig => members::sam_setting(name)?.to_owned(),
        DataKind::Parameters => return None,
    };
    Some((range, format!("{}\n\n{words}", block("toml", name))))
}
