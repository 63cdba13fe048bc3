//! A `DependsOn` on the resource itself, or a duplicate one (reference/structure.md#dependency-cycles).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severities, Span, codes};
use formwork_syntax::{Entry, Kind, NodeId, flags, symbol};
use formwork_template::reference;
use rustc_hash::FxHashMap;

use super::removal;
use crate::Context;

struct SelfDependency {
    resource: NodeId,
    depends_on: Entry,
    node: NodeId,
    /// Place of the first one; `None` for the resource itself.
    first: Option<Span>,
}

pub(super) fn check(cx: &mut Context<'_>) {
    let tree = cx.tree;
    if !tree.has_key(symbol::DEPENDS_ON) {
        return;
    }
    let mut found = Vec::new();
    let result = tree.get(cx.result, symbol::RESOURCES);
    for resource in cx.unrolled_resources() {
        let Some(written) = tree.member(resource.value, symbol::DEPENDS_ON) else { continue };
        // A computed one is checked as its result.
        let computed = || tree.member(tree.get(result?, tree.symbol(resource.key))?, symbol::DEPENDS_ON);
        let depends_on = if tree.has(written.value, flags::HAS_CALL) { computed().unwrap_or(written) } else { written };
        let mut met: FxHashMap<&str, Span> = FxHashMap::default();
        for dependency in reference::depends_on(tree, depends_on.value) {
            let is_own = dependency.name == tree.text(resource.key);
            let first = met.get(dependency.name).copied();
            if is_own || first.is_some() {
                let first = first.filter(|_| !is_own);
                found.push(SelfDependency { resource: resource.key, depends_on, node: dependency.node, first });
            }
            met.entry(dependency.name).or_insert(tree.span(dependency.node));
        }
    }
    for one in found {
        report(cx, &one);
    }
}

fn report(cx: &mut Context<'_>, found: &SelfDependency) {
    let tree = cx.tree;
    let (id, name) = (shown(tree.text(found.resource)), shown(tree.text(found.node)));
    let place = tree.span(found.node);
    let (message, severity) = if found.first.is_none() {
        (format!("{id} depends on itself"), cx.severity_of(found.resource))
    } else {
        let Some(severity) = Severities::Advice.at(cx.goal) else { return };
        (format!("DependsOn of {id} names {name} twice"), severity)
    };
    let mut diagnostic = Diagnostic::new(codes::OWN_DEPENDENCY, message)
        .at(place)
        .frames(tree.frame_chain(tree.frame_of(found.resource)))
        .help(format!("remove {name} from DependsOn, or write the resource that is meant"));
    diagnostic = match found.first {
        Some(first) => diagnostic.related(first, "the first time"),
        None => diagnostic.quoting(&format!("Circular dependency between resources: [{id}]")),
    };
    // A computed one is elsewhere in the source.
    let is_written = !tree.is_generated(found.node) && tree.kind(found.depends_on.value) != Kind::Call;
    if let Some(removed) = removal::of_dependency(tree, cx.sources, found.depends_on, place).filter(|_| is_written) {
        diagnostic = diagnostic.fix("remove it from DependsOn", removed, "");
    }
    cx.push(diagnostic, severity);
}
