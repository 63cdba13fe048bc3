//! The HTTP client that all calls share.

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

/// An HTTPS client on rustls with ring, which trusts the authorities of `trust`. Unlike the SDK's own it goes
/// through the proxies that the environment names, as the AWS CLI does, and reads no answer without end.
pub(crate) fn client(trust: &TlsContext) -> SharedHttpClient {
    let trust = trust.clone();
    bounded::client(
        Builder::new().build_with_connector_fn(move |settings, components| connector(settings, components, &trust)),
    )
}

/// The same client, but it verifies no certificate.
pub(crate) fn unverified(trust: &TlsContext) -> SharedHttpClient {
    let trust = trust.clone();
    bounded::client(http_client_fn(move |settings, components| {
        let plain = connector(Some(settings), Some(components), &trust);
        match Unverified::new(plain) {
            Ok(unverified) => SharedHttpConnector::new(unverified),
            // Then nothing is called without it: a client that verifies is the safe one.
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
