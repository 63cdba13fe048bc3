//! Validates resources by the schemas of their types (reference/schemas.md).

use formwork_checks::checks;
use formwork_evaluate::{AccountData, Argument, Evaluator, ParameterTable, Settings};
use formwork_syntax::{Document, NodeId, NodeSet, flags, symbol};
use formwork_template::{PseudoParameter, Template};

use super::Run;

pub(super) struct Passed<'p> {
    pub(super) arguments: &'p [Argument],
    pub(super) pseudo: &'p [(PseudoParameter, NodeId)],
    pub(super) facts: &'p AccountData,
    pub(super) settings: Settings,
    /// Keys that were generated.
    pub(super) made: &'p NodeSet,
}

impl Run<'_> {
    /// Validates the resources of `expanded`; `result` is the template evaluated with all values, including `Default`s.
    pub(super) fn judge_resources(
        &mut self,
        template: &Template,
        document: Document,
        (expanded, result): (NodeId, NodeId),
        becomes: Option<NodeId>,
        passed: &Passed<'_>,
    ) {
        let Some(schemas) = self.options.schemas.clone() else { return };
        (self.observer)("schemas");
        let decided = self.decided(template, (expanded, result), passed);
        let pseudo = self.options.pseudo.iter().rev();
        let region =
            pseudo.clone().find(|(name, _)| *name == PseudoParameter::Region).map(|(_, region)| region.clone());
        let context = self.context(template, document, decided, passed.settings).unrolled(expanded, passed.made);
        let mut context = context.becoming(becomes);
        checks::of_schemas(&mut context, &schemas, region.as_deref());
    }

    /// Evaluates the template with the passed values. A `Default` is not one of them: it may never be used.
    fn decided(&mut self, template: &Template, (expanded, result): (NodeId, NodeId), passed: &Passed<'_>) -> NodeId {
        let resources = self.tree.get(expanded, symbol::RESOURCES);
        if resources.is_none_or(|resources| !self.tree.has(resources, flags::HAS_CALL)) {
            return expanded;
        }
        let is_passed = |name| passed.arguments.iter().any(|argument| argument.name == name);
        let uses_default = template.parameters.iter().any(|one| one.default.is_some() && !is_passed(one.name));
        if !uses_default {
            return result;
        }
        let mut template = template.clone();
        for parameter in &mut template.parameters {
            parameter.default = None;
        }
        let table = ParameterTable::new(&mut self.tree, &template, passed.arguments, passed.pseudo, passed.facts);
        // The errors were reported before, with all values.
        let mut unheard = self.diagnostics.of_same_run();
        let conditions = self.tree.get(expanded, symbol::CONDITIONS);
        let mut evaluator =
            Evaluator::new(&mut self.tree, &template, table, passed.facts, passed.settings, &mut unheard);
        evaluator.set_conditions_quietly(conditions);
        evaluator.run(expanded).root
    }
}
