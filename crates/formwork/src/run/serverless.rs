//! The serverless transform of a run (reference/serverless.md): behind the language extensions, before conditions and
//! values are evaluated, as the service has it.

use std::collections::HashMap;
use std::ops::Range;

use formwork_base::display::shown;
use formwork_base::{Code, Diagnostic, Diagnostics, Goal, Places, Severity, Span, codes};
use formwork_checks::checks;
use formwork_evaluate::{Argument, Evaluator, ParameterTable, Values};
use formwork_serverless::{Owners, Settings, Translation};
use formwork_syntax::{Document, NodeId, symbol};
use formwork_template::{NamePatterns, PseudoParameter, Template};

use super::{Run, schemas};
use crate::options::Serverless;

/// A template behind the serverless transform.
#[derive(Clone, Debug)]
pub(crate) struct Transformed {
    /// Its root before conditions and values are evaluated.
    pub(crate) whole: NodeId,
    /// Its root, evaluated as the run evaluates.
    pub(crate) root: NodeId,
    /// The indexes of the nodes that the transform made.
    pub(crate) made: Range<usize>,
    /// The authored resources that become several, by what is made of them.
    pub(crate) owners: Owners,
}

impl Run<'_> {
    /// Returns `true` if the run has a use for the result of the transform.
    fn runs_serverless(&self, template: &Template) -> bool {
        let is_wanted = match self.goal {
            Goal::Check | Goal::Deploy => true,
            Goal::Expand | Goal::Resolve => self.options.serverless != Serverless::Kept,
            Goal::Rules | Goal::Solve | Goal::Package => false,
        };
        // The result of a macro in front of it is not known.
        let is_run = template.is_serverless() && !template.has_own_macros();
        is_wanted && (is_run || self.options.serverless == Serverless::Globals) && !template.is_module
    }

    /// Returns what the transform depends on.
    pub(super) fn serverless_settings(&self, template: &Template, arguments: &[Argument], values: Values) -> Settings {
        let secrets = template.parameters.iter().filter(|parameter| parameter.no_echo);
        let pseudo = |name| self.options.pseudo.iter().rev().find(|(known, _)| *known == name);
        Settings {
            region: pseudo(PseudoParameter::Region).map(|(_, value)| value.clone()),
            partition: pseudo(PseudoParameter::Partition).map(|(_, value)| value.clone()),
            parameters: arguments.iter().map(|one| (self.tree.name(one.name).to_owned(), one.value)).collect(),
            secrets: secrets.map(|parameter| self.tree.name(parameter.name).to_owned()).collect(),
            reports_values: self.options.serverless == Serverless::Output && values == Values::Keep,
            limits: self.options.limits,
        }
    }

    /// Runs the serverless transform over a template with expanded loops; `root` is the template as the run evaluated it.
    /// Returns `None` without the transform, and for a template that it refuses.
    pub(super) fn transformed(
        &mut self,
        template: &Template,
        (expanded, root): (NodeId, NodeId),
        parameters: &ParameterTable,
        passed: &schemas::Passed<'_>,
    ) -> Option<Transformed> {
        let is_output = self.options.serverless.is_output();
        if !self.runs_serverless(template) {
            if is_output && template.is_serverless() && template.has_own_macros() && !self.goal.is_thorough() {
                self.report_macro(template);
            }
            return None;
        }
        (self.observer)("transform");
        let plain = match passed.settings.values {
            Values::Keep => root,
            _ if passed.settings.language_extensions => {
                self.evaluated_again(template, expanded, parameters, passed, Values::Keep)
            }
            _ => expanded,
        };
        let settings = self.serverless_settings(template, passed.arguments, passed.settings.values);
        let mut found = self.diagnostics.of_same_run();
        let first = self.tree.node_count() + 1;
        let Translation { root: whole, owners } = if self.options.serverless == Serverless::Globals {
            let root = formwork_serverless::with_globals(&mut self.tree, plain, &settings.limits, &mut found);
            Translation { root, owners: Owners::default() }
        } else {
            formwork_serverless::translate(&mut self.tree, plain, &settings, &mut found)
        };
        let made = first..self.tree.node_count() + 1;
        let is_refused = found.has_errors();
        // Beside a result, a refusal is not an error: the template is printed as it is.
        if self.goal.is_thorough() {
            found.retain(|one| one.code.info().severities.at(self.goal).is_some());
            self.refused = found;
        } else if is_output {
            found.iter().for_each(|one| self.diagnostics.push(one.clone()));
        }
        if is_refused || whole == plain {
            return None;
        }
        let root = match passed.settings.values {
            Values::Keep => whole,
            values => self.evaluated_again(template, whole, parameters, passed, values),
        };
        Some(Transformed { whole, root, made, owners })
    }

    /// Reports that the serverless transform stays in the result, behind a macro of the template.
    fn report_macro(&mut self, template: &Template) {
        let is_it = |name: &str| name == formwork_template::template::SERVERLESS;
        let Some(own) = template.transforms.iter().find(|transform| is_it(&transform.name)) else { return };
        let diagnostic = Diagnostic::new(codes::SERVERLESS_REPOSITORY, "the serverless transform stays in the result")
            .at(self.tree.span(own.node))
            .note("a macro of the template is run before it, and the result of that is known to the service alone")
            .help("leave out `--serverless`, or the macro");
        self.diagnostics.push(diagnostic);
    }

    /// Checks what the transform makes of the template. A finding that the template as written has, too, is reported once.
    pub(super) fn check_transformed(
        &mut self,
        document: Document,
        transformed: &Transformed,
        passed: &schemas::Passed<'_>,
        unchecked: &NamePatterns,
    ) {
        let Transformed { whole, root, .. } = *transformed;
        let template = self.template(whole);
        let apart = self.diagnostics.of_same_run();
        let known = std::mem::replace(&mut self.diagnostics, apart);
        let context = self.context(&template, document, root, passed.settings).unrolled(whole, passed.made);
        checks::transformed(&mut context.without(unchecked));
        self.judge_resources(&template, document, (whole, root), None, passed);
        let found = std::mem::replace(&mut self.diagnostics, known);
        let is_known = |one: &&Diagnostic| self.diagnostics.is_reported(one.code, one.span());
        for one in found.iter().filter(|one| !is_known(one)).cloned().collect::<Vec<_>>() {
            let made = one.path.as_deref().and_then(|path| self.made_resource(whole, path));
            self.diagnostics.push(match made {
                Some(made) => one.note(format!("in {made}, which the serverless transform makes")),
                None => one,
            });
        }
    }

    /// Returns the ID and type of the resource in which a path is, if the template as written does not have it.
    fn made_resource(&self, whole: NodeId, path: &str) -> Option<String> {
        let id = path.strip_prefix("Resources.")?.split('.').next()?;
        let resource = self.tree.get_text(self.tree.get(whole, symbol::RESOURCES)?, id)?;
        let made = self.tree.string(self.tree.get(resource, symbol::TYPE)?)?;
        self.tree.is_generated(resource).then(|| format!("{} ({})", shown(id), shown(made)))
    }

    /// Reports the reasons for which the transform refuses the template. A check that has found one of them is an error
    /// with the sentence of the service.
    pub(super) fn report_refused(&mut self, expanded: NodeId) {
        let refused = std::mem::take(&mut self.refused);
        if refused.is_empty() {
            return;
        }
        let resources = self.tree.get(expanded, symbol::RESOURCES);
        let resources = resources.into_iter().flat_map(|resources| self.tree.entries(resources));
        let resources: HashMap<Span, Span> =
            resources.map(|entry| (self.tree.span(entry.key), self.tree.site(entry.value))).collect();
        let (places, template) = (self.diagnostics.places(), self.tree.span(expanded));
        for one in refused.iter() {
            let known = match one.span() {
                place if one.code != codes::SERVERLESS_REFUSED || place.is_none() => None,
                // The whole template is refused for what it does not have, and not for a mistake in a part of it.
                place if place == template => self.first_of(&places, place, &[codes::NO_RESOURCES]),
                place => self.reason(&places, place, resources.get(&place).copied()),
            };
            match known {
                Some(number) => self.diagnostics.confirm(number, one),
                None => self.diagnostics.push(one.clone()),
            }
        }
    }

    /// Returns the number of the first diagnostic in a place that has one of some codes.
    fn first_of(&self, places: &Places, place: Span, codes: &[Code]) -> Option<u32> {
        let has_one = |number: u32| self.diagnostics.get(number).is_some_and(|found| codes.contains(&found.code));
        places.beginning_in(place).map(|(_, number)| number).find(|&number| has_one(number))
    }

    /// Returns the number of the diagnostic about the mistake at a place that the transform refuses; `resource` is the
    /// whole one if the place is its ID.
    fn reason(&self, places: &Places, place: Span, resource: Option<Span>) -> Option<u32> {
        // A note is about something else: the service accepts what it is about.
        let is_at_least = |severity: Severity, number: u32| {
            self.diagnostics.get(number).is_some_and(|found| found.severity >= severity)
        };
        if let Some(resource) = resource {
            // What the transform misses: its name is misspelt, or a check misses it, too.
            const MISSED: [Code; 4] =
                [codes::UNKNOWN_ATTRIBUTE, codes::UNKNOWN_PROPERTY, codes::MISSING_PROPERTY, codes::COMBINATION];
            return self.first_of(places, resource, &MISSED);
        }
        let mut inside = places.beginning_in(place);
        let is_it = |span: Span, number: u32| {
            is_at_least(if span == place { Severity::Warning } else { Severity::Error }, number)
                && span.end() <= place.end()
        };
        if let Some((_, number)) = inside.find(|&(span, number)| is_it(span, number)) {
            return Some(number);
        }
        // A value without something that it needs is reported at its key.
        let is_key =
            |(key, number): &(Span, u32)| key.end() <= place.start() && is_at_least(Severity::Warning, *number);
        let (key, number) = places.before(place).filter(is_key)?;
        let between = self.sources.slice(Span::new(key.end(), place.start()));
        (between.trim_start_matches(['"', '\'']).trim_start().strip_prefix(':')?.trim().is_empty()).then_some(number)
    }

    /// Evaluates a template whose errors were reported before.
    fn evaluated_again(
        &mut self,
        template: &Template,
        root: NodeId,
        parameters: &ParameterTable,
        passed: &schemas::Passed<'_>,
        values: Values,
    ) -> NodeId {
        let mut unheard: Diagnostics = self.diagnostics.of_same_run();
        let settings = formwork_evaluate::Settings { values, ..passed.settings };
        let conditions = self.tree.get(root, symbol::CONDITIONS);
        let mut evaluator =
            Evaluator::new(&mut self.tree, template, parameters.clone(), passed.facts, settings, &mut unheard);
        evaluator.set_conditions_quietly(conditions);
        evaluator.run(root).root
    }
}
