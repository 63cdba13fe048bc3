//! Signatures (version 4).

use std::time::SystemTime;

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{
    PayloadChecksumKind, PercentEncodingMode, SignableBody, SignableRequest, SigningSettings, UriPathNormalizationMode,
    sign,
};
use aws_sigv4::sign::v4;
use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::identity::Identity;
use aws_smithy_runtime_api::client::interceptors::Intercept;
use aws_smithy_runtime_api::client::interceptors::context::BeforeTransmitInterceptorContextMut;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::config_bag::ConfigBag;

use crate::service::Service;

/// The header with the SHA-256 of the body, in hexadecimal digits. A request with this header is signed with it, so
/// that its body is not hashed again for each attempt.
pub(crate) const CONTENT_SHA256: &str = "x-amz-content-sha256";

/// Signs each attempt again: a signature contains the time.
#[derive(Debug)]
pub(crate) struct Sign {
    identity: Identity,
    service: Service,
    region: String,
}

impl Sign {
    pub(crate) fn new(credentials: &Credentials, service: Service, region: String) -> Sign {
        Sign { identity: credentials.clone().into(), service, region }
    }
}

impl Intercept for Sign {
    fn name(&self) -> &'static str {
        "Sign"
    }

    fn modify_before_signing(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        components: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let now = components.time_source().map_or_else(SystemTime::now, |time| time.now());
        let params = v4::SigningParams::builder()
            .identity(&self.identity)
            .region(&self.region)
            .name(self.service.signing_name())
            .time(now)
            .settings(settings(self.service))
            .build()?;
        let request = context.request_mut();
        let instructions = {
            let headers = request.headers().iter();
            let body = match request.headers().get(CONTENT_SHA256) {
                Some(digest) => SignableBody::Precomputed(digest.to_owned()),
                None => SignableBody::Bytes(request.body().bytes().unwrap_or_default()),
            };
            let signable = SignableRequest::new(request.method(), request.uri(), headers, body)?;
            sign(signable, &params.into())?.into_parts().0
        };
        let (headers, _) = instructions.into_parts();
        for header in headers {
            request.headers_mut().try_insert(header.name(), header.value().to_owned())?;
        }
        Ok(())
    }
}

/// S3 requires paths as they are sent, and the digest of the body in a header.
fn settings(service: Service) -> SigningSettings {
    let mut settings = SigningSettings::default();
    if service == Service::S3 {
        settings.percent_encoding_mode = PercentEncodingMode::Single;
        settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
        settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
    }
    settings
}
