//! Loops that are kept for CloudFormation.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_evaluate::blocker::{self, Blocker};
use formwork_evaluate::{Compat, Outcome, UnresolvedLoops, Visibility};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, Tree, symbol};
use formwork_template::artifact;

use super::Expander;
use super::parts::Loop;
use super::unchecked::{Missing, reported};

impl Expander<'_, '_> {
    /// Returns `true` for a loop that is kept for CloudFormation: SAM's guide keeps those over a parameter that is not
    /// declared, packaging those without a local file.
    pub(super) fn is_left_for_service(&mut self, entry: Entry, of: &Loop) -> bool {
        let left = self.ev.settings.unresolved_loops;
        let stays = left != UnresolvedLoops::None && !names_local_file(self.ev.tree, entry.value);
        let may_be_unknown = matches!(left, UnresolvedLoops::Unknown | UnresolvedLoops::WithoutValue);
        if stays && may_be_unknown && self.is_left_unknown(of, left) {
            self.note_names(of);
            return true;
        }
        if self.ev.settings.compat != Compat::Sam && !stays {
            return false;
        }
        let Some(target) =
            self.ev.tree.argument_of(of.collection, Known::Ref).and_then(|target| self.ev.tree.string(target))
        else {
            return false;
        };
        if self.binding(target).is_some()
            || self.ev.tree.symbols().get(target).is_some_and(|symbol| self.ev.parameters.get(symbol).is_some())
        {
            return false;
        }
        let why = format!("refers to {}, which is not declared", shown(target));
        self.report_left(of, &why, |warning| warning.note("CloudFormation will reject it"));
        true
    }

    fn is_left_unknown(&mut self, of: &Loop, left: UnresolvedLoops) -> bool {
        let node = self.instantiate(of.collection).unwrap_or(of.collection);
        let Some(node) = self.nested_collection(of, node) else { return false };
        let outcome = self.ev.with_visibility(Visibility::Full, |ev| ev.strictly(|ev| ev.resolve_silently(node)));
        let Outcome::Residual(residual) = outcome else { return false };
        let causes = blocker::blockers(self.ev.tree, &self.ev.parameters, residual);
        let can_be_passed = !causes.is_empty() && causes.iter().all(Blocker::can_be_passed);
        if left == UnresolvedLoops::WithoutValue && !can_be_passed {
            return false;
        }
        let help = match left {
            UnresolvedLoops::Unknown => "pass the nested stack a value for it that is known before deployment".into(),
            _ => Missing::of(self.ev, reported(&causes), true).help,
        };
        self.report_left(of, "is not known", |warning| {
            warning.note("it does not name a local file, so there is nothing to upload").help(help)
        });
        true
    }

    fn report_left(&mut self, of: &Loop, why: &str, advise: impl FnOnce(Diagnostic) -> Diagnostic) {
        let name = shown(of.name(self.ev.tree));
        let warning = Diagnostic::new(codes::COLLECTION, format!("Fn::ForEach::{name} is kept: its collection {why}"));
        self.report(advise(warning.severity(Severity::Warning).at(self.ev.tree.span(of.site))));
    }
}

/// Returns `true` when a resource in the parts of a loop refers to a local file, or by a missing path to the directory
/// of the template.
fn names_local_file(tree: &Tree, node: NodeId) -> bool {
    match tree.kind(node) {
        Kind::List => tree.items(node).iter().any(|&item| names_local_file(tree, item)),
        Kind::Map => {
            let kind = tree.get(node, symbol::TYPE).and_then(|kind| tree.string(kind)).unwrap_or_default();
            artifact::of_type(kind).any(|artifact| artifact::may_be_local(tree, node, artifact))
                || tree.entries(node).any(|entry| names_local_file(tree, entry.value))
        }
        _ => false,
    }
}
