//! Resources that need each other (reference/structure.md#dependency-cycles).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Kind, NodeId, Symbol, Tree, symbol};
use formwork_template::dependency_graph::{self, Edges};
use formwork_template::reference;
use rustc_hash::FxHashMap;

use super::needs::Needs;
use crate::Context;

/// One edge: where it is written.
type Edge = (u32, NodeId);

/// `needs` are those that the check of references found.
pub(super) fn check(cx: &mut Context<'_>, needs: &Needs) {
    let Some(section) = cx.tree.get(cx.result, symbol::RESOURCES).filter(|&node| cx.tree.kind(node) == Kind::Map)
    else {
        return;
    };
    let tree = cx.tree;
    let index: FxHashMap<Symbol, u32> =
        tree.entries(section).enumerate().map(|(at, entry)| (tree.symbol(entry.key), at as u32)).collect();
    let mut edges = Edges::default();
    let mut spare = Vec::new();
    for member in tree.entries(section) {
        let found = edges_of(tree, &index, needs, member.value, &mut spare);
        edges.push(found.iter().map(|&(target, _)| target));
    }
    let member = |at: u32| tree.entry(section, at as usize);
    // Another transform may take a reference apart: what a serverless type needs is decided by it.
    let is_final = |at: u32| {
        let kind = tree.get(member(at).value, symbol::TYPE).map_or("", |kind| tree.text(kind));
        !kind.starts_with("AWS::Serverless::")
    };
    for cycle in dependency_graph::cycles(&edges) {
        if cx.template.has_other_transforms() && !cycle.iter().all(|&at| is_final(at)) {
            continue;
        }
        const SHOWN: usize = 5;
        let name = |at: u32| shown(tree.text(member(at).key));
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
            let found = edges_of(tree, &index, needs, member(from).value, &mut spare);
            let Some(&(_, node)) = found.iter().find(|(target, _)| *target == to) else { continue };
            let text = format!("{} depends on {}", name(from), name(to));
            diagnostic = if at == 0 {
                diagnostic.at(tree.span(node)).label(text)
            } else {
                diagnostic.related(tree.span(node), text)
            };
        }
        let first = member(cycle[0]).key;
        diagnostic = diagnostic
            .frames(tree.frame_chain(tree.frame_of(first)))
            .help("break the circular dependency: move one of the references into a separate resource");
        cx.push(diagnostic, cx.as_written());
    }
}

/// The edges of a resource, one for each target, in `found`.
fn edges_of<'f>(
    tree: &Tree,
    index: &FxHashMap<Symbol, u32>,
    needs: &Needs,
    resource: NodeId,
    found: &'f mut Vec<Edge>,
) -> &'f [Edge] {
    found.clear();
    found.extend(needs.get(resource).iter().filter_map(|&(name, node)| Some((*index.get(&name)?, node))));
    if let Some(depends_on) = tree.get(resource, symbol::DEPENDS_ON) {
        found.extend(reference::depends_on(tree, depends_on).filter_map(|reference| {
            let name = tree.symbols().get(reference.name)?;
            Some((*index.get(&name)?, reference.node))
        }));
    }
    found.sort_unstable();
    found.dedup_by_key(|edge| edge.0);
    found
}
