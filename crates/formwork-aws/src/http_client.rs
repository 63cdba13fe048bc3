//! The HTTP client of all calls.

use aws_smithy_http_client::proxy::ProxyConfig;
use aws_smithy_http_client::tls::{Provider, TlsContext, rustls_provider::CryptoMode};
use aws_smithy_http_client::{Builder, Connector};
use aws_smithy_runtime_api::client::http::{
    HttpConnectorSettings, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;

use crate::bounded;
use crate::resolver::SystemResolver;
use crate::unverified::Unverified;

/// Creates an HTTPS client on rustls with ring, which trusts the authorities of `trust`. Unlike the SDK's own it uses
/// the proxies of the environment, as the AWS CLI does, and limits the size of responses.
pub(crate) fn client(trust: &TlsContext) -> SharedHttpClient {
    let trust = trust.clone();
    bounded::client(
        Builder::new().build_with_connector_fn(move |settings, components| connector(settings, components, &trust)),
    )
}

/// Creates the same client without verification of certificates.
pub(crate) fn unverified(trust: &TlsContext) -> SharedHttpClient {
    let trust = trust.clone();
    bounded::client(http_client_fn(move |settings, components| {
        let plain = connector(Some(settings), Some(components), &trust);
        match Unverified::new(plain) {
            Ok(unverified) => SharedHttpConnector::new(unverified),
            // A client that verifies is the safe fallback.
            Err(_) => SharedHttpConnector::new(connector(Some(settings), Some(components), &trust)),
        }
    }))
}

fn connector(
    settings: Option<&HttpConnectorSettings>,
    components: Option<&RuntimeComponents>,
    trust: &TlsContext,
) -> Connector {
    let mut connector = Connector::builder().proxy_config(ProxyConfig::from_env());
    connector.set_connector_settings(settings.cloned());
    if let Some(components) = components {
        connector.set_sleep_impl(components.sleep_impl());
    }
    connector
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .tls_context(trust.clone())
        .build_with_resolver(SystemResolver)
}
