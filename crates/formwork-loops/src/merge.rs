//! Results of `Fn::Merge` and of overrides (reference/map-and-merge.md#merge, reference/modules/functions.md#merge,
//! reference/modules/overrides.md#overrides). The operands are known already.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, IdMap, codes};
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Symbol, Tree};

/// The result of two values for one key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// An error: a merge never chooses between them.
    Strict,
    /// The later value takes precedence, objects are merged by key, lists concatenated: in module documents.
    Deep,
}

/// Returns the first operand that is not an object or list, or of another kind than the first one.
pub fn odd(tree: &Tree, operands: &[NodeId]) -> Option<NodeId> {
    let kind = tree.kind(*operands.first()?);
    operands.iter().copied().find(|&operand| {
        let own = tree.kind(operand);
        own != kind || !matches!(own, Kind::Map | Kind::List)
    })
}

/// Merges two values by [`Rule::Deep`], no deeper than `depth`. A call is one value. `merge` is the merging node with
/// its context: the origin of results that have no single origin.
pub fn deep(tree: &mut Tree, one: NodeId, other: NodeId, (merge, frame): (NodeId, FrameId), depth: usize) -> NodeId {
    if depth == 0 || tree.kind(one) != tree.kind(other) || !matches!(tree.kind(one), Kind::Map | Kind::List) {
        return other;
    }
    let own = tree.frame_of(one);
    let is_computed = tree.kind(tree.authored(one)) == Kind::Call;
    let origin = if is_computed {
        Origin::Generated(merge, frame)
    } else {
        Origin::Generated(one, if own.is_none() { frame } else { own })
    };
    let style = tree.style(one);
    if tree.kind(one) == Kind::List {
        let items = [tree.items(one), tree.items(other)].concat();
        return tree.list(&items, style, origin);
    }
    let mut entries: Vec<Entry> = tree.entries(one).collect();
    let mut at: IdMap<Symbol, usize> =
        entries.iter().enumerate().map(|(at, entry)| (tree.symbol(entry.key), at)).collect();
    for entry in tree.entries(other).collect::<Vec<_>>() {
        let name = tree.symbol(entry.key);
        if let Some(&at) = at.get(&name) {
            let value = deep(tree, entries[at].value, entry.value, (merge, frame), depth - 1);
            let key = if value == entry.value { entry.key } else { entries[at].key };
            entries[at] = Entry { key, value };
        } else {
            at.insert(name, entries.len());
            entries.push(entry);
        }
    }
    tree.map(&entries, style, origin)
}

/// Returns the entries with the same key as an earlier one, each with the last of those.
pub fn duplicates(tree: &Tree, entries: &[Entry]) -> Vec<(usize, usize)> {
    if !tree.has_duplicates(entries) {
        return Vec::new();
    }
    let mut seen: IdMap<Symbol, usize> = IdMap::default();
    let found =
        entries.iter().enumerate().filter_map(|(at, entry)| Some((seen.insert(tree.symbol(entry.key), at)?, at)));
    found.collect()
}

/// Builds the diagnostic of a key that two operands have.
pub fn duplicate(tree: &Tree, first: NodeId, second: NodeId, merge: NodeId) -> Diagnostic {
    let key = shown(tree.text(second));
    Diagnostic::new(
        codes::MERGE_DUPLICATE_KEY,
        format!("duplicate key {key}: `Template error: Fn::Merge found the duplicate key [{key}]`"),
    )
    .at(tree.span(second))
    .label("the second one")
    .related(tree.span(first), "the first one")
    .related(tree.span(merge), "merged here")
    .help("rename or remove one of the two: a merge does not choose between them")
    .frames(tree.frame_chain(tree.frame_of(second)))
}

/// Builds the diagnostic of a value that is merged and is not an object.
pub fn wrong_operand(tree: &Tree, merge: NodeId, operand: NodeId, what: &str) -> Diagnostic {
    Diagnostic::new(codes::MERGE_OPERANDS, format!("{what}: `Template error: Fn::Merge requires a list of objects`"))
        .at(tree.span(operand))
        .related(tree.span(merge), "merged here")
}
