//! Resources and outputs that are copies of one pattern (see [`Tree::pattern_of`]): what the first of them refers to is
//! looked for once. Others refer to the same, but for the resources that generated strings in `Ref` and `Fn::GetAtt` name.

use formwork_base::IdMap;
use formwork_syntax::{NodeId, Symbol, Tree, symbol};

use super::needs::{Needs, Noted};

/// The resources of a template.
#[derive(Clone, Copy)]
pub(super) struct Resources<'r> {
    tree: &'r Tree,
    /// Their positions in the section.
    positions: &'r IdMap<Symbol, u32>,
    /// The section, if no name in it repeats.
    section: Option<NodeId>,
}

impl<'r> Resources<'r> {
    pub(super) fn new(tree: &'r Tree, root: NodeId, positions: &'r IdMap<Symbol, u32>) -> Resources<'r> {
        let section = tree.get(root, symbol::RESOURCES).filter(|&section| tree.len(section) == positions.len());
        Resources { tree, positions, section }
    }

    /// The position of the resource that a string names. Where it is expected, it is found without a search.
    fn position(self, name: NodeId, expected: Option<u32>) -> Option<u32> {
        let (tree, text) = (self.tree, self.tree.text(name));
        let is_there = |&position: &u32| {
            let at = position as usize;
            let section = self.section.filter(|&section| at < tree.len(section));
            section.is_some_and(|section| tree.text(tree.entry(section, at).key) == text)
        };
        let found = expected.filter(is_there);
        found.or_else(|| tree.symbols().get(text).and_then(|name| self.positions.get(&name)).copied())
    }
}

/// Copies in a section.
#[derive(Default)]
pub(super) struct Copies {
    /// By the pattern.
    firsts: IdMap<usize, First>,
}

/// A resource or output in which no reference is missing.
struct First {
    node: NodeId,
    names: Vec<Name>,
    /// What a resource needs.
    noted: Option<Noted>,
}

/// A string that is the name of a resource, in copies that of another one.
struct Name {
    node: NodeId,
    /// Which of the needs it is, if it is one.
    need: Option<u32>,
    /// The position of the resource that the last copy named, and how far that is from the one before: iterations
    /// generate resources at the same distance.
    last: u32,
    step: u32,
}

impl Name {
    /// Notes what the next copy names.
    fn follow(&mut self, position: u32) {
        self.step = position.wrapping_sub(self.last);
        self.last = position;
    }
}

impl Copies {
    /// Adds a resource or output in which no reference is missing, as the first of its pattern. `names` are the generated
    /// strings in `Ref` and `Fn::GetAtt`; where one is not the name of a resource, copies are not known from it.
    pub(super) fn add(
        &mut self,
        resources: Resources<'_>,
        (pattern, node): (usize, NodeId),
        names: &[NodeId],
        noted: Option<(Noted, &Needs<'_>)>,
    ) {
        let name = |&node: &NodeId| {
            let last = resources.position(node, None)?;
            Some(Name { node, need: None, last, step: 1 })
        };
        let Some(mut found) = names.iter().map(name).collect::<Option<Vec<Name>>>() else { return };
        if let Some((noted, needs)) = &noted {
            for (name, need) in found.iter_mut().zip(needs.of_names(noted, names)) {
                name.need = need;
            }
        }
        self.firsts.insert(pattern, First { node, names: found, noted: noted.map(|(noted, _)| noted) });
    }

    /// Whether a node is a copy in which no reference is missing either; a resource's needs are noted then.
    pub(super) fn is_sound(
        &mut self,
        resources: Resources<'_>,
        (pattern, copy): (usize, NodeId),
        needs: Option<&mut Needs<'_>>,
    ) -> bool {
        let Some(First { node, names, noted }) = self.firsts.get_mut(&pattern) else { return false };
        let Some(counterpart) = resources.tree.counterpart(pattern, *node, copy) else { return false };
        for name in names.iter_mut() {
            let expected = name.last.wrapping_add(name.step);
            let Some(position) = resources.position(counterpart(name.node), Some(expected)) else { return false };
            name.follow(position);
        }
        if let (Some(noted), Some(needs)) = (noted, needs) {
            let named = names.iter().filter_map(|name| Some((name.need?, name.last)));
            needs.of_copy(noted, counterpart, named);
        }
        true
    }
}
