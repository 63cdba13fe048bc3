//! Names of loops and of their variables (reference/for-each.md#names).

use formwork_base::{Diagnostic, Severity, codes};
use formwork_evaluate::Evaluator;
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, NodeId, Tree};
use formwork_template::{Section, logical_id};

use super::check::Checker;

impl Checker<'_> {
    pub(super) fn names(
        &mut self,
        ev: &Evaluator<'_>,
        entry: Entry,
        name: &str,
        identifier: NodeId,
        variable: &str,
        section: Section,
    ) {
        let tree = &*ev.tree;
        let key = shown(tree.text(entry.key));
        let (at, own) = (entry.key, identifier);
        let (loop_name, shown_variable) = (shown(name), shown(variable));
        if name.is_empty() {
            self.bad.insert(entry.key);
            self.found.push(
                Diagnostic::new(codes::LOOP_NAME_CLASH, "the loop has no name")
                    .at(tree.span(at))
                    .help("write `Fn::ForEach::Name`"),
            );
        } else if !logical_id::is_alphanumeric(name) {
            self.found.push(
                Diagnostic::new(
                    codes::LOOP_NAME_CLASH,
                    format!("the loop name {loop_name} has other characters than letters and digits"),
                )
                .severity(Severity::Warning)
                .at(tree.span(at))
                .help(format!("write `Fn::ForEach::{}`", logical_id::stripped(name))),
            );
        }
        let parameter = |name: &str| {
            ev.template.parameters.iter().find(|parameter| tree.name(parameter.name) == name).map(|p| p.key)
        };
        if let Some(other) = parameter(variable) {
            let sentence = shown(&format!("{key}: identifier '{variable}' conflicts with parameter name"));
            let what = format!("the identifier {shown_variable} is a parameter: `{sentence}`");
            self.clash(tree, at, own, what, (other, "the parameter"));
        }
        if let Some(other) = parameter(name) {
            let sentence = format!("{key}: loop name '{loop_name}' conflicts with parameter name");
            let what = format!("the loop name {loop_name} is a parameter: `{sentence}`");
            self.clash(tree, at, at, what, (other, "the parameter"));
        }
        let same = if section == Section::Resources { None } else { self.member(tree, section, name) };
        if let Some(other) = self.member(tree, Section::Resources, name).or(same) {
            self.clash(tree, at, at, format!("the loop name {loop_name} is a logical id"), (other, "the logical id"));
        }
        if let Some(other) = self.member(tree, Section::Resources, variable) {
            let what = format!("the identifier {shown_variable} is a logical id");
            self.clash(tree, at, own, what, (other, "the resource"));
        }
        let around: Vec<(NodeId, bool, bool)> = self
            .around
            .iter()
            .map(|outer| {
                (
                    outer.key,
                    outer.name.as_deref() == Some(name),
                    outer.identifiers.iter().any(|known| known == variable),
                )
            })
            .collect();
        for (outer, has_name, has_variable) in around {
            let outer = (outer, "the loop around it");
            if has_name {
                let what = format!("the loop {loop_name} stands inside a loop of the same name");
                self.clash(tree, at, at, what, outer);
            }
            if has_variable {
                let sentence = shown(&format!("{key}: identifier '{variable}' conflicts with another loop identifier"));
                let what = format!("the identifier {shown_variable} is that of a loop around it: `{sentence}`");
                self.clash(tree, at, own, what, outer);
            }
        }
    }

    /// Reports that the name at `at`, that of a loop or of its variable, is that of something else.
    fn clash(&mut self, tree: &Tree, key: NodeId, at: NodeId, what: String, other: (NodeId, &str)) {
        let noun = if at == key { "loop name" } else { "identifier" };
        self.bad.insert(key);
        self.found.push(
            Diagnostic::new(codes::LOOP_NAME_CLASH, what)
                .at(tree.span(at))
                .related(tree.span(other.0), other.1)
                .help(format!("choose another {noun}")),
        );
    }

    /// One name in two places is accepted, since a published template does it, with a warning.
    pub(super) fn repeated_names(&mut self, tree: &Tree) {
        let mut first: Vec<(&str, NodeId)> = Vec::new();
        for (key, name, ..) in &self.declared {
            match first.iter().find(|(known, _)| known == name) {
                // A loop with two variables is one loop.
                Some(&(_, other)) if other == *key => {}
                Some(&(_, other)) if !self.bad.contains(key) => self.found.push(
                    Diagnostic::new(
                        codes::LOOP_NAME_CLASH,
                        format!("the loop name Fn::ForEach::{} is used twice", shown(name)),
                    )
                    .severity(Severity::Warning)
                    .at(tree.span(*key))
                    .related(tree.span(other), "the first one")
                    .note("the documentation asks for names that are unique in the template; the service accepts this")
                    .help("choose another name for one of the two"),
                ),
                Some(_) => {}
                None => first.push((name, *key)),
            }
        }
    }

    pub(super) fn names_against_identifiers(&mut self, tree: &Tree) {
        let mut clashes = Vec::new();
        for (key, name, ..) in &self.declared {
            let other = self.declared.iter().find(|(other, _, _, identifier)| other != key && identifier == name);
            if let Some(&(_, _, identifier, _)) = other {
                clashes.push((
                    *key,
                    format!("the loop name {} is the identifier of another loop", shown(name)),
                    identifier,
                ));
            }
        }
        for (key, what, identifier) in clashes {
            self.clash(tree, key, key, what, (identifier, "the identifier"));
        }
    }
}
