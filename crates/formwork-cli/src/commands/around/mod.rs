//! What commands around a deployed stack share: how the arguments name it and its template (reference/around.md#stack).

mod on_stack;
mod target;
mod time_word;

use formwork_run::InputChoices;

use crate::args::{AccountArgs, ExpansionArgs, ReportArgs};

pub(in crate::commands) use formwork_stacks::around::{
    Connection, Exit, Places, TemplateOf, missing_answer, table, with_nested,
};
#[cfg(feature = "local")]
pub(in crate::commands) use formwork_stacks::around::{add_pseudo, add_values, compile, no_template};
pub(in crate::commands) use on_stack::on_stack;
pub(in crate::commands) use target::Target;
pub(in crate::commands) use time_word::time_word;

/// What a template is expanded with, besides the values of its stack.
pub(in crate::commands) fn inputs(expansion: &ExpansionArgs, account: &AccountArgs) -> InputChoices {
    InputChoices::from(&expansion.inputs(account))
}

/// The template whose lines a command shows. `command` is the one whose section of samconfig.toml counts.
pub(in crate::commands) fn template_of<'a>(
    command: &'a str,
    named: Option<&'a std::path::Path>,
    inputs: &'a InputChoices,
    report: &ReportArgs,
) -> TemplateOf<'a> {
    TemplateOf { command, named, inputs, is_strict: report.strict, is_verbose: report.verbose }
}
