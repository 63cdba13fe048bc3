//! `sync` against moto, behind a proxy that keeps what is asked: one call for an edit, a change set for a change of the
//! template, and none as long as nothing changes.
//!
//! Holds reference/sync.md#decision, reference/sync.md#watching, reference/sync.md#exit-status.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::http::{self, Request};
use crate::moto::Moto;
use crate::program::Folder;

const TEMPLATE: &str = "Resources:
  Role:
    Type: AWS::IAM::Role
    Properties: {AssumeRolePolicyDocument: {Version: '2012-10-17', Statement: []}}
  Orders:
    Type: AWS::Lambda::Function
    Properties: {Code: src/orders, Handler: app.handler, Runtime: python3.13, Role: !GetAtt Role.Arn}
  Users:
    Type: AWS::Lambda::Function
    Properties: {Code: src/users, Handler: app.handler, Runtime: python3.13, Role: !GetAtt Role.Arn}
";

/// Stands between the program and moto.
struct Proxy {
    url: String,
    calls: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    fn new(moto: &Moto) -> Proxy {
        let (server, calls) = (moto.address().to_owned(), Arc::default());
        let kept: Arc<Mutex<Vec<String>>> = Arc::clone(&calls);
        let port = http::listen(move |stream| {
            // A client that breaks off is its own fault.
            let _ = relay(stream, &server, &kept);
        });
        Proxy { url: format!("http://127.0.0.1:{port}"), calls }
    }

    /// The calls since the last time.
    fn calls(&self) -> Vec<String> {
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
struct Watch {
    child: Child,
    said: Arc<Mutex<String>>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Watch {
    fn start(folder: &Folder, proxy: &Proxy, words: &[&str]) -> Watch {
        let mut child = command(folder, proxy, words).stderr(Stdio::piped()).spawn().expect("the program runs");
        let said: Arc<Mutex<String>> = Arc::default();
        let (kept, err) = (Arc::clone(&said), child.stderr.take().expect("standard error"));
        thread::spawn(move || {
            for line in BufReader::new(err).lines().map_while(Result::ok) {
                kept.lock().expect("what was said").extend([line.as_str(), "\n"]);
            }
        });
        Watch { child, said }
    }

    /// Waits until the program says `words`, and then that it watches; returns what it said until then.
    fn until(&self, words: &str) -> String {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_mins(1) {
            let mut said = self.said.lock().expect("what was said");
            let end = said.find(words).and_then(|at| Some(at + said[at..].find("watching for changes")?));
            if let Some(end) = end {
                let rest = said[end..].split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
                return std::mem::replace(&mut said, rest);
            }
            drop(said);
            thread::sleep(Duration::from_millis(20));
        }
        panic!("{words:?} is not said: {}", self.said.lock().expect("what was said"));
    }

    /// Ends it as Ctrl-C does; returns its status.
    fn interrupt(mut self) -> Option<i32> {
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

fn command(folder: &Folder, proxy: &Proxy, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_formwork"));
    let all = ["sync", "--stack-name", "formwork-sync", "--s3-bucket", "formwork-sync", "--poll-delay", "0.05"];
    command.args(all).args(["--capabilities", "CAPABILITY_IAM"]).args(words);
    command.current_dir(&folder.0).env_clear().env("HOME", &folder.0).env("AWS_EC2_METADATA_DISABLED", "true");
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS").env("AWS_SECRET_ACCESS_KEY", "a-secret-of-the-tests");
    command.env("AWS_REGION", "us-east-1").env("AWS_ENDPOINT_URL", &proxy.url);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

fn project(name: &str) -> Folder {
    let folder = Folder::new(name).with("template.yaml", TEMPLATE);
    for function in ["orders", "users"] {
        std::fs::create_dir_all(folder.0.join("src").join(function)).expect("a directory");
        std::fs::write(folder.0.join("src").join(function).join("app.py"), "x = 1\n").expect("a file");
    }
    folder
}

/// How many calls have a name.
fn count(calls: &[String], name: &str) -> usize {
    calls.iter().filter(|call| call.contains(name)).count()
}

/// So long nothing changes, and nothing is asked.
const IDLE: Duration = Duration::from_secs(2);

pub(crate) fn changes_and_idle_time(moto: &Moto) {
    moto.boto3("import boto3; boto3.client('s3').create_bucket(Bucket='formwork-sync')");
    let (folder, proxy) = (project("sync"), Proxy::new(moto));
    let watch = Watch::start(&folder, &proxy, &["--watch"]);
    let said = watch.until("_COMPLETE       formwork-sync");
    assert!(said.contains("the stack is deployed as a whole"), "{said}");
    let calls = proxy.calls();
    assert_eq!((count(&calls, "CreateChangeSet"), count(&calls, "ListStackResources")), (1, 1), "{calls:?}");
    assert_eq!(count(&calls, "/code"), 0, "what was deployed is what there is: {calls:?}");
    thread::sleep(IDLE);
    assert_eq!(proxy.calls(), [""; 0], "an idle watch asks nothing");

    let folder = folder.with("src/orders/app.py", "x = 2\n");
    let said = watch.until("updated Orders");
    assert!(said.contains("changed: src/orders/app.py") && said.contains(": UpdateFunctionCode"), "{said}");
    let calls = proxy.calls();
    assert_eq!((count(&calls, "/code"), count(&calls, "ListStackResources")), (1, 0), "names are known: {calls:?}");
    assert_eq!(count(&calls, "ChangeSet"), 0, "an edit of code deploys nothing: {calls:?}");
    thread::sleep(IDLE);
    assert_eq!(proxy.calls(), [""; 0], "the build and the push wake nothing");

    // Files of editors and files that nobody packages wake nothing.
    let folder = folder.with("src/orders/.app.py.swp", "x").with("notes.txt", "x");
    thread::sleep(Duration::from_millis(700));
    assert!(!watch.said.lock().expect("what was said").contains("changed:"));

    let more = format!("{TEMPLATE}  Topic: {{Type: AWS::SNS::Topic}}\n");
    let folder = folder.with("template.yaml", &more);
    let said = watch.until("_COMPLETE       formwork-sync");
    assert!(said.contains("the template or its values changed: the stack is deployed"), "{said}");
    let calls = proxy.calls();
    assert_eq!((count(&calls, "CreateChangeSet"), count(&calls, "/code")), (1, 0), "{calls:?}");

    let folder = folder.with("template.yaml", "Resources: [\n");
    let said = watch.until("nothing was synced");
    assert!(said.contains("error[FW"), "{said}");
    assert_eq!(proxy.calls(), [""; 0]);
    // The same template in another layout is no change.
    let folder = folder.with("template.yaml", &format!("# the same\n{more}"));
    watch.until("nothing to sync");
    let folder = folder.with("src/users/app.py", "x = 3\n");
    watch.until("updated Users");
    let calls = proxy.calls();
    assert_eq!((count(&calls, "/code"), count(&calls, "ChangeSet")), (1, 0), "{calls:?}");
    assert_eq!(watch.interrupt(), Some(130));

    code_alone(&folder, &proxy, moto);
}

/// What `--code` pushes, and that it compares first.
fn code_alone(folder: &Folder, proxy: &Proxy, moto: &Moto) {
    let run = |words: &[&str]| {
        let output = command(folder, proxy, words).stderr(Stdio::piped()).output().expect("the program runs");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    // There is what was built: it is synced again from its source.
    let (status, err) = run(&["--code"]);
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("template: .formwork/build/template.yaml, built from template.yaml\n"), "{err}");
    assert!(err.contains("Orders is up to date") && err.contains("Users is up to date"), "{err}");
    assert_eq!(count(&proxy.calls(), "/code"), 0);
    std::fs::write(folder.0.join("src/orders/app.py"), "x = 4\n").expect("a file");
    std::fs::write(folder.0.join("src/users/app.py"), "x = 4\n").expect("a file");
    let (status, err) = run(&["--code", "--resource-id", "Orders"]);
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("updated Orders: UpdateFunctionCode") && !err.contains("Users"), "{err}");
    let hashes = moto.boto3(
        "import boto3
functions = boto3.client('lambda').list_functions()['Functions']
named = {one['FunctionName']: one['CodeSha256'] for one in functions if 'formwork-sync' in one['FunctionName']}
print(len(named), len(set(named.values())), end='')",
    );
    assert_eq!(hashes, "2 2");
    let (status, err) = run(&["--code", "--resource-id", "Order"]);
    assert_eq!(status, Some(2), "{err}");
    assert!(err.contains("Order is not a resource whose code can be pushed") && err.contains("Orders, Users"), "{err}");
}
