//! Implements `formwork list stacks`.

use clap::Args;
use formwork_deploy::{PollIntervals, StackSummary};
use formwork_project::Failure;
use formwork_report::Notice;
use formwork_run::Status;
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportArgs, ReportFormat, configured};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::printing::{cell, print};
use crate::around::{AccountArgs, Connection, Target};
use crate::reporter::DeployReporter;
use crate::retries::Retries;

const HEAD: [&str; 3] = ["StackName", "StackStatus", "LastUpdated"];

/// The arguments of `list stacks`.
#[derive(Clone, Debug, Args)]
pub struct ListStacksArgs {
    /// List deleted stacks, too.
    #[arg(long)]
    pub all: bool,
    /// List nested stacks, too.
    #[arg(long)]
    pub nested: bool,
    /// List the stacks of the files below the working directory, and ask no account.
    #[arg(long, conflicts_with_all = ["all", "nested"])]
    pub local: bool,
    /// Print the list in this format: a table, or JSON [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// The account and Region of the stack.
    #[command(flatten)]
    pub account: AccountArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Prints the stacks of an account and Region.
///
/// # Errors
/// When the arguments mean nothing, or standard output cannot be written.
pub fn run(args: &ListStacksArgs) -> Result<Status, Failure> {
    if args.local {
        return super::local_stacks::run(&args.account, args.report, args.format);
    }
    let target = Target::new("list_stacks", None, None, &args.account)?;
    configured::say_rest(Some(&args.report));
    let mut diagnostics = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let listed =
        Connection::open(&target.settings, PollIntervals::default(), &mut reporter).and_then(|mut connection| {
            let stacks = connection.service.list_stacks(args.all, &mut Retries(connection.reporter));
            let region = connection.service.region().to_owned();
            stacks.map(|stacks| (stacks, region)).map_err(|error| connection.refused(&error, "?"))
        });
    let status = match listed {
        Ok((mut stacks, region)) => {
            stacks.retain(|stack| args.nested || !stack.is_nested);
            if stacks.is_empty() {
                reporter.print(&Notice::note(format!("no stacks in {region}")), None);
            }
            let rows: Vec<[String; 3]> = stacks.iter().map(row).collect();
            print(args.format, HEAD, &rows, stacks.iter().map(object).collect())?;
            Status::Done
        }
        Err(status) => status,
    };
    reporter.finish();
    Ok(status)
}

fn row(stack: &StackSummary) -> [String; 3] {
    let time = stack.updated.as_deref().or(stack.created.as_deref());
    [stack.name.clone(), stack.status.clone(), cell(time.map(|time| shown(time, &TimeZone::system())).as_deref())]
}

/// Formats a time of CloudFormation in a zone, to the second; unchanged when it cannot be parsed.
fn shown(time: &str, zone: &TimeZone) -> String {
    let read: Option<Timestamp> = time.parse().ok();
    read.map_or_else(
        || time.to_owned(),
        |time| time.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S%:z").to_string(),
    )
}

fn object(stack: &StackSummary) -> Value {
    json!({
        "StackName": stack.name,
        "StackId": stack.id,
        "StackStatus": stack.status,
        "CreationTime": stack.created,
        "LastUpdatedTime": stack.updated,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_zone() {
        assert_eq!(shown("2026-01-31T09:00:00.123Z", &TimeZone::UTC), "2026-01-31 09:00:00+00:00");
        assert_eq!(shown("soon", &TimeZone::UTC), "soon");
    }
}
