//! Uploads blobs: begin, send and finish, or abort.

use ureq::http::Method;
use url::Url;

use super::calls::{Content, Place, Registry, refused, url};
use super::error::RegistryError;
use super::exchange::{Answer, Body, Call};
use crate::guard::is_loopback;

/// Maximum size of a blob that is sent with the request that finishes the upload; larger ones are streamed before it.
const SMALL: u64 = 8 << 20;

impl Registry {
    /// Stores a blob. A failed upload is removed, as far as the registry allows.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn put_blob(&self, place: Place<'_>, digest: &str, content: &dyn Content) -> Result<(), RegistryError> {
        // The sent part of an interrupted stream is not known: each attempt is an upload of its own.
        self.patiently(|| {
            let upload = self.begin(place)?;
            let result = self.carry_out(place, &upload, digest, content);
            if result.is_err() {
                // The first error is reported.
                let _ = self.take_back(place, Call::new(Method::DELETE, upload.clone()));
            }
            result
        })
    }

    /// Begins an upload, and returns its URL.
    fn begin(&self, place: Place<'_>) -> Result<Url, RegistryError> {
        let begin = url(place, "blobs/uploads/")?;
        let call = || Call::new(Method::POST, begin.clone()).with("Content-Length", "0");
        let answer = self.call(place, &call)?;
        if !answer.is_success() {
            return Err(refused(place, "an upload", &answer));
        }
        next(place, &begin, &answer)
    }

    fn carry_out(
        &self,
        place: Place<'_>,
        upload: &Url,
        digest: &str,
        content: &dyn Content,
    ) -> Result<(), RegistryError> {
        let size = content.size();
        let open = || content.open().map_err(|error| RegistryError::unreadable(&error));
        let mut at = upload.clone();
        let is_small = size <= SMALL;
        if !is_small {
            let stream = self.once(place, Call::new(Method::PATCH, at.clone()).body(Body::Stream(open()?, size)))?;
            if !stream.is_success() {
                return Err(refused_blob(place, &stream));
            }
            at = next(place, upload, &stream)?;
        }
        at.query_pairs_mut().append_pair("digest", digest);
        let finish = Call::new(Method::PUT, at);
        let finish =
            if is_small { finish.body(Body::Stream(open()?, size)) } else { finish.with("Content-Length", "0") };
        let answer = self.once(place, finish.with("Content-Type", "application/octet-stream"))?;
        if answer.is_success() { Ok(()) } else { Err(refused_blob(place, &answer)) }
    }

    /// Makes a step of an upload, without a retry.
    fn once(&self, place: Place<'_>, call: Call<'_>) -> Result<Answer, RegistryError> {
        let authorization = self.authorization(place).filter(|_| is_of(place, &call.url));
        self.send(call, authorization.as_deref())
    }

    /// Aborts an upload, also when the program is to end.
    fn take_back(&self, place: Place<'_>, call: Call<'_>) -> Result<Answer, RegistryError> {
        let authorization = self.authorization(place).filter(|_| is_of(place, &call.url));
        self.send_at_last(call, authorization.as_deref())
    }
}

/// Returns the error of a rejected blob. The token may have expired meanwhile: the next upload requests another one.
fn refused_blob(place: Place<'_>, answer: &Answer) -> RegistryError {
    let error = refused(place, "a blob", answer);
    RegistryError { passes: error.passes || answer.status == 401, ..error }
}

/// Returns `true` if a URL is of the registry itself, the only host that receives its credentials.
fn is_of(place: Place<'_>, address: &Url) -> bool {
    url(place, "").is_ok_and(|own| own.origin() == address.origin())
}

/// Returns the next URL of an upload: `Location`, which may be relative.
fn next(place: Place<'_>, from: &Url, answer: &Answer) -> Result<Url, RegistryError> {
    let unclear = || RegistryError::unclear(place.host, "it does not name the address for the rest of the upload");
    let next = from.join(answer.location.as_deref().ok_or_else(unclear)?).map_err(|_| unclear())?;
    let is_safe =
        next.scheme() == "https" || next.scheme() == "http" && is_loopback(next.host_str().unwrap_or_default());
    if is_safe { Ok(next) } else { Err(RegistryError::unclear(place.host, "the upload goes on without https")) }
}
