//! The HTTP client that all calls share.

use aws_smithy_http_client::proxy::ProxyConfig;
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use aws_smithy_http_client::{Builder, Connector};
use aws_smithy_runtime_api::client::http::SharedHttpClient;

/// An HTTPS client on rustls with ring, which trusts what the machine trusts. Unlike the SDK's own it
/// goes through the proxies that the environment names, as the AWS CLI does.
pub(crate) fn client() -> SharedHttpClient {
    Builder::new().build_with_connector_fn(|settings, components| {
        let mut connector = Connector::builder().proxy_config(ProxyConfig::from_env());
        connector.set_connector_settings(settings.cloned());
        if let Some(components) = components {
            connector.set_sleep_impl(components.sleep_impl());
        }
        connector.tls_provider(Provider::Rustls(CryptoMode::Ring)).build()
    })
}
