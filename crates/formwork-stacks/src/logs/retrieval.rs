//! The steps of `logs`: the arguments, the log groups, their lines.

use std::time::Duration;

use formwork_deploy::{LogQuery, LogSource, PollIntervals, StackResource};
use formwork_project::Failure;
use formwork_report::{Notice, printable};
use formwork_run::Status;
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportFormat, configured};
use jiff::Timestamp;

use super::LogsArgs;
use crate::Exit;
use crate::around::{Connection, Places, Target, TemplateOf, time_word};
use crate::logs::{LogPrinter, chosen};
use crate::refusal;
use crate::reporter::DeployReporter;
use crate::retries::Retries;

/// First pause before a throttled call is repeated.
const PAUSE: Duration = Duration::from_secs(1);

/// Prints the selected lines of logs.
///
/// # Errors
/// When the arguments are invalid, a file of them cannot be read, or standard output cannot be written.
pub fn run(args: &LogsArgs) -> Result<Status, Failure> {
    let template = args.lines.template("logs", &args.report);
    let path = template.path()?;
    let target = Target::new("logs", args.stack.named(), path.as_deref(), &args.lines.account)?;
    let now = Timestamp::now();
    let query = LogQuery {
        start: Some(time_word(&args.start_time, now)?.as_millisecond()),
        end: args.end_time.as_deref().map(|text| time_word(text, now)).transpose()?.map(Timestamp::as_millisecond),
        pattern: args.filter.clone(),
    };
    let is_alone = !args.cw_log_group.is_empty() && args.name.is_empty() && args.stack.named().is_none();
    if !is_alone {
        target.stack()?;
    }
    configured::say_rest(Some(&args.report));
    let mut diagnostics = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let status = print(args, &target, is_alone, &query, &template, &mut reporter);
    reporter.finish();
    Exit::into_status(status)
}

fn print(
    args: &LogsArgs,
    target: &Target,
    is_alone: bool,
    query: &LogQuery,
    template: &TemplateOf<'_>,
    reporter: &mut DeployReporter<'_>,
) -> Result<Status, Exit> {
    let mut connection = Connection::open(&target.settings, PollIntervals::of(PAUSE), reporter)?;
    let mut sources = if is_alone { Vec::new() } else { of_stack(args, target, template, &mut connection)? };
    sources.extend(args.cw_log_group.iter().map(|name| LogSource { logical_id: None, log_group: name.clone() }));
    let Connection { mut service, reporter } = connection;
    let mut printer = LogPrinter { reporter, is_json: ReportFormat::is_json(args.format), failed: None };
    let read = service.logs(&sources, query, args.tail, &mut printer);
    if let Some(why) = printer.failed {
        return Err(why.into());
    }
    match read {
        Ok(()) => Ok(Status::Done),
        Err(error) => {
            printer.reporter.print(&refusal::of(&error, "?"), None);
            Ok(refusal::status_of(&error))
        }
    }
}

/// Returns the log groups of the selected resources of a stack.
fn of_stack(
    args: &LogsArgs,
    target: &Target,
    template: &TemplateOf<'_>,
    connection: &mut Connection<'_, '_>,
) -> Result<Vec<LogSource>, Exit> {
    let name = target.stack().map_err(Failure::from)?;
    let stack = connection.stack(name)?;
    let resources = connection.service.all_resources(&stack.id, &mut Retries(connection.reporter));
    let resources = resources.map_err(|error| connection.refused(&error, name))?;
    let region = connection.service.region().to_owned();
    let mut chosen: Vec<&StackResource> = Vec::new();
    let mut failed: Option<Failure> = None;
    for word in &args.name {
        let mut places = || -> Option<Places> {
            template.places(&stack, &region, connection.reporter).map_err(|failure| failed = Some(failure)).ok()
        };
        let found = chosen::named(word, &stack.name, &resources, &mut places);
        if let Some(failure) = failed {
            return Err(failure.into());
        }
        match found {
            Ok(found) => chosen.extend(found.into_iter().filter(|one| !chosen.contains(one)).collect::<Vec<_>>()),
            Err(notice) => {
                connection.reporter.print(&notice, None);
                return Err(Status::Errors.into());
            }
        }
    }
    if args.name.is_empty() {
        chosen = chosen::functions(&resources);
        if chosen.is_empty() {
            let notice = Notice::note(format!("stack {} has no functions", printable(&stack.name)));
            connection.reporter.print(&notice, None);
        }
    }
    let mut sources = Vec::new();
    for resource in chosen {
        let groups = connection.service.log_groups(resource, &mut Retries(connection.reporter));
        let groups = groups.map_err(|error| connection.refused(&error, name))?;
        if groups.is_empty() {
            let path = resource.path();
            connection.reporter.print(&Notice::note(format!("{} has no log group", printable(&path))), None);
        }
        sources.extend(groups);
    }
    Ok(sources)
}
