//! Diagnostics on one line each: `template.yaml:7:7: error[FW0303]: two items ... [Name=Logs]`.

use formwork_base::Diagnostic;

use crate::Context;

/// Renders a diagnostic on one line, which ends in a line break.
pub fn render(diagnostic: &Diagnostic, context: &Context<'_>) -> String {
    format!("{}\n", diagnostic.resolve(context.sources))
}
