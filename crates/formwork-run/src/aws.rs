//! The AWS account and credentials that the command line selects.

use formwork_project::{Failure, notes};

use crate::args::AwsArgs;
use crate::mfa::ask_code;
use crate::terminal::say_line;

impl AwsArgs {
    /// Returns the AWS settings for a Region; the configuration file provides the profile when the command line does
    /// not.
    ///
    /// # Errors
    /// When the profile does not exist.
    pub fn settings(
        &self,
        region: Option<String>,
        configured_profile: Option<String>,
    ) -> Result<formwork_aws::Settings, Failure> {
        notes::note_variables(&VARIABLES);
        let profile = self.profile.clone().or(configured_profile);
        let named = profile.clone().or_else(|| std::env::var("AWS_PROFILE").ok().filter(|name| !name.is_empty()));
        if let Some(name) = &named {
            check_profile(name)?;
            formwork_aws::know_profile(name);
        }
        static WARNED: std::sync::Once = std::sync::Once::new();
        if self.no_verify_ssl {
            WARNED.call_once(|| {
                say_line(
                    "warning: --no-verify-ssl: certificates of AWS endpoints are not verified; anybody on the way can read and change what is sent",
                );
            });
        }
        Ok(formwork_aws::Settings {
            region,
            profile,
            endpoint_url: self.endpoint_url.clone(),
            ca_bundle: self.ca_bundle.clone(),
            verifies_certificates: !self.no_verify_ssl,
            ask_code: Some(ask_code),
            ..formwork_aws::Settings::default()
        })
    }
}

/// Variables that select the account, the credentials and the endpoint. Their values are not printed.
const VARIABLES: [&str; 16] = [
    "AWS_PROFILE",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_S3",
    "AWS_CA_BUNDLE",
    "SSL_CERT_FILE",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "AWS_MAX_ATTEMPTS",
];

/// Maximum number of profiles that an error lists.
const NAMED: usize = 12;

/// Rejects a profile that neither the configuration nor the credentials file has.
///
/// # Errors
/// When the profile does not exist; the error lists those that do.
pub fn check_profile(name: &str) -> Result<(), Failure> {
    let Some(names) = formwork_aws::profile_names().filter(|names| !names.iter().any(|known| known == name)) else {
        return Ok(());
    };
    let help = match formwork::suggest::nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => format!("no profile exists; `aws configure --profile {name}` creates one"),
        None => {
            let known: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
            format!("the profiles are {}{}", known.join(", "), if names.len() > NAMED { ", ..." } else { "" })
        }
    };
    Err(format!("profile `{name}` does not exist in the AWS configuration\n  help: {help}").into())
}
