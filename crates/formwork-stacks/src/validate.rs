//! Validates a template with CloudFormation (reference/deploy.md#validate).

use std::path::Path;
use std::sync::Arc;

use formwork::{Analysis, Compilation, Goal, Report};
use formwork_deploy::{DeployError, PollIntervals, Service, TemplateBody};
use formwork_report::Notice;
use formwork_run::args::InputArgs;
use formwork_run::{Status, live};

use crate::places::named_in;
use crate::refusal;
use crate::reporter::DeployReporter;
use crate::retries::Retries;
use formwork_run::console::report::Reporter;

/// Prints the errors that CloudFormation reports about the expanded template.
pub fn validate(inputs: &InputArgs, template: &Path, analysis: &Analysis<'_>, reporter: &mut Reporter) -> Status {
    let mut reporter = DeployReporter::new(reporter);
    let expanded = analysis.compile(Goal::Expand);
    let Ok(output) = expanded.output() else {
        reporter.diagnostics(&Report::from(Arc::clone(&expanded)));
        return Status::Errors;
    };
    let body = match TemplateBody::inline(output.render(None)) {
        Ok(body) => body,
        Err(why) => {
            let notice = Notice::error(format!("{} cannot be validated: {why}", template.display()))
                .because("ValidateTemplate accepts a larger template only from an S3 bucket")
                .help("`formwork check` finds the same problems, and more, without the service");
            reporter.print(&notice, None);
            return Status::Errors;
        }
    };
    let settings = match live::settings(inputs) {
        Ok(settings) => settings,
        Err(failure) => {
            let why = String::from(failure);
            let (why, help) = why.split_once("\n  help: ").unwrap_or((&why, "correct `--profile`"));
            reporter.print(&Notice::error(why).help(help), None);
            return Status::Failed;
        }
    };
    let mut service = match Service::open(&settings, PollIntervals::default()) {
        Ok(service) => service,
        Err(error) => {
            reporter.print(&refusal::of_aws_error(&error), None);
            return Status::Failed;
        }
    };
    match service.validate_template(&body.source, &mut Retries(&mut reporter)) {
        Ok(validated) => {
            if !validated.capabilities.is_empty() {
                let names = validated.capabilities.join(", ");
                let notice = Notice::note(format!("{} needs {names}", template.display()));
                let notice = match validated.reason {
                    Some(reason) => notice.because(reason),
                    None => notice,
                };
                reporter.print(&notice, None);
            }
            Status::Done
        }
        Err(error) => refused(&error, template, &expanded, &mut reporter),
    }
}

fn refused(error: &DeployError, template: &Path, expanded: &Compilation, reporter: &mut DeployReporter<'_>) -> Status {
    let mut notice = refusal::of(error, &template.to_string_lossy());
    for (id, origin) in named_in(error.sentence().unwrap_or_default(), expanded) {
        notice = notice.at(origin.span, id);
    }
    reporter.print(&notice, Some(expanded));
    match refusal::status_of(error) {
        Status::NotPermitted => Status::Failed,
        other => other,
    }
}
