//! The caller's settings of AWS access.

use std::path::PathBuf;
use std::time::Duration;

use aws_config::environment::EnvironmentVariableRegionProvider;
use aws_config::meta::region::RegionProviderChain;
use aws_config::profile::ProfileFileRegionProvider;

use crate::runtime::runtime;

/// Asks a person for the code of an MFA device, by its serial number; `None` when nobody can be asked.
pub type AskCode = fn(&str) -> Option<String>;

/// The account and Region, and the settings of calls. Unset values come from the standard chain of the SDK:
/// environment, profiles, SSO, the machine's role.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The Region.
    pub region: Option<String>,
    /// The profile whose credentials and settings are used, whatever the environment sets.
    pub profile: Option<String>,
    /// The endpoint of all calls, instead of those of the Region.
    pub endpoint_url: Option<String>,
    /// A PEM file of the trusted certificate authorities, in place of that of environment and profile.
    pub ca_bundle: Option<PathBuf>,
    /// Verifies the certificates of endpoints.
    pub verifies_certificates: bool,
    /// Asks for the code of an MFA device, where a profile needs one; `None` when nobody can be asked.
    pub ask_code: Option<AskCode>,
    /// Time limit for one attempt of a call.
    pub attempt_timeout: Duration,
    /// Time limit for a call with all its attempts.
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

/// Returns the Region of environment and profile, without network access.
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
