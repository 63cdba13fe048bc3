//! Requests tokens of the service in a registry's challenge.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use ureq::http::Method;
use url::Url;
use url::form_urlencoded::Serializer;

use super::error::RegistryError;
use super::exchange::{Body, Call, send};
use super::login::{Login, host_name};
use crate::client::Client;
use crate::guard::{address, is_loopback};

const CLIENT: &str = "formwork";

pub(crate) fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{password}")))
}

/// Requests a token for a scope of `registry`, from the realm of a challenge.
pub(crate) fn fetch(
    client: &Client,
    registry: &str,
    (realm, service): (&str, Option<&str>),
    scope: &str,
    login: Option<&Login>,
) -> Result<String, RegistryError> {
    let mut url =
        Url::parse(realm).map_err(|_| RegistryError::unclear(realm, "the realm of its challenge is not an address"))?;
    let host = url.host_str().unwrap_or_default().to_owned();
    if login.is_some() && !is_akin(host_name(registry), &host) {
        let help = format!("log out of {registry}, or use a registry whose token service is beside it");
        return Err(RegistryError::new(
            format!(
                "the registry {registry} names a token service of another domain, {host}, which does not get its login"
            ),
            help,
        ));
    }
    let is_safe = url.scheme() == "https" || url.scheme() == "http" && is_loopback(&host);
    if !is_safe {
        let help = "use a registry whose token service is reached by https";
        return Err(RegistryError::new(format!("the token service {host} is not reached by https"), help));
    }
    let form;
    let call = if let Some(Login::Identity(token)) = login {
        let mut text = Serializer::new(String::new());
        text.extend_pairs([("grant_type", "refresh_token"), ("client_id", CLIENT), ("refresh_token", token)]);
        text.extend_pairs([("service", service.unwrap_or_default()), ("scope", scope)]);
        form = text.finish();
        let call = Call::new(Method::POST, url).with("Content-Type", "application/x-www-form-urlencoded");
        call.body(Body::Bytes(form.as_bytes()))
    } else {
        url.query_pairs_mut().extend_pairs(service.map(|service| ("service", service))).append_pair("scope", scope);
        let call = Call::new(Method::GET, url);
        match login {
            Some(Login::Password { user, password }) => call.with("Authorization", basic(user, password)),
            _ => call,
        }
    };
    let answer = send(client, call, &|| false)?;
    if !answer.is_success() {
        return Err(RegistryError::of_answer(registry, "a request for a token", answer.status, answer.words()));
    }
    let value: Option<Value> = serde_json::from_slice(&answer.body).ok();
    let text = |name: &str| value.as_ref().and_then(|value| value[name].as_str()).filter(|token| !token.is_empty());
    let token = text("token").or_else(|| text("access_token"));
    token.map(str::to_owned).ok_or_else(|| RegistryError::unclear(&host, "it has no token"))
}

/// Returns `true` if a token service may receive the login of a registry: it is the registry itself, below it, or below
/// the same domain, as `auth.docker.io` is for `registry-1.docker.io`.
fn is_akin(registry: &str, service: &str) -> bool {
    let is_below =
        |domain: &str| service.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1);
    if registry == service {
        return true;
    }
    if address(registry).is_some() {
        return false;
    }
    // The last label alone is a public domain.
    let domain = registry.split_once('.').map(|(_, domain)| domain).filter(|domain| domain.contains('.'));
    is_below(registry) || domain.is_some_and(|domain| service == domain || is_below(domain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_services_of_the_domain_see_a_login() {
        for (registry, service) in [
            ("registry-1.docker.io", "auth.docker.io"),
            ("registry.gitlab.com", "gitlab.com"),
            ("quay.io", "quay.io"),
            ("r.example", "auth.r.example"),
            ("localhost", "localhost"),
            ("127.0.0.1", "127.0.0.1"),
        ] {
            assert!(is_akin(registry, service), "{registry} {service}");
        }
        for (registry, service) in [
            ("registry-1.docker.io", "auth.docker.io.evil.example"),
            ("registry-1.docker.io", "evildocker.io"),
            ("registry-1.docker.io", ".docker.io"),
            ("quay.io", "evil.io"),
            ("111122223333.dkr.ecr.eu-west-1.amazonaws.com", "evil.example"),
            ("127.0.0.1", "2.0.0.1"),
            ("localhost", "evil.example"),
            ("r.example", ""),
        ] {
            assert!(!is_akin(registry, service), "{registry} {service}");
        }
    }
}
