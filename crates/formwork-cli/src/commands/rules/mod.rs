//! `formwork rules`

mod check;
mod solve;
mod table;

use std::path::Path;

use formwork::{Compilation, Goal, Options, Report, UnknownRules, Values};

use formwork_run::console::ReportFormat;

use crate::args::{RulesCommand, RulesInputArgs, RulesSearchArgs};
use crate::failure::Failure;
use crate::inputs::Input;
use crate::live::Live;
use crate::report::Reporter;
use crate::surroundings::Surroundings;
use crate::templates::TemplateFile;
use crate::terminal::Form;
use crate::{Status, default_template, inputs, terminal};

pub(crate) fn run(command: &RulesCommand) -> Result<Status, Failure> {
    match command {
        RulesCommand::Check(args) => check::run(args),
        RulesCommand::Solve(args) => solve::run(args),
        RulesCommand::Table(args) => table::run(args),
    }
}

fn compile(template: &Path, args: &RulesInputArgs, unknown: UnknownRules, goal: Goal) -> Result<Report, Failure> {
    let (file, surroundings) = (TemplateFile::named(template.to_owned()), Surroundings::of_one_template());
    let given = (&args.inputs, args.report.strict);
    let input = inputs::read_in(&surroundings, &file, "rules", Values::Resolve, given)?;
    let options = Options {
        constraints: inputs::side_files_of(input.host.loader(), template, &args.constraint)?,
        value_of_all: args.value_of_all,
        unknown_rules: unknown,
        ..input.options
    };
    Live::new(&args.inputs)?.compile(&Input { options, ..input }, goal, None)
}

/// Compiles for a search and prints the diagnostics, then the result of `find` as `render` formats it.
fn search<T>(
    args: &RulesSearchArgs,
    find: impl FnOnce(&Compilation, Option<&str>) -> Option<Result<T, Vec<String>>>,
    render: impl FnOnce(&T, bool) -> String,
) -> Result<Status, Failure> {
    let (template, rule) = default_template::before_word(args.rules.template.as_deref(), args.rule.as_deref())?;
    let result = compile(&template, &args.rules, UnknownRules::Skip, Goal::Solve)?;
    let mut reporter = Reporter::new(&args.rules.report);
    reporter.print(&result);
    reporter.finish("");
    if result.has_errors() {
        return Ok(Status::Errors);
    }
    match find(result.compilation(), rule.as_deref()) {
        None => Ok(Status::Errors),
        Some(Err(names)) => {
            let rule = rule.unwrap_or_default();
            let names = match names.join(", ") {
                none if none.is_empty() => "the template has no rules".to_owned(),
                names => format!("the rules are {names}"),
            };
            Err(format!("unknown rule {rule}: {names}").into())
        }
        Some(Ok(found)) => {
            let is_json = ReportFormat::is_json(args.format);
            terminal::print(&render(&found, is_json), if is_json { Form::Json } else { Form::Plain })?;
            Ok(Status::Done)
        }
    }
}
