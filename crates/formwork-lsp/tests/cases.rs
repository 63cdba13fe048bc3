//! Cases that are files in `tests/cases`: see the README there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use formwork::{ColumnUnit, LineIndex};
use serde_json::{Value, json};

use crate::client::{Client, Folder, uri};
use crate::readable::Texts;

const CURSOR: char = '‸';
const START: char = '«';
const END: char = '»';

/// A case: files, and requests with their answers.
struct Case {
    /// What is in front of the first file.
    head: String,
    files: Vec<(String, String)>,
    steps: Vec<Step>,
}

struct Step {
    /// The line behind `===`.
    words: String,
    want: String,
}

fn parse(text: &str) -> Case {
    let mut case = Case { head: String::new(), files: Vec::new(), steps: Vec::new() };
    for line in text.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix("--- ") {
            case.files.push((name.trim().to_owned(), String::new()));
        } else if let Some(words) = line.strip_prefix("=== ") {
            case.steps.push(Step { words: words.trim().to_owned(), want: String::new() });
        } else if let Some(step) = case.steps.last_mut() {
            step.want.push_str(line);
        } else if let Some((_, text)) = case.files.last_mut() {
            text.push_str(line);
        } else {
            case.head.push_str(line);
        }
    }
    case
}

fn without_marks(text: &str) -> String {
    text.replace([CURSOR, START, END], "")
}

/// Where a mark is in the text without marks.
fn place(text: &str, mark: char) -> Option<usize> {
    text.find(mark).map(|at| without_marks(&text[..at]).len())
}

struct Run {
    folder: Folder,
    client: Client,
    texts: Texts,
    main: PathBuf,
    cursor: usize,
    range: (usize, usize),
}

impl Run {
    fn new(case: &Case, encoding: &str, unit: ColumnUnit) -> Run {
        let folder = Folder::new(&[]);
        let mut texts = BTreeMap::new();
        let mut marks = (None, None);
        let mut main = folder.path.join(&case.files[0].0);
        for (name, text) in &case.files {
            let plain = without_marks(text);
            let path = folder.write(name, &plain);
            texts.insert(uri(&path), plain);
            if text.contains([CURSOR, START]) {
                main = path;
                marks = (place(text, CURSOR), place(text, START).zip(place(text, END)));
            }
        }
        let mut client = Client::start(formwork_lsp::Options::default());
        let is_pulling = case.head.contains("pull");
        let capabilities = crate::client::capabilities(encoding, is_pulling);
        let options = case.head.lines().find_map(|line| line.strip_prefix("options: "));
        let options = options.map_or(Value::Null, |options| serde_json::from_str(options).unwrap());
        let result = client.initialize(&folder.path, &capabilities, &options);
        assert_eq!(result["capabilities"]["positionEncoding"], encoding);
        let legend = result["capabilities"]["semanticTokensProvider"]["legend"].clone();
        client.open(&main, &texts[&uri(&main)]);
        let length = texts[&uri(&main)].len();
        let texts = Texts { unit, main: uri(&main), texts, legend };
        let cursor = marks.0.or(marks.1.map(|range| range.0)).unwrap_or(0);
        Run {
            folder,
            client,
            texts,
            main,
            cursor,
            range: marks.1.or(marks.0.map(|at| (at, at))).unwrap_or((0, length)),
        }
    }

    fn position(&self, offset: usize) -> Value {
        let text = &self.texts.texts[&uri(&self.main)];
        let at = LineIndex::new(text).position(text, offset as u32, self.texts.unit);
        json!({"line": at.line, "character": at.column})
    }

    fn step(&mut self, words: &str, want: &str) -> String {
        let (method, rest) = words.split_once(' ').unwrap_or((words, ""));
        match method {
            "diagnostics" => {
                let path = if rest.is_empty() { self.main.clone() } else { self.folder.path.join(rest) };
                let found = Value::Array(self.client.diagnostics(&path));
                let main = std::mem::replace(&mut self.texts.main, uri(&path));
                let shown = self.pretty("diagnostics", &found);
                self.texts.main = main;
                return shown;
            }
            "open" => {
                let path = self.folder.path.join(rest);
                let text = self.texts.texts[&uri(&path)].clone();
                self.client.open(&path, &text);
                return String::new();
            }
            "edit" => {
                let path = self.folder.path.join(rest);
                self.client.replace(&path, &without_marks(want));
                self.texts.texts.insert(uri(&path), without_marks(want));
                if let Some(cursor) = place(want, CURSOR) {
                    self.cursor = cursor;
                }
                return want.to_owned();
            }
            _ => {}
        }
        let (start, end) = self.range;
        let mut params = json!({
            "textDocument": {"uri": uri(&self.main)},
            "uri": uri(&self.main),
            "position": self.position(self.cursor),
            "positions": [self.position(self.cursor)],
            "range": {"start": self.position(start), "end": self.position(end)},
            "context": {"includeDeclaration": true, "diagnostics": []},
        });
        if !rest.is_empty() {
            let root = self.folder.path.display().to_string();
            let more: Value = serde_json::from_str(&rest.replace("/w/", &format!("{root}/"))).unwrap();
            more.as_object().unwrap().iter().for_each(|(key, value)| params[key] = value.clone());
        }
        let view = params["textDocument"]["uri"]
            .as_str()
            .filter(|uri| uri.starts_with("formwork-expanded:"))
            .map(str::to_owned);
        match self.client.request(method, params) {
            Ok(answer) => {
                if let (Some(uri), Some(text)) =
                    (rest.split('"').find(|part| part.starts_with("formwork-expanded:")), answer["text"].as_str())
                {
                    let uri = uri.replace("/w/", &format!("{}/", self.folder.path.display()));
                    self.texts.texts.insert(uri, text.to_owned());
                }
                let main = view.map(|view| std::mem::replace(&mut self.texts.main, view));
                let shown = self.pretty(method, &answer);
                if let Some(main) = main {
                    self.texts.main = main;
                }
                shown
            }
            Err(error) => format!("error {}: {}\n", error.code, error.message),
        }
    }

    fn pretty(&self, method: &str, answer: &Value) -> String {
        let readable = self.texts.readable(method, answer);
        let text = serde_json::to_string_pretty(&readable).unwrap() + "\n";
        text.replace(&self.folder.path.display().to_string(), "/w")
    }
}

fn run(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let case = parse(&text);
    let mut failures = Vec::new();
    for (encoding, unit) in [("utf-16", ColumnUnit::Utf16), ("utf-8", ColumnUnit::Utf8)] {
        let mut run = Run::new(&case, encoding, unit);
        let mut made = case.head.clone();
        for (name, text) in &case.files {
            made.push_str(&format!("--- {name}\n{text}"));
        }
        for step in &case.steps {
            made.push_str(&format!("=== {}\n{}", step.words, run.step(&step.words, &step.want)));
        }
        run.client.shut_down();
        if made == text {
            continue;
        }
        if std::env::var_os("FORMWORK_UPDATE").is_some() && encoding == "utf-16" {
            std::fs::write(path, made).unwrap();
            return failures;
        }
        failures.push(format!("{} ({encoding}):\n{made}", path.display()));
    }
    failures
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "txt") {
            found.push(path);
        }
    }
}

#[test]
fn answers_are_those_of_the_cases() {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"), &mut paths);
    paths.sort();
    let wanted = std::env::var("FORMWORK_CASE").unwrap_or_default();
    paths.retain(|path| path.to_string_lossy().contains(&wanted));
    assert!(!paths.is_empty());
    let failures: Vec<String> = paths.iter().flat_map(|path| run(path)).collect();
    assert!(failures.is_empty(), "{} of {} differ:\n{}", failures.len(), paths.len(), failures.join("\n"));
}
