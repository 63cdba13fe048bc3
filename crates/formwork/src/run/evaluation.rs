//! Loops are expanded, then functions and conditions are evaluated.

use formwork_evaluate::{AccountData, Evaluator, ParameterTable, Settings};
use formwork_loops::{Expanded, budget, is_within_white_space};
use formwork_syntax::NodeId;
use formwork_template::{NamePatterns, Template};

use super::Run;

/// A template with its loops expanded, and evaluated.
pub(super) struct Evaluation {
    pub(super) expanded: Expanded,
    /// The root of the evaluated template.
    pub(super) root: NodeId,
    /// Names that loops may generate which are not checked.
    pub(super) unchecked: NamePatterns,
    pub(super) parameters: ParameterTable,
    /// Set if the items of a loop are not known.
    pub(super) lacks_items: bool,
}

impl Run<'_> {
    /// Expands and evaluates a template. Returns `None` when it is cancelled, and when the result is too large.
    pub(super) fn evaluated(
        &mut self,
        template: &Template,
        table: ParameterTable,
        facts: &AccountData,
        settings: Settings,
    ) -> Option<Evaluation> {
        (self.observer)("expand");
        let mut evaluator = Evaluator::new(&mut self.tree, template, table, facts, settings, &mut self.diagnostics);
        // Loops that were expanded with the modules of the template.
        let linked = self.linked.as_ref();
        if let Some(linked) = linked {
            evaluator.unchecked.clone_from(&linked.unchecked);
        }
        evaluator.unchecked.extend(self.lost_names.iter().cloned());
        let mut expanded = formwork_loops::expand(&mut evaluator, template.root);
        if let Some(linked) = linked {
            expanded.made.extend(linked.made.iter().copied());
            expanded.loops.extend(linked.loops.iter().cloned());
        }
        let lacks_items = expanded.lacks_items || linked.is_some_and(|linked| linked.lacks_items);
        (self.observer)("evaluate");
        let root = evaluator
            .run_without(expanded.root, |tree, sections| {
                linked
                    .map_or_else(Default::default, |linked| formwork_modules::unused_conditions(tree, sections, linked))
            })
            .root;
        let unchecked = std::mem::take(&mut evaluator.unchecked);
        let parameters = evaluator.into_parameters();
        if self.diagnostics.is_cancelled() {
            return None;
        }
        // Values of mappings and parameters are shared by the places that look them up.
        let (limits, diagnostics) = (&settings.limits, &mut self.diagnostics);
        if !budget::is_within_budget(&mut self.tree, root, limits, diagnostics) {
            return None;
        }
        // Without a loop, white space is written once.
        let is_repeated = !expanded.loops.is_empty();
        if is_repeated && !is_within_white_space(&mut self.tree, root, &self.sources, limits, diagnostics) {
            return None;
        }
        Some(Evaluation { expanded, root, unchecked, parameters, lacks_items })
    }
}
