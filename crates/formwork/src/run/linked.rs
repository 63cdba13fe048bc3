//! The template with inlined modules.

use formwork_base::{Severities, VirtualPath, codes};
use formwork_evaluate::ParameterTable;
use formwork_syntax::{Document, NodeId};

use super::Run;

impl Run<'_> {
    /// Returns `true` if all imports have their module. The remains of a failed import add nothing to the report of the
    /// failure.
    pub(super) fn is_linked(&self) -> bool {
        !self.linked.as_ref().is_some_and(|linked| linked.is_broken)
    }

    pub(super) fn is_incomplete(&self) -> bool {
        self.linked.as_ref().is_some_and(|linked| linked.is_incomplete)
    }

    pub(super) fn link_modules(&mut self, root: NodeId, document: Document, path: &VirtualPath) -> NodeId {
        if !document.is_well_formed || !formwork_modules::is_needed(&self.tree, root) {
            return root;
        }
        let mut template = self.template(root);
        self.leave_out_previous(&mut template);
        let known = self.known();
        let parameters = ParameterTable::new(&mut self.tree, &template, &known.arguments, &known.pseudo, &known.facts);
        let settings = self.settings(&template);
        let context = formwork_modules::Context {
            tree: &mut self.tree,
            sources: &mut self.sources,
            reading: &self.files,
            diagnostics: &mut self.diagnostics,
            template: &template,
            parameters: &parameters,
            facts: &known.facts,
            settings,
            choices: formwork_modules::Choices { is_imported: self.options.is_imported, ..self.options.modules },
            includes: (!self.goal.keeps_constructs()).then_some(Severities::Included.told(self.goal)),
            included: &mut self.included,
            warns_of_full_ids: self.options.strict && codes::FULL_ID.info().severities.at(self.goal).is_some(),
        };
        let (root, linked) = formwork_modules::link(context, document, path);
        self.known = Some(known);
        self.linked = Some(linked);
        root
    }

    /// Removes the parts of modules that only the stages need. `used` has the names that are looked up in the end.
    pub(super) fn finished(&mut self, root: NodeId, used: NodeId) -> NodeId {
        self.linked.as_ref().map_or(root, |linked| formwork_modules::finish(&mut self.tree, root, used, linked))
    }
}
