//! Functions that the Rules section does not take (reference/rules.md#unsupported).

use formwork_base::Severity;
use formwork_template::Section;

use crate::Context;
use formwork_rules::unsupported;

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(section) = cx.template.section(cx.tree, Section::Rules) else { return };
    let Some((diagnostic, is_ours)) = unsupported::find(cx.tree, section) else { return };
    // A function that only this engine knows cannot be left in an output.
    let severity = if is_ours { Severity::Error } else { cx.as_written() };
    cx.push(diagnostic, severity);
}
