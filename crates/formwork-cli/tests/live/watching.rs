//! A `sync` that watches, and a proxy between it and moto that keeps what is asked.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::moto::Moto;
use super::program::Folder;
use crate::support::http::{self, Request};

/// A proxy between the program and moto.
pub(crate) struct Proxy {
    url: String,
    calls: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    pub(crate) fn new(moto: &Moto) -> Proxy {
        let (server, calls) = (moto.address(), Arc::default());
        let kept: Arc<Mutex<Vec<String>>> = Arc::clone(&calls);
        let port = http::listen(move |stream| {
            // A client that breaks off is not an error of the proxy.
            let _ = relay(stream, &server, &kept);
        });
        Proxy { url: format!("http://127.0.0.1:{port}"), calls }
    }

    /// The calls since the last time.
    pub(crate) fn calls(&self) -> Vec<String> {
        std::mem::take(&mut *self.calls.lock().expect("the calls"))
    }
}

/// Passes one request on, and its answer back.
fn relay(mut stream: TcpStream, server: &str, calls: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let Some(request) = Request::read(&mut BufReader::new(&stream)) else { return Ok(()) };
    calls.lock().expect("the calls").push(name(&request));
    let mut moto = TcpStream::connect(server)?;
    let headers = request.headers.iter().filter(|(name, _)| *name != "connection");
    let headers: String = headers.flat_map(|(name, value)| [name, ": ", value, "\r\n"]).collect();
    let head = format!("{} {} HTTP/1.1\r\n{headers}connection: close\r\n\r\n", request.method, request.target());
    moto.write_all(&[head.as_bytes(), &request.body].concat())?;
    let mut answer = Vec::new();
    moto.read_to_end(&mut answer)?;
    stream.write_all(&answer)
}

/// The action of a form, else method and path.
fn name(request: &Request) -> String {
    let body = String::from_utf8_lossy(&request.body);
    let action = body.split('&').find_map(|pair| pair.strip_prefix("Action="));
    action.map_or_else(|| format!("{} {}", request.method, request.path), str::to_owned)
}

/// A run that watches.
pub(crate) struct Watch {
    child: Child,
    pub(crate) said: Arc<Mutex<String>>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Watch {
    pub(crate) fn start(folder: &Folder, proxy: &Proxy, words: &[&str]) -> Watch {
        let mut child = command(folder, proxy, words).stderr(Stdio::piped()).spawn().expect("the program runs");
        let said: Arc<Mutex<String>> = Arc::default();
        let (kept, err) = (Arc::clone(&said), child.stderr.take().expect("standard error"));
        thread::spawn(move || {
            for line in BufReader::new(err).lines().map_while(Result::ok) {
                kept.lock().expect("the output").extend([line.as_str(), "\n"]);
            }
        });
        Watch { child, said }
    }

    /// Waits until the program prints `words`, and then that it watches; returns what it printed until then.
    pub(crate) fn until(&self, words: &str) -> String {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_mins(1) {
            let mut said = self.said.lock().expect("the output");
            let end = said.find(words).and_then(|at| Some(at + said[at..].find("watching for changes")?));
            if let Some(end) = end {
                let rest = said[end..].split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
                return std::mem::replace(&mut said, rest);
            }
            drop(said);
            thread::sleep(Duration::from_millis(20));
        }
        panic!("{words:?} is not printed: {}", self.said.lock().expect("the output"));
    }

    /// Ends it as Ctrl-C does; returns its status.
    pub(crate) fn interrupt(mut self) -> Option<i32> {
        let killed = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().expect("kill runs");
        assert!(killed.success());
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(10) {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status.code();
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end");
    }
}

/// The program in a project, whose stack is `formwork-sync`.
pub(crate) fn command(folder: &Folder, proxy: &Proxy, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_formwork"));
    let stack: &[&str] = if words.contains(&"--stack-name") { &[] } else { &["--stack-name", "formwork-sync"] };
    let all = ["sync", "--s3-bucket", "formwork-sync", "--poll-delay", "0.05"];
    command.args(all).args(stack).args(["--capabilities", "CAPABILITY_IAM"]).args(words);
    command.current_dir(&folder.0).env_clear().env("HOME", &folder.0).env("AWS_EC2_METADATA_DISABLED", "true");
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS").env("AWS_SECRET_ACCESS_KEY", "a-secret-of-the-tests");
    command.env("AWS_REGION", "us-east-1").env("AWS_ENDPOINT_URL", &proxy.url);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// How many calls have a name.
pub(crate) fn count(calls: &[String], name: &str) -> usize {
    calls.iter().filter(|call| call.contains(name)).count()
}
