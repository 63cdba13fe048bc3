//! The account that arguments mean.

use crate::args::AwsArgs;
use crate::terminal::say_line;

impl AwsArgs {
    /// Whom to ask, in a Region; the configuration file names the profile when the command line does not.
    pub(crate) fn settings(
        &self,
        region: Option<String>,
        configured_profile: Option<String>,
    ) -> formwork_aws::Settings {
        static WARNED: std::sync::Once = std::sync::Once::new();
        if self.no_verify_ssl {
            WARNED.call_once(|| {
                say_line(
                    "warning: --no-verify-ssl: certificates of AWS endpoints are not verified; anybody on the way can read and change what is sent",
                );
            });
        }
        formwork_aws::Settings {
            region,
            profile: self.profile.clone().or(configured_profile),
            endpoint_url: self.endpoint_url.clone(),
            ca_bundle: self.ca_bundle.clone(),
            verifies_certificates: !self.no_verify_ssl,
            ..formwork_aws::Settings::default()
        }
    }
}
