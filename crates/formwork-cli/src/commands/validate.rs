//! `formwork validate` (reference/deploy.md#validate).

use formwork::{Goal, Report, Values};

use crate::args::ValidateArgs;
use crate::failure::Failure;
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
        let (analysis, results) = nested::compile(&mut live, &input, Goal::Check)?;
        for result in &results {
            reporter.print(result);
        }
        let found = match results.iter().any(Report::has_errors) {
            true => Status::Errors,
            #[cfg(feature = "aws")]
            false if args.inputs.live.live => service::validate(args, template, &analysis, &reporter),
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

    use formwork::{Analysis, Compilation, Goal};
    use formwork_aws::Failure;
    use formwork_deploy::{Event, Pace, Service, Stop, Watcher};
    use formwork_report::Remark;

    use super::super::deploy::body::{self, Unsendable};
    use super::super::deploy::places::named_in;
    use super::super::deploy::refusal;
    use super::super::deploy::voice::Voice;
    use super::{Reporter, Status, ValidateArgs};
    use crate::live;

    /// What the service says of the expanded template.
    pub(super) fn validate(
        args: &ValidateArgs,
        template: &Path,
        analysis: &Analysis<'_>,
        reporter: &Reporter<'_>,
    ) -> Status {
        let voice = Voice::new(&args.report, reporter);
        let expanded = analysis.compile(Goal::Expand);
        let body = match body::prepare(expanded.to_string(None), None) {
            Ok(body) => body,
            Err(Unsendable::TooLarge(why) | Unsendable::NotStored(why)) => {
                let remark = Remark::error(format!("{} cannot be validated: {why}", template.display()))
                    .because("ValidateTemplate takes a larger template from a bucket alone")
                    .help("`formwork check` finds the same problems, and more, without the service");
                voice.remark(&remark, None);
                return Status::Errors;
            }
        };
        let mut service = match Service::open(&live::settings(&args.inputs), Pace::default()) {
            Ok(service) => service,
            Err(trouble) => {
                voice.remark(&refusal::of_trouble(&trouble), None);
                return Status::Trouble;
            }
        };
        match service.validate(&body.source, &mut Teller(&voice)) {
            Ok(validated) => {
                if !validated.capabilities.is_empty() {
                    let names = validated.capabilities.join(", ");
                    let remark = Remark::note(format!("{} needs {names}", template.display()));
                    let remark = match validated.reason {
                        Some(reason) => remark.because(reason),
                        None => remark,
                    };
                    voice.remark(&remark, None);
                }
                Status::Done
            }
            Err(stop) => refused(&stop, template, &expanded, &voice),
        }
    }

    /// Says when the service has to be asked again.
    struct Teller<'v, 'a>(&'v Voice<'a>);

    impl Watcher for Teller<'_, '_> {
        fn event(&mut self, _: &Event) {}

        fn trouble(&mut self, call: &'static str, failure: &Failure, pause: Duration) {
            self.0.remark(&refusal::repeated(call, failure, pause), None);
        }

        fn incomplete(&mut self, call: &'static str, failure: &Failure) {
            self.0.remark(&refusal::incomplete(call, failure), None);
        }
    }

    fn refused(stop: &Stop, template: &Path, expanded: &Compilation, voice: &Voice<'_>) -> Status {
        let (remark, status) = refusal::of(stop, &template.to_string_lossy(), None);
        let mut remark = remark;
        if let Stop::Failed { failure, .. } = stop {
            let sentence = failure.sentence().unwrap_or_default();
            for (id, origin) in named_in(sentence, expanded) {
                remark = remark.at(origin.span, id);
            }
        }
        voice.remark(&remark, Some(expanded));
        match status {
            Status::NotPermitted => Status::Trouble,
            other => other,
        }
    }
}
