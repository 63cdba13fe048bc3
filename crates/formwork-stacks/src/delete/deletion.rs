//! The steps of a deletion, in order; [`formwork_deploy`] makes the calls.

use std::path::Path;
use std::time::Duration;

use formwork_aws::Settings;
use formwork_deploy::{
    DeleteRequest, Deletion, DeletionStart, DeployFailure, DeployResult, Outcome, PollIntervals, Service, StackResource,
};
use formwork_project::{Config, Failure};
use formwork_run::Status;
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportFormat, configured, confirm};
use formwork_run::service_names::{check_bucket, check_stack};

use super::{DeleteArgs, DeletionMode};
use crate::delete::observer::DeletePrinter;
use crate::delete::{ending, plan, summary};
use crate::reporter::DeployReporter;
use crate::seconds::seconds;
use crate::{express, refusal};

const INTERRUPTED: i32 = 130;

struct Wanted {
    request: DeleteRequest,
    settings: Settings,
    intervals: PollIntervals,
    limit: Option<Duration>,
}

impl Wanted {
    /// Merges the arguments with the configuration file of the working directory.
    fn new(args: &DeleteArgs) -> Result<Wanted, Failure> {
        let section = Config::of_folder(Path::new("."), "delete", &args.account.config.choice())?;
        let text = |given: &Option<String>, key| given.clone().or_else(|| section.text(key));
        let stack_name = args.named().map(str::to_owned).or_else(|| section.text("stack_name")).filter(|name| !name.is_empty()).ok_or(
            "the stack has no name: pass `--stack-name NAME`, or write stack_name in the samconfig.toml of the working directory",
        )?;
        let profile = args.account.aws.profile.is_none().then(|| section.text("profile")).flatten();
        check_stack(&stack_name)?;
        if let Some(bucket) = &args.s3_bucket {
            check_bucket("--s3-bucket", bucket)?;
            if bucket.starts_with("file:") {
                return Err("--s3-bucket of `delete` takes an S3 bucket: delete the directory by hand".into());
            }
        }
        let settings = args.account.aws.settings(text(&args.account.region, "region"), profile)?;
        Ok(Wanted {
            request: DeleteRequest {
                stack_name,
                role_arn: text(&args.role_arn, "role_arn"),
                retained: args.retain_resources.iter().filter(|name| !name.is_empty()).cloned().collect(),
                empties_buckets: args.force_empty_buckets,
                artifacts: args.s3_bucket.clone().map(|bucket| (bucket, prefix(args.s3_prefix.as_deref()))),
                waits: args.wait,
                is_express: args.is_express().or_else(|| section.flag("express")).unwrap_or(false),
                is_forced: args.deletion_mode == Some(DeletionMode::Force),
                is_approved: args.yes,
            },
            settings: Settings { region: formwork_aws::configured_region(&settings), ..settings },
            intervals: PollIntervals::of(seconds("--poll-delay", args.poll_delay, 1.0)?),
            limit: args.max_wait_duration.map(|limit| seconds("--max-wait-duration", limit, 60.0)).transpose()?,
        })
    }
}

/// Trims the slashes around a prefix; `None` when it is empty.
fn prefix(given: Option<&str>) -> Option<String> {
    given.map(|prefix| prefix.trim_matches('/').to_owned()).filter(|prefix| !prefix.is_empty())
}

/// Deletes a stack.
///
/// # Errors
/// When the arguments are invalid, or standard output cannot be written.
pub fn run(args: &DeleteArgs) -> Result<Status, Failure> {
    let choices = Wanted::new(args)?;
    configured::say_rest(Some(&args.report));
    let mut diagnostics = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let status = delete(args, choices, &mut reporter);
    reporter.finish();
    status
}

fn delete(args: &DeleteArgs, choices: Wanted, reporter: &mut DeployReporter<'_>) -> Result<Status, Failure> {
    let Wanted { request, settings, intervals, limit } = choices;
    let name = request.stack_name.clone();
    let mut service = match Service::open(&settings, intervals) {
        Ok(service) => service,
        Err(error) => {
            reporter.print(&refusal::of_aws_error(&error), None);
            let region = settings.region.unwrap_or_default();
            let outcome = Outcome::new(DeployResult::Refused, &name, &region);
            summary::print(&outcome, &[], ReportFormat::is_json(args.format), reporter)?;
            return Ok(refusal::status_of_aws_error(&error));
        }
    };
    if let Some(limit) = limit {
        service.limit(limit);
    }
    let region = service.region().to_owned();
    let mut printer = DeletePrinter::new(reporter, &name, region, confirm::can_ask());
    let begun = Deletion::begin(&mut service, request, || std::process::exit(INTERRUPTED), &mut printer);
    let mut deletion = match begun {
        Ok(DeletionStart::Open(deletion)) => deletion,
        Ok(DeletionStart::Over(outcome)) => return ended(args, &outcome, &[], &mut printer),
        Err(failure) => return stopped(args, &failure, &[], &mut printer),
    };
    let resources = deletion.resources().to_vec();
    printer.stack_id = Some(deletion.stack().id.clone());
    plan::show(&deletion.stack().id, &resources, &printer);
    if let Some(bucket) = &args.s3_bucket {
        plan::show_artifacts(bucket, deletion.artifacts(), &printer);
    }
    match deletion.run(&mut printer) {
        Ok(outcome) => ended(args, &outcome, &resources, &mut printer),
        Err(failure) => stopped(args, &failure, &resources, &mut printer),
    }
}

fn ended(
    args: &DeleteArgs,
    outcome: &Outcome,
    resources: &[StackResource],
    printer: &mut DeletePrinter<'_, '_>,
) -> Result<Status, Failure> {
    let name = printer.stack_name;
    let status = match outcome.result {
        DeployResult::NoStack => {
            printer
                .reporter
                .print_line(&format!("Stack {name} does not exist in {}: nothing to delete", printer.region));
            Status::Done
        }
        DeployResult::NotExecuted => {
            printer.reporter.print_line(&format!("Stack {name} is not deleted"));
            Status::Done
        }
        DeployResult::Failed => {
            let failed = std::mem::take(&mut printer.failed);
            let notice = ending::failed(outcome, name, &failed, printer.reporter);
            printer.reporter.print(&notice, None);
            Status::Errors
        }
        _ if printer.has_artifacts_left => Status::Errors,
        _ => Status::Done,
    };
    if let Some(notice) = express::unfinished(outcome, "deleted", "deleting") {
        printer.reporter.print(&notice, None);
    }
    summary::print(outcome, resources, ReportFormat::is_json(args.format), printer.reporter)?;
    Ok(status)
}

fn stopped(
    args: &DeleteArgs,
    failure: &DeployFailure,
    resources: &[StackResource],
    printer: &mut DeletePrinter<'_, '_>,
) -> Result<Status, Failure> {
    printer.reporter.print(&ending::stopped(failure), None);
    summary::print(&failure.outcome, resources, ReportFormat::is_json(args.format), printer.reporter)?;
    Ok(refusal::status_of(&failure.error))
}
