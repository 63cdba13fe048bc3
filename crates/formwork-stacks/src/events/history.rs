//! The steps of `events`: the stack, its template, its history, and new events.

use std::time::Duration;

use formwork_deploy::{EventScope, History, OperationKind, PollIntervals, Unavailable};
use formwork_project::Failure;
use formwork_report::{Notice, printable};
use formwork_run::Status;
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportFormat, configured};
use jiff::Timestamp;

use super::EventsArgs;
use crate::Exit;
use crate::around::{Connection, Target, TemplateOf, missing_answer, time_word};
use crate::events::{EventPrinter, is_failure};
use crate::reporter::DeployReporter;
use crate::retries::Retries;
use crate::seconds::seconds;

struct Wanted {
    scope: EventScope,
    intervals: PollIntervals,
    limit: Option<Duration>,
}

impl Wanted {
    fn new(args: &EventsArgs) -> Result<Wanted, String> {
        let scope = match (&args.since, &args.operation) {
            _ if args.all => EventScope::All,
            (Some(text), _) => EventScope::Since(time_word(text, Timestamp::now())?.as_nanosecond()),
            (None, Some(id)) => EventScope::Operation(id.clone()),
            (None, None) => EventScope::LastOperation,
        };
        Ok(Wanted {
            scope,
            intervals: PollIntervals::of(seconds("--poll-delay", args.poll_delay, 1.0)?),
            limit: args.max_wait_duration.map(|limit| seconds("--max-wait-duration", limit, 60.0)).transpose()?,
        })
    }
}

/// Prints the events of a stack.
///
/// # Errors
/// When the arguments are invalid, a file of them cannot be read, or standard output cannot be written.
pub fn run(args: &EventsArgs) -> Result<Status, Failure> {
    let template = args.lines.template("events", &args.report);
    let path = template.path()?;
    let target = Target::new("events", args.stack.named(), path.as_deref(), &args.lines.account)?;
    let (name, wanted) = (target.stack()?.to_owned(), Wanted::new(args)?);
    configured::say_rest(Some(&args.report));
    let mut diagnostics = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let status = look(args, &target, &name, &wanted, &template, &mut reporter);
    reporter.finish();
    Exit::into_status(status)
}

fn look(
    args: &EventsArgs,
    target: &Target,
    name: &str,
    wanted: &Wanted,
    template: &TemplateOf<'_>,
    reporter: &mut DeployReporter<'_>,
) -> Result<Status, Exit> {
    let mut connection = Connection::open(&target.settings, wanted.intervals, reporter)?;
    if let Some(limit) = wanted.limit {
        connection.service.limit(limit);
    }
    let stack = connection.stack(name)?;
    let region = connection.service.region().to_owned();
    let places = template.places(&stack, &region, connection.reporter)?;
    let history = connection.service.history(&stack.id, wanted.scope.clone(), &mut Retries(connection.reporter));
    let mut history = history.map_err(|error| connection.refused(&error, name))?;
    let failures = if args.failed && !args.follow {
        let found = connection.service.reported_failures(&history, &wanted.scope, &mut Retries(connection.reporter));
        Some(found.map_err(|error| connection.refused(&error, name))?)
    } else {
        None
    };
    let Connection { mut service, reporter } = connection;
    let mut printer = EventPrinter {
        reporter,
        places,
        is_json: ReportFormat::is_json(args.format),
        resource: args.resource.as_deref(),
        only_failed: args.failed,
        count: 0,
        failed: None,
    };
    match failures {
        Some(Ok(failures)) => failures.iter().for_each(|one| printer.print(&one.event, one.finding.as_ref())),
        other => {
            if let Some(Err(missing)) = &other {
                explain(missing, args.report.verbose, printer.reporter);
            }
            let is_wanted = |event: &&formwork_deploy::Event| !args.failed || is_failure(event);
            history.events.iter().filter(is_wanted).for_each(|event| printer.print(event, None));
        }
    }
    let status = if args.follow {
        follow(&mut service, &mut history, &mut printer, name)
    } else {
        if printer.count == 0 {
            let what = if args.failed { "failed" } else { "such" };
            let of = args.resource.as_ref().map_or_else(String::new, |id| format!(" of {}", printable(id)));
            printer
                .reporter
                .print(&Notice::note(format!("stack {} has no {what} events{of}", printable(&stack.name))), None);
        }
        Status::Done
    };
    printer.places.explain_misfit(printer.reporter);
    match printer.failed {
        Some(why) => Err(why.into()),
        None => Ok(status),
    }
}

/// Follows the running operation to its end, if there is one.
fn follow(
    service: &mut formwork_deploy::Service,
    history: &mut History,
    printer: &mut EventPrinter<'_, '_>,
    name: &str,
) -> Status {
    let of_end = |is_success| if is_success { Status::Done } else { Status::Errors };
    if !history.is_running() {
        return history.end().map_or(Status::Done, |(_, is_success)| of_end(is_success));
    }
    if history.operation.kind == OperationKind::Other {
        printer.reporter.print_line("the operation is not known: it is followed until the stack is stable");
    }
    match service.follow(&mut history.operation, printer) {
        Ok(end) => of_end(end.is_success),
        Err(error) => {
            let notice = crate::refusal::of(&error, name);
            printer.reporter.print(&notice.because("the operation continues in CloudFormation"), None);
            crate::refusal::status_of(&error)
        }
    }
}

/// Prints why findings of early validation and hooks are missing among the failures.
fn explain(missing: &Unavailable, is_verbose: bool, reporter: &mut DeployReporter<'_>) {
    let what = "findings of early validation and of hooks are not known";
    if let Some(notice) = missing_answer(missing, what, "cloudformation:DescribeEvents", is_verbose) {
        reporter.print(&notice, None);
    }
}
