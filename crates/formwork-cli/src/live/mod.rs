//! Runs that may ask AWS: compile, find out what was missing, compile again.

#[cfg(feature = "aws")]
mod aws;
#[cfg(feature = "aws")]
mod mfa;
#[cfg(not(feature = "aws"))]
mod no_network;
#[cfg(feature = "aws")]
mod session;

#[cfg(feature = "aws")]
pub(crate) use aws::check_profile;
#[cfg(feature = "aws")]
pub(crate) use session::{Live, failed, settings};
#[cfg(not(feature = "aws"))]
pub(crate) use without_network::Live;

use crate::args::InputArgs;

/// Rejects options that contradict each other. `is_live` is whether AWS is asked for account data;
/// `online` the message of `--offline` for a command that calls AWS in any case.
fn check(inputs: &InputArgs, is_live: bool, online: Option<&str>) -> Result<(), String> {
    let args = &inputs.live;
    // Modules in buckets are fetched by the same account.
    let has_use = online.is_some() || !inputs.allow_remote.is_empty();
    if is_live && args.offline {
        return Err("--offline wins: nothing is asked of AWS, pass the data with --account FILE".to_owned());
    }
    if let Some(why) = online.filter(|_| args.offline) {
        return Err(format!("--offline wins: {why}"));
    }
    let idle = [
        ("--profile", args.aws.profile.is_some() && !has_use),
        ("--endpoint-url", args.aws.endpoint_url.is_some() && !has_use),
        ("--ca-bundle", args.aws.ca_bundle.is_some() && !has_use),
        ("--no-verify-ssl", args.aws.no_verify_ssl && !has_use),
        ("--record-account", args.record_account.is_some()),
    ];
    match idle.iter().find(|(_, is_given)| *is_given && !is_live) {
        Some(("--record-account", _)) => Err("--record-account has an effect only with --live".to_owned()),
        Some((option, _)) => Err(format!("{option} has an effect only with --live or --allow-remote")),
        None => Ok(()),
    }
}

/// What becomes of uploads with `--offline`.
const NO_UPLOADS: &str = "nothing is uploaded to S3 and no image is pushed, write `--s3-bucket file:DIR`";

#[cfg(not(feature = "aws"))]
mod without_network {
    use formwork::nested::PathErrors;
    use formwork::{Analysis, Diagnostic, Goal, Observer, Report};

    use crate::args::InputArgs;
    use crate::inputs::Input;

    /// Runs of a program that knows no network.
    pub(crate) struct Live;

    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "the same calls as with a network")]
    impl Live {
        pub(crate) fn new(inputs: &InputArgs) -> Result<Live, String> {
            Live::with_uploads(inputs, false)
        }

        pub(crate) fn with_uploads(inputs: &InputArgs, uploads: bool) -> Result<Live, String> {
            super::check(inputs, inputs.live.live, uploads.then_some(super::NO_UPLOADS))?;
            if inputs.live.live { Err(super::NO_NETWORK.to_owned()) } else { Ok(Live) }
        }

        pub(crate) fn warnings(&self, _: usize, _: bool) -> impl Iterator<Item = Diagnostic> {
            std::iter::empty()
        }

        pub(crate) fn write_record(&self) -> Result<(), String> {
            Ok(())
        }

        pub(crate) fn compile(
            &mut self,
            input: &Input,
            goal: Goal,
            observer: Option<Observer<'_>>,
        ) -> Result<Report, String> {
            Ok(self.analyze(input, goal, observer)?.1)
        }

        pub(crate) fn analyze(
            &mut self,
            input: &Input,
            goal: Goal,
            observer: Option<Observer<'_>>,
        ) -> Result<(Analysis<'static>, Report), String> {
            let analysis = input.analysis();
            let compiled = analysis.compile_observed(goal, observer.unwrap_or(&|_| {}));
            Ok((analysis, compiled.into()))
        }

        pub(crate) fn nested(
            &mut self,
            _: &Input,
            analysis: &mut Analysis<'static>,
            root: &mut Report,
            goal: Goal,
            path_errors: PathErrors,
        ) -> Result<Vec<Report>, String> {
            let nested = analysis.session().compile_nested(root.compilation(), goal, path_errors);
            root.add(nested.found);
            Ok(nested.reports)
        }
    }
}

#[cfg(not(feature = "aws"))]
pub(crate) use no_network::NO_NETWORK;
