//! Credentials for other programs.

use crate::aws_error::AwsError;
use crate::configuration;
use crate::runtime::runtime;
use crate::settings::Settings;

/// Credentials as programs read them from their environment.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionCredentials {
    /// `AWS_ACCESS_KEY_ID`.
    pub access_key_id: String,
    /// `AWS_SECRET_ACCESS_KEY`.
    pub secret_access_key: String,
    /// `AWS_SESSION_TOKEN`.
    pub session_token: Option<String>,
}

impl std::fmt::Debug for SessionCredentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionCredentials").finish_non_exhaustive()
    }
}

/// Looks up the credentials that calls of this program would be signed with: those of the profile, which contains them,
/// assumes a role, runs a program or signs in with SSO, otherwise those of the standard chain.
///
/// # Errors
/// When the credentials or the Region are missing.
pub fn session_credentials(settings: &Settings) -> Result<SessionCredentials, AwsError> {
    let runtime = runtime().map_err(|error| AwsError::no_runtime(&error))?;
    let found = runtime.block_on(configuration::credentials_alone(settings))?;
    Ok(SessionCredentials {
        access_key_id: found.access_key_id().to_owned(),
        secret_access_key: found.secret_access_key().to_owned(),
        session_token: found.session_token().map(str::to_owned),
    })
}
