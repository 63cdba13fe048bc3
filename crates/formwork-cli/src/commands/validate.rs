//! `formwork validate` (reference/deploy.md#validate).

use formwork::{Stage, Values};

use crate::args::ValidateArgs;
use crate::failure::Failure;
#[cfg(feature = "aws")]
use crate::inputs::Input;
use crate::live::Live;
use crate::report::Reporter;
use crate::{Status, inputs, nested};

pub(crate) fn run(args: &ValidateArgs) -> Result<Status, Failure> {
    let mut reporter = Reporter::new(&args.report);
    let mut live = Live::new(&args.inputs)?;
    let (mut status, mut unread) = (Status::Done, false);
    for template in &args.template {
        let read = inputs::read(template, "validate", Values::Keep, &args.inputs, &args.report);
        let Some(mut input) = reporter.readable(read)? else {
            unread = true;
            continue;
        };
        input.options.for_service = true;
        #[cfg(feature = "aws")]
        let again = args.inputs.live.live.then(|| service::Again::of(&input));
        let results = nested::compile(&mut live, input, Stage::Check)?;
        for result in &results {
            reporter.print(result);
        }
        let found = match results.iter().any(formwork::Compilation::has_errors) {
            true => Status::Errors,
            #[cfg(feature = "aws")]
            false if again.is_some() => service::validate(args, template, again, &mut live, &mut reporter)?,
            false => Status::Done,
        };
        if status == Status::Done {
            status = found;
        }
    }
    live.write_record()?;
    reporter.finish("");
    Ok(if unread { Status::Trouble } else { status })
}

#[cfg(feature = "aws")]
mod service {
    use std::path::Path;
    use std::time::Duration;

    use formwork::{Compilation, FileBytes, Options, Stage, VirtualPath};
    use formwork_aws::CallError;
    use formwork_deploy::{DeployError, Event, EventSink, PollIntervals, Service, TemplateBody};
    use formwork_report::Notice;

    use super::super::deploy::places::named_in;
    use super::super::deploy::refusal;
    use super::super::deploy::reporter::DeployReporter;
    use super::{Input, Live, Reporter, Status, ValidateArgs};
    use crate::project_host::ProjectHost;
    use crate::{inputs, live};

    /// What a template is compiled with, for the second time.
    pub(super) struct Again {
        path: VirtualPath,
        bytes: FileBytes,
        options: Options,
        region: Option<String>,
    }

    impl Again {
        pub(super) fn of(input: &Input) -> Again {
            Again {
                path: input.path.clone(),
                bytes: input.bytes.clone(),
                options: input.options.clone(),
                region: input.region.clone(),
            }
        }
    }

    /// What the service says of the expanded template.
    pub(super) fn validate(
        args: &ValidateArgs,
        template: &Path,
        again: Option<Again>,
        live: &mut Live,
        reporter: &mut Reporter<'_>,
    ) -> Result<Status, crate::failure::Failure> {
        let mut reporter = DeployReporter::new(reporter);
        let host = ProjectHost::new(template, &args.inputs)?;
        let Some(Again { path, bytes, options, region }) = again else { return Ok(Status::Done) };
        let mut input = Input { path, bytes, host, options, region, upload: inputs::Upload::default() };
        let expanded = live.compile_with(&mut input, Stage::Expand, None)?;
        let body = match TemplateBody::inline(expanded.to_string(None)) {
            Ok(body) => body,
            Err(why) => {
                let notice = Notice::error(format!("{} cannot be validated: {why}", template.display()))
                    .because("ValidateTemplate takes a larger template from a bucket alone")
                    .help("`formwork check` finds the same problems, and more, without the service");
                reporter.print(&notice, None);
                return Ok(Status::Errors);
            }
        };
        let mut service = match Service::open(&live::settings(&args.inputs), PollIntervals::default()) {
            Ok(service) => service,
            Err(trouble) => {
                reporter.print(&refusal::of_trouble(&trouble), None);
                return Ok(Status::Trouble);
            }
        };
        match service.validate_template(&body.source, &mut Sink(&mut reporter)) {
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
                Ok(Status::Done)
            }
            Err(error) => Ok(refused(&error, template, &expanded, &mut reporter)),
        }
    }

    /// Prints when the service has to be asked again.
    struct Sink<'s, 'r, 'a>(&'s mut DeployReporter<'r, 'a>);

    impl EventSink for Sink<'_, '_, '_> {
        fn event(&mut self, _: &Event) {}

        fn retrying(&mut self, call: &'static str, failure: &CallError, pause: Duration) {
            self.0.print(&refusal::repeated(call, failure, pause), None);
        }

        fn incomplete(&mut self, call: &'static str, failure: &CallError) {
            self.0.print(&refusal::incomplete(call, failure), None);
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
