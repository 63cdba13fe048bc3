//! Logins of ECR registries.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::interrupt::Interrupt;
use crate::aws_error::{AwsError, AwsErrorKind, TRUST};
use crate::call_error::{CallError, CallErrorKind};
use crate::configuration::configuration;
use crate::credentials;
use crate::json_api::{JsonApi, JsonRequest};
use crate::runtime::runtime;
use crate::service::Service;
use crate::settings::{Settings, configured_region};

const OPERATION: &str = "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken";
const PERMISSION: &str = "ecr:GetAuthorizationToken";

/// A login that ECR returned, valid for twelve hours.
#[derive(Clone, PartialEq, Eq)]
pub struct EcrLogin {
    /// The registry of the account: `HOST[:PORT]`.
    pub host: String,
    /// User name.
    pub user: String,
    /// Password.
    pub password: String,
}

impl std::fmt::Debug for EcrLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EcrLogin").field("host", &self.host).finish_non_exhaustive()
    }
}

/// Requests a login from ECR in the Region of `settings`, which every registry of that Region accepts.
///
/// # Errors
/// When no Region is known, when the credentials are missing, or when ECR rejects the call.
pub fn ecr_login(settings: &Settings, interrupt: &Interrupt) -> Result<EcrLogin, AwsError> {
    let settings = Settings { region: configured_region(settings), ..settings.clone() };
    let runtime = runtime().map_err(|error| AwsError::no_runtime(&error))?;
    runtime.block_on(async {
        tokio::select! {
            login = ask(&settings) => login,
            () = interrupt.wait() => Err(AwsError::interrupted()),
        }
    })
}

async fn ask(settings: &Settings) -> Result<EcrLogin, AwsError> {
    let (config, region) = configuration(settings).await?;
    let credentials = credentials::of(&config, settings.profile.as_deref()).await?;
    let request = JsonRequest::of_target(OPERATION, &json!({})).version_1_1();
    let ecr = JsonApi::new(Service::Ecr, &region, &credentials, &config).await;
    let answer = ecr.call(request).await.map_err(refused)?;
    login(&answer).ok_or_else(|| refused(CallError::malformed("it has no login")))
}

fn login(answer: &Value) -> Option<EcrLogin> {
    let data = &answer["authorizationData"][0];
    let decoded = BASE64_STANDARD.decode(data["authorizationToken"].as_str()?).ok()?;
    let (user, password) = std::str::from_utf8(&decoded).ok()?.split_once(':')?;
    let endpoint = data["proxyEndpoint"].as_str()?;
    let host = endpoint.split_once("://").map_or(endpoint, |(_, host)| host).trim_end_matches('/');
    Some(EcrLogin { host: host.to_owned(), user: user.to_owned(), password: password.to_owned() })
}

fn refused(failure: CallError) -> AwsError {
    let made = |kind, message: String, help: &str| AwsError {
        kind,
        message,
        detail: failure.detail.clone(),
        help: help.to_owned(),
    };
    match failure.kind {
        CallErrorKind::Credentials if failure.code.as_deref().is_some_and(|code| code.starts_with("Expired")) => {
            AwsError::expired(failure.detail)
        }
        CallErrorKind::Credentials => AwsError::rejected(&failure),
        CallErrorKind::Denied => made(
            AwsErrorKind::Denied,
            format!("the permission {PERMISSION} is missing"),
            "allow ecr:GetAuthorizationToken for these credentials, or name others with --profile",
        ),
        CallErrorKind::Untrusted => {
            made(AwsErrorKind::Failed, "the certificate of ECR is not trusted".to_owned(), TRUST)
        }
        _ => made(
            AwsErrorKind::Failed,
            "ECR returned no login".to_owned(),
            "try again; look at the network, the Region, HTTPS_PROXY and AWS_ENDPOINT_URL_ECR",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins() {
        let token = BASE64_STANDARD.encode("AWS:secret");
        let answer = |token: &str, endpoint: &str| json!({"authorizationData": [{"authorizationToken": token, "proxyEndpoint": endpoint}]});
        let found = login(&answer(&token, "https://1.dkr.ecr.eu-west-1.amazonaws.com")).expect("a login");
        assert_eq!((found.user.as_str(), found.password.as_str()), ("AWS", "secret"));
        assert_eq!(found.host, "1.dkr.ecr.eu-west-1.amazonaws.com");
        assert!(!format!("{found:?}").contains("secret"));
        assert_eq!(login(&answer("!", "https://x")), None);
        assert_eq!(login(&json!({})), None);
    }
}
