//! Signatures (version 4).

use std::time::SystemTime;

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::identity::Identity;
use aws_smithy_runtime_api::client::interceptors::Intercept;
use aws_smithy_runtime_api::client::interceptors::context::BeforeTransmitInterceptorContextMut;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::config_bag::ConfigBag;

/// Signs each attempt again: a signature holds the time.
#[derive(Debug)]
pub(crate) struct Sign {
    identity: Identity,
    service: &'static str,
    region: String,
}

impl Sign {
    pub(crate) fn new(credentials: &Credentials, service: &'static str, region: String) -> Sign {
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
            .name(self.service)
            .time(now)
            .settings(SigningSettings::default())
            .build()?;
        let request = context.request_mut();
        let instructions = {
            let headers = request.headers().iter();
            let body = SignableBody::Bytes(request.body().bytes().unwrap_or_default());
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
