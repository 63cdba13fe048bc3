//! Removes names from `DependsOn` whose resources a false condition removed (reference/values.md#modes): CloudFormation
//! ignores the name of a resource whose condition is false, and rejects names that do not exist.

use formwork_base::IdSet;
use formwork_syntax::{Entry, Kind, NodeId, Origin, Symbol, Tree, symbol};

/// Returns the template with this root without such names. `all` is the root in which no condition was decided.
pub fn leave_out(tree: &mut Tree, root: NodeId, all: NodeId) -> NodeId {
    let section = |root| tree.member(root, symbol::RESOURCES).filter(|entry| tree.kind(entry.value) == Kind::Map);
    let (Some(resources), Some(all)) = (section(root), section(all)) else { return root };
    if resources.value == all.value || !tree.has_key(symbol::DEPENDS_ON) {
        return root;
    }
    let names = |section: Entry| tree.entries(section.value).map(|entry| tree.symbol(entry.key));
    let left: IdSet<Symbol> = names(resources).collect();
    let absent: IdSet<Symbol> = names(all).filter(|name| !left.contains(name)).collect();
    if absent.is_empty() {
        return root;
    }
    let mut entries: Vec<Entry> = tree.entries(resources.value).collect();
    for entry in &mut entries {
        entry.value = without(tree, entry.value, &absent).unwrap_or(entry.value);
    }
    let value = like(tree, resources.value, &entries);
    let sections =
        tree.entries(root).map(|entry| if entry.key == resources.key { Entry { value, ..entry } } else { entry });
    let sections: Vec<Entry> = sections.collect();
    like(tree, root, &sections)
}

/// Returns a resource without these names; `None` if it depends on none of them.
fn without(tree: &mut Tree, resource: NodeId, absent: &IdSet<Symbol>) -> Option<NodeId> {
    let depends_on = tree.member(resource, symbol::DEPENDS_ON)?;
    let node = depends_on.value;
    let is_list = tree.kind(node) == Kind::List;
    let written = if is_list { tree.items(node).to_vec() } else { vec![node] };
    let is_left = |&node: &NodeId| {
        let name = tree.string(node).and_then(|name| tree.symbols().get(name));
        name.is_none_or(|name| !absent.contains(&name))
    };
    let kept: Vec<NodeId> = written.iter().copied().filter(is_left).collect();
    if kept.len() == written.len() {
        return None;
    }
    let mut attributes: Vec<Entry> = tree.entries(resource).collect();
    if kept.is_empty() {
        attributes.retain(|attribute| attribute.key != depends_on.key);
    } else {
        let origin = Origin::Generated(node, tree.frame_of(node));
        let style = tree.style(node);
        let list = tree.list(&kept, style, origin);
        for attribute in attributes.iter_mut().filter(|attribute| attribute.key == depends_on.key) {
            attribute.value = list;
        }
    }
    Some(like(tree, resource, &attributes))
}

fn like(tree: &mut Tree, node: NodeId, entries: &[Entry]) -> NodeId {
    let origin = Origin::Generated(node, tree.frame_of(node));
    let style = tree.style(node);
    tree.map(entries, style, origin)
}
