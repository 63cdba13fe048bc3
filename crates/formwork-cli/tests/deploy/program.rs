//! The program against a script, and what is kept of a run.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::running::Running;
use super::server::{Request, Server, Step};
use crate::support::processes::{with_hangup, without_hangup};

/// A run of the program.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) requests: Vec<Request>,
}

/// Files and words of a run.
pub(crate) struct Case {
    folder: PathBuf,
    environment: Vec<(&'static str, String)>,
    /// The process of the latest run.
    pub(crate) running: Running,
}

/// A template with a loop: two queues and a topic.
pub(crate) const TEMPLATE: &str = "Transform: AWS::LanguageExtensions
Parameters:
  Stage: {Type: String, Default: dev}
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties: {DisplayName: !Ref Stage}
  Fn::ForEach::Queues:
    - Name
    - [Orders, Users]
    - Queue${Name}: {Type: AWS::SQS::Queue}
Outputs:
  TopicName: {Value: !GetAtt Topic.TopicName}
";

impl Case {
    pub(crate) fn new(name: &str) -> Case {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("deploy").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        // A project of its own: the tests run inside a repository.
        std::fs::create_dir_all(folder.join(".git")).expect("a directory");
        Case { folder, environment: Vec::new(), running: Running::default() }.with("t.yaml", TEMPLATE)
    }

    pub(crate) fn with(self, name: &str, text: &str) -> Case {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).expect("the file")
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.folder.join(name).exists()
    }

    pub(crate) fn env(mut self, name: &'static str, value: &str) -> Case {
        self.environment.push((name, value.to_owned()));
        self
    }

    /// Deploys `t.yaml` as the stack `shop`.
    pub(crate) fn deploy(&self, steps: Vec<Step>, words: &[&str]) -> Run {
        let all = ["deploy", "t.yaml", "--stack-name", "shop", "--poll-delay", "0.02"];
        self.run(steps, &[&all, words].concat())
    }

    /// Deletes the stack `shop`.
    pub(crate) fn delete(&self, steps: Vec<Step>, words: &[&str]) -> Run {
        let all = ["delete", "--stack-name", "shop", "--poll-delay", "0.02"];
        self.run(steps, &[&all, words].concat())
    }

    /// The same on a terminal, where somebody types an answer when the program asks.
    pub(crate) fn delete_and_answer(&self, steps: Vec<Step>, answer: &str, words: &[&str]) -> Run {
        let all = ["delete", "--stack-name", "shop", "--poll-delay", "0.02", "--color", "never"];
        self.run_and_answer(steps, answer, &[&all, words].concat())
    }

    /// Runs the program on a terminal of 100 columns. Each line of `answers` is typed when the program asks.
    pub(crate) fn run_and_answer(&self, steps: Vec<Step>, answers: &str, words: &[&str]) -> Run {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/terminal.py");
        let launcher = [script, answers, env!("CARGO_BIN_EXE_formwork")];
        self.launch(Command::new("python3").args(launcher), steps, words)
    }

    /// The same on a terminal, where somebody types an answer when the program asks.
    pub(crate) fn deploy_and_answer(&self, steps: Vec<Step>, answer: &str, words: &[&str]) -> Run {
        let all = ["deploy", "t.yaml", "--stack-name", "shop", "--poll-delay", "0.02", "--color", "never"];
        self.run_and_answer(steps, answer, &[&all, words].concat())
    }

    pub(crate) fn run(&self, steps: Vec<Step>, words: &[&str]) -> Run {
        self.launch(&mut Command::new(env!("CARGO_BIN_EXE_formwork")), steps, words)
    }

    /// Deploys `t.yaml` as the stack `shop`, started so that it ends with its terminal, however the tests
    /// themselves were started.
    pub(crate) fn deploy_with_hangup(&self, steps: Vec<Step>) -> Run {
        let all = ["deploy", "t.yaml", "--stack-name", "shop", "--poll-delay", "0.02"];
        self.launch(&mut with_hangup(), steps, &all)
    }

    /// Deploys `t.yaml` as the stack `shop`, started so that it outlives its terminal.
    pub(crate) fn deploy_without_hangup(&self, steps: Vec<Step>) -> Run {
        let all = ["deploy", "t.yaml", "--stack-name", "shop", "--poll-delay", "0.02"];
        self.launch(&mut without_hangup(), steps, &all)
    }

    fn launch(&self, program: &mut Command, steps: Vec<Step>, words: &[&str]) -> Run {
        self.running.set(None);
        let server = Server::start(steps, &self.running);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let child = program
            .args(words)
            .current_dir(&self.folder)
            .env_clear()
            .env("PATH", path)
            .env("HOME", &self.folder)
            .env("TZ", "UTC")
            .env("AWS_EC2_METADATA_DISABLED", "true")
            .env("AWS_MAX_ATTEMPTS", "1")
            .env("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS")
            .env("AWS_SECRET_ACCESS_KEY", "a-secret-of-the-tests")
            .env("AWS_REGION", "eu-west-1")
            .env("AWS_ENDPOINT_URL", &server.url)
            .envs(self.environment.iter().map(|(name, value)| (*name, value.as_str())))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        self.running.set(Some(child.id()));
        let output = child.wait_with_output().expect("the program ends");
        let folder = self.folder.to_string_lossy().into_owned();
        let text =
            |bytes: Vec<u8>| settled(&String::from_utf8(bytes).expect("UTF-8"), &server.url).replace(&folder, "FOLDER");
        let (out, err) = (text(output.stdout), text(output.stderr));
        for secret in ["a-secret-of-the-tests", "AKIDOFTHETESTS", "never-to-be-seen"] {
            assert!(!out.contains(secret) && !err.contains(secret), "{out}\n{err}");
        }
        let status = output.status.code().unwrap_or_else(|| panic!("a status: {:?}\n{err}", output.status));
        Run { status, out, err, requests: server.finish() }
    }
}

impl Run {
    /// The value of a parameter of the request with that action; empty when it has none.
    pub(crate) fn sent(&self, action: &str, key: &str) -> &str {
        let is = |request: &&Request| request.iter().any(|(key, value)| key == "Action" && value == action);
        let request = self.requests.iter().find(is).unwrap_or_else(|| panic!("{action} was asked: {}", self.err));
        request.iter().find(|(known, _)| known == key).map_or("", |(_, value)| value)
    }

    /// What people see, and what the service was asked, as one text for a snapshot.
    pub(crate) fn told(&self) -> String {
        format!(
            "status: {}\n{}{}",
            self.status,
            section("standard output", &self.out),
            section("standard error", &self.err)
        )
    }

    /// The same with the requests.
    pub(crate) fn all(&self) -> String {
        let mut requests = String::new();
        for request in &self.requests {
            let words = request.iter().filter(|(key, _)| !matches!(key.as_str(), "Action" | "Version"));
            let action = request.iter().find(|(key, _)| key == "Action").map_or("", |(_, value)| value);
            requests += action;
            for (key, value) in words {
                let value = if key == "TemplateBody" { "(the template)" } else { value };
                let _ = write!(requests, "\n  {key}={}", settled(value, ""));
            }
            requests.push('\n');
        }
        self.told() + &section("requests", &requests)
    }
}

fn section(name: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("-- {name}\n{text}") }
}

/// A text without what differs from run to run: ports, and names that no other run takes.
fn settled(text: &str, url: &str) -> String {
    const MARK: &str = "formwork-2";
    const LENGTH: usize = "formwork-20260131T100000-1a2b3c4d".len();
    let text = if url.is_empty() { text.to_owned() } else { text.replace(url, "http://SERVER") };
    let (mut settled, mut rest) = (String::new(), text.as_str());
    while let Some(at) = rest.find(MARK) {
        settled += &rest[..at];
        settled += "formwork-TIME-RANDOM";
        rest = &rest[(at + LENGTH).min(rest.len())..];
    }
    settled + rest
}
