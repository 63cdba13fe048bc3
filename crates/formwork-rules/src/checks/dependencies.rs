//! Resources that need each other (reference/structure.md#dependency-cycles).

use std::cell::RefCell;
use std::rc::Rc;

use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Kind, NodeId, NodeSet, Symbol, Tree, symbol};
use formwork_template::dependency_graph;
use formwork_template::reference::{self, Reference};
use rustc_hash::FxHashMap;

use super::needs::Needs;
use crate::Context;

/// One edge: where it is written.
type Edge = (u32, NodeId);

/// `needs` are those that the check of references found.
pub(super) fn check(cx: &mut Context<'_>, needs: Option<&Needs>) {
    let Some(section) = cx.tree.get(cx.result, symbol::RESOURCES).filter(|&node| cx.tree.kind(node) == Kind::Map)
    else {
        return;
    };
    let tree = cx.tree;
    let members: Vec<_> = tree.entries(section).collect();
    let index: FxHashMap<Symbol, u32> =
        members.iter().enumerate().map(|(at, entry)| (tree.symbol(entry.key), at as u32)).collect();
    let mut shared = Shared::default();
    let edges = members.iter().map(|member| match needs.and_then(|needs| needs.get(member.value)) {
        Some(needs) => {
            let found = needs.iter().filter_map(|&(name, node)| Some((*index.get(&name)?, node)));
            with_depends_on(tree, &index, member.value, found.collect())
        }
        None => edges(tree, &index, &mut shared, member.value),
    });
    let edges: Vec<Vec<Edge>> = edges.collect();
    let targets: Vec<Vec<u32>> = edges.iter().map(|edges| edges.iter().map(|&(target, _)| target).collect()).collect();
    // Another transform may take a reference apart: what a serverless type needs is decided by it.
    let is_final = |at: u32| {
        let kind = tree.get(members[at as usize].value, symbol::TYPE).map_or("", |kind| tree.text(kind));
        !kind.starts_with("AWS::Serverless::")
    };
    for cycle in dependency_graph::cycles(&targets) {
        if cx.template.has_other_transforms() && !cycle.iter().all(|&at| is_final(at)) {
            continue;
        }
        const SHOWN: usize = 5;
        let name = |at: u32| shown(tree.text(members[at as usize].key));
        let mut names: Vec<String> = cycle.iter().map(|&at| name(at)).collect();
        names.truncate(SHOWN);
        if cycle.len() > SHOWN {
            names.push(format!("and {} more", cycle.len() - SHOWN));
        }
        let sentence = format!("Circular dependency between resources: [{}]", names.join(", "));
        let mut diagnostic =
            Diagnostic::new(codes::DEPENDENCY_CYCLE, format!("circular dependency between resources: `{sentence}`"));
        for (at, &from) in cycle.iter().enumerate().take(SHOWN) {
            let to = cycle[(at + 1) % cycle.len()];
            let Some(&(_, node)) = edges[from as usize].iter().find(|(target, _)| *target == to) else { continue };
            let text = format!("{} depends on {}", name(from), name(to));
            diagnostic = if at == 0 {
                diagnostic.at(tree.span(node)).label(text)
            } else {
                diagnostic.related(tree.span(node), text)
            };
        }
        let first = members[cycle[0] as usize].key;
        diagnostic = diagnostic
            .frames(tree.frame_chain(tree.frame_of(first)))
            .help("break the circular dependency: move one of the references into a separate resource");
        cx.push(diagnostic, cx.as_written());
    }
}

/// Authored nodes that copies of a loop's body may share.
#[derive(Default)]
struct Shared {
    /// Those that were met.
    met: NodeSet,
    /// The edges below those that were met again, each computed once.
    edges: FxHashMap<NodeId, Rc<[Edge]>>,
}

/// What a resource needs for sure: references in a branch of an undecided `Fn::If` may not be
/// taken.
fn edges(tree: &Tree, index: &FxHashMap<Symbol, u32>, shared: &mut Shared, resource: NodeId) -> Vec<Edge> {
    let found: RefCell<Vec<Edge>> = RefCell::default();
    let edge = |reference: &Reference<'_>| edge(tree, index, reference);
    let mut add = |reference: Reference<'_>| found.borrow_mut().extend(edge(&reference));
    let below = |node: NodeId| {
        let mut found = Vec::new();
        reference::visit_certain(tree, node, &mut |_| true, &mut |reference| found.extend(edge(&reference)));
        Rc::from(found)
    };
    let mut enter = |node: NodeId| {
        if !tree.may_share() || tree.is_generated(node) || shared.met.insert(node) {
            return true;
        }
        found.borrow_mut().extend_from_slice(shared.edges.entry(node).or_insert_with(|| below(node)));
        false
    };
    // Metadata is never deployed.
    for entry in tree.entries(resource) {
        if tree.symbol(entry.key) != symbol::METADATA {
            reference::visit_certain(tree, entry.value, &mut enter, &mut add);
        }
    }
    with_depends_on(tree, index, resource, found.into_inner())
}

fn edge(tree: &Tree, index: &FxHashMap<Symbol, u32>, reference: &Reference<'_>) -> Option<Edge> {
    let target = tree.symbols().get(reference.name).and_then(|name| index.get(&name).copied());
    target.map(|target| (target, reference.node))
}

/// The edges of a resource with those of its `DependsOn`, one for each target.
fn with_depends_on(tree: &Tree, index: &FxHashMap<Symbol, u32>, resource: NodeId, mut found: Vec<Edge>) -> Vec<Edge> {
    if let Some(depends_on) = tree.get(resource, symbol::DEPENDS_ON) {
        found.extend(reference::depends_on(tree, depends_on).filter_map(|reference| edge(tree, index, &reference)));
    }
    found.sort_unstable();
    found.dedup_by_key(|edge| edge.0);
    found
}
