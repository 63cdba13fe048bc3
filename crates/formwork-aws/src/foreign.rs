//! Responses that are not from the service but from a proxy, a login page, or another server.

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;

use crate::bounded;

const SHOWN: usize = 80;

/// Describes a response on one line: its status, the address that it came from, its type and its beginning. `None` when
/// its body is not available.
pub(crate) fn words(response: &HttpResponse) -> Option<String> {
    let body = response.body().bytes()?;
    let (status, origin) = (response.status().as_u16(), bounded::origin(response));
    let from = if origin.is_empty() { String::new() } else { format!(" from {}", escaped(origin)) };
    if body.is_empty() {
        return Some(format!("HTTP {status}{from} without a body"));
    }
    let kind = response.headers().get("content-type").unwrap_or("an unknown type");
    let begin = String::from_utf8_lossy(&body[..body.len().min(SHOWN)]).into_owned();
    let more = if body.len() > SHOWN { "..." } else { "" };
    Some(format!("HTTP {status}{from}, {}: {}{more}", escaped(kind), escaped(begin.trim())))
}

pub(crate) fn has_body(response: &HttpResponse) -> bool {
    response.body().bytes().is_some_and(|body| !body.is_empty())
}

fn escaped(text: &str) -> String {
    let acts = |c: &char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if acts(&c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

#[cfg(test)]
mod tests {
    use aws_smithy_runtime_api::http::StatusCode;
    use aws_smithy_types::body::SdkBody;

    use super::*;

    fn response(status: u16, body: &str) -> HttpResponse {
        let status = StatusCode::try_from(status).expect("a status");
        let mut response = HttpResponse::new(status, SdkBody::from(body));
        response.headers_mut().insert("content-type", "text/html");
        response.add_extension(bounded::Origin("http://proxy.example/".to_owned()));
        response
    }

    #[test]
    fn status_address_and_beginning() {
        assert_eq!(
            words(&response(200, "<html>\u{1b}[31m\nSign in\u{202e}")).as_deref(),
            Some("HTTP 200 from http://proxy.example/, text/html: <html>\\u{1b}[31m\\nSign in\\u{202e}")
        );
        let long = words(&response(502, &"x".repeat(1000))).expect("a body");
        assert!(long.ends_with("x...") && long.len() < 150, "{long}");
        assert_eq!(words(&response(200, "")).as_deref(), Some("HTTP 200 from http://proxy.example/ without a body"));
    }
}
