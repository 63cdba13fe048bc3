//! References to names that do not exist (reference/structure.md#references).

mod missing;
mod names;
mod near;
mod program;
mod report;

use formwork_syntax::{Kind, NodeId, NodeSet, Symbol, Tree, flags, symbol};
use formwork_template::reference::{self, By, Reference};
use formwork_template::{NamePatterns, Section};

use rustc_hash::FxHashSet;

use super::dependencies;
use super::needs::{Needs, Visitor};
use super::repeats::Repeats;
use super::written::Variables;
use crate::Context;

pub(super) use missing::Missing;
pub(super) use names::Names;
use names::exists;
pub(super) use report::report;

/// A reported name: the key of its entry, the kind of reference, and the name.
pub(super) type Reported = (NodeId, By, String);

/// Reports unknown names in all that the template may become: whatever its conditions decide, and before values replace
/// references. Where the result is the same, [`check`] finds them. Returns the names, each with the key of its entry.
pub(super) fn of_all(cx: &mut Context<'_>) -> FxHashSet<Reported> {
    let mut reported = FxHashSet::default();
    let (result, unrolled) = (cx.result, cx.unrolled);
    cx.result = unrolled;
    let names = Names::of(cx);
    for section in SECTIONS {
        let Some(node) = section_of(cx, section) else { continue };
        let known = cx.tree.get(result, section.symbol()).filter(|_| section != Section::Globals);
        let mut done = NodeSet::default();
        known.into_iter().flat_map(|node| cx.tree.entries(node)).for_each(|entry| {
            done.insert(entry.value);
        });
        let mut finder = Finder::new(cx, &names, section);
        for member in cx.tree.entries(node) {
            if cx.is_cancelled() {
                return reported;
            }
            if cx.tree.loop_name(member.key).is_none() && !done.contains(member.value) {
                finder.member(cx.tree, member.key, member.value, None);
            }
        }
        let found = finder.found(cx);
        let mut variables = Variables::default();
        for missing in found {
            let place = variables.place(cx, &missing);
            report(cx, &names, section, (&missing, place));
            reported.insert((missing.member, missing.by, missing.name));
        }
    }
    cx.result = result;
    reported
}

/// Returns a section of the result that is a map. Entries of `Globals` become part of resources.
fn section_of(cx: &Context<'_>, section: Section) -> Option<NodeId> {
    let is_read = section != Section::Globals || cx.template.is_serverless() && cx.goal.is_thorough();
    let node = cx.tree.get(cx.result, section.symbol()).filter(|_| is_read);
    node.filter(|&node| cx.tree.kind(node) == Kind::Map)
}

const SECTIONS: [Section; 4] = [Section::Conditions, Section::Globals, Section::Resources, Section::Outputs];

/// Checks references, and certain dependencies among resources ([`dependencies`]), which the same walk finds.
/// `reported` are names that were reported before. Returns the names that can be referred to.
pub(super) fn check(cx: &mut Context<'_>, reported: &FxHashSet<Reported>) -> Names {
    let names = Names::of(cx);
    let mut needs = Needs::new(&names.resources);
    for section in SECTIONS {
        let Some(node) = section_of(cx, section) else { continue };
        let mut finder = Finder::new(cx, &names, section);
        for member in cx.tree.entries(node) {
            if cx.is_cancelled() {
                return names;
            }
            if cx.tree.loop_name(member.key).is_none() {
                let needs = (section == Section::Resources).then_some(&mut needs);
                finder.member(cx.tree, member.key, member.value, needs);
            }
            if section == Section::Resources {
                needs.end_entry();
            }
        }
        let found = finder.found(cx);
        let mut variables = Variables::default();
        for missing in found {
            if cx.is_cancelled() {
                return names;
            }
            let is_reported = || reported.contains(&(missing.member, missing.by, missing.name.clone()));
            if !reported.is_empty() && is_reported() {
                continue;
            }
            let place = variables.place(cx, &missing);
            report(cx, &names, section, (&missing, place));
        }
    }
    // In a serverless template the cycles count of what the transform makes, which is checked by itself.
    if !cx.is_cancelled() && cx.becomes.is_none() {
        dependencies::check(cx, &needs);
    }
    names
}

struct Finder<'f> {
    names: &'f Names,
    section: Section,
    unchecked: &'f NamePatterns,
    repeats: Repeats,
    found: Vec<Missing>,
}

impl<'f> Finder<'f> {
    fn new(cx: &Context<'f>, names: &'f Names, section: Section) -> Finder<'f> {
        Finder { names, section, unchecked: cx.unchecked, repeats: Repeats::default(), found: Vec::new() }
    }

    fn found(mut self, cx: &Context<'_>) -> Vec<Missing> {
        let counts = self.repeats.counts(cx.tree, self.found.iter().map(|missing| missing.node));
        // Each `DependsOn` is checked by itself.
        for missing in self.found.iter_mut().filter(|missing| missing.by != By::DependsOn) {
            missing.count = counts.get(&missing.node).copied().unwrap_or(1);
        }
        self.found
    }

    fn member(&mut self, tree: &Tree, key: NodeId, node: NodeId, mut needs: Option<&mut Needs<'_>>) {
        let repeats = &mut self.repeats;
        // An alias below an authored node is a copy of its own.
        let mut enter = |node: NodeId| {
            tree.kind(node) != Kind::Call && tree.has(node, flags::HAS_ALIAS) || repeats.enter(tree, node)
        };
        let (names, section, found, unchecked) = (self.names, self.section, &mut self.found, self.unchecked);
        let mut visit = |symbol: Option<Symbol>, reference: Reference<'_>| {
            let is_known = reference.inside.unread_variables || exists(names, section, symbol, &reference);
            if !is_known && !unchecked.matches(reference.name) {
                found.push(Missing::new(&reference, key));
            }
        };
        let symbol = |reference: &Reference<'_>| tree.symbols().get(reference.name);
        if let Some(needs) = needs.as_deref_mut() {
            needs.of_resource(tree, node, &mut Visitor { enter: &mut enter, visit: &mut visit });
        } else {
            reference::visit(tree, node, &mut enter, &mut |reference| visit(symbol(&reference), reference));
        }
        let depends_on = tree.get(node, symbol::DEPENDS_ON).filter(|_| section == Section::Resources);
        for reference in depends_on.into_iter().flat_map(|node| reference::depends_on(tree, node)) {
            let name = symbol(&reference);
            // A resource that depends on itself has its own check.
            if let Some(needs) = needs.as_deref_mut().filter(|_| name != Some(tree.symbol(key))) {
                needs.depends_on(name, reference.node);
            }
            visit(name, reference);
        }
    }
}
