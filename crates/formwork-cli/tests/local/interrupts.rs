//! Ctrl-C and other signals at each step: nothing is left running.
//!
//! Holds reference/local.md#end.

use std::io::Read;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::harness::{Folder, Server, signal, text};
use crate::support::processes::await_end;

const TEMPLATE: &str = "Transform: AWS::Serverless-2016-10-31
Globals: {Function: {Runtime: python3.11, CodeUri: src, Timeout: 60}}
Resources:
  Loads: {Type: AWS::Serverless::Function, Properties: {Handler: loads.handler}}
  Runs:
    Type: AWS::Serverless::Function
    Properties: {Handler: runs.handler, Events: {Http: {Type: HttpApi, Properties: {Path: /run, Method: get}}}}
";

/// A process that ignores SIGTERM and SIGINT, as its child does.
const STUBBORN: &str = "
import os, signal, subprocess, time
def stay():
    for kind in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(kind, signal.SIG_IGN)
    child = subprocess.Popen(['sleep', '300'])
    with open('../processes.tmp', 'w') as file:
        file.write('%d %d' % (os.getpid(), child.pid))
    os.rename('../processes.tmp', '../processes')
    time.sleep(300)
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("template.yaml", TEMPLATE);
    folder.write("src/loads.py", &format!("{STUBBORN}stay()\n"));
    folder.write("src/runs.py", &format!("{STUBBORN}\ndef handler(event, context):\n    stay()\n"));
    folder
}

/// The processes of the function, once they run.
fn processes(folder: &Folder) -> Vec<String> {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        if let Ok(text) = std::fs::read_to_string(folder.0.join("processes")) {
            return text.split(' ').map(str::to_owned).collect();
        }
        assert!(Instant::now() < until, "the function does not run");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_interrupted_invocation_leaves_nothing_running() {
    for (function, signal_name) in
        [("Loads", "INT"), ("Runs", "INT"), ("Runs", "TERM"), ("Runs", "HUP"), ("Runs", "KILL")]
    {
        let folder = folder(&format!("interrupt-{function}-{signal_name}"));
        let mut command = folder.command_with_hangup(&["local", "invoke", function]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
        let processes = processes(&folder);
        signal(signal_name, child.id());
        // The system ends a program with SIGKILL: nothing of its own runs then.
        let status = (signal_name != "KILL").then_some(130);
        assert_eq!(child.wait().expect("the program").code(), status, "{function}, {signal_name}");
        for process in &processes {
            await_end(process, Duration::from_secs(5));
        }
        let mut printed = Vec::new();
        child.stdout.take().expect("a pipe").read_to_end(&mut printed).expect("the output");
        assert_eq!(text(&printed), "");
    }
}

#[test]
fn an_interrupted_server_leaves_nothing_running() {
    let signals = [("INT", Some(130)), ("TERM", Some(0)), ("HUP", Some(0)), ("KILL", None)];
    for (kind, (signal_name, status)) in
        ["start-api", "start-lambda"].into_iter().flat_map(|kind| signals.map(|signal| (kind, signal)))
    {
        let folder = folder(&format!("interrupt-{kind}-{signal_name}"));
        let mut server = Server::started(&mut folder.command_with_hangup(&["local", kind, "--port", "0"]));
        let port = server.port("is at");
        let request = match kind {
            "start-api" => "GET /run HTTP/1.1\r\nHost: localhost\r\n\r\n",
            _ => {
                "POST /2015-03-31/functions/Loads/invocations HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
            }
        };
        let mut client = std::net::TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        std::io::Write::write_all(&mut client, request.as_bytes()).expect("a request");
        let processes = processes(&folder);
        signal(signal_name, server.child.id());
        assert_eq!(server.child.wait().expect("the program").code(), status, "{kind}, {signal_name}");
        for process in &processes {
            await_end(process, Duration::from_secs(5));
        }
    }
}
