//! Names in `DependsOn` that a reference implies (reference/structure.md#implied-dependencies).

use std::collections::BTreeMap;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Span, codes};
use formwork_syntax::{Entry, Kind, NodeId, symbol};
use formwork_template::reference;
use rustc_hash::FxHashSet;

use super::{cdk, removal};
use crate::Context;

/// A name in a `DependsOn` as it is written, with all copies that loops generate.
struct Site {
    node: NodeId,
    depends_on: Entry,
    resource: NodeId,
    by: Span,
    copies: usize,
    implied: usize,
}

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::IMPLIED_DEPENDENCY) else { return };
    let Some(section) = cx.tree.get(cx.unrolled, symbol::RESOURCES).filter(|&node| cx.tree.kind(node) == Kind::Map)
    else {
        return;
    };
    let mut sites: BTreeMap<Span, Site> = BTreeMap::new();
    for resource in cx.tree.entries(section) {
        if cx.is_cancelled() {
            return;
        }
        let Some(depends_on) = cx.tree.member(resource.value, symbol::DEPENDS_ON) else { continue };
        let mut needed = BTreeMap::new();
        if let Some(properties) = cx.tree.get(resource.value, symbol::PROPERTIES) {
            let mut seen = FxHashSet::default();
            reference::visit_certain(cx.tree, properties, &mut |node| seen.insert(node), &mut |reference| {
                if !reference.inside.import {
                    needed.entry(reference.name).or_insert(reference.node);
                }
            });
        }
        for dependency in reference::depends_on(cx.tree, depends_on.value) {
            let is_resource = cx.tree.get_text(section, dependency.name).is_some();
            let by = needed.get(dependency.name).filter(|_| is_resource);
            let site = sites.entry(cx.tree.span(dependency.node)).or_insert(Site {
                node: dependency.node,
                depends_on,
                resource: resource.key,
                by: Span::NONE,
                copies: 0,
                implied: 0,
            });
            site.copies += 1;
            site.implied += usize::from(by.is_some());
            if let Some(&by) = by {
                site.by = cx.tree.span(by);
            }
        }
    }
    if sites.values().all(|site| site.copies != site.implied) || cdk::wrote(cx) {
        return;
    }
    for (place, site) in sites {
        if site.copies == site.implied && !cdk::has_hash(cx.tree.text(site.resource)) {
            report(cx, place, &site, severity);
        }
    }
}

fn report(cx: &mut Context<'_>, place: Span, site: &Site, severity: formwork_base::Severity) {
    let tree = cx.tree;
    let (id, name) = (shown(tree.text(site.resource)), shown(tree.text(site.node)));
    let mut diagnostic = Diagnostic::new(
        codes::IMPLIED_DEPENDENCY,
        format!("{id} depends on {name} anyway, since its properties refer to it"),
    )
    .at(place)
    .label("has no effect")
    .related(site.by, format!("refers to {name}"))
    .help(format!("remove {name} from DependsOn"));
    let removed = removal::of_dependency(tree, cx.sources, site.depends_on, place);
    if let Some(removed) = removed {
        diagnostic = diagnostic.fix("remove it from DependsOn", removed, "");
    }
    cx.push(diagnostic, severity);
}
