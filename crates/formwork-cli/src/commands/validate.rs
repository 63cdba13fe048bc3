//! `formwork validate` (reference/deploy.md#validate).

use formwork::{Goal, Report, Values};

use crate::args::ValidateArgs;
use crate::failure::Failure;
use crate::live::Live;
use crate::report::Reporter;
use crate::surroundings::Surroundings;
use crate::templates::{Search, Templates};
use crate::{Status, inputs, nested, schemas};

pub(crate) fn run(args: &ValidateArgs) -> Result<Status, Failure> {
    if args.change_set {
        return super::deploy::validate(args);
    }
    let root = args.inputs.project_root.as_deref();
    let templates = Templates::find(&args.template, Search { root, ..Search::default() }, crate::terminal::say_line)?;
    let mut reporter = Reporter::on_output(&args.report);
    let mut live = Live::new(&args.inputs)?;
    let (mut status, mut is_unread) = (Status::Done, !templates.missing.is_empty());
    for missing in &templates.missing {
        reporter.print_file(missing);
    }
    let surroundings = Surroundings::default();
    let schemas = schemas::read(&args.schemas.schemas, args.schemas.no_schemas)?;
    for file in &templates.files {
        let read = inputs::read_in(&surroundings, file, "validate", Values::Keep, (&args.inputs, args.report.strict));
        let Some(mut input) = reporter.readable(read)? else {
            is_unread = true;
            continue;
        };
        input.options.for_service = true;
        args.selection.apply_to(&mut input.options);
        input.options.schemas.clone_from(&schemas);
        let (analysis, results) = nested::compile(&mut live, &input, Goal::Check, None)?;
        for result in &results {
            reporter.print(result);
        }
        // Without the network nobody is asked about it.
        #[cfg(not(feature = "aws"))]
        drop(analysis);
        let found = match results.iter().any(Report::has_errors) {
            true => Status::Errors,
            #[cfg(feature = "aws")]
            false if args.inputs.live.live => service::validate(args, &file.path, &analysis, &mut reporter),
            false => Status::Done,
        };
        if status == Status::Done {
            status = found;
        }
    }
    live.write_record()?;
    reporter.finish_output()?;
    Ok(match status {
        _ if is_unread => Status::Trouble,
        Status::Errors if args.selection.exit_zero => Status::Done,
        status => status,
    })
}

#[cfg(feature = "aws")]
mod service {
    use std::path::Path;
    use std::sync::Arc;

    use formwork::{Analysis, Compilation, Goal, Report};
    use formwork_deploy::{DeployError, PollIntervals, Service, TemplateBody};
    use formwork_report::Notice;

    use super::super::deploy::places::named_in;
    use super::super::deploy::refusal;
    use super::super::deploy::reporter::DeployReporter;
    use super::super::deploy::retries::Retries;
    use super::{Reporter, Status, ValidateArgs};
    use crate::live;

    /// What the service reports about the expanded template.
    pub(super) fn validate(
        args: &ValidateArgs,
        template: &Path,
        analysis: &Analysis<'_>,
        reporter: &mut Reporter,
    ) -> Status {
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
        let settings = match live::settings(&args.inputs) {
            Ok(settings) => settings,
            Err(failure) => {
                let why = String::from(failure);
                let (why, help) = why.split_once("\n  help: ").unwrap_or((&why, "correct `--profile`"));
                reporter.print(&Notice::error(why).help(help), None);
                return Status::Trouble;
            }
        };
        let mut service = match Service::open(&settings, PollIntervals::default()) {
            Ok(service) => service,
            Err(trouble) => {
                reporter.print(&refusal::of_trouble(&trouble), None);
                return Status::Trouble;
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

    fn refused(
        error: &DeployError,
        template: &Path,
        expanded: &Compilation,
        reporter: &mut DeployReporter<'_, '_>,
    ) -> Status {
        let mut notice = refusal::of(error, &template.to_string_lossy());
        for (id, origin) in named_in(error.sentence().unwrap_or_default(), expanded) {
            notice = notice.at(origin.span, id);
        }
        reporter.print(&notice, Some(expanded));
        match refusal::status_of(error) {
            Status::NotPermitted => Status::Trouble,
            other => other,
        }
    }
}
