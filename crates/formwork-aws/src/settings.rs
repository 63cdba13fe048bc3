//! The caller's settings for the account that is asked.

use std::path::PathBuf;
use std::time::Duration;

use aws_config::environment::EnvironmentVariableRegionProvider;
use aws_config::meta::region::RegionProviderChain;
use aws_config::profile::ProfileFileRegionProvider;

use crate::runtime::runtime;

/// Asks a person for the code of an MFA device, by its serial number; `None` when nobody can be asked.
pub type AskCode = fn(&str) -> Option<String>;

/// Which account and Region are asked, and how. What is not set comes from the standard chain of the
/// SDK: environment, profiles, SSO, the machine's role.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The Region.
    pub region: Option<String>,
    /// The profile whose credentials and settings are used, whatever the environment names.
    pub profile: Option<String>,
    /// Where all calls go, instead of the endpoints of the Region.
    pub endpoint_url: Option<String>,
    /// A PEM file of the certificate authorities that are trusted, in place of what environment and profile name.
    pub ca_bundle: Option<PathBuf>,
    /// Whether the certificates of endpoints are verified.
    pub verifies_certificates: bool,
    /// Asks for the code of an MFA device, where a profile needs one; `None` when nobody can be asked.
    pub ask_code: Option<AskCode>,
    /// How long one attempt of a call may take.
    pub attempt_timeout: Duration,
    /// How long a call may take with all its attempts.
    pub call_timeout: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            region: None,
            profile: None,
            endpoint_url: None,
            ca_bundle: None,
            verifies_certificates: true,
            ask_code: None,
            attempt_timeout: Duration::from_secs(30),
            call_timeout: Duration::from_mins(2),
        }
    }
}

/// The Region that environment and profile name, without asking the network.
pub fn configured_region(settings: &Settings) -> Option<String> {
    if settings.region.is_some() {
        return settings.region.clone();
    }
    let mut profile = ProfileFileRegionProvider::builder();
    if let Some(name) = &settings.profile {
        profile = profile.profile_name(name);
    }
    let chain = RegionProviderChain::first_try(EnvironmentVariableRegionProvider::new()).or_else(profile.build());
    let region = runtime().ok()?.block_on(chain.region());
    region.map(|region| region.to_string()).filter(|region| !region.is_empty())
}
