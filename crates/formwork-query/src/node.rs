//! The node at a position.

use formwork_base::{FileRange, SourceMap, Span};
use formwork_provenance::Step;
use formwork_provenance::explain::path::dotted;
use formwork_syntax::{Kind, NodeId, Tree};
use serde::Serialize;

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum NodeKind {
    /// The key of a mapping.
    Key,
    /// A string.
    String,
    /// A number.
    Number,
    /// A Boolean.
    Boolean,
    /// Null, or nothing where a value is expected.
    Null,
    /// A list.
    List,
    /// A mapping.
    Mapping,
    /// A call of an intrinsic function.
    Call,
}

/// A node of a template.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct NodeAt {
    /// The kind of the node.
    pub kind: NodeKind,
    /// The path from the root, such as `Resources.Queue.Properties.Tags.0`; that of a key is the path of its value. The
    /// argument of a function is below the function's long name.
    pub path: String,
    /// The range of its source.
    pub range: FileRange,
    /// The long name of the innermost function at or around it.
    pub function: Option<String>,
}

/// Returns the innermost node below `root` at the position of a byte in the position space of `sources`. Between
/// two nodes it is the one around them; directly after a node it is that node, as a cursor is placed.
pub fn node_at(tree: &Tree, sources: &SourceMap, root: NodeId, position: u32) -> Option<NodeAt> {
    let (mut steps, mut function) = (Vec::new(), None);
    let mut node = root;
    if !touches(tree.site(root), position) {
        return None;
    }
    while let Some((step, child)) = child_at(tree, node, position) {
        if tree.kind(node) == Kind::Call {
            function = Some(tree.function_name(tree.call(node).0).to_owned());
        }
        steps.push(step);
        node = child;
        // Nodes below an alias are written elsewhere.
        if tree.is_alias(node) {
            break;
        }
    }
    if tree.kind(node) == Kind::Call {
        function = Some(tree.function_name(tree.call(node).0).to_owned());
    }
    let range = sources.file_range(tree.site(node))?;
    Some(NodeAt { kind: kind(tree.kind(node)), path: dotted(&steps), range, function })
}

/// Returns the child that contains a position, else the one that ends there, with the step that leads to it.
fn child_at(tree: &Tree, node: NodeId, position: u32) -> Option<(Step, NodeId)> {
    let mut children: Vec<(Step, NodeId)> = Vec::new();
    let name = |key: NodeId| Step::Name(tree.text(key).to_owned());
    match tree.kind(node) {
        Kind::List => {
            children.extend(tree.items(node).iter().enumerate().map(|(at, &item)| (Step::Index(at), item)));
        }
        Kind::Map => {
            for entry in tree.entries(node) {
                children.push((name(entry.key), entry.key));
                children.push((name(entry.key), entry.value));
            }
        }
        Kind::Call => {
            let (function, argument) = tree.call(node);
            children.push((Step::Name(tree.function_name(function).to_owned()), argument));
        }
        _ => {}
    }
    let span = |child: NodeId| tree.site(child);
    let holds = |child: NodeId| span(child).start() <= position && position < span(child).end();
    let found = children.iter().position(|&(_, child)| holds(child));
    let found = found.or_else(|| children.iter().position(|&(_, child)| touches(span(child), position)))?;
    Some(children.swap_remove(found))
}

fn touches(span: Span, position: u32) -> bool {
    !span.is_none() && (span.start()..=span.end()).contains(&position)
}

fn kind(kind: Kind) -> NodeKind {
    match kind {
        Kind::Null => NodeKind::Null,
        Kind::Bool => NodeKind::Boolean,
        Kind::Number => NodeKind::Number,
        Kind::String => NodeKind::String,
        Kind::Key => NodeKind::Key,
        Kind::List => NodeKind::List,
        Kind::Map => NodeKind::Mapping,
        Kind::Call => NodeKind::Call,
    }
}
