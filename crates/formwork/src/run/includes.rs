//! The files of `AWS::Include` (reference/packaging.md#includes).

use formwork_base::{Severities, VirtualPath};
use formwork_evaluate::{Evaluator, Outcome, ParameterTable, Visibility};
use formwork_modules::include::{self, Computed};
use formwork_syntax::{NodeId, has_placeholder};

use super::Run;

impl Run<'_> {
    pub(super) fn include(&mut self, root: NodeId, path: &VirtualPath) -> NodeId {
        let mut context = include::Context {
            tree: &mut self.tree,
            sources: &mut self.sources,
            reading: &self.files,
            limits: &self.options.limits,
            diagnostics: &mut self.diagnostics,
            missing: Severities::Included.told(self.goal),
        };
        self.included.include(&mut context, root, path)
    }

    /// Replaces `AWS::Include` with computed locations by the files. Packaging uploads them.
    pub(super) fn include_computed(&mut self, root: NodeId, path: &VirtualPath) -> NodeId {
        let found = Computed::of(&self.tree, root);
        if found.is_empty() {
            return root;
        }
        let (mut named, mut locations) = (Vec::new(), Vec::new());
        for (one, location) in self.located(found, root) {
            let Some(location) = location else {
                self.diagnostics.push(one.unknown(&self.tree));
                continue;
            };
            locations.push((one.location, location));
            let text = self.tree.text(location).to_owned();
            let file = self.sources.file_of(self.tree.span(one.location));
            let elsewhere = self.linked.as_ref().map_or(&[][..], |linked| &linked.elsewhere);
            // A path in a remote file does not lead to a readable file.
            if let Some(file) = file.filter(|file| !elsewhere.contains(file)) {
                named.push(one.named(&self.tree, text, self.sources.path(file)));
            }
        }
        let mut context = include::Context {
            tree: &mut self.tree,
            sources: &mut self.sources,
            reading: &self.files,
            limits: &self.options.limits,
            diagnostics: &mut self.diagnostics,
            missing: Severities::Included.told(self.goal),
        };
        let included = self.included.include_named(&mut context, root, path, named);
        if self.goal.keeps_constructs() {
            return include::with_locations(&mut self.tree, root, &locations);
        }
        included
    }

    /// The includes with their locations, as far as they are constant.
    fn located(&mut self, found: Vec<Computed>, root: NodeId) -> Vec<(Computed, Option<NodeId>)> {
        let template = self.template(root);
        let known = self.known();
        let table = ParameterTable::new(&mut self.tree, &template, &known.arguments, &known.pseudo, &known.facts);
        let settings = self.settings(&template);
        let mut quiet = self.diagnostics.of_same_run();
        let mut evaluator = Evaluator::new(&mut self.tree, &template, table, &known.facts, settings, &mut quiet);
        let located = found.into_iter().map(|one| {
            if one.is_kept(evaluator.tree) {
                return (one, None);
            }
            let outcome = evaluator.with_visibility(Visibility::Constant, |ev| ev.resolve_silently(one.location));
            let value = if let Outcome::Known(value) = outcome { Some(value) } else { None };
            let text = |&value: &NodeId| evaluator.tree.string(value);
            (one, value.filter(|value| text(value).is_some_and(|text| !has_placeholder(text))))
        });
        let located = located.collect::<Vec<_>>();
        self.known = Some(known);
        located
    }
}
