//! Runs that may ask AWS: compile, find out what was missing, compile again (reference/account-data.md#live).

#[cfg(feature = "aws")]
mod session;
#[cfg(not(feature = "aws"))]
mod without_network;

use formwork_project::Failure;

use crate::args::InputArgs;
pub use crate::no_network::NO_NETWORK;

#[cfg(feature = "aws")]
pub use session::{Live, failed, settings};
#[cfg(not(feature = "aws"))]
pub use without_network::Live;

/// Rejects options that contradict each other. `is_live` is set when AWS is asked for account data; `online` is the
/// message of `--offline` for a command that calls AWS in any case.
fn check(inputs: &InputArgs, is_live: bool, online: Option<&str>) -> Result<(), Failure> {
    let args = &inputs.live;
    // Modules in buckets are fetched by the same account.
    let has_use = online.is_some() || !inputs.allow_remote.is_empty();
    if is_live && args.offline {
        return Err("--offline wins: nothing is asked of AWS, pass the data with --account FILE".into());
    }
    if let Some(why) = online.filter(|_| args.offline) {
        return Err(format!("--offline wins: {why}").into());
    }
    let idle = [
        ("--profile", args.aws.profile.is_some() && !has_use),
        ("--endpoint-url", args.aws.endpoint_url.is_some() && !has_use),
        ("--ca-bundle", args.aws.ca_bundle.is_some() && !has_use),
        ("--no-verify-ssl", args.aws.no_verify_ssl && !has_use),
        ("--record-account", args.record_account.is_some()),
    ];
    match idle.iter().find(|(_, is_given)| *is_given && !is_live) {
        Some(("--record-account", _)) => Err("--record-account has an effect only with --live".into()),
        Some((option, _)) => Err(format!("{option} has an effect only with --live or --allow-remote").into()),
        None => Ok(()),
    }
}

const NO_UPLOADS: &str = "nothing is uploaded to S3 and no image is pushed, write `--s3-bucket file:DIR`";
