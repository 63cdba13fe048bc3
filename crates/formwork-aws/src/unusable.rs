//! Reasons why a configuration of AWS cannot be used, with their places: the SDK has none.

use std::path::{Path, PathBuf};

use crate::aws_error::{AwsError, AwsErrorKind};
use crate::settings::Settings;
use crate::sign_in::sign_in_with;

/// The environment of the process.
type Variable<'v> = &'v dyn Fn(&str) -> Option<String>;

/// A line of a configuration file that is neither a section nor a setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slip {
    line: usize,
    what: &'static str,
    help: &'static str,
}

/// Returns the error of missing credentials whose reason is known better than by `detail`, the words of the SDK.
pub(crate) fn explain(settings: &Settings, detail: &str) -> Option<AwsError> {
    let profile = settings.profile.clone().or_else(|| variable("AWS_PROFILE"));
    if detail.contains("could not parse profile file") {
        return broken_file();
    }
    half(profile.as_deref(), detail).or_else(|| half_in_environment(settings, &variable)).or_else(|| {
        let is_sso = detail.contains("SSO");
        is_sso.then(|| signed_out(profile.as_deref(), detail))
    })
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Returns the error of a configuration file that cannot be read, with its line.
pub(crate) fn broken_file() -> Option<AwsError> {
    files(&variable).into_iter().find_map(|path| broken(&path, std::fs::read_to_string(&path).ok()?.as_str()))
}

fn signed_out(profile: Option<&str>, detail: &str) -> AwsError {
    let message = match profile {
        Some(name) => format!("the profile {name} is not signed in"),
        None => "the default profile is not signed in".to_owned(),
    };
    AwsError {
        kind: AwsErrorKind::Credentials,
        message,
        detail: Some(detail.to_owned()),
        help: format!("sign in: `{}`", sign_in_with(profile)),
    }
}

/// The files that the SDK reads.
fn files(variable: Variable<'_>) -> Vec<PathBuf> {
    let home = variable("HOME").or_else(|| variable("USERPROFILE")).map(PathBuf::from);
    let file = |name: &str, usual: &str| {
        variable(name).map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(".aws").join(usual)))
    };
    [file("AWS_CONFIG_FILE", "config"), file("AWS_SHARED_CREDENTIALS_FILE", "credentials")]
        .into_iter()
        .flatten()
        .collect()
}

/// The error of a file with a line that cannot be read. The line is not quoted: it may hold a secret.
fn broken(path: &Path, text: &str) -> Option<AwsError> {
    let slip = slip(text)?;
    Some(AwsError {
        kind: AwsErrorKind::Credentials,
        message: format!("{}:{}: {}", path.display(), slip.line, slip.what),
        detail: None,
        help: slip.help.to_owned(),
    })
}

fn slip(text: &str) -> Option<Slip> {
    let (mut has_section, mut has_setting) = (false, false);
    for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let found = |what, help| Some(Slip { line: at + 1, what, help });
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        let is_continued = line.starts_with([' ', '\t']) && has_setting;
        if is_continued {
            continue;
        }
        if trimmed.starts_with('[') {
            if !trimmed.contains(']') {
                return found("the name of the profile is not closed", "write `[NAME]`");
            }
            (has_section, has_setting) = (true, false);
        } else if !trimmed.contains('=') {
            return found("the setting has no value", "write `NAME = VALUE`");
        } else if trimmed.starts_with('=') {
            return found("the setting has no name", "write `NAME = VALUE`");
        } else if !has_section {
            return found("the setting is above the first profile", "write `[default]` above it");
        } else {
            has_setting = true;
        }
    }
    None
}

/// The error of a profile with one half of a key.
fn half(profile: Option<&str>, detail: &str) -> Option<AwsError> {
    let (missing, other) = halves(|name| detail.contains(&format!("missing {name}")))?;
    let profile = profile.unwrap_or("default");
    Some(AwsError {
        kind: AwsErrorKind::Credentials,
        message: format!("the profile {profile} has {other}, and no {missing}"),
        detail: None,
        help: format!("add {missing} to the profile, or `aws configure --profile {profile}`, which asks for both"),
    })
}

fn halves(is_missing: impl Fn(&str) -> bool) -> Option<(&'static str, &'static str)> {
    let names = ["aws_secret_access_key", "aws_access_key_id"];
    let at = names.iter().position(|name| is_missing(name))?;
    Some(if at == 0 { (names[0], names[1]) } else { (names[1], names[0]) })
}

fn half_in_environment(settings: &Settings, variable: Variable<'_>) -> Option<AwsError> {
    let is_set = |name: &str| variable(name).is_some();
    let (missing, other) = match (is_set("AWS_ACCESS_KEY_ID"), is_set("AWS_SECRET_ACCESS_KEY")) {
        (true, false) => ("AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID"),
        (false, true) => ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
        _ => return None,
    };
    // Keys of the environment do not count when a profile is chosen.
    settings.profile.is_none().then(|| AwsError {
        kind: AwsErrorKind::Credentials,
        message: format!("{other} is set, and {missing} is not"),
        detail: None,
        help: format!("set {missing}, too, or name a profile with --profile"),
    })
}

/// The error of an endpoint without a scheme: of an option, the environment or the profile, which `configured` is from.
pub(crate) fn endpoint(settings: &Settings, configured: Option<&str>) -> Option<AwsError> {
    let is_ignored =
        std::env::var("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
    let own = settings.endpoint_url.iter().map(|url| ("--endpoint-url".to_owned(), url.clone()));
    let variables =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let mut variables: Vec<(String, String)> =
        variables.filter(|(name, _)| !is_ignored && name.starts_with("AWS_ENDPOINT_URL")).collect();
    variables.sort();
    let profile = configured.map(|url| ("endpoint_url of the profile".to_owned(), url.to_owned()));
    own.chain(variables).chain(profile).find_map(|(from, url)| without_scheme(&from, &url))
}

fn without_scheme(from: &str, url: &str) -> Option<AwsError> {
    let lower = url.to_ascii_lowercase();
    if url.is_empty() || lower.starts_with("http://") || lower.starts_with("https://") {
        return None;
    }
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let is_local =
        ["localhost", "127.", "0.0.0.0", "[::1]", "host.docker.internal"].iter().any(|host| rest.starts_with(host));
    let scheme = if is_local { "http" } else { "https" };
    Some(AwsError {
        kind: AwsErrorKind::Region,
        message: format!("the endpoint `{url}` does not begin with http:// or https://"),
        detail: None,
        help: format!("write `{scheme}://{rest}`: it is {from}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_line_is_found_and_not_shown() {
        for (text, line) in [
            ("[default]\naws_access_key_id = A\nhunter2\n", 3),
            ("# a\n\n[default\nx = y\n", 3),
            ("x = y\n[default]\n", 1),
            ("[a]\n= hunter2\n", 2),
            ("[a]\ns3 =\n  x = 1\n[b]\n  hunter2\n", 5),
        ] {
            let error = broken(Path::new("/home/u/.aws/credentials"), text).expect(text);
            assert!(error.message.starts_with(&format!("/home/u/.aws/credentials:{line}: ")), "{}", error.message);
            assert!(!format!("{error:?}").contains("hunter2"));
        }
        for text in ["", "[a]\nx = y\n", "[a]\ns3 =\n  x\n", "\u{feff}[a] # c\nx=\n; z"] {
            assert_eq!(slip(text), None, "{text}");
        }
    }

    #[test]
    fn one_half_of_a_key_is_named() {
        let error = half(Some("work"), "invalid credential source in `work`: profile missing aws_secret_access_key");
        let error = error.expect("a half");
        assert_eq!(error.message, "the profile work has aws_access_key_id, and no aws_secret_access_key");
        assert_eq!(half(None, "no credentials found in chain"), None);
        let variable = |name: &str| (name == "AWS_ACCESS_KEY_ID").then(|| "a".to_owned());
        let error = half_in_environment(&Settings::default(), &variable).expect("a half");
        assert_eq!(error.message, "AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not");
        assert_eq!(half_in_environment(&Settings::default(), &|_| Some("a".to_owned())), None);
    }

    #[test]
    fn an_endpoint_has_a_scheme() {
        for (url, want) in [
            ("localhost:4566", "http://localhost:4566"),
            ("127.0.0.1", "http://127.0.0.1"),
            ("cfn.example.com", "https://cfn.example.com"),
            ("htp://localhost:1", "http://localhost:1"),
        ] {
            let error = without_scheme("AWS_ENDPOINT_URL", url).expect(url);
            assert_eq!(error.help, format!("write `{want}`: it is AWS_ENDPOINT_URL"));
        }
        for url in ["", "http://localhost", "HTTPS://a"] {
            assert_eq!(without_scheme("x", url), None, "{url}");
        }
    }
}
