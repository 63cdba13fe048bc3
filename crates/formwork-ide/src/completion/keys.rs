//! Keys: sections, attributes, parameters of modules, functions.

use formwork::query::SymbolKind;

use super::functions::is_offered;
use super::{Collector, ProposalKind, properties};
use crate::context::Step;
use crate::markdown::words as inert;
use crate::nested::{members as nested_members, template_of};
use crate::sections::{FUNCTIONS, SECTIONS, attributes};

pub(super) fn keys(collector: &mut Collector<'_, '_>) {
    let keys: Vec<String> = collector.context.keys().into_iter().map(str::to_owned).collect();
    let own: Vec<&str> = keys.iter().map(String::as_str).filter(|key| !key.starts_with("Fn::ForEach")).collect();
    if collector.context.call().is_some() {
        return arguments(collector);
    }
    match own.as_slice() {
        [] => sections(collector),
        [section] => members(collector, section),
        [section, _] => {
            for &(name, words, is_required) in attributes(section) {
                let group = u8::from(!is_required);
                let words = (is_required.then(|| "required".to_owned()), Some(words.to_owned()));
                collector.add_key(name, ProposalKind::Keyword, words, group);
            }
        }
        ["Resources", id, "Properties", "Parameters"] if template_of(collector.ide, collector.file, id).is_some() => {
            let child = template_of(collector.ide, collector.file, id);
            for name in child.map_or_else(Vec::new, |child| nested_members(&child, "Parameters")) {
                collector.add_key(&name, ProposalKind::Name(SymbolKind::Parameter), (None, None), 0);
            }
        }
        ["Modules", import, "Properties"] => module_parameters(collector, import),
        ["Modules", import, "Overrides"] => module_resources(collector, import),
        ["Modules", _, "Overrides", _] => {
            for &(name, words, _) in attributes("Resources") {
                collector.add_key(name, ProposalKind::Keyword, (None, Some(words.to_owned())), 0);
            }
        }
        _ => {
            let is_in_properties = properties::names(collector);
            if collector.context.siblings.is_empty() && !(is_in_properties && own.len() == 3) {
                functions(collector);
            }
        }
    }
}

fn sections(collector: &mut Collector<'_, '_>) {
    let is_module = ["Modules", "Packages", "Constants", "ParameterSchema"]
        .iter()
        .any(|name| collector.context.siblings.iter().any(|sibling| sibling == name));
    for (name, words, is_of_modules) in SECTIONS {
        let group = u8::from(is_of_modules && !is_module);
        collector.add_key(name, ProposalKind::Keyword, (None, Some(words.to_owned())), group);
    }
}

fn members(collector: &mut Collector<'_, '_>, section: &str) {
    let wanted = match section {
        "Parameters" => Some(SymbolKind::Parameter),
        "Conditions" => Some(SymbolKind::Condition),
        "Mappings" => Some(SymbolKind::Mapping),
        "Resources" => Some(SymbolKind::Resource),
        _ => None,
    };
    for missing in collector.ide.project().missing(collector.file) {
        let is_name = missing.name.chars().all(|c| c.is_ascii_alphanumeric()) && !missing.name.is_empty();
        let fits = Some(missing.kind) == wanted
            || missing.kind == SymbolKind::Parameter && wanted == Some(SymbolKind::Resource);
        if fits && is_name {
            let words = (Some("used and not declared".to_owned()), None);
            collector.add_key(&missing.name, ProposalKind::Name(missing.kind), words, 0);
        }
    }
    let has_loops = matches!(section, "Resources" | "Outputs" | "Conditions" | "Mappings" | "Modules");
    if has_loops && !collector.is_json {
        let column = " ".repeat(collector.context.column);
        let label = "Fn::ForEach::Name";
        let body = format!(
            "Fn::ForEach::Name:\n{column}  - Item\n{column}  - [one, two]\n{column}  - Id${{Item}}:\n{column}      "
        );
        let words = (Some("loop".to_owned()), Some("A fragment for each item of a collection.".to_owned()));
        collector.add_documented(label, body, ProposalKind::Snippet, words, 2);
        let snippet =
            "Fn::ForEach::${1:Name}:\n  - ${2:Item}\n  - [${3:one, two}]\n  - ${4:Id}\\${${2:Item}\\}:\n      $0";
        if let Some(last) = collector.proposals.last_mut().filter(|last| last.label == label) {
            last.snippet = Some(snippet.to_owned());
        }
    }
}

/// Adds keys of the argument of a function that is a mapping.
fn arguments(collector: &mut Collector<'_, '_>) {
    let function = collector.context.call().map(|(function, _)| function.to_owned()).unwrap_or_default();
    let names: &[&str] = match function.as_str() {
        "Fn::Map" => &["Collection", "Key", "Fragment", "Index", "Value"],
        "Fn::Transform" => &["Name", "Parameters"],
        _ => &[],
    };
    for name in names {
        collector.add_key(name, ProposalKind::Keyword, (None, None), 0);
    }
    // A value in an argument may be a call.
    if names.is_empty() && matches!(collector.context.path.last(), Some(Step::Index(_))) {
        functions(collector);
    }
}

pub(super) fn functions(collector: &mut Collector<'_, '_>) {
    for (name, form, words) in FUNCTIONS {
        if !is_offered(collector, name) {
            continue;
        }
        let words = (Some(form.to_owned()), Some(words.to_owned()));
        collector.add_key(name, ProposalKind::Function, words, 8);
    }
}

/// Adds the parameters of the module of an import, required ones first.
fn module_parameters(collector: &mut Collector<'_, '_>, import: &str) {
    for input in inputs(collector, import) {
        let default = input.default.as_deref().map(|default| format!(" = {default}")).unwrap_or_default();
        let detail = format!("{}{default}", input.kind);
        let group = u8::from(input.default.is_some());
        let words = (Some(detail), input.description.as_deref().map(inert));
        collector.add_key(&input.name, ProposalKind::Name(SymbolKind::Parameter), words, group);
    }
}

fn module_resources(collector: &mut Collector<'_, '_>, import: &str) {
    let project = collector.ide.project();
    let file = project.imports(collector.file).into_iter().find(|one| one.name == import).and_then(|one| one.file);
    let Some(file) = file else { return };
    for name in project.names_of_kinds(&file, 0, &[SymbolKind::Resource]) {
        collector.add_key(&name.name, ProposalKind::Name(SymbolKind::Resource), (name.detail, None), 0);
    }
}

pub(super) struct Input {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) default: Option<String>,
    pub(super) description: Option<String>,
    pub(super) allowed: Vec<String>,
}

pub(super) fn inputs(collector: &Collector<'_, '_>, import: &str) -> Vec<Input> {
    let project = collector.ide.project();
    let file = project.imports(collector.file).into_iter().find(|one| one.name == import).and_then(|one| one.file);
    let Some((index, root)) =
        file.and_then(|file| collector.ide.file(&file)).and_then(|index| Some((index, index.root()?)))
    else {
        return Vec::new();
    };
    let tree = index.tree();
    let mut found: Vec<Input> = Vec::new();
    for section in ["ParameterSchema", "Parameters"] {
        let Some(members) = tree.get_text(root, section) else { continue };
        for entry in tree.entries(members) {
            let text = |name: &str| {
                let value = tree.get_text(entry.value, name).filter(|&value| tree.is_scalar(value))?;
                Some(tree.text(value).to_owned())
            };
            let name = tree.text(entry.key);
            if found.iter().any(|known| known.name == name) {
                continue;
            }
            let allowed = ["Enum", "AllowedValues"].iter().find_map(|key| tree.get_text(entry.value, key));
            let allowed = allowed.map_or(&[][..], |list| tree.items(list));
            found.push(Input {
                name: name.to_owned(),
                kind: text("Type").unwrap_or_else(|| "String".to_owned()),
                default: tree
                    .get_text(entry.value, "Default")
                    .map(|_| text("Default").unwrap_or_else(|| "...".to_owned())),
                description: text("Description"),
                allowed: allowed
                    .iter()
                    .filter(|&&item| tree.is_scalar(item))
                    .map(|&item| tree.text(item).to_owned())
                    .collect(),
            });
        }
    }
    found
}
