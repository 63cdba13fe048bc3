//! Calls without verification of certificates, for `--no-verify-ssl` (reference/account-data.md#live).
//!
//! The SDK's own client always verifies. So calls over HTTPS go through one of our own, which uses the same proxies;
//! calls without TLS stay with the SDK's.

use std::sync::Arc;

use aws_smithy_http_client::Connector;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connect, HttpConnector as Tcp};
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::TokioExecutor;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, SignatureScheme};

/// Accepts every certificate; the handshake itself is verified.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[derive(Debug)]
pub(crate) struct Unverified {
    /// For calls without TLS.
    plain: Connector,
    direct: Client<HttpsConnector<Tcp>, SdkBody>,
    tls: ClientConfig,
    proxies: Matcher,
}

impl Unverified {
    /// Creates a connector that uses `plain` for calls without TLS.
    pub(crate) fn new(plain: Connector) -> Result<Unverified, rustls::Error> {
        let provider = Arc::new(ring::default_provider());
        let tls = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
            .with_no_client_auth();
        let direct = client(HttpsConnector::from((tcp(), tls.clone())));
        Ok(Unverified { plain, direct, tls, proxies: Matcher::from_env() })
    }
}

impl HttpConnector for Unverified {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        if !request.uri().starts_with("https:") {
            return self.plain.call(request);
        }
        let request = match request.try_into_http1x() {
            Ok(request) => request,
            Err(error) => return HttpConnectorFuture::ready(Err(ConnectorError::user(error.into()))),
        };
        let Some(proxy) = self.proxies.intercept(request.uri()) else {
            return answer(self.direct.clone(), request);
        };
        let tunnel = Tunnel::new(proxy.uri().clone(), tcp());
        let tunnel = match proxy.basic_auth() {
            Some(credentials) => tunnel.with_auth(credentials.clone()),
            None => tunnel,
        };
        // Each call opens its own connection, which is slow for more than a few calls.
        answer(client(HttpsConnector::from((tunnel, self.tls.clone()))), request)
    }
}

fn tcp() -> Tcp {
    let mut tcp = Tcp::new();
    tcp.enforce_http(false);
    tcp
}

fn client<C: Connect + Clone>(connector: C) -> Client<C, SdkBody> {
    Client::builder(TokioExecutor::new()).build(connector)
}

fn answer<C>(client: Client<C, SdkBody>, request: http::Request<SdkBody>) -> HttpConnectorFuture
where
    C: Connect + Clone + Send + Sync + 'static,
{
    HttpConnectorFuture::new(async move {
        let response = client.request(request).await.map_err(|error| ConnectorError::io(error.into()))?;
        let response = response.map(SdkBody::from_body_1_x);
        HttpResponse::try_from(response).map_err(|error| ConnectorError::other(error.into(), None))
    })
}
