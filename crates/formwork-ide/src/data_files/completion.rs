//! Completions in a data file.

use std::collections::BTreeSet;
use std::ops::Range;

use formwork::query::SymbolKind;

use super::toml_context::TomlContext;
use super::{DataFile, DataKind, members};
use crate::Edit;
use crate::completion::{Proposal, ProposalKind};
use crate::context::{Context, Place, Step};
use crate::markdown::words as inert;

/// A parameter of a template.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclaredParameter {
    /// The name.
    pub name: String,
    /// The type.
    pub kind: String,
    /// The `Default`, unless the value is a secret.
    pub default: Option<String>,
    /// The `Description`.
    pub description: Option<String>,
    /// The allowed values, if they are listed.
    pub allowed: Vec<String>,
    /// `true` for `NoEcho`.
    pub is_secret: bool,
}

/// The declarations of the templates to which a data file belongs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Declared {
    /// Parameters.
    pub parameters: Vec<DeclaredParameter>,
    /// Paths of files to propose, relative to the data file.
    pub files: Vec<String>,
}

/// Returns the completions at an offset of a data file, the most fitting first.
pub fn completion(file: &DataFile, text: &str, offset: u32, declared: &Declared) -> Vec<Proposal> {
    let mut collector = Collector {
        file,
        text,
        offset,
        declared,
        edit: offset..offset,
        is_json: text.trim_start().starts_with(['{', '[']),
        proposals: Vec::new(),
        known: BTreeSet::new(),
    };
    match file.kind {
        DataKind::Parameters => parameters(&mut collector),
        DataKind::SamConfig | DataKind::Project => configuration(&mut collector),
    }
    collector.proposals.sort_by_key(|proposal| proposal.group);
    collector.proposals
}

struct Collector<'c> {
    file: &'c DataFile,
    text: &'c str,
    offset: u32,
    declared: &'c Declared,
    /// The token that a proposal replaces.
    edit: Range<u32>,
    is_json: bool,
    proposals: Vec<Proposal>,
    known: BTreeSet<String>,
}

impl Collector<'_> {
    fn add(&mut self, label: &str, text: String, kind: ProposalKind, words: [Option<String>; 2], group: u8) {
        if self.known.insert(label.to_owned()) {
            let [detail, documentation] = words;
            let edit = Edit::new(self.edit.start, self.edit.end, text);
            let label = label.to_owned();
            self.proposals.push(Proposal { label, kind, detail, documentation, edit, snippet: None, group });
        }
    }

    fn key(&mut self, context: &Context, key: &str, kind: ProposalKind, words: [Option<String>; 2], group: u8) {
        if context.siblings.iter().any(|sibling| sibling == key) {
            return;
        }
        let colon = if context.has_colon { "" } else { ": " };
        let text = match (context.quote, self.is_json) {
            (None, true) => format!("\"{key}\"{colon}"),
            (None, false) => format!("{key}{colon}"),
            (Some(_), _) => key.to_owned(),
        };
        self.add(key, text, kind, words, group);
    }

    fn value(&mut self, context: &Context, value: &str, kind: ProposalKind, detail: Option<String>) {
        let is_word = matches!(value, "true" | "false") || value.parse::<f64>().is_ok();
        let text = match (context.quote, self.is_json) {
            (None, true) if !is_word => format!("\"{value}\""),
            _ => value.to_owned(),
        };
        self.add(value, text, kind, [detail, None], 0);
    }

    fn parameter_words(parameter: &DeclaredParameter) -> [Option<String>; 2] {
        let default = parameter.default.as_deref().map(|default| format!(" = {default}")).unwrap_or_default();
        [Some(format!("{}{default}", parameter.kind)), parameter.description.as_deref().map(inert)]
    }

    /// Adds the parameters that are missing in the current mapping or list.
    fn parameter_keys(&mut self, context: &Context) {
        for parameter in &self.declared.parameters {
            let group = u8::from(parameter.default.is_some());
            let kind = ProposalKind::Name(SymbolKind::Parameter);
            self.key(context, &parameter.name, kind, Collector::parameter_words(parameter), group);
        }
    }

    fn allowed(&self, name: &str) -> Vec<String> {
        let own = self.declared.parameters.iter().find(|parameter| parameter.name == name);
        own.map_or_else(Vec::new, |own| {
            let is_flag =
                own.allowed.is_empty() && own.default.as_deref().is_some_and(|text| text == "true" || text == "false");
            let flags = if is_flag { vec!["true".to_owned(), "false".to_owned()] } else { Vec::new() };
            let default = own.default.iter().filter(|_| own.allowed.is_empty() && !is_flag).cloned();
            own.allowed.iter().cloned().chain(flags).chain(default).collect()
        })
    }

    fn allowed_values(&mut self, context: &Context, name: &str) {
        for value in self.allowed(name) {
            self.value(context, &value, ProposalKind::Value, None);
        }
    }

    fn files(&mut self, context: &Context) {
        for file in &self.declared.files {
            self.value(context, file, ProposalKind::File, None);
        }
    }
}

fn context_of(collector: &mut Collector<'_>) -> Context {
    let context = Context::new(collector.text, collector.offset as usize);
    collector.edit = context.start as u32..context.end as u32;
    context
}

/// Completes a parameters file, in each of its shapes.
fn parameters(collector: &mut Collector<'_>) {
    let context = context_of(collector);
    let is_key = matches!(context.place, Place::Key | Place::Element);
    let steps: Vec<Option<&str>> = context
        .path
        .iter()
        .map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Index(_) => None,
        })
        .collect();
    match (steps.as_slice(), is_key) {
        _ if context.place == Place::Nothing => {}
        ([None], true) => {
            for name in ["ParameterKey", "ParameterValue"] {
                collector.key(&context, name, ProposalKind::Keyword, [None, None], 0);
            }
        }
        ([None], false) => words(collector, true),
        ([None, Some("ParameterKey")], false) => {
            let named: Vec<&str> = collector.file.uses.iter().map(|used| used.name.as_str()).collect();
            let here = collector.file.use_at(collector.offset).map(|used| used.name.clone());
            for parameter in &collector.declared.parameters {
                let name = parameter.name.as_str();
                if !named.contains(&name) || here.as_deref() == Some(name) {
                    let [detail, _] = Collector::parameter_words(parameter);
                    collector.value(&context, name, ProposalKind::Name(SymbolKind::Parameter), detail);
                }
            }
        }
        ([None, Some("ParameterValue")], false) => {
            // The key is in front of the value in most files, else behind it.
            let uses = &collector.file.uses;
            let before = uses.iter().rev().find(|used| used.range.end <= collector.offset);
            let name = before.or_else(|| uses.first()).map(|used| used.name.clone()).unwrap_or_default();
            collector.allowed_values(&context, &name);
        }
        ([] | [Some("Parameters" | "parameters")], true) => collector.parameter_keys(&context),
        ([Some("template-file-path")], false) => collector.files(&context),
        ([Some("Parameters" | "parameters"), Some(name), ..] | [Some(name), ..], _) => {
            let name = (*name).to_owned();
            collector.allowed_values(&context, &name);
        }
        _ => {}
    }
}

/// Completes a word `Name=value` in a string: names, and after the equals sign the values of the parameter.
fn words(collector: &mut Collector<'_>, is_quoting: bool) {
    let token = collector.text.get(collector.edit.start as usize..collector.offset as usize).unwrap_or_default();
    let quote = if is_quoting && collector.is_json && !behind_quote(collector) { "\"" } else { "" };
    if let Some((name, _)) = token.split_once('=') {
        let name = name.to_owned();
        for value in collector.allowed(&name) {
            let text = format!("{quote}{name}={value}{quote}");
            collector.add(&format!("{name}={value}"), text, ProposalKind::Value, [None, None], 0);
        }
        return;
    }
    let named: Vec<String> = collector.file.uses.iter().map(|used| used.name.clone()).collect();
    for parameter in &collector.declared.parameters {
        if !named.contains(&parameter.name) {
            let text = format!("{quote}{}={quote}", parameter.name);
            let kind = ProposalKind::Name(SymbolKind::Parameter);
            collector.add(&parameter.name, text, kind, Collector::parameter_words(parameter), 0);
        }
    }
}

fn behind_quote(collector: &Collector<'_>) -> bool {
    let before = collector.text.get(..collector.edit.start as usize).unwrap_or_default();
    before.ends_with(['"', '\''])
}

/// `samconfig.toml` and `formwork.toml`.
fn configuration(collector: &mut Collector<'_>) {
    let context = TomlContext::new(collector.text, collector.offset as usize);
    collector.edit = context.start as u32..context.end as u32;
    let is_sam = collector.file.kind == DataKind::SamConfig;
    let table: Vec<&str> = context.table.iter().map(String::as_str).collect();
    let names_parameters =
        if is_sam { table.len() == 4 } else { table.len() == 2 && table.first() == Some(&"parameters") };
    match (context.is_header, context.is_value) {
        (true, _) => headers(collector, &context, is_sam),
        (_, false) if names_parameters => {
            for parameter in &collector.declared.parameters {
                let kind = ProposalKind::Name(SymbolKind::Parameter);
                setting(collector, &context, &parameter.name, kind, Collector::parameter_words(parameter));
            }
        }
        (_, false) if is_sam => {
            let own: &[(&str, &str)] = match table.as_slice() {
                [] => &[("version", "The version of the format: 0.1.")],
                [_, _, "parameters"] => &members::SAM_SETTINGS,
                _ => &[],
            };
            for (name, words) in own {
                setting(collector, &context, name, ProposalKind::Keyword, [None, Some((*words).to_owned())]);
            }
        }
        (_, false) => {
            for (name, node) in members::project_keys(&context.table) {
                let words = node.get("description").and_then(serde_json::Value::as_str).map(str::to_owned);
                if !members::is_table(node) {
                    setting(collector, &context, name, ProposalKind::Keyword, [None, words]);
                }
            }
        }
        (_, true) if names_parameters => {
            for value in collector.allowed(&context.key) {
                toml_value(collector, &context, &value, ProposalKind::Value);
            }
        }
        (_, true) => toml_values(collector, &context, is_sam),
    }
}

fn toml_values(collector: &mut Collector<'_>, context: &TomlContext, is_sam: bool) {
    if is_sam {
        match context.key.as_str() {
            "parameter_overrides" if context.quote.is_some() => words(collector, false),
            "template_file" | "template" => {
                for file in collector.declared.files.clone() {
                    toml_value(collector, context, &file, ProposalKind::File);
                }
            }
            key if members::SAM_FLAGS.contains(&key) => {
                for value in ["true", "false"] {
                    collector.add(value, value.to_owned(), ProposalKind::Value, [None, None], 0);
                }
            }
            _ => {}
        }
        return;
    }
    let node = members::project_setting(&context.table, Some(&context.key));
    for value in node.and_then(members::enum_values).unwrap_or_default() {
        let plain = value.trim_matches('"').to_owned();
        let text = if context.quote.is_some() { plain.clone() } else { value };
        collector.add(&plain, text, ProposalKind::Value, [None, None], 0);
    }
}

fn toml_value(collector: &mut Collector<'_>, context: &TomlContext, value: &str, kind: ProposalKind) {
    let text = if context.quote.is_some() { value.to_owned() } else { format!("\"{value}\"") };
    collector.add(value, text, kind, [None, None], 0);
}

fn setting(
    collector: &mut Collector<'_>,
    context: &TomlContext,
    name: &str,
    kind: ProposalKind,
    words: [Option<String>; 2],
) {
    if !context.siblings.iter().any(|sibling| sibling == name) {
        let text = if context.has_equals { name.to_owned() } else { format!("{name} = ") };
        collector.add(name, text, kind, words, 0);
    }
}

fn headers(collector: &mut Collector<'_>, context: &TomlContext, is_sam: bool) {
    let keyword = ProposalKind::Keyword;
    if !is_sam {
        for (name, node) in members::project_keys(&context.table) {
            let words = node.get("description").and_then(serde_json::Value::as_str).map(str::to_owned);
            if members::is_table(node) {
                collector.add(name, name.to_owned(), keyword, [None, words], 0);
            }
        }
        return;
    }
    let names: &[&str] = match context.table.len() {
        0 => &["default"],
        1 => &members::SAM_COMMANDS,
        2 => &["parameters"],
        3 => &["parameter_overrides"],
        _ => &[],
    };
    for name in names {
        collector.add(name, (*name).to_owned(), keyword, [None, None], 0);
    }
}
