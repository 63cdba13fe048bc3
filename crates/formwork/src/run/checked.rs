//! The checks of a run: of the template as written, of its rules, and of the result.

use formwork_base::{Goal, Severity};
use formwork_checks::checks;
use formwork_evaluate::{AccountData, Argument, ParameterTable};
use formwork_syntax::{Document, Kind, NodeId};
use formwork_template::{NamePatterns, Template};

use super::{Compiled, Run, Transformed, schemas};
use crate::compilation::RulesRun;
use crate::options::UnknownRules;

impl Run<'_> {
    /// Checks the template with its loops expanded, and the result. `unchecked` are patterns of names that loops may
    /// generate.
    pub(super) fn check_result(
        &mut self,
        template: &Template,
        document: Document,
        (expanded, root): (NodeId, NodeId),
        transformed: Option<&Transformed>,
        passed: &schemas::Passed<'_>,
        unchecked: &NamePatterns,
    ) {
        (self.observer)("check");
        let schemas::Passed { settings, made, .. } = *passed;
        let is_thorough = self.goal.is_thorough();
        // Structure and quotas count everything, whatever the conditions are; references are those that would be
        // deployed.
        let result = if is_thorough { expanded } else { root };
        let becomes = transformed.map(|one| one.whole);
        let context = self.context(template, document, result, settings).unrolled(expanded, made).becoming(becomes);
        checks::after(&mut context.without(unchecked));
        if is_thorough {
            let context = self.context(template, document, root, settings).unrolled(expanded, made).becoming(becomes);
            checks::deployed(&mut context.without(unchecked));
            self.judge_resources(template, document, (expanded, root), becomes, passed);
            if let Some(transformed) = transformed {
                self.check_transformed(document, transformed, passed, unchecked);
            }
        }
        let counted = self.finished(result, root);
        let mut context = self.context(template, document, counted, settings).unrolled(expanded, made);
        if is_thorough {
            context = context.without(unchecked);
        }
        // The size of a template is not known if parts of it could not be read.
        if document.is_well_formed {
            checks::of_size(&mut context);
        }
        let mut context = self.context(template, document, root, settings).unrolled(expanded, made);
        checks::advise(&mut context);
        self.report_refused(expanded);
    }

    /// Reads the rules and, with valid values, evaluates them (reference/rules.md#evaluation).
    pub(super) fn rules(
        &mut self,
        template: &Template,
        document: Document,
        (arguments, table): (&[Argument], &ParameterTable),
        facts: &AccountData,
        are_valid: bool,
    ) -> RulesRun {
        if self.goal.is_for_any_values() {
            return RulesRun::default();
        }
        (self.observer)("rules");
        let options = self.options;
        let constraints: Vec<Document> =
            options.constraints.iter().filter_map(|file| self.side_document(file, true)).collect();
        // A document that is not well-formed has its rules checked but not evaluated.
        let set = formwork_rules::read(&self.tree, template, document, &constraints, &mut self.diagnostics)
            .filter(|_| constraints.len() == options.constraints.len());
        let report = match &set {
            Some(set) if are_valid && self.goal != Goal::Solve => {
                let settings = self.rules_settings(arguments);
                formwork_rules::evaluate(set, &self.tree, template, table, facts, settings, &mut self.diagnostics)
            }
            _ => None,
        };
        RulesRun { set, report }
    }

    pub(super) fn rules_settings(&self, arguments: &[Argument]) -> formwork_rules::Settings {
        let unknown = match (self.goal, self.options.unknown_rules) {
            (Goal::Rules, UnknownRules::Fail) => Some(Severity::Error),
            (Goal::Rules, UnknownRules::Skip) => None,
            _ => Some(Severity::Warning),
        };
        let options = self.options;
        let is_check = self.goal == Goal::Check;
        let has_account = !options.accounts.is_empty() || options.live_account.is_some();
        formwork_rules::Settings {
            value_of_all: options.value_of_all,
            unknown,
            judges_values: !is_check
                || !arguments.is_empty()
                || !options.pseudo.is_empty()
                || !options.constraints.is_empty(),
            // A plan and `resolve` show the results of Defaults; only a deployment needs valid ones.
            judges_defaults: self.goal != Goal::Resolve,
            judges_account: !is_check || has_account,
        }
    }

    /// Checks the structure of a text that is not well-formed, as far as it could be read. Names are not checked, since
    /// their declarations may have been lost.
    pub(super) fn look_at_broken(&mut self, template: &Template, document: Document) -> Option<Compiled> {
        let settings = self.settings(template);
        let known = self.diagnostics.len();
        if self.tree.kind(template.root) == Kind::Map {
            checks::broken(&mut self.context(template, document, template.root, settings));
        }
        self.leave_out_damaged(document, known);
        None
    }

    pub(super) fn look_at_modules(&mut self, template: &Template, document: Document) {
        let (settings, schemas) = (self.settings(template), self.options.schemas.clone());
        let mut context = self.context(template, document, template.root, settings);
        checks::of_modules(&mut context, schemas.as_deref());
    }
}
