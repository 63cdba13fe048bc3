//! The inputs of an import: type, default, and the passed value.

use formwork::display::MASK;
use formwork::query::ImportInfo;

use crate::Ide;
use crate::data_files::declared_parameters;
use crate::markdown::{span, words};

pub(super) fn inputs(ide: &Ide<'_>, import: &ImportInfo) -> Vec<String> {
    let Some(module) = import.file.as_ref().and_then(|file| ide.file(file)) else { return Vec::new() };
    let line = |input: &crate::data_files::DeclaredParameter| {
        let default = input.default.as_deref().map(|default| format!(" = {}", span(default))).unwrap_or_default();
        let passed = passed(ide, import, &input.name).map(|text| {
            // The passed literal of a secret input is its value.
            let is_literal = input.is_secret && !text.starts_with(['!', '{']);
            format!(", passed {}", span(if is_literal { MASK } else { &text }))
        });
        let missing = if input.default.is_none() { ", not passed" } else { "" };
        let passed = passed.unwrap_or_else(|| missing.to_owned());
        format!("- {}: {}{default}{passed}", span(&input.name), words(&input.kind))
    };
    declared_parameters(module).iter().map(line).collect()
}

/// Returns the first line of the source that an import passes for an input of its module; `None` when it passes
/// nothing.
pub fn passed(ide: &Ide<'_>, import: &ImportInfo, name: &str) -> Option<String> {
    let index = ide.file(&import.declared.file)?;
    let tree = index.tree();
    let imports = tree.get_text(index.root()?, "Modules")?;
    let own = tree.entries(imports).find(|entry| {
        let range = index.range_of(tree.span(entry.key));
        range.start <= import.declared.start && import.declared.end <= range.end
    })?;
    let value = tree.get_text(tree.get_text(own.value, "Properties")?, name)?;
    let range = index.range_of(tree.site(value));
    let source = index.text().get(range.start as usize..range.end as usize)?.trim_end();
    let mut lines = source.lines();
    let first = lines.next()?.to_owned();
    Some(if lines.next().is_some() { format!("{first} ...") } else { first })
}
