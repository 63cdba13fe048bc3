//! Removes declarations from a template.

use formwork_syntax::{Entry, Kind, NodeId, Origin, Symbol, Tree};

/// Returns the template `root` without the entries of section `name` whose keys `is_gone` selects, and without the
/// section if none is left.
pub fn without(tree: &mut Tree, root: NodeId, name: Symbol, is_gone: impl Fn(&Tree, NodeId) -> bool) -> NodeId {
    let mut sections: Vec<Entry> = tree.entries(root).collect();
    let Some(at) = sections.iter().position(|entry| tree.symbol(entry.key) == name) else { return root };
    let section = sections[at].value;
    if tree.kind(section) != Kind::Map {
        return root;
    }
    let left: Vec<Entry> = tree.entries(section).filter(|entry| !is_gone(tree, entry.key)).collect();
    if left.len() == tree.len(section) {
        return root;
    }
    // The authored section, when nothing else was added to it: the writer copies what it finds again.
    let authored = tree.authored(section);
    let is_same = tree.kind(authored) == Kind::Map && tree.entries(authored).eq(left.iter().copied());
    if left.is_empty() {
        sections.remove(at);
    } else if is_same {
        sections[at].value = authored;
    } else {
        let (style, frame) = (tree.style(section), tree.frame_of(section));
        sections[at].value = tree.map(&left, style, Origin::Generated(authored, frame));
    }
    let (style, frame, authored) = (tree.style(root), tree.frame_of(root), tree.authored(root));
    tree.map(&sections, style, Origin::Generated(authored, frame))
}
