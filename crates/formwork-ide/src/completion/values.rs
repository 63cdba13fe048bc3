//! Values: names, functions, and words of a fixed set.

use std::collections::BTreeSet;

use formwork::query::SymbolKind;
use formwork::tree::{Kind, Known};

use super::functions::is_offered;
use super::keys::inputs;
use super::names::{attributes_of, get_att, of_kinds, resources, values as names};
use super::{Collector, ProposalKind, properties};
use crate::schema::schemas;
use crate::sections::{FUNCTIONS, parameter_types};

pub(super) fn values(collector: &mut Collector<'_, '_>) {
    if collector.token().starts_with('!') {
        return tags(collector);
    }
    let call = collector.context.call().map(|(function, at)| (function.to_owned(), at));
    if let Some((function, at)) = call {
        return argument(collector, &function, at);
    }
    let keys: Vec<String> = collector.context.keys().into_iter().map(str::to_owned).collect();
    let own: Vec<&str> = keys.iter().map(String::as_str).filter(|key| !key.starts_with("Fn::ForEach")).collect();
    of_key(collector, &own);
    properties::values(collector);
    if !collector.is_json && own.len() > 1 {
        tags(collector);
    }
}

fn few(collector: &mut Collector<'_, '_>, values: &[&str]) {
    for value in values {
        collector.add_value(value, ProposalKind::Value, None, 0);
    }
}

/// Adds the values of a key by its path, without loops.
fn of_key(collector: &mut Collector<'_, '_>, keys: &[&str]) {
    match *keys {
        ["AWSTemplateFormatVersion"] => few(collector, &["2010-09-09"]),
        ["Transform"] => few(collector, &["AWS::LanguageExtensions", "AWS::Serverless-2016-10-31", "Formwork"]),
        ["Parameters" | "ParameterSchema", _, "Type"] => {
            for kind in parameter_types() {
                collector.add_value(kind, ProposalKind::Type, None, 0);
            }
        }
        ["Parameters", _, "NoEcho"] => few(collector, &["true", "false"]),
        ["Parameters", name, "Default"] => allowed_values(collector, name),
        ["Resources", _, "Type"] => types(collector),
        ["Resources", _, "DeletionPolicy"] => {
            few(collector, &["Delete", "Retain", "RetainExceptOnCreate", "Snapshot"]);
        }
        ["Resources", _, "UpdateReplacePolicy"] => few(collector, &["Delete", "Retain", "Snapshot"]),
        ["Resources" | "Outputs" | "Modules", _, "Condition"] => of_kinds(collector, &[SymbolKind::Condition], 0),
        ["Resources", _, "DependsOn"] => {
            resources(collector, 0);
            of_kinds(collector, &[SymbolKind::Import], 2);
        }
        ["Modules" | "Packages", _, "Source"] => files(collector),
        ["Modules", import, "Properties", name] => {
            let input = inputs(collector, import).into_iter().find(|input| input.name == name);
            if let Some(input) = input {
                let allowed: Vec<&str> = input.allowed.iter().map(String::as_str).collect();
                few(collector, &allowed);
                few(collector, &input.default.as_deref().into_iter().collect::<Vec<_>>());
            }
        }
        [.., "TemplateURL"] => files(collector),
        _ => {}
    }
}

fn argument(collector: &mut Collector<'_, '_>, function: &str, at: Option<usize>) {
    match (function, at) {
        ("Ref", _) => names(collector),
        ("Fn::GetAtt", None | Some(0)) => get_att(collector),
        ("Fn::GetAtt", Some(1)) => second_attribute(collector),
        ("Fn::Condition", _) | ("Fn::If", Some(0)) => of_kinds(collector, &[SymbolKind::Condition], 0),
        ("Fn::FindInMap", Some(0)) => of_kinds(collector, &[SymbolKind::Mapping], 0),
        ("Fn::FindInMap", Some(level @ (1 | 2))) => mapping_keys(collector, level),
        ("Fn::InsertFile", _) => files(collector),
        ("Fn::Sub", None) => {}
        _ => {
            if !collector.is_json {
                tags(collector);
            }
        }
    }
}

fn tags(collector: &mut Collector<'_, '_>) {
    for (long, form, words) in FUNCTIONS {
        let short = Known::from_long(long).map_or("", Known::short);
        let has_tag = !short.is_empty() && form.starts_with('!') && is_offered(collector, long);
        if has_tag && collector.context.quote.is_none() {
            let label = format!("!{short}");
            let words = (Some(form.to_owned()), Some(words.to_owned()));
            let text = format!("{label} ");
            collector.add_documented(&label, text, ProposalKind::Function, words, 6);
        }
    }
}

/// Adds the `AllowedValues` of a parameter.
fn allowed_values(collector: &mut Collector<'_, '_>, name: &str) {
    let Some((index, root)) = collector.ide.file(collector.file).and_then(|index| Some((index, index.root()?))) else {
        return;
    };
    let tree = index.tree();
    let parameter = tree.get_text(root, "Parameters").and_then(|section| tree.get_text(section, name));
    let Some(list) = parameter.and_then(|parameter| tree.get_text(parameter, "AllowedValues")) else { return };
    let values: Vec<String> =
        tree.items(list).iter().filter(|&&item| tree.is_scalar(item)).map(|&item| tree.text(item).to_owned()).collect();
    few(collector, &values.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Adds the types of resources that the template and its modules use.
fn types(collector: &mut Collector<'_, '_>) {
    let mut used = BTreeSet::new();
    let project = collector.ide.project();
    let files: Vec<_> = project.files().map(|index| index.path().clone()).collect();
    for file in &files {
        let names = project.names_of_kinds(file, 0, &[SymbolKind::Resource]);
        used.extend(names.into_iter().filter_map(|name| name.detail));
        used.extend(project.outline(file).into_iter().flat_map(|section| section.children).flat_map(|member| {
            let inner = member.children.into_iter().filter_map(|child| child.detail);
            let own = member.detail.filter(|_| member.kind == SymbolKind::Resource);
            inner.chain(own).collect::<Vec<_>>()
        }));
    }
    let own = collector.token().to_owned();
    let is_known = |kind: &String| kind.contains("::") && !kind.contains("${") && *kind != own;
    for kind in used.into_iter().filter(is_known) {
        collector.add_value(&kind, ProposalKind::Type, Some("used here".to_owned()), 0);
    }
    for kind in schemas().type_names("") {
        collector.add_value(kind, ProposalKind::Type, None, 1);
    }
}

fn second_attribute(collector: &mut Collector<'_, '_>) {
    let Some(id) = first_argument(collector) else { return };
    for (name, detail, kind) in attributes_of(collector, &id) {
        collector.add_value(&name, kind, detail, 0);
    }
}

fn first_argument(collector: &Collector<'_, '_>) -> Option<String> {
    let text = collector.ide.file(collector.file)?.text();
    let before = text.get(..collector.context.start)?;
    let open = before.rfind('[');
    let first = match open {
        Some(open) if collector.context.is_flow => before.get(open + 1..)?.split(',').next()?,
        _ => before.lines().rev().find(|line| line.trim_start().starts_with("- "))?.trim_start().strip_prefix("- ")?,
    };
    Some(first.trim().trim_matches(['"', '\'']).to_owned())
}

/// Adds the keys of a mapping: of the first level, or all of the second.
fn mapping_keys(collector: &mut Collector<'_, '_>, level: usize) {
    let Some(name) = first_argument(collector) else { return };
    let Some((index, root)) = collector.ide.file(collector.file).and_then(|index| Some((index, index.root()?))) else {
        return;
    };
    let tree = index.tree();
    let mapping = tree.get_text(root, "Mappings").and_then(|section| tree.get_text(section, &name));
    let Some(mapping) = mapping.filter(|&mapping| tree.kind(mapping) == Kind::Map) else { return };
    let mut keys: Vec<String> = Vec::new();
    for entry in tree.entries(mapping) {
        if level == 1 {
            keys.push(tree.text(entry.key).to_owned());
        } else {
            keys.extend(tree.entries(entry.value).map(|inner| tree.text(inner.key).to_owned()));
        }
    }
    let keys: BTreeSet<String> = keys.into_iter().collect();
    for key in keys {
        collector.add_value(&key, ProposalKind::Value, Some(name.clone()), 0);
    }
    tags(collector);
}

fn files(collector: &mut Collector<'_, '_>) {
    let is_dotted = collector.token().is_empty() || collector.token().starts_with('.');
    for file in collector.files {
        let path = if is_dotted && !file.starts_with("../") { format!("./{file}") } else { file.clone() };
        collector.add_value(&path, ProposalKind::File, None, 0);
    }
    let packages = collector.ide.project().names_of_kinds(collector.file, collector.offset, &[SymbolKind::Package]);
    for package in packages {
        let alias = format!("${}/", package.name);
        collector.add_value(&alias, ProposalKind::Name(SymbolKind::Package), package.detail, 1);
    }
}
