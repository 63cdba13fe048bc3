//! Profiles whose role needs the code of an MFA device (`mfa_serial`), for which the SDK does not ask.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use aws_config::profile::{self, ProfileFileCredentialsProvider, ProfileSet};
use aws_config::provider_config::ProviderConfig;
use aws_credential_types::Credentials;
use aws_credential_types::provider::ProvideCredentials;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;
use aws_types::SdkConfig;
use aws_types::os_shim_internal::{Env, Fs};

use crate::aws_error::{AwsError, AwsErrorKind};
use crate::call_error::{CallError, deepest};
use crate::service::Service;
use crate::settings::Settings;
use crate::xml_api::{Api, Element, QueryRequest};

/// Sessions of this run by profile: a code can be used once.
static SESSIONS: Mutex<BTreeMap<String, Credentials>> = Mutex::new(BTreeMap::new());

#[derive(Clone, PartialEq, Eq, Debug)]
struct Role {
    profile: String,
    arn: String,
    source: Option<String>,
    serial: Option<String>,
    parameters: Vec<(&'static str, String)>,
}

/// Keys of a profile, and the parameters of `AssumeRole` that they set.
const PARAMETERS: [(&str, &str); 2] = [("external_id", "ExternalId"), ("duration_seconds", "DurationSeconds")];

/// Returns the credentials of the current profile, if a role in its chain needs a code; `None` for every other profile,
/// and when keys in the environment take precedence.
///
/// # Errors
/// When the code cannot be asked for, or a role cannot be assumed.
pub(crate) async fn credentials(
    settings: &Settings,
    config: &SdkConfig,
    http_client: &SharedHttpClient,
) -> Result<Option<Credentials>, AwsError> {
    let Some(name) = used_profile(settings) else { return Ok(None) };
    let Some(profiles) = load().await else { return Ok(None) };
    let roles = roles(&name, |profile, key| profiles.get_profile(profile)?.get(key).map(str::to_owned));
    let Some(first) = roles.last() else { return Ok(None) };
    if let Some(known) = sessions().get(&name).filter(|known| is_fresh(known)) {
        return Ok(Some(known.clone()));
    }
    let mut credentials = of_source(first, &profiles, config, http_client).await?;
    for role in roles.iter().rev() {
        credentials = assume(role, credentials, settings, config).await?;
    }
    sessions().insert(name, credentials.clone());
    Ok(Some(credentials))
}

fn sessions() -> std::sync::MutexGuard<'static, BTreeMap<String, Credentials>> {
    SESSIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_fresh(credentials: &Credentials) -> bool {
    credentials.expiry().is_none_or(|end| end > SystemTime::now())
}

/// Returns the current profile; `None` when the environment has keys.
fn used_profile(settings: &Settings) -> Option<String> {
    if settings.profile.is_some() {
        return settings.profile.clone();
    }
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let has_keys = set("AWS_ACCESS_KEY_ID").is_some() && set("AWS_SECRET_ACCESS_KEY").is_some();
    (!has_keys).then(|| set("AWS_PROFILE").unwrap_or_else(|| "default".to_owned()))
}

#[allow(clippy::default_trait_access, reason = "the type of the standard files has no public name here")]
async fn load() -> Option<ProfileSet> {
    let (files, environment, places) = (Fs::real(), Env::real(), Default::default());
    profile::load(&files, &environment, &places, None).await.ok()
}

/// Returns the chain of roles to assume, that of the profile first, up to the last one that needs a code; empty when no
/// role does.
fn roles(name: &str, value: impl Fn(&str, &str) -> Option<String>) -> Vec<Role> {
    let mut found: Vec<Role> = Vec::new();
    let mut next = Some(name.to_owned());
    while let Some(profile) = next.take().filter(|next| found.iter().all(|role| role.profile != *next)) {
        let Some(arn) = value(&profile, "role_arn") else { break };
        let set = PARAMETERS.iter().filter_map(|(key, name)| Some((*name, value(&profile, key)?)));
        let session = value(&profile, "role_session_name").unwrap_or_else(|| "formwork".to_owned());
        let parameters = set.chain([("RoleSessionName", session)]).collect();
        let (source, serial) = (value(&profile, "source_profile"), value(&profile, "mfa_serial"));
        next.clone_from(&source);
        found.push(Role { profile, arn, source, serial, parameters });
    }
    let needed = found.iter().rposition(|role| role.serial.is_some()).map_or(0, |at| at + 1);
    found.truncate(needed);
    found
}

async fn of_source(
    role: &Role,
    profiles: &ProfileSet,
    config: &SdkConfig,
    http_client: &SharedHttpClient,
) -> Result<Credentials, AwsError> {
    let none = |detail: String| AwsError::no_credentials(Some(&role.profile), detail);
    let Some(source) = &role.source else {
        return Err(none("it has mfa_serial, and no source_profile".to_owned()));
    };
    if *source == role.profile {
        let value = |key: &str| profiles.get_profile(source)?.get(key).map(str::to_owned);
        let keys = value("aws_access_key_id").zip(value("aws_secret_access_key"));
        let (id, secret) = keys.ok_or_else(|| none("it is its own source_profile, and has no keys".to_owned()))?;
        return Ok(Credentials::new(id, secret, value("aws_session_token"), None, "profile"));
    }
    let provider = ProviderConfig::without_region().with_http_client(http_client.clone());
    let provider = provider.with_region(config.region().cloned());
    let provider = ProfileFileCredentialsProvider::builder().configure(&provider).profile_name(source).build();
    let found = provider.provide_credentials().await;
    found.map_err(|error| AwsError::no_credentials(Some(source), deepest(&error).unwrap_or_else(|| error.to_string())))
}

async fn assume(
    role: &Role,
    credentials: Credentials,
    settings: &Settings,
    config: &SdkConfig,
) -> Result<Credentials, AwsError> {
    let mut call = QueryRequest::new("AssumeRole").with("RoleArn", &role.arn);
    for (name, value) in &role.parameters {
        call = call.with(name, value);
    }
    if let Some(serial) = &role.serial {
        let code = settings.ask_code.and_then(|ask| ask(serial)).filter(|code| !code.is_empty());
        let code = code.ok_or_else(|| needs_code(&role.profile, serial))?;
        call = call.with("SerialNumber", serial).with("TokenCode", &code);
    }
    let region = config.region().map(ToString::to_string).unwrap_or_default();
    let api = Api::new(Service::Sts, &region, &credentials, config).await;
    let answer = api.call(api.query(call)).await.map_err(|failure| not_assumed(role, &failure))?;
    session(&answer).ok_or_else(|| not_assumed(role, &CallError::malformed("it has no credentials")))
}

fn session(answer: &Element) -> Option<Credentials> {
    let keys = answer.child("Credentials")?;
    let end = DateTime::from_str(keys.text_of("Expiration")?, Format::DateTimeWithOffset).ok()?;
    let (id, secret) = (keys.string_of("AccessKeyId")?, keys.string_of("SecretAccessKey")?);
    Some(Credentials::new(id, secret, keys.string_of("SessionToken"), SystemTime::try_from(end).ok(), "AssumeRole"))
}

fn needs_code(profile: &str, serial: &str) -> AwsError {
    AwsError {
        kind: AwsErrorKind::Credentials,
        message: format!("the profile {profile} needs the code of the MFA device {serial}"),
        detail: None,
        help: "run the command on a terminal, where it asks for the code, or pass the keys of a session: `aws configure export-credentials`".to_owned(),
    }
}

fn not_assumed(role: &Role, failure: &CallError) -> AwsError {
    let Role { profile, arn, .. } = role;
    let help = match &role.serial {
        Some(_) => "type a code that was not used before, and look at mfa_serial, role_arn and source_profile",
        None => "look at role_arn and source_profile of the profile",
    };
    AwsError {
        kind: AwsErrorKind::Credentials,
        message: format!("the role {arn} of the profile {profile} cannot be assumed"),
        detail: Some(failure.sentence().map_or_else(|| failure.kind.words().to_owned(), str::to_owned)),
        help: help.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILES: [(&str, &str, &str); 11] = [
        ("plain", "aws_access_key_id", "a"),
        ("role", "role_arn", "arn:role"),
        ("role", "source_profile", "plain"),
        ("mfa", "role_arn", "arn:mfa"),
        ("mfa", "source_profile", "plain"),
        ("mfa", "mfa_serial", "arn:device"),
        ("mfa", "duration_seconds", "900"),
        ("behind", "role_arn", "arn:behind"),
        ("behind", "source_profile", "mfa"),
        ("circle", "role_arn", "arn:circle"),
        ("circle", "source_profile", "circle"),
    ];

    fn arns(name: &str) -> Vec<String> {
        let value = |profile: &str, key: &str| {
            let found = PROFILES.iter().find(|(of, known, _)| *of == profile && *known == key);
            found.map(|(_, _, value)| (*value).to_owned())
        };
        roles(name, value).into_iter().map(|role| role.arn).collect()
    }

    #[test]
    fn roles_up_to_the_last_one_that_needs_a_code() {
        for name in ["plain", "role", "circle", "absent"] {
            assert_eq!(arns(name), Vec::<String>::new(), "{name}");
        }
        assert_eq!(arns("mfa"), ["arn:mfa"]);
        assert_eq!(arns("behind"), ["arn:behind", "arn:mfa"]);
    }

    #[test]
    fn a_session_has_an_end() {
        let answer = |end: &str| {
            let text = format!(
                "<R><Credentials><AccessKeyId>A</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>{end}</Expiration></Credentials></R>"
            );
            session(&Element::parse(&text).expect("well-formed"))
        };
        let found = answer("2099-01-01T00:00:00Z").expect("a session");
        assert_eq!((found.access_key_id(), found.session_token(), is_fresh(&found)), ("A", Some("t"), true));
        assert!(!is_fresh(&answer("2020-01-01T00:00:00Z").expect("a session")));
        assert!(answer("").is_none());
    }
}
