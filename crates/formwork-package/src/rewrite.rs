//! Rewrites the template: artifact properties refer to the uploaded files, and nothing else differs
//! (reference/packaging.md#properties, reference/packaging.md#loops).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Style, Tree};

use crate::dependency_layers::{self, DependencyLayers};
use crate::lookup::{Lookup, LookupSource};
use crate::mapping::{self, Generated};
use crate::plan::{ArtifactSite, Content, Plan};
use crate::target::{self, Target, Value};
use crate::value_path::{Edits, NEW, new_key, new_text};
use crate::variables;
use crate::{fixed_collections, record};

/// A packaged template.
#[derive(Debug)]
pub struct Rewritten {
    /// The root, unless the template could not be read.
    pub root: Option<NodeId>,
    /// Errors and warnings; with errors the root is not usable.
    pub diagnostics: Vec<Diagnostic>,
}

/// Writes the locations of files into the template of a plan; `targets` has one entry per need. All errors are reported
/// here before any upload: locations of files follow from their content.
///
/// With `layers` the functions also refer to the layers with their packages.
pub fn rewrite(tree: &mut Tree, plan: &Plan, targets: &[Target], layers: Option<&DependencyLayers>) -> Rewritten {
    let mut edits = Edits::default();
    let mut diagnostics = Vec::new();
    let Some(root) = plan.root else { return Rewritten { root: None, diagnostics } };
    let mut dynamic = Vec::new();
    for slot in &plan.slots {
        match decide(tree, plan, slot, targets, &mut diagnostics) {
            Decision::Stays => {}
            Decision::Same(value) => {
                let like = slot.found.value;
                let node = value_node(tree, &value, like, new_text);
                edits.put(slot.place(), node);
            }
            Decision::Varies(variables) => dynamic.push(Lookup { slot, variables, source: LookupSource::Artifact }),
        }
    }
    for (include, need) in &plan.includes {
        let location = match targets.get(*need) {
            Some(Target::Object { bucket, key, .. }) => format!("s3://{bucket}/{key}"),
            Some(Target::Path(path)) => path.clone(),
            _ => continue,
        };
        let node = new_text(tree, &location, Some(include.value));
        edits.put(&include.place, node);
    }
    fixed_collections::report(tree, &plan.open, &dynamic, &mut diagnostics);
    if let Some(layers) = layers {
        for slot in plan.slots.iter().filter(|slot| layers.has_any(slot)) {
            if let Some(output) = layers.output_of_all(slot) {
                let name = new_text(tree, &output, None);
                dependency_layers::add(tree, slot, name, &mut edits, &mut diagnostics);
            } else {
                let variables = varying(tree, slot);
                dynamic.push(Lookup { slot, variables, source: LookupSource::Layers(layers) });
            }
        }
        layers.put_stack(tree, root, &mut edits, &mut diagnostics);
    }
    let generated = mapping::generate(tree, root, &dynamic, targets, &mut diagnostics);
    for (lookup, made) in dynamic.iter().zip(&generated) {
        if let (LookupSource::Layers(_), Some(made)) = (lookup.source, made) {
            let name = mapping::find_in_map(tree, &made.name, &variable_names(lookup), lookup.attribute(), None);
            dependency_layers::add(tree, lookup.slot, name, &mut edits, &mut diagnostics);
            continue;
        }
        if let Some(made) = made {
            let node = lookup_node(tree, lookup, made);
            let is_same = lookup.slot.found.value.is_some_and(|written| tree.same_data(written, node));
            if !is_same {
                edits.put(lookup.slot.place(), node);
            }
        }
    }
    mapping::put(tree, root, generated.iter().flatten(), &mut edits, &mut diagnostics);
    if plan.records {
        record::put(tree, root, &dynamic, &mut edits);
    }
    let root = Some(edits.apply(tree, root));
    Rewritten { root, diagnostics }
}

enum Decision {
    Stays,
    /// A common value of all iterations.
    Same(Value),
    /// A value for each combination of the items of these loops, by their numbers.
    Varies(Vec<usize>),
}

fn decide(
    tree: &Tree,
    plan: &Plan,
    slot: &ArtifactSite,
    targets: &[Target],
    diagnostics: &mut Vec<Diagnostic>,
) -> Decision {
    let found = &slot.found;
    let contents = || slot.instances.iter().map(|instance| &instance.content);
    if contents().any(|content| *content == Content::Unknown) {
        if plan.is_sound && contents().any(|content| matches!(content, Content::ArtifactRef(_))) {
            diagnostics.push(half_known(tree, slot));
        }
        return Decision::Stays;
    }
    if contents().all(|content| *content == Content::Nothing) {
        return Decision::Stays;
    }
    let is_remote = contents().all(|content| matches!(content, Content::Remote { .. } | Content::Nothing));
    let variables = used_variables(tree, slot);
    let is_literal = found.value.is_some_and(|node| tree.kind(node) == Kind::String);
    if variables.is_empty() {
        // A reference to something remote is kept.
        if is_remote && !is_literal {
            return Decision::Stays;
        }
        let mut values = contents().filter_map(|content| target::value(found.artifact, content, targets, false));
        let Some(first) = values.next() else { return Decision::Stays };
        if values.all(|value| value == first) {
            let is_written =
                matches!(&first, Value::Text(text) if found.value.and_then(|node| tree.string(node)) == Some(text));
            return if is_written || first == Value::Missing { Decision::Stays } else { Decision::Same(first) };
        }
        return Decision::Varies(naming_variables(tree, slot));
    }
    let is_constant = contents().all(|content| matches!(content, Content::Remote { is_constant: true, .. }));
    // The value reads a Mapping already, or changes with the values of parameters.
    if is_remote && (!is_literal && reads_mapping(tree, slot) || !is_constant) {
        return Decision::Stays;
    }
    Decision::Varies(variables)
}

fn names(slot: &ArtifactSite) -> Vec<String> {
    slot.found.loops.iter().map(|around| around.variable.clone()).collect()
}

/// Returns the numbers of the loops whose variables the value refers to.
fn used_variables(tree: &Tree, slot: &ArtifactSite) -> Vec<usize> {
    let names = names(slot);
    let mut marks = vec![false; names.len()];
    if let Some(value) = slot.found.value {
        variables::mark(tree, value, &names, &mut marks);
    }
    chosen(&marks)
}

/// Returns the numbers of the loops whose variables are in the logical ID and in the keys of the place.
fn naming_variables(tree: &Tree, slot: &ArtifactSite) -> Vec<usize> {
    let names = names(slot);
    let mut marks = vec![false; names.len()];
    for &key in [&slot.found.resource].into_iter().chain(&slot.found.members) {
        variables::mark_text(tree.text(key), &names, &mut marks);
    }
    chosen(&marks)
}

/// Returns the numbers of the loops that the layers of an artifact vary with: those of its value, else those of its
/// name.
fn varying(tree: &Tree, slot: &ArtifactSite) -> Vec<usize> {
    let used = used_variables(tree, slot);
    if used.is_empty() { naming_variables(tree, slot) } else { used }
}

fn variable_names<'l>(lookup: &Lookup<'l>) -> Vec<&'l str> {
    lookup.variables.iter().map(|&at| lookup.slot.found.loops[at].variable.as_str()).collect()
}

fn chosen(marks: &[bool]) -> Vec<usize> {
    marks.iter().enumerate().filter(|(_, mark)| **mark).map(|(at, _)| at).collect()
}

fn reads_mapping(tree: &Tree, slot: &ArtifactSite) -> bool {
    let value = slot.found.value;
    value.is_some_and(|node| tree.argument_of(node, formwork_syntax::function::Known::FindInMap).is_some())
}

fn half_known(tree: &Tree, slot: &ArtifactSite) -> Diagnostic {
    let id = shown(tree.text(slot.found.resource));
    let property = slot.found.property(tree);
    Diagnostic::new(
        codes::ARTIFACT_UNKNOWN,
        format!("{property} of {id} is a local file in some iterations and unknown in others"),
    )
    .at(tree.span(slot.found.value.unwrap_or(slot.found.resource)))
    .help("pass values for its parameters")
}

/// Creates the node of a value; `text` computes each of its strings.
fn value_node(
    tree: &mut Tree,
    value: &Value,
    like: Option<NodeId>,
    mut text: impl FnMut(&mut Tree, &str, Option<NodeId>) -> NodeId,
) -> NodeId {
    match value {
        Value::Text(found) => text(tree, found, like),
        Value::Members(members) => {
            let mut entries = Vec::with_capacity(members.len());
            for (name, found) in members {
                let key = new_key(tree, name);
                entries.push(Entry { key, value: text(tree, found, None) });
            }
            let origin = like.map_or(NEW, |node| Origin::Generated(node, FrameId::NONE));
            tree.map(&entries, Style::Plain, origin)
        }
        Value::Missing => text(tree, "", like),
    }
}

/// Creates the value of a dynamic property: a lookup in its Mapping, or an object of lookups.
fn lookup_node(tree: &mut Tree, lookup: &Lookup<'_>, made: &Generated) -> NodeId {
    let like = lookup.slot.found.value;
    let variables = variable_names(lookup);
    if let [attribute] = made.attributes.as_slice()
        && !made.is_object
    {
        return mapping::find_in_map(tree, &made.name, &variables, attribute, like);
    }
    let mut entries = Vec::with_capacity(made.attributes.len());
    for attribute in &made.attributes {
        let key = new_key(tree, attribute);
        let value = mapping::find_in_map(tree, &made.name, &variables, attribute, None);
        entries.push(Entry { key, value });
    }
    let origin = like.map_or(NEW, |node| Origin::Generated(node, FrameId::NONE));
    tree.map(&entries, Style::Plain, origin)
}
