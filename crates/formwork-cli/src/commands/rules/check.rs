//! `formwork rules check`

use formwork::Goal;
use formwork_report::{Context, rules};

use formwork_run::console::ReportFormat;

use crate::args::RulesCheckArgs;
use crate::failure::Failure;
use crate::report::Reporter;
use crate::terminal::Form;
use crate::{Status, default_template, terminal};

pub(super) fn run(args: &RulesCheckArgs) -> Result<Status, Failure> {
    let template = default_template::named_or_own(args.rules.template.as_ref())?;
    let result = super::compile(&template, &args.rules, args.rules_unknown, Goal::Rules)?;
    let compiled = result.compilation();
    let mut reporter = Reporter::new(&args.rules.report);
    reporter.print(&result);
    if let Some(report) = compiled.rules() {
        let (text, form) = if ReportFormat::is_json(args.format) {
            (rules::check_json(report, compiled.sources()), Form::Json)
        } else {
            let context =
                Context { sources: compiled.sources(), secrets: compiled.secrets(), color: false, width: None };
            (rules::check_text(report, &context), Form::Plain)
        };
        terminal::print(&text, form)?;
    }
    reporter.finish("");
    Ok(if result.has_errors() { Status::Errors } else { Status::Done })
}
