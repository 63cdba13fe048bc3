//! `formwork plan` and `formwork diff` (reference/plan.md)

mod all;
mod importers;
mod refactor;
mod sides;

use std::path::PathBuf;

use formwork::planning::render::{Report as PlanReport, json, markdown, text};
use formwork::planning::{
    Facts, Gate, KnownTypes, Plan, Settings, Sides, Worlds, changed_arguments, findings, used_defaults,
};
use formwork::{Compilation, Diagnostic, Report, Severity, codes};

use formwork_report::MessageFormat;

use crate::args::{GateArg, PlanArgs, PlanFormatArg};
use crate::failure::Failure;
use crate::report::Reporter;
use crate::repository::Repository;
use crate::terminal::{self, Form};
use crate::{Status, output, schemas};
use formwork_run::links::Shared;
use sides::Compared;

/// A plan that is asked for.
#[derive(Clone, Copy)]
struct Request<'a> {
    args: &'a PlanArgs,
    /// Set for `diff`: any difference is a failure, unless the arguments name another gate.
    is_diff: bool,
    known: Option<&'a KnownTypes>,
    /// The stacks of the repository, if they were read already.
    shared: Option<&'a Shared>,
}

/// Runs the command. With `is_diff` any difference is a failure, unless the arguments name another gate.
pub(crate) fn run(args: &PlanArgs, is_diff: bool) -> Result<Status, Failure> {
    let refactor_map = [("--refactor-map", args.refactor.refactor_map.as_deref())];
    let named: Vec<_> = args.template.iter().map(PathBuf::as_path).collect();
    output::Outputs::new(&refactor_map, args.inputs.live.record_account.as_deref()).check(&named)?;
    if args.all {
        return all::run(args, is_diff);
    }
    let known = schemas::read(&args.schemas)?.map(KnownTypes::new);
    let mut reporter = Reporter::new(&args.report);
    let request = Request { args, is_diff, known: known.as_ref(), shared: None };
    let outcome = with_plan(request, &mut reporter, |report, _, reporter| {
        print(args, report, reporter)?;
        Ok(report.failed.is_empty())
    })?;
    let has_passed = match outcome {
        Ok(has_passed) => has_passed,
        Err(status) => {
            if status == Status::Failed {
                reporter.finish(", no plan");
            }
            return Ok(status);
        }
    };
    if args.report.message_format != MessageFormat::Human {
        reporter.finish("");
    }
    Ok(if has_passed { Status::Done } else { Status::Errors })
}

/// Compares both sides, and passes the plan to `take`. Without a plan returns the exit status, and why is reported.
///
/// # Errors
/// When an argument is invalid, or a file cannot be read; and those of `take`.
fn with_plan<R>(
    request: Request<'_>,
    reporter: &mut Reporter,
    take: impl FnOnce(&PlanReport<'_>, &Compared, &Reporter) -> Result<R, Failure>,
) -> Result<Result<R, Status>, Failure> {
    let Request { args, is_diff, known, shared } = request;
    let compared = match Compared::read(args)? {
        Ok(compared) => compared,
        Err(Status::Interrupted) => return Ok(Err(Status::Interrupted)),
        // A plan needs the stack.
        Err(_) => return Ok(Err(Status::Failed)),
    };
    print_undeclared(reporter, &compared, args.against.is_given());
    if !compared.failed.is_empty() {
        compared.failed.iter().for_each(|report| reporter.print(report));
        return Ok(Err(Status::Failed));
    }
    let facts = known.map(|known| known as &dyn Facts);
    let settings = Settings { strict_types: args.strict_types, facts, ..Settings::default() };
    let worlds = Worlds::of(&compared.old, &compared.new);
    let sides = Sides::new(&compared.old, &compared.new, &worlds);
    let mut plan = sides.plan(settings);
    if let Some(recorded) = &compared.recorded {
        for change in &mut plan.changes {
            let id = recorded.physical_id(&change.stack, change.old_id.unwrap_or(change.id)).map(str::to_owned);
            if let Some(resource) = &mut change.resource {
                resource.physical_id = id;
            }
        }
    }
    importers::add(&mut plan, &compared, (args, settings), shared)?;
    let refactor = refactor::write(args, &compared, &plan, settings)?;
    let failed: Vec<&'static str> =
        gates(args, is_diff).into_iter().filter(|gate| gate.is_hit(&plan)).map(Gate::name).collect();
    let arguments = match (&compared.old.root, &compared.new.root) {
        (Some(old), Some(new)) => changed_arguments(old, new),
        _ => Vec::new(),
    };
    let new = compared.new.root.as_deref().filter(|_| !plan.changes.is_empty());
    let defaults = new.map(used_defaults).unwrap_or_default();
    let is_input = compared.template.as_os_str() == "-";
    let shown = if is_input { "stdin".to_owned() } else { compared.template.display().to_string() };
    let report = PlanReport {
        template: &shown,
        plan: &plan,
        arguments: &arguments,
        defaults: &defaults,
        failed: &failed,
        refactor: refactor.as_ref().map(|(refactor, after)| (refactor, *after)),
    };
    let taken = take(&report, &compared, reporter)?;
    if args.report.message_format != MessageFormat::Human {
        print_findings(reporter, &plan, &compared, args);
    }
    Ok(Ok(taken))
}

/// Warns about values of parameters that no side declares: a misspelt name has no effect. Values of the new side alone
/// are for parameters of the new side.
fn print_undeclared(reporter: &mut Reporter, compared: &Compared, has_own: bool) {
    let (Some(old), Some(new)) = (&compared.old.root, &compared.new.root) else { return };
    let found = |side: &Compilation| -> Vec<Diagnostic> {
        side.diagnostics().iter().filter(|found| found.code == codes::NOT_DECLARED).cloned().collect()
    };
    let before = found(old);
    for diagnostic in found(new) {
        if has_own || before.iter().any(|known| known.name() == diagnostic.name()) {
            reporter.print_one(&diagnostic.severity(Severity::Warning), new);
        }
    }
}

fn gates(args: &PlanArgs, is_diff: bool) -> Vec<Gate> {
    let gate = |gate: &GateArg| match gate {
        GateArg::Replacement => Gate::Replacement,
        GateArg::Destructive => Gate::Destructive,
        GateArg::Data => Gate::Data,
        GateArg::Broadening => Gate::Broadening,
        GateArg::Any => Gate::Any,
    };
    if args.fail_on.is_empty() && is_diff {
        return vec![Gate::Any];
    }
    let named: Vec<Gate> = args.fail_on.iter().map(gate).collect();
    Gate::ALL.into_iter().filter(|gate| named.contains(gate)).collect()
}

/// Wraps lines at the width of the terminal behind standard output.
fn folded(text: String) -> String {
    let width = terminal::width_of(&std::io::stdout());
    width.map(|width| formwork_report::fold(&text, width).into_owned()).unwrap_or(text)
}

/// Returns the path of a template from the root of its repository, and the directory that links begin with.
fn place_in_repository(template: &str) -> (String, String) {
    let path = Repository::of_working_directory().relative(template);
    let base = path.rsplit_once('/').map(|(directory, _)| format!("{directory}/")).unwrap_or_default();
    (path, base)
}

fn style(args: &PlanArgs, color: bool) -> text::Style {
    text::Style { color, summary_only: args.report.quiet }
}

fn print(args: &PlanArgs, report: &PlanReport<'_>, reporter: &Reporter) -> Result<(), Failure> {
    let color = reporter.colors_output();
    let (text, form) = match args.format {
        Some(PlanFormatArg::Json) => (json::render(report), Form::Json),
        Some(PlanFormatArg::Markdown) => {
            let (path, base) = place_in_repository(report.template);
            (markdown::render(report, args.comment_key.as_deref().unwrap_or(&path), &base), Form::Plain)
        }
        None | Some(PlanFormatArg::Text) => (folded(text::render(report, style(args, color))), Form::words(color)),
    };
    Ok(terminal::print(&text, form)?)
}

fn print_findings(reporter: &mut Reporter, plan: &Plan<'_, '_>, compared: &Compared, args: &PlanArgs) {
    let mut found = findings(plan);
    // A stack has no file, and code hosts show no file of another commit.
    let is_for_host = matches!(args.report.message_format, MessageFormat::Github | MessageFormat::Sarif);
    if (compared.recorded.is_some() || args.git.is_some() && is_for_host)
        && let (Some(old), Some(new)) = (&compared.old.root, &compared.new.root)
    {
        found = found.in_new(old, new);
    }
    let mut add = |root: Option<&std::sync::Arc<Compilation>>, found: Vec<Diagnostic>| {
        let Some(root) = root.filter(|_| !found.is_empty()) else { return };
        let mut report = Report::alone(std::sync::Arc::clone(root));
        report.add(found);
        reporter.print(&report);
    };
    add(compared.new.root.as_ref(), found.new);
    add(compared.old.root.as_ref(), found.old);
}
