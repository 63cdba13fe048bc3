//! Removes declarations that nothing in the output uses (reference/values.md#prune).

use formwork_base::IdSet;
use formwork_syntax::{Kind, NodeId, Tree, symbol};

use crate::Section;
use crate::uses::Uses;
use crate::without::without;

/// A template without the declarations that only computed parts used.
#[derive(Debug)]
pub struct Pruned {
    /// The root of the template.
    pub root: NodeId,
    /// The removed declarations, such as `mapping Sizes`, in the order of the template.
    pub names: Vec<String>,
}

/// Removes the mappings and conditions, and with `parameters` the parameters, that the authored template uses and its
/// output `root` does not. Declarations that the author never used are kept. `written` are the roots of the template
/// before its loops were expanded.
pub fn prune(tree: &mut Tree, written: &[NodeId], root: NodeId, parameters: bool) -> Pruned {
    let before: Vec<Uses> = written.iter().map(|&root| Uses::of_template(tree, root)).collect();
    let mut after = Uses::of_template(tree, root);
    after.add_interface(tree, root);
    let mut pruned = Pruned { root, names: Vec::new() };
    let sections =
        [(Section::Parameters, "parameter"), (Section::Mappings, "mapping"), (Section::Conditions, "condition")];
    for (section, what) in sections.into_iter().filter(|(section, _)| parameters || *section != Section::Parameters) {
        let Some(node) = tree.get(pruned.root, section.symbol()).filter(|&node| tree.kind(node) == Kind::Map) else {
            continue;
        };
        let is_gone = |tree: &Tree, key: NodeId, value: NodeId| {
            let name = tree.text(key);
            let of_type = tree.get(value, symbol::TYPE).map_or("", |kind| tree.text_form(kind));
            let was_used = before.iter().any(|uses| uses.has(section, name, of_type));
            // A key that is not the name of a declaration is a function, which is kept.
            was_used && !after.has(section, name, of_type) && !name.contains(':')
        };
        let keys: Vec<NodeId> =
            tree.entries(node).filter(|entry| is_gone(tree, entry.key, entry.value)).map(|entry| entry.key).collect();
        pruned.names.extend(keys.iter().map(|&key| format!("{what} {}", tree.text(key))));
        let gone: IdSet<NodeId> = keys.into_iter().collect();
        pruned.root = without(tree, pruned.root, section.symbol(), |_, key| gone.contains(&key));
    }
    pruned
}
