//! Authored Mappings with names that packaging may use (reference/packaging.md#mappings).

use std::collections::BTreeSet;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, Tree, View, symbol};

use crate::artifact;

/// Reports the Mappings of the template with this root that have a reserved name. Those that an artifact
/// property or a `Layers` entry reads were written by packaging or building.
pub fn reserved(tree: &Tree, root: NodeId) -> Vec<Diagnostic> {
    let Some(mappings) = tree.get(root, symbol::MAPPINGS) else { return Vec::new() };
    let mut names = tree.entries(mappings).filter(|entry| reserved_prefix(tree.text(entry.key)).is_some()).peekable();
    if names.peek().is_none() {
        return Vec::new();
    }
    let mut read = BTreeSet::new();
    if let Some(resources) = tree.get(root, symbol::RESOURCES) {
        read_mappings(tree, resources, false, &mut read);
    }
    let mut found = Vec::new();
    for entry in names {
        let name = tree.text(entry.key);
        let Some(prefix) = reserved_prefix(name).filter(|_| !read.contains(name)) else { continue };
        found.push(
            Diagnostic::new(
                codes::RESERVED_MAPPING,
                format!("Mapping {} begins with {prefix}, which is reserved for packaging", shown(name)),
            )
            .at(tree.span(entry.key))
            .note("packaging writes the locations of uploaded files into Mappings with this prefix")
            .help("rename the Mapping"),
        );
    }
    found
}

/// Returns the prefix of a name that packaging or building may generate.
fn reserved_prefix(name: &str) -> Option<String> {
    let rest = name.strip_prefix("SAM")?;
    let leaves = artifact::ALL.iter().filter_map(|artifact| artifact.property.last().copied());
    let longest = leaves.chain(["Layers"]).filter(|leaf| rest.starts_with(leaf)).max_by_key(|leaf| leaf.len())?;
    Some(format!("SAM{longest}"))
}

/// Adds the Mappings that artifact properties and layers read.
fn read_mappings<'t>(tree: &'t Tree, node: NodeId, reads: bool, found: &mut BTreeSet<&'t str>) {
    match tree.view(node) {
        View::List(items) => items.iter().for_each(|&item| read_mappings(tree, item, reads, found)),
        View::Map => {
            let leaves = || artifact::ALL.iter().filter_map(|artifact| artifact.property.last());
            for entry in tree.entries(node) {
                let name = tree.text(entry.key);
                let is_artifact = name == "Layers" || leaves().any(|&leaf| leaf == name);
                read_mappings(tree, entry.value, reads || is_artifact, found);
            }
        }
        View::Call(Function::Known(Known::FindInMap), argument) => {
            let name = tree.items(argument).first().and_then(|&name| tree.string(name));
            found.extend(name.filter(|_| reads));
            read_mappings(tree, argument, reads, found);
        }
        View::Call(_, argument) => read_mappings(tree, argument, reads, found),
        _ => {}
    }
}
