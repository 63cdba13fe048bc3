//! Calls that only an empty `Default` makes fail (reference/functions.md#empty-defaults). In a check it is a placeholder for a value
//! that is passed when the template is deployed.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity};
use formwork_syntax::NodeId;
use formwork_template::reference;

use crate::arguments::ValueSource;
use crate::evaluator::Evaluator;

/// Returns the parameter with an empty `Default` that a value refers to, in a check.
pub(crate) fn parameter(ev: &Evaluator<'_>, node: NodeId) -> Option<String> {
    if ev.settings.value_missing == Severity::Error {
        return None;
    }
    let mut found = None;
    reference::visit(ev.tree, ev.tree.authored(node), &mut |_| true, &mut |reference| {
        let bound = ev.tree.symbols().get(reference.name).and_then(|name| ev.parameters.get(name));
        let value = bound.filter(|bound| bound.given == ValueSource::Default).and_then(|bound| bound.value);
        let is_empty = |value| ev.parameters.is_empty_text(ev.tree, value) || ev.tree.string(value) == Some("");
        if found.is_none() && value.is_some_and(is_empty) {
            found = Some(shown(reference.name));
        }
    });
    found
}

/// Lowers an error to a note that names the parameter.
pub(crate) fn noted(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    let note = format!("the Default of parameter {name} is empty");
    let help = format!("pass a value: `--parameter-overrides {name}=VALUE`");
    diagnostic.severity(Severity::Note).note(note).help(help)
}
