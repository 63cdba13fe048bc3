//! `formwork list stack-outputs`.

use formwork_deploy::PollIntervals;
use formwork_report::{Notice, printable};
use serde_json::{Value, json};

use super::{cell, print};
use crate::Status;
use crate::args::ListStackOutputsArgs;
use crate::commands::around::{Connection, Target};
use crate::commands::deploy::reporter::DeployReporter;
use crate::configured;
use crate::failure::Failure;
use crate::report::Reporter;

const HEAD: [&str; 3] = ["OutputKey", "OutputValue", "Description"];

pub(super) fn run(args: &ListStackOutputsArgs) -> Result<Status, Failure> {
    let target = Target::new("list_stack_outputs", args.stack.named(), None, &args.account)?;
    let name = target.stack()?;
    configured::say_rest(Some(&args.report));
    let mut diagnostics = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let found = Connection::open(&target.settings, PollIntervals::default(), &mut reporter)
        .and_then(|mut connection| connection.stack(name));
    let status = match found {
        Ok(mut stack) => {
            stack.outputs.sort();
            if stack.outputs.is_empty() {
                reporter.print(&Notice::note(format!("stack {} has no outputs", printable(&stack.name))), None);
            }
            let row = |(name, value, description): &(String, String, Option<String>)| {
                [name.clone(), value.clone(), cell(description.as_deref())]
            };
            let rows: Vec<[String; 3]> = stack.outputs.iter().map(row).collect();
            print(args.format, HEAD, &rows, stack.outputs.iter().map(object).collect())?;
            Status::Done
        }
        Err(status) => status,
    };
    reporter.finish();
    Ok(status)
}

fn object((name, value, description): &(String, String, Option<String>)) -> Value {
    json!({"OutputKey": name, "OutputValue": value, "Description": description.as_deref().unwrap_or_default()})
}
