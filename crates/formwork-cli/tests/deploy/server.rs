//! A small CloudFormation of the tests: a script of what is asked and what is answered. It speaks the
//! query protocol (a form in, XML out) on loopback, and keeps every request.

use std::io::Write;
use std::net::TcpStream;
use std::sync::{Arc, Mutex};

use super::running::Running;
use crate::support::http::{self, Response};

/// What the script expects next, and what it answers.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) action: &'static str,
    pub(crate) answer: Answer,
}

#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// The inside of the result element.
    Result(String),
    /// An error: status, code, message.
    Error(u16, &'static str, String),
    /// Something else answers: status, type, body.
    Foreign(u16, &'static str, String),
    /// An answer of a service that speaks JSON: status, document.
    Json(u16, String),
    /// An answer of so many bytes without its length.
    Long(usize),
    /// The program gets a signal, such as `INT`; then the answer.
    Signalled(&'static str, Box<Answer>),
    /// No answer: the connection is closed.
    Nothing,
}

/// Calls that a deployment can do without.
const OPTIONAL: [&str; 4] = ["DescribeEvents", "ListHookResults", "GetHookResult", "GetTemplate"];

/// A request: its parameters in their order.
pub(crate) type Request = Vec<(String, String)>;

#[derive(Debug, Default)]
struct State {
    steps: std::collections::VecDeque<Step>,
    requests: Vec<Request>,
    faults: Vec<String>,
}

/// A server that works a script off. It ends with the test program.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    state: Arc<Mutex<State>>,
    pub(crate) url: String,
}

impl Server {
    /// `running` is the process that signals are meant for.
    pub(crate) fn start(steps: Vec<Step>, running: &Running) -> Server {
        let state = Arc::new(Mutex::new(State { steps: steps.into(), ..State::default() }));
        let (shared, running) = (Arc::clone(&state), running.clone());
        let port = http::listen(move |stream| {
            http::converse(stream, |request, stream| answer(&request_of(request), stream, &shared, &running));
        });
        let url = format!("http://127.0.0.1:{port}");
        Server { state, url }
    }

    /// What was asked. Fails when that was not what the script expects.
    pub(crate) fn finish(&self) -> Vec<Request> {
        let state = self.state.lock().expect("the state");
        assert!(state.faults.is_empty(), "{:#?}", state.faults);
        let left: Vec<&str> = state.steps.iter().map(|step| step.action).collect();
        assert!(left.is_empty(), "never asked: {left:?}");
        state.requests.clone()
    }
}

/// The parameters of a request. Of one in JSON `Action` is its target or its path, and `Body` the document.
fn request_of(request: &http::Request) -> Request {
    let body = String::from_utf8_lossy(&request.body);
    let target = request.header("x-amz-target").rsplit('.').next().unwrap_or_default();
    let action = match target {
        "" if request.path == "/" => return form(&body),
        "" => format!("{} {}", request.method, request.target()),
        target => target.to_owned(),
    };
    vec![("Action".to_owned(), action), ("Body".to_owned(), body.into_owned())]
}

fn answer(request: &Request, stream: &mut TcpStream, state: &Mutex<State>, running: &Running) -> Option<Response> {
    let request = request.clone();
    let action = request.iter().find(|(key, _)| key == "Action").map(|(_, value)| value.clone()).unwrap_or_default();
    let mut state = state.lock().expect("the state");
    // A script that is not about them has an endpoint without these calls.
    let is_next = state.steps.front().is_some_and(|step| step.action == action);
    if OPTIONAL.contains(&action.as_str()) && !is_next {
        drop(state);
        let why = format!("Could not find operation {action} for version 2010-05-15");
        return response(stream, &action, Answer::Error(400, "InvalidAction", why), running);
    }
    state.requests.push(request);
    let step = state.steps.pop_front().filter(|step| step.action == action);
    let Some(step) = step else {
        state.faults.push(format!("unexpected: {action}"));
        return response(stream, &action, Answer::Error(400, "Unexpected", action.clone()), running);
    };
    // The program may ask again before this answer is out.
    drop(state);
    response(stream, &action, step.answer, running)
}

fn response(stream: &mut TcpStream, action: &str, answer: Answer, running: &Running) -> Option<Response> {
    let mut kind = "text/xml";
    let (status, body) = match answer {
        Answer::Foreign(status, its, body) => {
            kind = its;
            (status, body)
        }
        Answer::Json(status, body) => {
            kind = "application/x-amz-json-1.1";
            (status, body)
        }
        Answer::Long(bytes) => {
            const PART: usize = 1 << 12;
            write!(stream, "HTTP/1.1 200 X\r\nContent-Type: text/xml\r\nConnection: close\r\n\r\n").ok()?;
            (0..bytes / PART).try_for_each(|_| stream.write_all(&[b' '; PART])).ok()?;
            return None;
        }
        Answer::Result(inner) => (
            200,
            format!(
                "<{action}Response xmlns=\"http://cloudformation.amazonaws.com/doc/2010-05-15/\"><{action}Result>{inner}</{action}Result><ResponseMetadata><RequestId>r-1</RequestId></ResponseMetadata></{action}Response>"
            ),
        ),
        Answer::Error(status, code, message) => (
            status,
            format!(
                "<ErrorResponse xmlns=\"http://cloudformation.amazonaws.com/doc/2010-05-15/\"><Error><Type>Sender</Type><Code>{code}</Code><Message>{}</Message></Error><RequestId>r-1</RequestId></ErrorResponse>",
                escaped(&message)
            ),
        ),
        Answer::Signalled(name, then) => {
            running.signal(name);
            return response(stream, action, *then, running);
        }
        Answer::Nothing => return None,
    };
    Some(Response::new(status, body).with("Content-Type", kind).with("Connection", "close"))
}

/// A string as it is written in XML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Parameters of a form.
fn form(body: &str) -> Request {
    let decoded = |text: &str| {
        let mut bytes = Vec::new();
        let mut rest = text.bytes();
        while let Some(byte) = rest.next() {
            bytes.push(match byte {
                b'+' => b' ',
                b'%' => {
                    let digits = [rest.next(), rest.next()].map(|digit| digit.expect("a digit"));
                    let digits = String::from_utf8(digits.to_vec()).expect("digits");
                    u8::from_str_radix(&digits, 16).expect("a number")
                }
                other => other,
            });
        }
        String::from_utf8(bytes).expect("UTF-8")
    };
    let pairs = body.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(key), decoded(value))
        })
        .collect()
}
