//! Names in loops as they are written (reference/structure.md#references): a loop computes nothing from an argument
//! that it does not take, but a name in it may be wrong. All other names are in the result.

use formwork_base::{Diagnostic, Span, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View, flags, symbol};
use formwork_template::reference::{self, Reference};
use formwork_template::{PseudoParameter, Section, placeholder};
use rustc_hash::FxHashSet;

use super::references::{Missing, Names, report};
use super::written::Variables;
use crate::Context;

/// Reports unknown names in loops, unless they have been reported in the result.
pub(super) fn check(cx: &mut Context<'_>, names: &Names) {
    // The names of modules have a meaning of their own, and are reported where they are computed.
    if !cx.goal.is_thorough() || cx.template.was_module_document || !cx.tree.has(cx.template.root, flags::HAS_LOOP) {
        return;
    }
    let codes = [codes::UNRESOLVED_NAME, codes::ABSENT_RESOURCE];
    let reported = cx.diagnostics.iter().filter(|found| codes.contains(&found.code)).map(Diagnostic::span);
    let mut seen: FxHashSet<Span> = reported.collect();
    for section in [Section::Conditions, Section::Resources, Section::Outputs] {
        let Some(node) = cx.tree.get(cx.template.root, section.symbol()) else { continue };
        let mut walker = Walker { cx, names, section, scope: Vec::new(), found: Vec::new() };
        walker.generators(node, node);
        let found = walker.found;
        let mut variables = Variables::default();
        for missing in found {
            let place = variables.place(cx, &missing);
            if !seen.contains(&cx.tree.span(missing.node)) && seen.insert(place) {
                report(cx, names, section, (&missing, place));
            }
        }
    }
}

struct Walker<'w, 'c> {
    cx: &'w Context<'c>,
    names: &'w Names,
    section: Section,
    scope: Vec<&'w str>,
    found: Vec<Missing>,
}

impl<'w> Walker<'w, '_> {
    /// Searches loops at and below a node of the entry with this key.
    fn generators(&mut self, node: NodeId, member: NodeId) {
        let tree = self.cx.tree;
        if !tree.has(node, flags::HAS_LOOP) || self.cx.is_cancelled() {
            return;
        }
        match tree.view(node) {
            View::List(items) => items.iter().for_each(|&item| self.generators(item, member)),
            View::Map => {
                for entry in tree.entries(node) {
                    match (tree.loop_name(entry.key), tree.items(entry.value)) {
                        (Some(_), &[identifier, _, fragment]) => {
                            let identifiers = tree.items(identifier).iter().chain([&identifier]);
                            let names: Vec<&str> = identifiers.filter_map(|&name| tree.string(name)).collect();
                            self.parts(&names, fragment, entry.key);
                        }
                        _ => self.generators(entry.value, entry.key),
                    }
                }
            }
            View::Call(Function::Known(Known::Transform), _) => {}
            View::Call(Function::Known(Known::Map), argument) => {
                let part = |name| tree.get_text(argument, name);
                let Some(fragment) = part("Fragment") else { return };
                let names = ["Value", "Index"].map(|name| part(name).and_then(|own| tree.string(own)).unwrap_or(name));
                self.parts(&names, fragment, member);
            }
            View::Call(_, argument) => self.generators(argument, member),
            _ => {}
        }
    }

    /// Checks the body of a loop with these variables. Names in its collection are computed wherever it is read.
    fn parts(&mut self, variables: &[&'w str], fragment: NodeId, member: NodeId) {
        let count = self.scope.len();
        self.scope.extend_from_slice(variables);
        self.names(fragment, member);
        self.generators(fragment, member);
        self.scope.truncate(count);
    }

    /// Checks the names in arguments that the calls below a node may not take, except those in other loops: the
    /// elements of a list of which one is selected, defaults, and variables of strings.
    fn names(&mut self, node: NodeId, member: NodeId) {
        let tree = self.cx.tree;
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            match tree.view(node) {
                View::List(items) => pending.extend(items.iter().rev()),
                View::Map => {
                    let entries = tree.entries(node).filter(|entry| tree.loop_name(entry.key).is_none());
                    pending.extend(entries.map(|entry| entry.value));
                }
                View::Call(Function::Known(Known::Transform | Known::Map), _) => {}
                View::Call(function, argument) => {
                    let skipped = match function {
                        Function::Known(Known::Select | Known::Sub) => 1,
                        Function::Known(Known::FindInMap) => 3,
                        _ => usize::MAX,
                    };
                    for &part in tree.items(argument).iter().skip(skipped) {
                        self.names_of(part, member);
                    }
                    if skipped == usize::MAX {
                        pending.push(argument);
                    } else {
                        pending.extend(tree.items(argument).iter().take(skipped));
                    }
                }
                _ => {}
            }
        }
    }

    fn names_of(&mut self, node: NodeId, member: NodeId) {
        let tree = self.cx.tree;
        let mut found = Vec::new();
        let mut enter = |node: NodeId| !matches!(tree.view(node), View::Call(Function::Known(Known::Map), _));
        reference::visit(tree, node, &mut enter, &mut |reference| {
            if !self.is_known(&reference) {
                found.push(Missing::new(&reference, member));
            }
        });
        self.found.append(&mut found);
    }

    fn is_known(&self, reference: &Reference<'_>) -> bool {
        let name = reference.name;
        let is_resource = |root: NodeId| {
            let resources = self.cx.tree.get(root, symbol::RESOURCES);
            let name = self.cx.tree.symbols().get(name);
            name.is_some_and(|name| resources.is_some_and(|node| self.cx.tree.get(node, name).is_some()))
        };
        reference.inside.unread_variables
            || placeholder::placeholders(name).any(|found| found.written.ends_with('}'))
            || self.scope.contains(&name)
            || PseudoParameter::from_name(name).is_some()
            || self.names.has(self.cx.tree, self.section, reference)
            || self.section != Section::Conditions && is_resource(self.cx.unrolled)
            || self.cx.unchecked.matches(name)
    }
}
