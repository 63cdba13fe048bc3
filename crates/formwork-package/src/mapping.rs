//! Generated Mappings, from which dynamic properties read the locations of their files
//! (reference/packaging.md#mappings).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Style, Tree, symbol};
use rustc_hash::FxHashMap;

use crate::artifact_property::member;
use crate::call::call;
use crate::lookup::{Lookup, LookupSource};
use crate::target::{Target, Value};
use crate::value_path::{Edits, NEW, ValuePath, new_key, new_text};
use crate::{mapping_errors, mapping_name};

#[derive(Debug)]
pub(crate) struct Generated {
    pub(crate) name: String,
    /// The keys with their values, in the order of the attributes.
    entries: Vec<(String, Vec<String>)>,
    pub(crate) attributes: Vec<&'static str>,
    pub(crate) is_object: bool,
    /// The key of the resource that reads it.
    resource: NodeId,
    /// Set if the property reads it already: then the build step wrote it, and it is replaced.
    is_read: bool,
}

const MOST_MAPPINGS: usize = 200;
const MOST_ATTRIBUTES: usize = 200;

/// Generates the Mapping of each lookup; `None` after an error, which is reported.
pub(crate) fn generate(
    tree: &Tree,
    root: NodeId,
    lookups: &[Lookup<'_>],
    targets: &[Target],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Option<Generated>> {
    let names = mapping_name::names(tree, lookups, diagnostics);
    let mut made: Vec<Option<Generated>> = Vec::with_capacity(lookups.len());
    let mut first: FxHashMap<String, usize> = FxHashMap::default();
    let own = tree.get(root, symbol::MAPPINGS);
    for (at, (lookup, name)) in lookups.iter().zip(names).enumerate() {
        let entries = entries(tree, lookup, targets, diagnostics);
        let Some((name, entries)) = name.zip(entries) else {
            made.push(None);
            continue;
        };
        let is_read = reads(tree, lookup, &name);
        let user = own.and_then(|own| tree.entries(own).find(|entry| tree.text(entry.key) == name));
        if let Some(user) = user.filter(|_| !is_read) {
            diagnostics.push(mapping_errors::taken(tree, lookup, &name, user.key, "the Mapping of this template"));
            made.push(None);
            continue;
        }
        if let Some(&other) = first.get(&name) {
            diagnostics.push(mapping_errors::taken(
                tree,
                lookup,
                &name,
                lookups[other].slot.found.resource,
                "the other one",
            ));
            made.push(None);
            continue;
        }
        first.insert(name.clone(), at);
        made.push(Some(Generated { name, is_read, resource: lookup.slot.found.resource, ..entries }));
    }
    made
}

fn reads(tree: &Tree, lookup: &Lookup<'_>, name: &str) -> bool {
    let own = lookup.slot.found.value.filter(|_| matches!(lookup.source, LookupSource::Artifact));
    let argument = own.and_then(|node| tree.argument_of(node, Known::FindInMap));
    let first = argument.and_then(|argument| tree.items(argument).first().copied());
    first.and_then(|first| tree.string(first)) == Some(name)
}

/// Returns the entries of a Mapping: one per combination of items, in the order of the loops.
fn entries(
    tree: &Tree,
    lookup: &Lookup<'_>,
    targets: &[Target],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Generated> {
    let found = &lookup.slot.found;
    let is_sound = mapping_errors::check_items(tree, lookup, diagnostics);
    let mut keys: Vec<(Vec<&str>, String)> = Vec::new();
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    let mut values: Vec<Value> = Vec::new();
    let mut makers: Vec<&str> = Vec::new();
    for instance in &lookup.slot.instances {
        let items: Vec<&str> = lookup.variables.iter().map(|&at| instance.items[at].as_str()).collect();
        let Some(value) = lookup.value(instance, targets) else {
            diagnostics.push(mapping_errors::no_value(tree, lookup, &instance.resource));
            return None;
        };
        let key = items.join("-");
        if let Some(&at) = numbers.get(&key) {
            if keys[at].0 != items {
                diagnostics.push(mapping_errors::same_key(tree, lookup, &key, &keys[at].0, &items));
                return None;
            }
            if values[at] != value {
                diagnostics.push(mapping_errors::two_values(tree, lookup, &key, makers[at], &instance.resource));
                return None;
            }
            continue;
        }
        numbers.insert(key.clone(), keys.len());
        keys.push((items, key));
        values.push(value);
        makers.push(&instance.resource);
    }
    // A missing value was reported.
    if !is_sound || values.contains(&Value::Missing) {
        return None;
    }
    let is_object = matches!(values.first(), Some(Value::Members(_)));
    let attributes: Vec<&'static str> = match values.first()? {
        Value::Members(members) => members.iter().map(|(name, _)| *name).collect(),
        _ => vec![lookup.attribute()],
    };
    let mut entries = Vec::with_capacity(keys.len());
    for ((_, key), value) in keys.into_iter().zip(values) {
        let texts: Vec<String> = match value {
            Value::Members(members) => members.into_iter().map(|(_, text)| text).collect(),
            Value::Text(text) => vec![text],
            Value::Missing => return None,
        };
        if texts.len() != attributes.len() {
            diagnostics.push(mapping_errors::mixed_versions(tree, lookup));
            return None;
        }
        entries.push((key, texts));
    }
    Some(Generated { name: String::new(), entries, attributes, is_object, resource: found.resource, is_read: false })
}

/// Creates `Fn::FindInMap: [NAME, KEY, ATTRIBUTE]`; the key is one variable, or several joined with `-`.
pub(crate) fn find_in_map(
    tree: &mut Tree,
    name: &str,
    variables: &[&str],
    attribute: &str,
    like: Option<NodeId>,
) -> NodeId {
    let references: Vec<NodeId> = variables
        .iter()
        .map(|variable| {
            let argument = new_text(tree, variable, None);
            call(tree, Known::Ref, argument, None)
        })
        .collect();
    let key = if let [one] = *references.as_slice() {
        one
    } else {
        let parts = tree.list(&references, Style::Flow, NEW);
        let dash = new_text(tree, "-", None);
        let argument = tree.list(&[dash, parts], Style::Flow, NEW);
        call(tree, Known::Join, argument, None)
    };
    let (name, attribute) = (new_text(tree, name, None), new_text(tree, attribute, None));
    let argument = tree.list(&[name, key, attribute], Style::Flow, NEW);
    call(tree, Known::FindInMap, argument, like)
}

/// Adds the Mappings to the template, in place of those of the build step.
pub(crate) fn put<'g>(
    tree: &mut Tree,
    root: NodeId,
    generated: impl Iterator<Item = &'g Generated>,
    edits: &mut Edits,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let section = member(tree, root, &ValuePath::default(), "Mappings");
    let mut count = section.as_ref().map_or(0, |(_, node)| tree.len(*node));
    for made in generated {
        let mut entries = Vec::with_capacity(made.entries.len());
        for (key, values) in &made.entries {
            let mut members = Vec::with_capacity(values.len());
            for (attribute, value) in made.attributes.iter().zip(values) {
                members.push(Entry { key: new_key(tree, attribute), value: new_text(tree, value, None) });
            }
            let value = tree.map(&members, Style::Plain, NEW);
            entries.push(Entry { key: new_key(tree, key), value });
        }
        if entries.is_empty() {
            continue;
        }
        if entries.len() > MOST_ATTRIBUTES {
            diagnostics.push(too_many(tree, made, entries.len()));
        }
        match &section {
            Some((place, node)) if tree.kind(*node) == Kind::Map => {
                let own = member(tree, *node, place, &made.name).filter(|_| made.is_read);
                let map = tree.map(&entries, Style::Plain, NEW);
                match own {
                    Some((_, own)) if tree.same_data(own, map) => {}
                    Some((place, own)) => {
                        let map = tree.map(&entries, Style::Plain, Origin::Generated(own, FrameId::NONE));
                        edits.put(&place, map);
                    }
                    None => {
                        count += 1;
                        edits.put(&place.absent(&[&made.name]), map);
                    }
                }
            }
            Some((_, node)) if tree.kind(*node) != Kind::Null => diagnostics.push(
                Diagnostic::new(codes::GENERATED_MAPPING, "Mappings is a function, so entries cannot be added to it")
                    .at(tree.span(*node))
                    .help("package the expanded template: `--expand`"),
            ),
            _ => {
                count += 1;
                let map = tree.map(&entries, Style::Plain, NEW);
                edits.put(&ValuePath::default().absent(&["Mappings", &made.name]), map);
            }
        }
    }
    if count > MOST_MAPPINGS {
        diagnostics.push(
            Diagnostic::new(
                codes::QUOTA_MAPPINGS,
                format!("the packaged template has {count} Mappings; a template has at most {MOST_MAPPINGS}"),
            )
            .at(tree.span(root).at_start())
            .help("package the expanded template, which needs no Mappings: `--expand`"),
        );
    }
}

fn too_many(tree: &Tree, made: &Generated, count: usize) -> Diagnostic {
    let name = shown(&made.name);
    Diagnostic::new(
        codes::QUOTA_MAPPINGS,
        format!("the Mapping {name} has {count} keys; a Mapping has at most {MOST_ATTRIBUTES}"),
    )
    .at(tree.span(made.resource))
    .help("package the expanded template, which needs no Mappings: `--expand`")
}
