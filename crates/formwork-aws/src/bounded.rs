//! Limits the size of responses, whatever a server sends. Each response also stores the address that it came from, for
//! messages.

use aws_smithy_runtime_api::client::connector_metadata::ConnectorMetadata;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use http_body_util::Limited;

/// Maximum size in bytes of a response. The largest are modules, 50 MiB; pages of listings have a few.
pub(crate) const LIMIT: usize = 64 << 20;

/// The address that a response came from, without query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Origin(pub(crate) String);

/// Limits the responses of a client to [`LIMIT`] bytes. A longer one fails while it is read.
pub(crate) fn client(inner: SharedHttpClient) -> SharedHttpClient {
    SharedHttpClient::new(Bounded { inner })
}

#[derive(Debug)]
struct Bounded<T> {
    inner: T,
}

impl HttpClient for Bounded<SharedHttpClient> {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(Bounded { inner: self.inner.http_connector(settings, components) })
    }

    fn connector_metadata(&self) -> Option<ConnectorMetadata> {
        self.inner.connector_metadata()
    }
}

impl HttpConnector for Bounded<SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let origin = request.uri().split('?').next().unwrap_or_default().to_owned();
        let answer = self.inner.call(request);
        HttpConnectorFuture::new(async move {
            let mut response = answer.await?.map(|body| body.map_preserve_contents(limited));
            response.add_extension(Origin(origin));
            Ok(response)
        })
    }
}

fn limited(body: SdkBody) -> SdkBody {
    // An announced length above the limit is enough to reject the response.
    let is_too_long = body.content_length().is_some_and(|length| length > LIMIT as u64);
    SdkBody::from_body_1_x(Limited::new(body, if is_too_long { 0 } else { LIMIT }))
}

pub(crate) fn origin(response: &HttpResponse) -> &str {
    response.extension::<Origin>().map_or("", |origin| origin.0.as_str())
}
