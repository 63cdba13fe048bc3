//! The synchronous front: a call that ends when the caller is interrupted.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use aws_credential_types::Credentials;
use aws_credential_types::provider::ProvideCredentials;
use aws_types::SdkConfig;
use serde_json::Value;
use tokio::runtime::Runtime;

use super::call::JsonApi;
use super::request::JsonRequest;
use crate::aws_error::AwsError;
use crate::call_error::{CallError, CallErrorKind, deepest};
use crate::configuration::lasting_configuration;
use crate::runtime::runtime;
use crate::service::Service;
use crate::settings::Settings;

/// How often it is looked whether a call is interrupted.
const LOOKING: Duration = Duration::from_millis(50);
/// Credentials are looked up again so long before they expire.
const EARLY: Duration = Duration::from_mins(5);

/// Lambda, Step Functions and API Gateway in one account and Region.
#[derive(Debug)]
pub struct JsonClient {
    runtime: Runtime,
    config: SdkConfig,
    region: String,
    credentials: RefCell<Option<Credentials>>,
}

impl JsonClient {
    /// Finds Region and credentials by the standard chain. Nothing is sent yet.
    ///
    /// # Errors
    /// When the Region or the credentials are missing.
    pub fn open(settings: &Settings) -> Result<JsonClient, AwsError> {
        let runtime = runtime().map_err(|error| AwsError::no_runtime(&error))?;
        let (config, region) = runtime.block_on(lasting_configuration(settings))?;
        Ok(JsonClient { runtime, config, region, credentials: RefCell::default() })
    }

    /// Makes a call and returns the answer, null when it has no body; `None` once `interrupt` is set.
    ///
    /// # Errors
    /// When it cannot be made, is rejected, or cannot be read, after all retries.
    pub fn call(
        &self,
        service: Service,
        request: JsonRequest,
        interrupt: &AtomicBool,
    ) -> Result<Option<Value>, CallError> {
        self.until(interrupt, async {
            let credentials = self.credentials().await?;
            JsonApi::new(service, &self.region, &credentials, &self.config).await.call(request).await
        })
    }

    /// Waits; false once `interrupt` is set.
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

    /// The credentials, looked up again before they expire.
    async fn credentials(&self) -> Result<Credentials, CallError> {
        let lasts = |credentials: &Credentials| credentials.expiry().is_none_or(|end| end > SystemTime::now() + EARLY);
        if let Some(known) = self.credentials.borrow().as_ref().filter(|known| lasts(known)) {
            return Ok(known.clone());
        }
        let missing = |detail: Option<String>| CallError::of(CallErrorKind::Credentials, detail);
        let provider = self.config.credentials_provider().ok_or_else(|| missing(None))?;
        let found = provider.provide_credentials().await.map_err(|error| missing(deepest(&error)))?;
        self.credentials.replace(Some(found.clone()));
        Ok(found)
    }
}
