//! Parents and keys of the authored nodes of a template.

use std::ops::Range;

use formwork_base::SourceMap;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Tree, symbol};

/// The parents and keys of authored nodes.
#[derive(Debug)]
pub struct Authored {
    root: Option<NodeId>,
    parents: Vec<Option<NodeId>>,
    keys: Vec<Option<NodeId>>,
    /// The indexes of nodes that the serverless transform made.
    made: Range<usize>,
}

impl Authored {
    /// Collects the nodes of the document with these roots; where they differ, the last root counts. `made` are the indexes
    /// of nodes that the serverless transform made.
    pub fn new(tree: &Tree, roots: &[NodeId], made: Range<usize>) -> Authored {
        let room = tree.node_count() + 1;
        let root = roots.last().map(|&root| tree.authored(root));
        let mut found = Authored { root, parents: vec![None; room], keys: vec![None; room], made };
        for &root in roots {
            found.add(tree, root);
        }
        found
    }

    fn add(&mut self, tree: &Tree, root: NodeId) {
        let found = self;
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            // Nodes below an alias are below its target.
            let parent = Some(tree.authored(node));
            match tree.kind(node) {
                Kind::List => {
                    for &item in tree.items(node) {
                        found.parents[item.index()] = parent;
                        pending.push(item);
                    }
                }
                Kind::Map => {
                    for entry in tree.entries(node) {
                        found.parents[entry.key.index()] = parent;
                        found.parents[entry.value.index()] = parent;
                        found.keys[entry.value.index()] = Some(entry.key);
                        pending.push(entry.value);
                    }
                }
                Kind::Call => {
                    let (_, argument) = tree.call(node);
                    found.parents[argument.index()] = parent;
                    pending.push(argument);
                }
                _ => {}
            }
        }
    }

    /// Returns `true` if the node is part of the document.
    pub fn contains(&self, node: NodeId) -> bool {
        Some(node) == self.root || self.parent(node).is_some()
    }

    /// Returns `true` for a node that the serverless transform made.
    pub(crate) fn is_made(&self, node: NodeId) -> bool {
        self.made.contains(&node.index())
    }

    /// Returns the node around a node; for a key or value, the mapping.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.parents.get(node.index()).copied().flatten()
    }

    /// Returns the key of a value.
    pub fn key(&self, value: NodeId) -> Option<NodeId> {
        self.keys.get(value.index()).copied().flatten()
    }

    /// Returns the call that may return this node: it is a branch of `Fn::If`, an item of a list in `Fn::Select`, or
    /// the default of `Fn::FindInMap`.
    pub fn chooser(&self, tree: &Tree, node: NodeId) -> Option<NodeId> {
        let parent = self.parent(node)?;
        let around = self.parent(parent)?;
        let argument = |call: NodeId, known: Known| tree.argument_of(call, known);
        if let Some(arguments) = argument(around, Known::If) {
            let is_branch = arguments == parent && tree.items(arguments).first() != Some(&node);
            return is_branch.then_some(around);
        }
        let outer = self.parent(around)?;
        if let Some(arguments) = argument(outer, Known::Select) {
            return (tree.items(arguments).get(1) == Some(&parent)).then_some(outer);
        }
        if argument(outer, Known::FindInMap) == Some(around) {
            let is_default = self.key(node).is_some_and(|key| tree.symbol(key) == symbol::DEFAULT_VALUE);
            return is_default.then_some(outer);
        }
        None
    }

    /// Returns `true` if a call that plain CloudFormation does not have is at or around the node.
    pub fn is_in_construct(&self, tree: &Tree, node: NodeId) -> bool {
        let mut next = Some(node);
        while let Some(node) = next {
            if tree.is_construct(node) {
                return true;
            }
            next = self.parent(node);
        }
        false
    }

    /// Returns `true` if a node is at or below the collection of an `Fn::ForEach` or `Fn::Map`, where passed values
    /// count in every mode.
    pub fn is_in_collection(&self, tree: &Tree, node: NodeId) -> bool {
        let mut next = Some(node);
        while let Some(node) = next {
            next = self.parent(node);
            let Some(parent) = next else { return false };
            let is_of_map = self.key(node).is_some_and(|key| tree.text(key) == "Collection")
                && self.parent(parent).is_some_and(|call| tree.argument_of(call, Known::Map) == Some(parent));
            let is_of_loop = tree.items(parent).get(1) == Some(&node)
                && self.key(parent).is_some_and(|key| tree.loop_name(key).is_some());
            if is_of_map || is_of_loop {
                return true;
            }
        }
        false
    }

    /// Returns the path of an authored node in its own file, outermost step first.
    pub fn path(&self, tree: &Tree, sources: &SourceMap, node: NodeId) -> Vec<Step> {
        let mut steps = Vec::new();
        let file = sources.file_of(tree.span(node));
        let mut at = node;
        if tree.kind(at) == Kind::Key {
            steps.push(Step::Name(tree.text(at).to_owned()));
            at = match self.parent(at) {
                Some(map) => map,
                None => return steps,
            };
        }
        while let Some(parent) = self.parent(at) {
            if let Some(key) = self.key(at) {
                steps.push(Step::Name(tree.text(key).to_owned()));
            } else if tree.kind(parent) == Kind::Call {
                let (function, _) = tree.call(parent);
                steps.push(Step::Name(tree.function_name(function).to_owned()));
            } else if let Some(index) = tree.items(parent).iter().position(|&item| item == at) {
                steps.push(Step::Index(index));
            }
            if sources.file_of(tree.span(parent)) != file {
                break;
            }
            at = parent;
        }
        steps.reverse();
        steps
    }
}

/// A step of a path into data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The key of a mapping, or a function by its long name, which leads to its argument.
    Name(String),
    /// The index of an item of a list, from 0.
    Index(usize),
}

/// Returns `true` for functions that return an authored argument unchanged.
pub(crate) fn is_chooser(function: Function) -> bool {
    matches!(function, Function::Known(Known::If | Known::Select | Known::FindInMap))
}
