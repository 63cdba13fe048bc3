//! The synchronous interface: a call ends when the caller is interrupted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio::runtime::Runtime;

use super::request::JsonRequest;
use super::services::JsonServices;
use crate::aws_error::AwsError;
use crate::call_error::CallError;
use crate::configuration::lasting_configuration;
use crate::runtime::runtime;
use crate::service::Service;
use crate::settings::Settings;

const LOOKING: Duration = Duration::from_millis(50);

/// Lambda, Step Functions and API Gateway in one account and Region.
#[derive(Debug)]
pub struct JsonClient {
    runtime: Runtime,
    services: JsonServices,
}

impl JsonClient {
    /// Resolves Region and credentials by the standard chain. Nothing is sent yet.
    ///
    /// # Errors
    /// When the Region or the credentials are missing.
    pub fn open(settings: &Settings) -> Result<JsonClient, AwsError> {
        let runtime = runtime().map_err(|error| AwsError::no_runtime(&error))?;
        let (config, region) = runtime.block_on(lasting_configuration(settings))?;
        Ok(JsonClient { runtime, services: JsonServices::new(&config, &region) })
    }

    /// Makes a call and returns the response, null when it has no body; `None` once `interrupt` is set.
    ///
    /// # Errors
    /// When the call cannot be made, is rejected, or its response cannot be read, after all retries.
    pub fn call(
        &self,
        service: Service,
        request: JsonRequest,
        interrupt: &AtomicBool,
    ) -> Result<Option<Value>, CallError> {
        self.until(interrupt, self.services.call(service, request))
    }

    /// Waits; returns `false` once `interrupt` is set.
    pub fn pause(&self, pause: Duration, interrupt: &AtomicBool) -> bool {
        let waited = self.until(interrupt, async {
            tokio::time::sleep(pause).await;
            Ok(())
        });
        matches!(waited, Ok(Some(())))
    }

    fn until<T>(
        &self,
        interrupt: &AtomicBool,
        work: impl Future<Output = Result<T, CallError>>,
    ) -> Result<Option<T>, CallError> {
        let interrupted = async {
            while !interrupt.load(Ordering::Relaxed) {
                tokio::time::sleep(LOOKING).await;
            }
        };
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = interrupted => Ok(None),
                answer = work => answer.map(Some),
            }
        })
    }
}
