//! The output of a compilation as plain data.

use formwork_base::{FrameKind, Span};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Tree, Value as Owned, symbol};
use formwork_template::Section;
use formwork_template::side::{Enclosure, Iteration, Member, SECTIONS, Side, Site};
use formwork_template::value::Value;

use super::globals;
use crate::compilation::Compilation;

pub(super) fn read(compilation: &Compilation) -> Side<'_> {
    let tree = &compilation.tree;
    let sections = SECTIONS.into_iter().filter_map(|name| {
        let node = tree.get(compilation.root, name.symbol())?;
        let one = |id| Member { id, value: value(compilation, node), site: None, published: None, owner: None };
        let members = match name {
            Section::Transform => transforms(compilation, node),
            Section::Description => vec![one("Description")],
            _ if tree.kind(node) != Kind::Map => vec![one(name.name())],
            _ => tree
                .entries(node)
                .map(|entry| Member {
                    id: tree.text(entry.key),
                    value: match name {
                        Section::Resources => with_globals(compilation, value(compilation, entry.value)),
                        _ => value(compilation, entry.value),
                    },
                    site: site(compilation, entry.key).map(Box::new),
                    published: published(compilation, entry),
                    owner: compilation.owner_of(tree.text(entry.key)).filter(|_| name == Section::Resources),
                })
                .collect(),
        };
        Some((name, members))
    });
    Side { sections: sections.collect() }
}

/// Types that the serverless transform names after a hash of their content.
const PUBLISHED: [&str; 4] = [
    "AWS::ApiGateway::Deployment",
    "AWS::ApiGatewayV2::Deployment",
    "AWS::Lambda::LayerVersion",
    "AWS::Lambda::Version",
];

/// Returns the ID without its hash, for a resource that the serverless transform replaces by a new one whenever its content changes.
fn published(compilation: &Compilation, entry: Entry) -> Option<&str> {
    let tree = &compilation.tree;
    let kind = tree.string(tree.get(entry.value, symbol::TYPE)?)?;
    let id = tree.text(entry.key);
    let stem = id.trim_end_matches(|c: char| c.is_ascii_hexdigit());
    let is_one = PUBLISHED.contains(&kind) && compilation.is_made(entry.key) && stem.len() < id.len();
    is_one.then_some(stem)
}

fn transforms(compilation: &Compilation, node: NodeId) -> Vec<Member<'_>> {
    let tree = &compilation.tree;
    let nodes = if tree.kind(node) == Kind::List { tree.items(node) } else { std::slice::from_ref(&node) };
    // A macro with parameters is an object with its name.
    let id = |node: NodeId| match tree.kind(node) {
        Kind::Map => tree.get_text(node, "Name").map_or("", |name| tree.text_form(name)),
        _ => tree.text_form(node),
    };
    nodes
        .iter()
        .map(|&node| Member { id: id(node), value: value(compilation, node), site: None, published: None, owner: None })
        .collect()
}

pub(super) fn value(compilation: &Compilation, node: NodeId) -> Value<'_> {
    of_node(&compilation.tree, node, &compilation.secrets)
}

pub(super) fn with_globals<'c>(compilation: &'c Compilation, resource: Value<'c>) -> Value<'c> {
    let type_name = resource.get("Type").and_then(Value::text).unwrap_or_default();
    match globals::node(compilation, type_name) {
        Some(node) => globals::merged(resource, value(compilation, node)),
        None => resource,
    }
}

/// The node of an output with the values of secrets, for a template that is written.
pub(super) fn unmasked(compilation: &Compilation, node: NodeId) -> Value<'_> {
    of_node(&compilation.tree, node, &[])
}

pub(super) fn of_node<'t>(tree: &'t Tree, node: NodeId, secrets: &[Span]) -> Value<'t> {
    let is_secret = || {
        let span = tree.span(node);
        !span.is_none() && secrets.iter().any(|secret| secret.contains(span) || span.contains(*secret))
    };
    match tree.kind(node) {
        Kind::Null => Value::Null,
        Kind::List => Value::List(tree.items(node).iter().map(|&item| of_node(tree, item, secrets)).collect()),
        Kind::Map => Value::Map(
            tree.entries(node).map(|entry| (tree.text(entry.key), of_node(tree, entry.value, secrets))).collect(),
        ),
        Kind::Call => {
            let (function, argument) = tree.call(node);
            let attribute = Some(argument).filter(|_| function == Function::Known(Known::GetAtt));
            let parts = attribute.and_then(|argument| tree.string(argument)).and_then(|text| text.split_once('.'));
            let argument = match parts {
                Some((id, name)) => Value::List(vec![Value::String(id), Value::String(name)]),
                None => of_node(tree, argument, secrets),
            };
            Value::Call(tree.function_name(function), Box::new(argument))
        }
        Kind::Bool | Kind::Number | Kind::String | Kind::Key if !secrets.is_empty() && is_secret() => {
            Value::Secret(tree.text_form(node))
        }
        Kind::Bool => Value::Bool(tree.text_form(node) == "true"),
        Kind::Number => Value::Number(tree.text(node)),
        Kind::String | Kind::Key => Value::String(tree.text(node)),
    }
}

/// The authored place of a generated entry: the loops and modules around its key.
pub(super) fn site(compilation: &Compilation, key: NodeId) -> Option<Site> {
    let tree = &compilation.tree;
    let frame = tree.frame_of(key);
    if frame.is_none() {
        return None;
    }
    let mut chain: Vec<_> = tree.frames().chain(frame).map(|(_, record)| record).collect();
    chain.reverse();
    let mut site = Site { key: tree.text(tree.authored(key)).to_owned(), ..Site::default() };
    let mut loop_at = Span::NONE;
    for record in chain {
        match record.kind {
            FrameKind::Loop => {
                let shown = tree.frame(&record);
                let object = || record.value.map(|item| json(&Owned::masked(tree, item, &compilation.secrets)));
                let loop_name = shown.loop_name.unwrap_or_default();
                site.body.extend([&loop_name, "[]/"]);
                site.around.push(Enclosure::Loop(loop_name.clone()));
                site.iterations.push(Iteration {
                    loop_name,
                    variable: shown.name,
                    item: shown.value.or_else(object).unwrap_or_default(),
                    index: record.index,
                    is_module: false,
                });
                loop_at = record.site;
            }
            // A use of a module that a loop generates is named by its number: the loop names it.
            FrameKind::Module if record.site == loop_at => {
                if let Some(iteration) = site.iterations.last_mut() {
                    iteration.is_module = true;
                }
                site.around.push(Enclosure::Module(tree.name(record.name).to_owned()));
            }
            FrameKind::Module => {
                let name = tree.name(record.name);
                site.body.extend([name, "/"]);
                site.around.push(Enclosure::Module(name.to_owned()));
            }
            _ => {}
        }
    }
    // Several resources are made of one serverless body: it is that of the first.
    if compilation.is_made(key) {
        site.body.clear();
    } else {
        site.body.push_str(&site.key);
    }
    Some(site)
}

fn json(value: &Owned) -> String {
    fn of(value: &Owned) -> serde_json::Value {
        match value {
            Owned::Null => serde_json::Value::Null,
            Owned::Bool(truth) => (*truth).into(),
            Owned::Number(text) | Owned::String(text) => text.as_str().into(),
            Owned::List(items) => items.iter().map(of).collect(),
            Owned::Map(members) => members.iter().map(|(key, value)| (key.clone(), of(value))).collect(),
        }
    }
    serde_json::to_string(&of(value)).unwrap_or_default()
}

pub(super) fn macros(compilation: &Compilation) -> Vec<String> {
    let tree = &compilation.tree;
    let Some(node) = tree.get(compilation.root, Section::Transform.symbol()) else { return Vec::new() };
    let names = transforms(compilation, node).into_iter().map(|member| member.id.to_owned());
    names.map(|name| format!("transform {name} runs at deployment; what it changes is not compared")).collect()
}
