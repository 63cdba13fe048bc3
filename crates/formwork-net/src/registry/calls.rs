//! Calls to registries, with credentials and retries.

use std::collections::HashMap;
use std::io::Read;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use formwork_base::lock;
use ureq::http::Method;
use url::Url;

use super::challenge::Challenge;
use super::error::RegistryError;
use super::exchange::{Answer, Body, Call, send};
use super::login::{Login, host_name};
use super::token;
use crate::client::Client;
use crate::guard::is_loopback;

/// Maximum number of attempts of a call, as with S3.
const ATTEMPTS: u32 = 3;
/// Pause after the first attempt; later pauses double.
const PAUSE: Duration = Duration::from_millis(500);

const MANIFESTS: &str = "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json, application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json";

/// A repository in a registry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place<'p> {
    /// The registry: `HOST[:PORT]`.
    pub host: &'p str,
    /// The path of the repository.
    pub path: &'p str,
}

/// Returns the login of a registry by its host, when the registry requests one.
pub type Logins = Box<dyn Fn(&str) -> Result<Option<Login>, RegistryError> + Send + Sync>;

/// The content of a blob, which can be read more than once.
pub trait Content {
    /// Returns the number of bytes.
    fn size(&self) -> u64;

    /// Opens the content from its beginning.
    ///
    /// # Errors
    /// When it cannot be opened.
    fn open(&self) -> std::io::Result<Box<dyn Read + '_>>;
}

/// A client that pushes to registries. Calls come from several threads concurrently.
pub struct Registry {
    client: Client,
    logins: Logins,
    stop: Box<dyn Fn() -> bool + Send + Sync>,
    /// The `Authorization` headers by host and repository, after a challenge was answered.
    known: Mutex<HashMap<(String, String), String>>,
}

impl Registry {
    /// Creates a client with `logins`; `stop` returns whether the program is to end.
    pub fn new(logins: Logins, stop: Box<dyn Fn() -> bool + Send + Sync>) -> Registry {
        Registry { client: Client::default(), logins, stop, known: Mutex::default() }
    }

    /// Returns the manifest of a tag; `None` if the tag does not exist.
    ///
    /// # Errors
    /// When the request fails.
    pub fn manifest(&self, place: Place<'_>, tag: &str) -> Result<Option<Vec<u8>>, RegistryError> {
        let url = url(place, &format!("manifests/{tag}"))?;
        let answer = self.repeated(place, &|| Call::new(Method::GET, url.clone()).with("Accept", MANIFESTS))?;
        match answer.status {
            200 => Ok(Some(answer.body)),
            404 => Ok(None),
            _ => Err(refused(place, "a request for what is there", &answer)),
        }
    }

    /// Returns `true` if a blob exists.
    ///
    /// # Errors
    /// When the request fails.
    pub fn has_blob(&self, place: Place<'_>, digest: &str) -> Result<bool, RegistryError> {
        let url = url(place, &format!("blobs/{digest}"))?;
        let answer = self.repeated(place, &|| Call::new(Method::HEAD, url.clone()))?;
        match answer.status {
            // A redirect: it may be stored elsewhere.
            200..400 => Ok(true),
            404 => Ok(false),
            _ => Err(refused(place, "a request for what is there", &answer)),
        }
    }

    /// Stores a manifest under a tag.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn put_manifest(
        &self,
        place: Place<'_>,
        tag: &str,
        media_type: &str,
        bytes: &[u8],
    ) -> Result<(), RegistryError> {
        let url = url(place, &format!("manifests/{tag}"))?;
        let call = || Call::new(Method::PUT, url.clone()).with("Content-Type", media_type).body(Body::Bytes(bytes));
        let answer = self.repeated(place, &call)?;
        if answer.is_success() { Ok(()) } else { Err(refused(place, "the manifest", &answer)) }
    }

    /// Repeats an operation, after growing pauses, while that may help.
    pub(crate) fn patiently<T>(&self, work: impl Fn() -> Result<T, RegistryError>) -> Result<T, RegistryError> {
        let mut pause = PAUSE;
        for _ in 1..ATTEMPTS {
            match work() {
                Err(error) if error.passes && !(self.stop)() => {}
                result => return result,
            }
            // Calls that failed together are not repeated at the same time.
            thread::sleep(pause.mul_f64(0.5 + fastrand::f64() / 2.0));
            pause *= 2;
        }
        work()
    }

    fn repeated<'c>(&self, place: Place<'_>, call: &dyn Fn() -> Call<'c>) -> Result<Answer, RegistryError> {
        self.patiently(|| {
            let answer = self.call(place, call)?;
            let error = refused(place, "a request", &answer);
            if error.passes { Err(error) } else { Ok(answer) }
        })
    }

    /// Makes a call with the known authorization, and again after a challenge.
    pub(crate) fn call<'c>(&self, place: Place<'_>, call: &dyn Fn() -> Call<'c>) -> Result<Answer, RegistryError> {
        let known = self.authorization(place);
        let answer = self.send(call(), known.as_deref())?;
        if answer.status != 401 {
            return Ok(answer);
        }
        let Some(challenge) = Challenge::of(answer.challenges.iter().map(String::as_str)) else { return Ok(answer) };
        let Some(authorization) = self.answer_to(place, &challenge)? else { return Ok(answer) };
        self.send(call(), Some(&authorization))
    }

    pub(crate) fn send(&self, call: Call<'_>, authorization: Option<&str>) -> Result<Answer, RegistryError> {
        send(&self.client, authorized(call, authorization), &*self.stop)
    }

    /// Like [`Registry::send`], also when the program is to end.
    pub(crate) fn send_at_last(&self, call: Call<'_>, authorization: Option<&str>) -> Result<Answer, RegistryError> {
        send(&self.client, authorized(call, authorization), &|| false)
    }

    pub(crate) fn authorization(&self, place: Place<'_>) -> Option<String> {
        lock(&self.known).get(&(place.host.to_owned(), place.path.to_owned())).cloned()
    }

    /// Returns the authorization that answers a challenge; `None` without a login.
    fn answer_to(&self, place: Place<'_>, challenge: &Challenge) -> Result<Option<String>, RegistryError> {
        let login = (self.logins)(place.host)?;
        let authorization = match challenge {
            Challenge::Basic => match &login {
                Some(Login::Password { user, password }) => token::basic(user, password),
                _ => return Ok(None),
            },
            Challenge::Bearer { realm, service } => {
                let scope = format!("repository:{}:pull,push", place.path);
                let ask =
                    || token::fetch(&self.client, place.host, (realm, service.as_deref()), &scope, login.as_ref());
                format!("Bearer {}", self.patiently(ask)?)
            }
        };
        lock(&self.known).insert((place.host.to_owned(), place.path.to_owned()), authorization.clone());
        Ok(Some(authorization))
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Registry")
    }
}

fn authorized<'c>(call: Call<'c>, authorization: Option<&str>) -> Call<'c> {
    match authorization {
        Some(value) => call.with("Authorization", value),
        None => call,
    }
}

pub(crate) fn refused(place: Place<'_>, what: &str, answer: &Answer) -> RegistryError {
    RegistryError::of_answer(place.host, what, answer.status, answer.words())
}

/// Returns the URL of a path in a repository. Only registries of this machine are used without TLS.
pub(crate) fn url(place: Place<'_>, rest: &str) -> Result<Url, RegistryError> {
    let Place { host, path } = place;
    let wrong = || RegistryError::new(format!("{host}/{path} is not a repository"), "write HOST/PATH");
    let scheme = if is_loopback(host_name(host)) { "http" } else { "https" };
    let url = Url::parse(&format!("{scheme}://{host}/v2/{path}/{rest}")).map_err(|_| wrong())?;
    // The name must not change the host or the path.
    let is_plain = url.username().is_empty() && url.query().is_none() && url.path().starts_with("/v2/");
    if is_plain { Ok(url) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_spoken_to_without_tls() {
        let of = |host| url(Place { host, path: "a/b" }, "blobs/x").map(|url| url.to_string());
        for host in ["localhost:5000", "127.0.0.1:5000", "127.1.2.3:1", "[::1]:5000"] {
            assert_eq!(of(host), Ok(format!("http://{host}/v2/a/b/blobs/x")));
        }
        for host in ["localhost.example", "10.0.0.1:5000", "r.example", "[fd00::1]:5000"] {
            assert_eq!(of(host), Ok(format!("https://{host}/v2/a/b/blobs/x")));
        }
        assert!(of("user@r.example").is_err() && of("r.example/?").is_err());
    }
}
