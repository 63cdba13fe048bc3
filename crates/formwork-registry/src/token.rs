//! Tokens of the service that a registry names in its challenge.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use form_urlencoded::Serializer;
use formwork_remote::Client;
use serde_json::Value;
use ureq::http::Method;
use url::Url;

use crate::error::RegistryError;
use crate::exchange::{Body, Call, send};
use crate::login::{Login, is_loopback};

/// What the token service knows us as.
const CLIENT: &str = "formwork";

/// User and password as a header.
pub(crate) fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{password}")))
}

/// A token of `registry` for a scope, from the realm of a challenge.
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
