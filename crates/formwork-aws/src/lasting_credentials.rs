//! Credentials for calls over a long time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use aws_credential_types::Credentials;
use aws_credential_types::provider::ProvideCredentials;
use aws_types::SdkConfig;

use crate::call_error::{CallError, CallErrorKind, deepest};

const EARLY: Duration = Duration::from_mins(5);

/// The credentials of a configuration, kept until shortly before they expire.
#[derive(Debug, Default)]
pub(crate) struct LastingCredentials {
    known: Mutex<Option<Credentials>>,
}

impl LastingCredentials {
    /// Returns the credentials; looks them up at first and when they are about to expire.
    ///
    /// # Errors
    /// When the credentials are missing.
    pub(crate) async fn find(&self, config: &SdkConfig) -> Result<Credentials, CallError> {
        let lasts = |credentials: &Credentials| credentials.expiry().is_none_or(|end| end > SystemTime::now() + EARLY);
        if let Some(known) = self.lock().as_ref().filter(|known| lasts(known)) {
            return Ok(known.clone());
        }
        let missing = |detail: Option<String>| CallError::of(CallErrorKind::Credentials, detail);
        let provider = config.credentials_provider().ok_or_else(|| missing(None))?;
        let found = provider.provide_credentials().await.map_err(|error| missing(deepest(&error)))?;
        *self.lock() = Some(found.clone());
        Ok(found)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Credentials>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
