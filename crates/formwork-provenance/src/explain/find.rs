//! Resolves paths.

use formwork_base::suggest;
use formwork_syntax::{Function, Kind, NodeId, Symbol, function::Known};
use formwork_template::Section;

use super::path;
use crate::authored::Step;
use crate::output_node::{Child, OutputNode};
use crate::session::Session;

/// Sections in which a lone logical ID is looked up, in this order.
const BY_ID: [Section; 5] =
    [Section::Resources, Section::Outputs, Section::Conditions, Section::Parameters, Section::Mappings];

impl Session<'_, '_> {
    /// Returns the nodes from a root to the one at a path; `None` when the path does not exist.
    pub(crate) fn trail(&mut self, root: NodeId, steps: &[String]) -> Option<Vec<OutputNode>> {
        let mut trail = vec![self.root_at(root)];
        for step in steps {
            let next = self.step(trail.last()?, step)?;
            trail.push(next);
        }
        Some(trail)
    }

    pub(super) fn step(&mut self, output: &OutputNode, step: &str) -> Option<OutputNode> {
        let tree = self.tree();
        let child = match tree.kind(output.node) {
            Kind::Map => Child::Member(tree.member(output.node, symbol_of(tree, step)?)?),
            Kind::List => Child::Item(*tree.items(output.node).get(step.parse::<usize>().ok()?)?),
            Kind::Call => {
                let (function, argument) = tree.call(output.node);
                if tree.function_name(function) != step {
                    return None;
                }
                Child::Item(argument)
            }
            // The string of `!GetAtt` is a list in the long spelling.
            Kind::String => {
                let call = output.parent.filter(|&call| tree.kind(call) == Kind::Call)?;
                let (function, _) = tree.call(call);
                let is_part = function == Function::Known(Known::GetAtt) && matches!(step, "0" | "1");
                return is_part.then_some(*output);
            }
            _ => return None,
        };
        Some(self.child(output, child))
    }

    pub(crate) fn path_of(&self, trail: &[OutputNode]) -> Vec<Step> {
        let tree = self.tree();
        let mut path = Vec::with_capacity(trail.len());
        for pair in trail.windows(2) {
            let (outer, inner) = (&pair[0], &pair[1]);
            match tree.kind(outer.node) {
                Kind::List => {
                    let at = tree.items(outer.node).iter().position(|&item| item == inner.node).unwrap_or(0);
                    path.push(Step::Index(at));
                }
                Kind::Call => {
                    let (function, _) = tree.call(outer.node);
                    path.push(Step::Name(tree.function_name(function).to_owned()));
                }
                _ => path.extend(inner.key.map(|key| Step::Name(tree.text(key).to_owned()))),
            }
        }
        path
    }

    /// Visits every node of the output in order, each with the nodes around it.
    pub(crate) fn walk(&mut self, visit: &mut dyn FnMut(&mut Self, &[OutputNode])) {
        let mut trail = vec![self.root()];
        self.walk_below(&mut trail, visit);
    }

    fn walk_below(&mut self, trail: &mut Vec<OutputNode>, visit: &mut dyn FnMut(&mut Self, &[OutputNode])) {
        visit(self, trail);
        let Some(output) = trail.last().copied() else { return };
        for child in self.children(&output) {
            trail.push(child);
            self.walk_below(trail, visit);
            trail.pop();
        }
    }

    /// Returns the paths nearest to one that does not exist, at most five.
    pub(super) fn nearest(&mut self, steps: &[String]) -> Vec<String> {
        const SHOWN: usize = 5;
        let mut best: Vec<String> = Vec::new();
        for candidate in candidates(steps) {
            let mut trail = vec![self.root()];
            for step in &candidate {
                let last = trail.last().copied();
                let next = last.and_then(|output| self.step(&output, step));
                let Some(next) = next else {
                    let near = self.near(&trail, step);
                    best.extend(near.into_iter().filter(|path| !best.contains(path)).collect::<Vec<_>>());
                    break;
                };
                trail.push(next);
            }
        }
        best.truncate(SHOWN);
        best
    }

    fn near(&self, trail: &[OutputNode], step: &str) -> Vec<String> {
        const SHOWN: usize = 5;
        let tree = self.tree();
        let Some(output) = trail.last() else { return Vec::new() };
        let names: Vec<&str> = tree.entries(output.node).map(|entry| tree.text(entry.key)).collect();
        let mut near: Vec<&str> = suggest::nearest(step, names.iter().copied()).into_iter().collect();
        if trail.len() > 2 {
            near.extend(names.iter().copied().filter(|name| !near.contains(name)).take(SHOWN).collect::<Vec<_>>());
        }
        let base = self.path_of(trail);
        near.into_iter()
            .map(|name| {
                let mut path = base.clone();
                path.push(Step::Name(name.to_owned()));
                path::dotted(&path)
            })
            .collect()
    }
}

/// Returns the full paths that a typed one may mean, most likely first: from the root; from a logical ID; from a
/// logical ID into the resource's properties.
pub(super) fn candidates(steps: &[String]) -> Vec<Vec<String>> {
    let mut found = vec![steps.to_vec()];
    if steps.is_empty() {
        return found;
    }
    for section in BY_ID {
        let mut path = vec![section.name().to_owned()];
        path.extend_from_slice(steps);
        if section == Section::Resources && steps.len() > 1 {
            let mut into = path.clone();
            into.insert(2, "Properties".to_owned());
            found.push(path);
            found.push(into);
        } else {
            found.push(path);
        }
    }
    found
}

fn symbol_of(tree: &formwork_syntax::Tree, text: &str) -> Option<Symbol> {
    tree.symbols().get(text)
}
