//! Circular dependencies of resources (reference/structure.md#dependency-cycles).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::{Kind, symbol};
use formwork_template::dependency_graph::{self, Edges};

use super::needs::Needs;
use crate::Context;

/// Reports cycles in `needs`, which the check of references found.
pub(super) fn check(cx: &mut Context<'_>, needs: &Needs<'_>) {
    let Some(section) = cx.tree.get(cx.result, symbol::RESOURCES).filter(|&node| cx.tree.kind(node) == Kind::Map)
    else {
        return;
    };
    let tree = cx.tree;
    let member = |at: u32| tree.entry(section, at as usize);
    let is_taken_apart = |at: u32| {
        let kind = tree.get(member(at).value, symbol::TYPE).map_or("", |kind| tree.text(kind));
        dependency_graph::is_taken_apart(kind)
    };
    let has_transforms = cx.template.has_other_transforms();
    let mut edges = Edges::default();
    let mut spare = Vec::new();
    for at in 0..tree.len(section) as u32 {
        let needed = needs.get(at, &mut spare);
        let closes = needed.is_empty() || !has_transforms || !is_taken_apart(at);
        edges.push(needed.iter().filter(|_| closes).map(|&(target, _)| target));
    }
    for cycle in dependency_graph::cycles(&edges) {
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
            let found = needs.get(from, &mut spare);
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
