//! Other nodes of the output that the same place made.

use formwork_syntax::{Kind, NodeId};

use crate::authored::Step;
use crate::output_node::OutputNode;
use crate::session::Session;

impl Session<'_, '_> {
    /// The paths of the other nodes that stand where the same authored node was written, in the
    /// order of the output.
    pub(super) fn siblings(&self, output: &OutputNode, own: &[Step]) -> Vec<Vec<Step>> {
        let mut search = Search { session: self, like: *output, own, path: Vec::new(), found: Vec::new() };
        search.visit(self.roots.result);
        search.found
    }
}

struct Search<'s, 'x, 'e> {
    session: &'s Session<'x, 'e>,
    like: OutputNode,
    own: &'s [Step],
    path: Vec<Step>,
    found: Vec<Vec<Step>>,
}

impl Search<'_, '_, '_> {
    fn visit(&mut self, node: NodeId) {
        let tree = self.session.tree();
        let same_site = tree.authored(node) == tree.authored(self.like.node)
            && (tree.kind(node) == Kind::Call) == (tree.kind(self.like.node) == Kind::Call);
        if same_site && self.is_like(node) && self.path != self.own {
            self.found.push(self.path.clone());
        }
        match tree.kind(node) {
            Kind::Map => {
                for entry in tree.entries(node) {
                    self.path.push(Step::Name(tree.text(entry.key).to_owned()));
                    self.visit(entry.value);
                    self.path.pop();
                }
            }
            Kind::List => {
                for (at, &item) in tree.items(node).iter().enumerate() {
                    self.path.push(Step::Index(at));
                    self.visit(item);
                    self.path.pop();
                }
            }
            Kind::Call => {
                let (function, argument) = tree.call(node);
                self.path.push(Step::Name(tree.function_name(function).to_owned()));
                self.visit(argument);
                self.path.pop();
            }
            _ => {}
        }
    }

    /// What stands for an alias, or below a parameter's list, may be many nodes of one place.
    fn is_like(&self, node: NodeId) -> bool {
        let tree = self.session.tree();
        tree.kind(node) == tree.kind(self.like.node) || tree.is_generated(node)
    }
}
