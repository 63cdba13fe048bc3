//! Names of loops and of their variables (reference/for-each.md#names).

use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::NodeId;
use formwork_syntax::document::shown;
use formwork_template::{Section, logical_id};
use rustc_hash::FxHashMap;

use super::check::Checker;

impl Checker<'_> {
    /// The name of an `Fn::ForEach` and that of one of its variables.
    pub(super) fn names(&mut self, key: NodeId, name: &str, identifier: NodeId) {
        let tree = self.tree;
        let variable = tree.text(identifier);
        let (loop_name, shown_variable) = (shown(name), shown(variable));
        self.loop_name(key, name);
        let key_text = shown(tree.text(key));
        let conflict = |what: &str| shown(&format!("{key_text}: identifier '{variable}' conflicts with {what}"));
        if let Some(other) = self.parameter(variable) {
            let sentence = conflict("parameter name");
            let what = format!("the identifier {shown_variable} is a parameter: `{sentence}`");
            self.clash(key, identifier, what, (other, "the parameter"));
        }
        if let Some(other) = self.parameter(name) {
            let sentence = format!("{key_text}: loop name '{loop_name}' conflicts with parameter name");
            let what = format!("the loop name {loop_name} is a parameter: `{sentence}`");
            self.clash(key, key, what, (other, "the parameter"));
        }
        if let Some(other) = self.member(Section::Resources, name).or_else(|| self.member(self.section, name)) {
            let what = format!("the loop name {loop_name} is a logical id");
            self.clash(key, key, what, (other, "the logical id"));
        }
        if let Some(other) = self.member(Section::Resources, variable) {
            let what = format!("the identifier {shown_variable} is a logical id");
            self.clash(key, identifier, what, (other, "the resource"));
        }
        for at in 0..self.around.len() {
            let around = &self.around[at];
            let (has_name, has_variable) = (around.name == Some(name), around.identifiers.contains(&variable));
            let outer = (around.key, "the loop around it");
            if has_name {
                let what = format!("the loop {loop_name} stands inside a loop of the same name");
                self.clash(key, key, what, outer);
            }
            if has_variable {
                let sentence = conflict("another loop identifier");
                let what = format!("the identifier {shown_variable} is that of a loop around it: `{sentence}`");
                self.clash(key, identifier, what, outer);
            }
        }
    }

    fn loop_name(&mut self, key: NodeId, name: &str) {
        let at = self.tree.span(key);
        if name.is_empty() {
            let diagnostic = Diagnostic::new(codes::LOOP_NAME_CLASH, "the loop has no name");
            self.refuse(key, diagnostic.at(at).help("write `Fn::ForEach::Name`"));
        } else if !logical_id::is_alphanumeric(name) {
            let what = format!("the loop name {} has other characters than letters and digits", shown(name));
            self.found.push(
                Diagnostic::new(codes::LOOP_NAME_CLASH, what)
                    .severity(Severity::Warning)
                    .at(at)
                    .help(format!("write `Fn::ForEach::{}`", logical_id::stripped(name))),
            );
        }
    }

    /// Reports that the name at `at`, that of a loop or of its variable, is that of something else.
    fn clash(&mut self, key: NodeId, at: NodeId, what: String, other: (NodeId, &str)) {
        let noun = if at == key { "loop name" } else { "identifier" };
        let diagnostic = Diagnostic::new(codes::LOOP_NAME_CLASH, what)
            .at(self.tree.span(at))
            .related(self.tree.span(other.0), other.1)
            .help(format!("choose another {noun}"));
        self.refuse(key, diagnostic);
    }

    /// One name in two places is accepted, since a published template does it, with a warning.
    pub(super) fn repeated_names(&mut self) {
        let mut first: FxHashMap<&str, NodeId> = FxHashMap::default();
        for declared in &self.declared {
            let other = *first.entry(declared.name).or_insert(declared.key);
            // A loop with two variables is one loop.
            if other != declared.key && !self.bad.contains(&declared.key) {
                let what = format!("the loop name Fn::ForEach::{} is used twice", shown(declared.name));
                self.found.push(
                    Diagnostic::new(codes::LOOP_NAME_CLASH, what)
                        .severity(Severity::Warning)
                        .at(self.tree.span(declared.key))
                        .related(self.tree.span(other), "the first one")
                        .note("the documentation asks for names that are unique in the template; the service accepts this")
                        .help("choose another name for one of the two"),
                );
            }
        }
    }

    /// The name of a loop is not that of a variable of another one.
    pub(super) fn names_against_identifiers(&mut self) {
        // The first two loops with a variable of each name: one of them is not the loop itself.
        let mut identifiers: FxHashMap<&str, Vec<(NodeId, NodeId)>> = FxHashMap::default();
        for declared in &self.declared {
            let known = identifiers.entry(self.tree.text(declared.identifier)).or_default();
            if known.len() < 2 && known.iter().all(|&(key, _)| key != declared.key) {
                known.push((declared.key, declared.identifier));
            }
        }
        let clashes = self.declared.iter().filter_map(|declared| {
            let known = identifiers.get(declared.name)?;
            let &(_, identifier) = known.iter().find(|&&(key, _)| key != declared.key)?;
            let what = format!("the loop name {} is the identifier of another loop", shown(declared.name));
            Some((declared.key, what, identifier))
        });
        for (key, what, identifier) in clashes.collect::<Vec<_>>() {
            self.clash(key, key, what, (identifier, "the identifier"));
        }
    }
}
