//! Credentials of functions (reference/local.md#credentials).

use formwork_project::Failure;
use formwork_run::terminal;

use super::args::LocalArgs;
use crate::{Credentials, Profile};

/// Variables that locate the credentials of a container or a pod.
const CONTAINER: [&str; 3] =
    ["AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"];

pub(super) struct CredentialSource {
    /// The profile of `--profile`, otherwise that of `AWS_PROFILE`, otherwise `default`.
    name: String,
    profile: Profile,
    /// Set by `--profile`.
    is_named: bool,
    /// The Region of the arguments, otherwise that of the profile, otherwise `us-east-1`.
    pub(super) region: String,
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

impl CredentialSource {
    /// Selects a profile by arguments and environment. `region` is that of the arguments.
    ///
    /// # Errors
    /// When the profile of `--profile` does not exist.
    pub(super) fn of(args: &LocalArgs, region: Option<String>) -> Result<CredentialSource, Failure> {
        let named = args.inputs.live.aws.profile.clone();
        let is_named = named.is_some();
        let name = named.or_else(|| variable("AWS_PROFILE")).unwrap_or_else(|| "default".to_owned());
        let profile = Profile::read(&name, variable);
        if is_named && !profile.exists {
            #[cfg(feature = "aws")]
            formwork_run::aws::check_profile(&name)?;
            return Err(format!("profile `{name}` does not exist in the AWS configuration").into());
        }
        let region = region.or_else(|| profile.region.clone()).unwrap_or_else(|| "us-east-1".to_owned());
        Ok(CredentialSource { name, profile, is_named, region })
    }

    /// Returns the credentials of the `--profile`, otherwise those of the environment, otherwise those of the default
    /// profile, otherwise placeholders; `None` with `--no-credentials`.
    ///
    /// # Errors
    /// When the selected profile returns no credentials.
    pub(super) fn credentials(&self, args: &LocalArgs) -> Result<Option<Credentials>, Failure> {
        if args.no_credentials {
            return Ok(None);
        }
        let environment = Credentials::from_environment(variable);
        if let (false, Some(environment)) = (self.is_named, &environment) {
            return Ok(Some(environment.clone()));
        }
        let looked_up = if self.profile.is_indirect {
            Some(look_up(args, &self.region, Some(&self.name)))
        } else if self.profile.credentials.is_some() {
            return Ok(self.profile.credentials.clone());
        } else if !self.is_named && CONTAINER.iter().any(|name| variable(name).is_some()) {
            Some(look_up(args, &self.region, None))
        } else {
            None
        };
        match looked_up {
            Some(Ok(credentials)) => return Ok(Some(credentials)),
            Some(Err(why)) if self.is_named => return Err(why.into()),
            Some(Err(why)) => {
                terminal::say_line(&format!("warning: functions get no credentials that AWS accepts: {why}"));
            }
            None => {}
        }
        Ok(Some(environment.unwrap_or_else(Credentials::placeholder)))
    }
}

/// Fetches credentials in the same way as for the AWS calls of this program.
#[cfg(feature = "aws")]
fn look_up(args: &LocalArgs, region: &str, profile: Option<&str>) -> Result<Credentials, String> {
    let aws = &args.inputs.live.aws;
    let settings = aws.settings(Some(region.to_owned()), profile.map(str::to_owned))?;
    let found = formwork_aws::session_credentials(&settings).map_err(|error| formwork_run::live::failed(&error))?;
    Ok(Credentials { access_key: found.access_key_id, secret_key: found.secret_access_key, token: found.session_token })
}

#[cfg(not(feature = "aws"))]
fn look_up(_: &LocalArgs, _: &str, profile: Option<&str>) -> Result<Credentials, String> {
    let whose = profile.map(|profile| format!(" of the profile {profile}")).unwrap_or_default();
    Err(format!("this program was built without the feature `aws`, which fetches the credentials{whose}"))
}
