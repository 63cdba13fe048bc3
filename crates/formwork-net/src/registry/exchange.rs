//! Sends a request and reads the response.

use std::io::{self, Read};

use ureq::SendBody;
use ureq::http::{Method, Request, header};
use url::Url;

use super::error::RegistryError;
use crate::client::Client;

/// Maximum size of a response, in bytes: manifests have at most 4 MiB.
const LIMIT: u64 = (4 << 20) + 1;

pub(crate) struct Call<'c> {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Body<'c>,
}

impl<'c> Call<'c> {
    pub(crate) fn new(method: Method, url: Url) -> Call<'c> {
        Call { method, url, headers: Vec::new(), body: Body::None }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Call<'c> {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn body(self, body: Body<'c>) -> Call<'c> {
        Call { body, ..self }
    }
}

pub(crate) enum Body<'c> {
    None,
    Bytes(&'c [u8]),
    /// A stream of this number of bytes, which are never held in memory together.
    Stream(Box<dyn Read + 'c>, u64),
}

#[derive(Clone, Default, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) location: Option<String>,
    pub(crate) challenges: Vec<String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    pub(crate) fn words(&self) -> Option<String> {
        let value: serde_json::Value = serde_json::from_slice(&self.body).ok()?;
        let first = &value["errors"][0];
        let (code, message) = (first["code"].as_str(), first["message"].as_str());
        let message = message.or(value["error_description"].as_str()).or(value["message"].as_str());
        let text = match (code, message) {
            (Some(code), Some(message)) => format!("{code}: {message}"),
            (code, message) => code.or(message)?.to_owned(),
        };
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// Sends a request. `stop` is checked while content is read.
pub(crate) fn send(client: &Client, call: Call<'_>, stop: &dyn Fn() -> bool) -> Result<Answer, RegistryError> {
    if stop() {
        return Err(RegistryError::interrupted());
    }
    let mut request = Request::builder().method(call.method).uri(call.url.as_str());
    for (name, value) in call.headers {
        request = request.header(name, value);
    }
    let unfit =
        |error: ureq::http::Error| RegistryError::unclear(call.url.host_str().unwrap_or_default(), &error.to_string());
    let mut source = Watched { content: Box::new(io::empty()), failed: None, stop };
    let sent = match call.body {
        Body::None => client.send(request.body(SendBody::none()).map_err(unfit)?),
        Body::Bytes(bytes) => {
            source.content = Box::new(bytes);
            let request = request.header(header::CONTENT_LENGTH, bytes.len());
            client.send(request.body(SendBody::from_reader(&mut source)).map_err(unfit)?)
        }
        Body::Stream(content, size) => {
            source.content = content;
            let request = request.header(header::CONTENT_LENGTH, size);
            client.send(request.body(SendBody::from_reader(&mut source)).map_err(unfit)?)
        }
    };
    if let Some(error) = source.failed {
        return Err(if stop() { RegistryError::interrupted() } else { RegistryError::unreadable(&error) });
    }
    let response = sent.map_err(RegistryError::of_network)?;
    let text = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let challenges = response.headers().get_all(header::WWW_AUTHENTICATE).iter();
    let challenges = challenges.filter_map(|value| value.to_str().ok()).map(str::to_owned).collect();
    let mut answer =
        Answer { status: response.status().as_u16(), location: text(header::LOCATION), challenges, body: Vec::new() };
    let mut body = response.into_body().into_reader().take(LIMIT);
    if let Err(error) = body.read_to_end(&mut answer.body) {
        let host = call.url.host_str().unwrap_or_default();
        return Err(RegistryError { passes: true, ..RegistryError::unclear(host, &error.to_string()) });
    }
    if answer.body.len() as u64 == LIMIT {
        return Err(RegistryError::unclear(call.url.host_str().unwrap_or_default(), "it does not end"));
    }
    Ok(answer)
}

/// Content that records why it could not be read, and ends when the program is to end.
struct Watched<'c> {
    content: Box<dyn Read + 'c>,
    failed: Option<io::Error>,
    stop: &'c dyn Fn() -> bool,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = if (self.stop)() { Err(io::Error::other("interrupted")) } else { self.content.read(buffer) };
        result.inspect_err(|error| self.failed = Some(io::Error::new(error.kind(), error.to_string())))
    }
}
