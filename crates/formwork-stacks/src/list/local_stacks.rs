//! Implements `formwork list stacks --local`: the stacks of a repository (reference/repository.md#stacks).

use std::path::PathBuf;

use formwork_project::Failure;
use formwork_report::Notice;
use formwork_run::Status;
use formwork_run::args::InputArgs;
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportArgs, ReportFormat, configured};
use formwork_run::links::{Reading, find};
use serde_json::json;

use super::printing::{cell, print};
use crate::around::AccountArgs;
use crate::reporter::DeployReporter;

const HEAD: [&str; 6] = ["Stack", "Stage", "Template", "Region", "Account", "Source"];

/// Prints the stacks that files below the working directory name, and templates that none names.
pub(super) fn run(account: &AccountArgs, report: ReportArgs, format: Option<ReportFormat>) -> Result<Status, Failure> {
    configured::say_rest(Some(&report));
    let inputs = InputArgs { config: account.config.clone(), region: account.region.clone(), ..InputArgs::default() };
    let reading = Reading { is_strict: report.strict, ..Reading::of("list_stacks", &inputs) };
    let (files, stacks) = find(&[PathBuf::from(".")], reading)?;
    let mut diagnostics = Reporter::new(&report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    if stacks.is_empty() {
        reporter.print(&Notice::note("no templates below the working directory".to_owned()), None);
    }
    let (mut rows, mut objects) = (Vec::new(), Vec::new());
    for stack in &stacks {
        let path = files.files.get(stack.template).map(|file| file.path.display().to_string()).unwrap_or_default();
        let (own, source) = (&stack.settings, (!stack.source.is_empty()).then_some(stack.source.as_str()));
        rows.push([
            stack.name.clone(),
            cell(stack.stage.as_deref()),
            path.clone(),
            cell(own.region.as_deref()),
            cell(own.account.as_deref()),
            cell(source),
        ]);
        objects.push(json!({
            "Stack": stack.name,
            "StackName": own.stack_name,
            "Stage": stack.stage,
            "Template": path,
            "Region": own.region,
            "Account": own.account,
            "Source": source,
        }));
    }
    print(format, HEAD, &rows, objects)?;
    reporter.finish();
    Ok(Status::Done)
}
