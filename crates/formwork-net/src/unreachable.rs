//! Explains errors of the network, with advice.

use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;

use url::Url;

use crate::RemoteError;

pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

const TRUST: &str = "name the PEM file of the certificate authority in SSL_CERT_FILE or AWS_CA_BUNDLE, for instance that of your organization's proxy";
const NETWORK: &str = "check the address and the network; behind a proxy set HTTPS_PROXY, and NO_PROXY for hosts that are reached without it";

/// Describes why a request with this time limit failed. `proxy` is the proxy that was used.
pub(crate) fn words(url: &Url, proxy: Option<&str>, patience: Duration, error: ureq::Error) -> RemoteError {
    let host = url.host_str().unwrap_or_default();
    let found = |why: String, help: &str| RemoteError::Unreachable { why, help: help.to_owned() };
    let through = proxy.map_or_else(String::new, |proxy| format!(" through the proxy {proxy}"));
    match error {
        ureq::Error::Other(inner) => match inner.downcast::<RemoteError>() {
            Ok(refused) => *refused,
            Err(other) => found(format!("{host} cannot be reached{through}: {other}"), NETWORK),
        },
        ureq::Error::Timeout(_) => {
            found(format!("{host} does not respond within {} seconds{through}", patience.as_secs()), NETWORK)
        }
        ureq::Error::ConnectProxyFailed(why) => found(
            format!("the proxy {} does not connect to {host}: {why}", proxy.unwrap_or_default()),
            "check HTTPS_PROXY, including its user and password, and whether the proxy allows the host; NO_PROXY lists hosts that are reached without it",
        ),
        ureq::Error::HostNotFound => match proxy {
            Some(proxy) => found(format!("the proxy {proxy} is not found"), "check HTTPS_PROXY"),
            None => found(format!("the host {host} is not found"), NETWORK),
        },
        error if is_tls(&error) => {
            found(format!("the certificate of {host} is not trusted{through}: {}", innermost(&error)), TRUST)
        }
        ureq::Error::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
            found(format!("{host} closed the connection{through}"), NETWORK)
        }
        error => found(format!("{host} cannot be reached{through}: {}", innermost(&error)), NETWORK),
    }
}

/// Returns `true` for an error of trust: one of rustls, or of I/O that contains one.
fn is_tls(error: &ureq::Error) -> bool {
    let is_certificate = |error: &rustls::Error| matches!(error, rustls::Error::InvalidCertificate(_));
    match error {
        ureq::Error::Rustls(error) => is_certificate(error),
        ureq::Error::Io(error) => {
            let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
            inner.is_some_and(is_certificate)
        }
        _ => false,
    }
}

fn innermost(error: &ureq::Error) -> String {
    let mut cause: &(dyn Error + 'static) = match error {
        ureq::Error::Io(error) => error,
        other => other,
    };
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}
