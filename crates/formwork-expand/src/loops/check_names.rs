//! Names of loops and of their variables (reference/for-each.md#names).

use formwork_base::{Diagnostic, Severity, codes};
use formwork_evaluate::Evaluator;
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, NodeId, Tree};
use formwork_template::{Section, logical_id};

use super::check::Checker;

impl Checker {
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
        let at = tree.span(entry.key);
        let loop_name = shown(name);
        if name.is_empty() {
            self.clash(
                entry.key,
                Diagnostic::new(codes::LOOP_NAME_CLASH, "the loop has no name")
                    .at(at)
                    .help("write `Fn::ForEach::Name`"),
            );
        } else if !logical_id::is_alphanumeric(name) {
            self.found.push(
                Diagnostic::new(
                    codes::LOOP_NAME_CLASH,
                    format!("the loop name {loop_name} has other characters than letters and digits"),
                )
                .severity(Severity::Warning)
                .at(at)
                .help(format!("write `Fn::ForEach::{}`", logical_id::stripped(name))),
            );
        }
        let parameter = |name: &str| {
            ev.template.parameters.iter().find(|parameter| tree.name(parameter.name) == name).map(|p| p.key)
        };
        if let Some(other) = parameter(variable) {
            let sentence = format!("{key}: identifier '{variable}' conflicts with parameter name");
            self.clash(
                entry.key,
                Diagnostic::new(
                    codes::LOOP_NAME_CLASH,
                    format!("the identifier {} is a parameter: `{}`", shown(variable), shown(&sentence)),
                )
                .at(tree.span(identifier))
                .related(tree.span(other), "the parameter")
                .help("choose another identifier"),
            );
        }
        if let Some(other) = parameter(name) {
            let sentence = format!("{key}: loop name '{loop_name}' conflicts with parameter name");
            self.clash(
                entry.key,
                Diagnostic::new(
                    codes::LOOP_NAME_CLASH,
                    format!("the loop name {loop_name} is a parameter: `{sentence}`"),
                )
                .at(at)
                .related(tree.span(other), "the parameter")
                .help("choose another loop name"),
            );
        }
        let member = |section: Section, name: &str| {
            let node = ev.template.section(tree, section)?;
            Some(tree.member(node, tree.symbols().get(name)?)?.key)
        };
        let own = if section == Section::Resources { None } else { member(section, name) };
        if let Some(other) = member(Section::Resources, name).or(own) {
            self.clash(
                entry.key,
                Diagnostic::new(codes::LOOP_NAME_CLASH, format!("the loop name {loop_name} is a logical id"))
                    .at(at)
                    .related(tree.span(other), "the logical id")
                    .help("choose another loop name"),
            );
        }
        if let Some(other) = member(Section::Resources, variable) {
            self.clash(
                entry.key,
                Diagnostic::new(codes::LOOP_NAME_CLASH, format!("the identifier {} is a logical id", shown(variable)))
                    .at(tree.span(identifier))
                    .related(tree.span(other), "the resource")
                    .help("choose another identifier"),
            );
        }
        let mut clashes = Vec::new();
        for outer in &self.around {
            if outer.name.as_deref() == Some(name) {
                clashes.push(
                    Diagnostic::new(
                        codes::LOOP_NAME_CLASH,
                        format!("the loop {loop_name} stands inside a loop of the same name"),
                    )
                    .at(at)
                    .related(tree.span(outer.key), "the loop around it")
                    .help("choose another loop name"),
                );
            }
            if outer.identifiers.iter().any(|known| known == variable) {
                let sentence = format!("{key}: identifier '{variable}' conflicts with another loop identifier");
                clashes.push(
                    Diagnostic::new(
                        codes::LOOP_NAME_CLASH,
                        format!(
                            "the identifier {} is that of a loop around it: `{}`",
                            shown(variable),
                            shown(&sentence)
                        ),
                    )
                    .at(tree.span(identifier))
                    .related(tree.span(outer.key), "the loop around it")
                    .help("choose another identifier"),
                );
            }
        }
        for clash in clashes {
            self.clash(entry.key, clash);
        }
    }

    fn clash(&mut self, key: NodeId, diagnostic: Diagnostic) {
        self.bad.insert(key);
        self.found.push(diagnostic);
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
            if let Some((_, _, identifier, _)) = other {
                clashes.push((
                    *key,
                    Diagnostic::new(
                        codes::LOOP_NAME_CLASH,
                        format!("the loop name {} is the identifier of another loop", shown(name)),
                    )
                    .at(tree.span(*key))
                    .related(tree.span(*identifier), "the identifier")
                    .help("choose another loop name"),
                ));
            }
        }
        for (key, clash) in clashes {
            self.clash(key, clash);
        }
    }
}
