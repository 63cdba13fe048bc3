//! Credentials and Region of a profile of the AWS configuration (reference/local.md#credentials).

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Static credentials.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// `AWS_ACCESS_KEY_ID`.
    pub access_key: String,
    /// `AWS_SECRET_ACCESS_KEY`.
    pub secret_key: String,
    /// `AWS_SESSION_TOKEN`.
    pub token: Option<String>,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

/// Settings of a profile from which credentials are fetched.
const INDIRECT: [&str; 7] = [
    "role_arn",
    "credential_process",
    "credential_source",
    "web_identity_token_file",
    "sso_session",
    "sso_start_url",
    "login_session",
];

/// A profile of the AWS configuration.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// Static credentials, if any.
    pub credentials: Option<Credentials>,
    /// Set when credentials have to be fetched: by assuming a role, running a program, or signing in with SSO.
    pub is_indirect: bool,
    /// Region of the profile.
    pub region: Option<String>,
    /// Set when the configuration contains the profile.
    pub exists: bool,
}

impl Profile {
    /// Reads a profile from the files at `AWS_SHARED_CREDENTIALS_FILE` and `AWS_CONFIG_FILE`, otherwise those in
    /// `~/.aws`.
    pub fn read(name: &str, variable: impl Fn(&str) -> Option<String>) -> Profile {
        let home = variable("HOME").map(|home| Path::new(&home).join(".aws"));
        let file = |named: &str, own: &str| {
            let path = variable(named).map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(own)));
            path.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default()
        };
        Profile::of(name, &file("AWS_SHARED_CREDENTIALS_FILE", "credentials"), &file("AWS_CONFIG_FILE", "config"))
    }

    fn of(name: &str, credentials: &str, config: &str) -> Profile {
        let section = if name == "default" { name.to_owned() } else { format!("profile {name}") };
        let (own, configured) = (settings(credentials, name), settings(config, &section));
        let exists = own.is_some() || configured.is_some();
        let mut all = configured.unwrap_or_default();
        all.extend(own.unwrap_or_default());
        let is_indirect = INDIRECT.iter().any(|key| all.contains_key(*key));
        let mut take = |key: &str| all.remove(key);
        let credentials = match (take("aws_access_key_id"), take("aws_secret_access_key")) {
            (Some(access_key), Some(secret_key)) => {
                Some(Credentials { access_key, secret_key, token: take("aws_session_token") })
            }
            _ => None,
        };
        Profile { credentials, is_indirect, region: take("region"), exists }
    }
}

impl Credentials {
    /// Returns the credentials in the environment.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Option<Credentials> {
        Some(Credentials {
            access_key: variable("AWS_ACCESS_KEY_ID")?,
            secret_key: variable("AWS_SECRET_ACCESS_KEY")?,
            token: variable("AWS_SESSION_TOKEN"),
        })
    }

    /// Returns placeholder credentials: SDKs sign requests with them, and no AWS service accepts them.
    pub fn placeholder() -> Credentials {
        Credentials { access_key: "defaultkey".to_owned(), secret_key: "defaultsecret".to_owned(), token: None }
    }
}

/// Returns the settings of a section; `None` without it.
fn settings(text: &str, section: &str) -> Option<HashMap<String, String>> {
    let mut found: Option<HashMap<String, String>> = None;
    let mut is_inside = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) || line.starts_with([' ', '\t']) {
            continue;
        }
        if let Some(name) = trimmed.strip_prefix('[') {
            let name = name.split(']').next().unwrap_or_default();
            is_inside = name.split_whitespace().eq(section.split_whitespace());
            if is_inside {
                found.get_or_insert_default();
            }
        } else if let Some((key, value)) = trimmed.split_once('=').filter(|_| is_inside) {
            found.get_or_insert_default().insert(key.trim().to_lowercase(), value.trim().to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_of_both_files() {
        let credentials = "[default]\naws_access_key_id = A\naws_secret_access_key = B\n[work]\naws_access_key_id=C\naws_secret_access_key=D\naws_session_token = E=\n";
        let config = "# mine\n[default]\nregion = eu-west-1\n[profile work]\nregion=us-west-2\n  nested = x\n";
        let work = Profile::of("work", credentials, config);
        let want = Credentials { access_key: "C".into(), secret_key: "D".into(), token: Some("E=".into()) };
        assert_eq!((work.credentials.clone(), work.region.as_deref()), (Some(want), Some("us-west-2")));
        assert_eq!(Profile::of("default", credentials, config).region.as_deref(), Some("eu-west-1"));
        assert!(!Profile::of("other", credentials, config).exists);
        assert!(!work.is_indirect);
        let config = "[profile work]\nsso_session = corp\n";
        assert!(Profile::of("work", "", config).is_indirect);
    }
}
