//! Whatever a client sends while the server computes, it has the diagnostics of the last state in the end.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::client::{Client, Folder, uri};
use crate::progress::large;

/// How many sessions there are: `FORMWORK_RACES` for more.
fn count() -> u64 {
    std::env::var("FORMWORK_RACES").ok().and_then(|count| count.parse().ok()).unwrap_or(60)
}

/// The files, each with what may be in it.
const FILES: [(&str, &[&str]); 3] = [
    (
        "module.yaml",
        &[
            "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\nOutputs:\n  Arn: {Value: !Ref Topic}\n",
            "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\nOutputs:\n  Name: {Value: !Ref Topic}\n",
            "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref Missing}\n",
            // Nothing by which one sees that it is a template.
            "Resorces:\n  Topic:\n    Type: AWS::SNS::Topic\n",
            "",
            "Parameters:\n  Name: {Type: String}\nResorces: {}\n",
        ],
    ),
    (
        "root.yaml",
        &[
            "Modules:\n  M: {Source: ./module.yaml}\nOutputs:\n  O: {Value: !GetAtt M.Arn}\n",
            "Modules:\n  M: {Source: ./module.yaml}\nOutputs:\n  O: {Value: !GetAtt M.Name}\n",
        ],
    ),
    (
        "alone.yaml",
        &[
            "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n",
            "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref Missing}\n",
        ],
    ),
];

/// A session: what is open, and what was done, for the message of a test that fails.
struct Session {
    folder: Folder,
    client: Client,
    texts: [&'static str; 3],
    open: BTreeSet<usize>,
    run: &'static str,
    done: Vec<String>,
}

impl Session {
    fn begin() -> Session {
        let texts = FILES.map(|(_, texts)| texts[0]);
        let folder = Folder::new(&[]);
        for ((name, _), text) in FILES.iter().zip(texts) {
            folder.write(name, text);
        }
        // Its view takes the thread that computes diagnostics a while, after it has reported them.
        let view = folder.write("large.yaml", &large(100));
        let mut client = Client::in_folder(&folder.path, "utf-8", false);
        let view = format!("formwork-expanded:{}?stage=resolve", view.display());
        client.request("formwork/expanded", json!({"uri": view})).unwrap();
        Session { folder, client, texts, open: BTreeSet::new(), run: "onType", done: Vec::new() }
    }

    fn path(&self, file: usize) -> PathBuf {
        self.folder.path.join(FILES[file].0)
    }

    fn save(&mut self, file: usize) {
        self.folder.write(FILES[file].0, self.texts[file]);
        let document = json!({"uri": uri(&self.path(file))});
        self.client.notify("textDocument/didSave", json!({"textDocument": document}));
    }

    fn set_run(&mut self, run: &'static str) {
        self.run = run;
        let settings = json!({"formwork": {"diagnostics": {"run": run}}});
        self.client.notify("workspace/didChangeConfiguration", json!({"settings": settings}));
    }

    /// Something that an editor does.
    fn step(&mut self, random: &mut Rng) {
        let file = random.usize(..FILES.len());
        let (name, texts) = FILES[file];
        let path = self.path(file);
        let is_open = self.open.contains(&file);
        let what = match random.u8(..9) {
            0..3 if is_open => {
                self.texts[file] = texts[random.usize(..texts.len())];
                self.client.replace(&path, self.texts[file]);
                "change"
            }
            3..5 if is_open => {
                self.save(file);
                "save"
            }
            5 if is_open => {
                self.save(file);
                self.client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(&path)}}));
                self.open.remove(&file);
                "close"
            }
            6 => {
                self.set_run(["onType", "onSave", "off"][random.usize(..3)]);
                self.run
            }
            7 => {
                // As an editor has it: it goes on once it sees something.
                self.client.drain(Duration::from_micros(random.u64(..3000)));
                "wait"
            }
            _ if !is_open => {
                self.client.open(&path, self.texts[file]);
                self.open.insert(file);
                "open"
            }
            _ => return,
        };
        self.done.push(format!("{what} {name}"));
    }

    /// What the client shows of a document.
    fn shown(&self, file: usize) -> Vec<Value> {
        self.client.published.get(&uri(&self.path(file))).map(|(_, items)| items.clone()).unwrap_or_default()
    }

    /// Open templates of whose last version the client has seen nothing. A file that an open template imports is one, whatever
    /// its text looks like, and its errors are shown there.
    fn lacking(&mut self) -> Vec<&'static str> {
        let mut lacking = Vec::new();
        for file in self.open.clone().into_iter().filter(|_| self.run != "off") {
            let path = self.path(file);
            let kind = self.client.request("formwork/kind", json!({"uri": uri(&path)})).unwrap();
            let is_module = file == 0 && self.open.contains(&1);
            let is_wrong = is_module && !self.texts[0].starts_with("Resources");
            let shown = self.client.shown(&path);
            let is_seen = shown.is_some_and(|items| !is_wrong || !items.is_empty());
            if (is_module || kind != Value::Null) && !is_seen {
                lacking.push(FILES[file].0);
            }
        }
        lacking
    }

    /// Whether the client shows what the server has of every document, now and a while later.
    fn check(mut self, seed: u64) {
        for file in self.open.clone() {
            self.save(file);
        }
        let asked = |session: &mut Session, file: usize| {
            if session.run == "off" || !session.open.contains(&file) {
                return Vec::new();
            }
            let document = json!({"textDocument": {"uri": uri(&session.path(file))}});
            let answer = session.client.request("textDocument/diagnostic", document).unwrap();
            answer["items"].as_array().unwrap().clone()
        };
        let asked_all =
            |session: &mut Session| -> Vec<Vec<Value>> { (0..FILES.len()).map(|file| asked(session, file)).collect() };
        let shown_all =
            |session: &Session| -> Vec<Vec<Value>> { (0..FILES.len()).map(|file| session.shown(file)).collect() };
        for _ in 0..1000 {
            let wanted = asked_all(&mut self);
            if shown_all(&self) == wanted && self.lacking().is_empty() {
                break;
            }
            self.client.drain(Duration::from_millis(10));
        }
        self.client.drain(Duration::from_millis(5));
        let (wanted, lacking) = (asked_all(&mut self), self.lacking());
        assert_eq!(shown_all(&self), wanted, "seed {seed}, {}: {:#?}", self.run, self.done);
        assert!(lacking.is_empty(), "seed {seed}, {}: {lacking:?} in {:#?}", self.run, self.done);
        self.client.shut_down();
    }
}

#[test]
fn the_diagnostics_of_the_last_state_are_shown_in_the_end() {
    for seed in 0..count() {
        let mut random = Rng::with_seed(seed);
        let mut session = Session::begin();
        for _ in 0..random.usize(5..40) {
            session.step(&mut random);
        }
        session.check(seed);
    }
}

#[test]
fn a_document_that_is_saved_while_another_is_computed_is_computed_too() {
    let mut session = Session::begin();
    session.set_run("onSave");
    let files = [2, 0];
    for file in files {
        session.client.open(&session.path(file), session.texts[file]);
        session.open.insert(file);
        assert_eq!(session.client.diagnostics(&session.path(file)), Vec::<Value>::new());
    }
    // As "save all" does it.
    for file in files {
        session.texts[file] = FILES[file].1.iter().find(|text| text.contains("Missing")).unwrap();
        session.client.replace(&session.path(file), session.texts[file]);
    }
    for file in files {
        session.save(file);
        assert_eq!(session.client.diagnostics(&session.path(file)).len(), 1);
    }
    session.client.shut_down();
}
