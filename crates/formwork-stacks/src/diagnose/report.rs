//! The steps of `diagnose`.

use formwork_deploy::{Diagnosis, PollIntervals, Stack, status};
use formwork_project::Failure;
use formwork_report::{Notice, printable};
use formwork_run::Status;
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportFormat, configured};
use formwork_run::terminal::{self, Form};

use super::DiagnoseArgs;
use crate::Exit;
use crate::around::{Connection, Places, Target, TemplateOf};
use crate::diagnose::{advice, cause, object};
use crate::observer::{EventStyle, event_text};
use crate::reporter::DeployReporter;
use crate::retries::Retries;

struct DiagnosedStack {
    stack: Stack,
    region: String,
    diagnosis: Diagnosis,
    places: Places,
}

/// Prints why a stack failed.
///
/// # Errors
/// When the arguments are invalid, a file of them cannot be read, or standard output cannot be written.
pub fn run(args: &DiagnoseArgs) -> Result<Status, Failure> {
    let template = args.lines.template("diagnose", &args.report);
    let path = template.path()?;
    let target = Target::new("diagnose", args.stack.named(), path.as_deref(), &args.lines.account)?;
    target.stack()?;
    configured::say_rest(Some(&args.report));
    let mut words = Reporter::new(&args.report);
    let mut words = DeployReporter::new(&mut words);
    let found = find(&target, &template, &mut words);
    words.finish();
    let mut found = match found {
        Ok(found) => found,
        Err(exit) => return Exit::into_status(Err(exit)),
    };
    print(args, &mut found)?;
    Ok(if found.diagnosis.is_failure() { Status::Errors } else { Status::Done })
}

fn find(target: &Target, template: &TemplateOf<'_>, reporter: &mut DeployReporter<'_>) -> Result<DiagnosedStack, Exit> {
    let name = target.stack().map_err(Failure::from)?;
    let mut connection = Connection::open(&target.settings, PollIntervals::default(), reporter)?;
    let stack = connection.stack(name)?;
    if status::is_in_progress(&stack.status) {
        let what = status::operation(&stack.status);
        let shown = printable(&stack.name);
        let notice = Notice::error(format!("stack {shown} is in {}: {what} goes on", printable(&stack.status)));
        let notice = notice.help(format!("follow it to its end: `formwork events {shown} --follow`"));
        connection.reporter.print(&notice, None);
        return Err(Status::Errors.into());
    }
    let diagnosis = connection.service.diagnose(&stack, &mut Retries(connection.reporter));
    let diagnosis = diagnosis.map_err(|error| connection.refused(&error, name))?;
    let region = connection.service.region().to_owned();
    let places = template.places(&stack, &region, connection.reporter)?;
    Ok(DiagnosedStack { stack, region, diagnosis, places })
}

fn print(args: &DiagnoseArgs, found: &mut DiagnosedStack) -> Result<(), Failure> {
    let DiagnosedStack { stack, region, diagnosis, places } = found;
    let is_json = ReportFormat::is_json(args.format);
    let reason = reason(diagnosis).map(str::to_owned);
    let hint = reason.and_then(|reason| advice::of(&reason, diagnosis.first_failure.as_ref(), stack, places));
    let mut output = if is_json { Reporter::new(&args.report) } else { Reporter::on_output(&args.report) };
    let mut reporter = DeployReporter::new(&mut output);
    reporter.hide(places.secrets());
    if diagnosis.is_failure() {
        if !is_json {
            cause::print(diagnosis, stack, hint.as_deref(), places, &mut reporter);
            print_rest(diagnosis, places, &reporter)?;
        }
    } else {
        for notice in crate::examined::missing(&diagnosis.examination, &reporter) {
            reporter.print(&notice, None);
        }
        if !is_json {
            let words =
                format!("no failure found: stack {} is in {}\n", printable(&stack.name), printable(&stack.status));
            terminal::print(&words, Form::Plain)?;
        }
    }
    places.explain_misfit(&reporter);
    if is_json {
        let object = object::of(diagnosis, stack, region, hint.as_deref(), places, &reporter);
        terminal::print(&format!("{object:#}\n"), Form::Json)?;
    }
    output.end_output()
}

/// Returns the sentence that explains the failure best.
fn reason(diagnosis: &Diagnosis) -> Option<&str> {
    let finding = diagnosis.examination.findings.first().map(|finding| finding.reason.as_str());
    let resource = diagnosis.first_failure.as_ref().and_then(|event| event.reason.as_deref());
    finding.or(resource).or(diagnosis.reason.as_deref())
}

/// Prints the later failures, one per line.
fn print_rest(diagnosis: &Diagnosis, places: &mut Places, reporter: &DeployReporter<'_>) -> Result<(), String> {
    let style = EventStyle { colors: reporter.colors_output(), width: terminal::width_of(&std::io::stdout()) };
    let examination = &diagnosis.examination;
    let is_resource = examination.findings.is_empty() && examination.hooks.is_empty();
    let printed = diagnosis.first_failure.as_ref().filter(|_| is_resource);
    let rest = diagnosis.failures.iter().filter(|event| Some(*event) != printed);
    let mut text = String::new();
    for event in rest {
        let origin = places.of(&event.within, &event.logical_id, &event.kind);
        let reason = event.reason.as_deref().filter(|reason| !reason.is_empty());
        text += &event_text(reporter, event, reason.as_slice(), origin.as_ref(), style);
        text.push('\n');
    }
    if text.is_empty() {
        return Ok(());
    }
    terminal::print(&format!("Also failed:\n{text}"), Form::words(style.colors))
}
