//! Other nodes of the output that the same place generated.

use formwork_syntax::{Entry, Kind, NodeId, Tree};
use rustc_hash::FxHashMap;

use super::Answer;
use crate::authored::Step;
use crate::output_node::OutputNode;
use crate::session::Session;

const SIBLINGS: usize = 10;

impl Session<'_, '_> {
    /// Adds to each answer the paths of the other nodes that come from the same authored node, in the order of the
    /// output. `nodes` are the explained ones. All are found in one walk.
    pub(super) fn add_siblings(&self, nodes: &[OutputNode], answers: &mut [Answer]) {
        let tree = self.tree();
        let mut by_site: FxHashMap<Site, Vec<usize>> = FxHashMap::default();
        for (number, output) in nodes.iter().enumerate() {
            by_site.entry(site(tree, output.node)).or_default().push(number);
        }
        let mut search = Search { tree, nodes, by_site, answers, path: Vec::new() };
        search.visit(self.roots.result);
    }
}

/// An authored node; the flag is set for a call, not for the result of a call.
type Site = (NodeId, bool);

fn site(tree: &Tree, node: NodeId) -> Site {
    (tree.authored(node), tree.kind(node) == Kind::Call)
}

struct Search<'s> {
    tree: &'s Tree,
    nodes: &'s [OutputNode],
    by_site: FxHashMap<Site, Vec<usize>>,
    answers: &'s mut [Answer],
    path: Vec<Link>,
}

/// A step of a path; its name is only looked up for a sibling.
#[derive(Clone, Copy)]
enum Link {
    Key(NodeId),
    Index(usize),
    Call(NodeId),
}

impl Search<'_> {
    fn visit(&mut self, node: NodeId) {
        self.meet(node);
        let tree = self.tree;
        match tree.kind(node) {
            Kind::Map => {
                for Entry { key, value } in tree.entries(node) {
                    self.visit_below(Link::Key(key), value);
                }
            }
            Kind::List => {
                for (at, &item) in tree.items(node).iter().enumerate() {
                    self.visit_below(Link::Index(at), item);
                }
            }
            Kind::Call => self.visit_below(Link::Call(node), tree.call(node).1),
            _ => {}
        }
    }

    fn visit_below(&mut self, link: Link, node: NodeId) {
        self.path.push(link);
        self.visit(node);
        self.path.pop();
    }

    /// Counts a node for every answer that it is a sibling of.
    fn meet(&mut self, node: NodeId) {
        let Some(numbers) = self.by_site.get(&site(self.tree, node)) else { return };
        for &number in numbers {
            let answer = &self.answers[number];
            if !self.is_like(node, self.nodes[number].node) || self.is_at(&answer.path) {
                continue;
            }
            let sibling = (answer.siblings.len() < SIBLINGS).then(|| self.steps());
            let answer = &mut self.answers[number];
            answer.siblings.extend(sibling);
            answer.siblings_total += 1;
        }
    }

    /// Nodes of another kind share the place only if they are generated, as below an alias or a parameter's list.
    fn is_like(&self, node: NodeId, other: NodeId) -> bool {
        self.tree.kind(node) == self.tree.kind(other) || self.tree.is_generated(node)
    }

    fn is_at(&self, path: &[Step]) -> bool {
        let is_same = |(link, step): (&Link, &Step)| match (*link, step) {
            (Link::Key(key), Step::Name(name)) => self.tree.text(key) == name,
            (Link::Index(at), Step::Index(index)) => at == *index,
            (Link::Call(call), Step::Name(name)) => self.function(call) == name,
            _ => false,
        };
        self.path.len() == path.len() && self.path.iter().zip(path).all(is_same)
    }

    fn steps(&self) -> Vec<Step> {
        let step = |link: &Link| match *link {
            Link::Key(key) => Step::Name(self.tree.text(key).to_owned()),
            Link::Index(at) => Step::Index(at),
            Link::Call(call) => Step::Name(self.function(call).to_owned()),
        };
        self.path.iter().map(step).collect()
    }

    fn function(&self, call: NodeId) -> &str {
        self.tree.function_name(self.tree.call(call).0)
    }
}
