//! Random edits: no panic, answers in range, diagnostics equal to those of a fresh check.

mod edited;
mod findings;
mod wrong;

use std::path::{Path, PathBuf};
use std::time::Duration;

use formwork::{ColumnUnit, LineColumn, LineIndex};
use serde_json::{Value, json};

use crate::client::{Client, uri};

pub use edited::templates;
use edited::{Edited, edited};
use findings::{fresh, of_program, served, shown};
use wrong::wrong;

/// How many edits there are in all: `FORMWORK_EDITS` in CI.
fn count() -> usize {
    std::env::var("FORMWORK_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(600)
}

/// Where random numbers begin: `FORMWORK_EDITS_SEED`, so that another run has other edits.
fn first_seed() -> u64 {
    std::env::var("FORMWORK_EDITS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_default()
}

/// The program that some of the templates are checked with: `FORMWORK_EDITS_PROGRAM`.
fn program() -> Option<PathBuf> {
    std::env::var_os("FORMWORK_EDITS_PROGRAM").map(PathBuf::from)
}

/// After how many edits diagnostics are compared, and after how many comparisons with those of the program, too.
const LOOK: usize = 10;
const RUN: usize = 10;

/// A file in the editor.
pub struct Document {
    path: PathBuf,
    original: String,
    /// The text in the editor, or on the disk when it is closed.
    text: String,
    is_open: bool,
}

/// A text and what columns of the client count.
#[derive(Clone, Copy)]
struct Text<'t> {
    text: &'t str,
    unit: ColumnUnit,
}

impl Text<'_> {
    fn position(self, offset: usize) -> Value {
        let at = LineIndex::new(self.text).position(self.text, offset as u32, self.unit);
        json!({"line": at.line, "character": at.column})
    }

    /// Whether the text has a position.
    fn has(self, position: LineColumn) -> bool {
        let index = LineIndex::new(self.text);
        let offset = index.offset(self.text, position, self.unit);
        index.position(self.text, offset, self.unit) == position
    }
}

/// Whether every position of an answer about a document is in the document that it is about. `around` is the address of
/// the document of what the value is in, `main` of the one that was asked about.
fn is_in_range(documents: &[Document], unit: ColumnUnit, value: &Value, around: &str, main: &str) -> bool {
    let inner = |value: &Value, about: &str| is_in_range(documents, unit, value, about, main);
    match value {
        Value::Array(items) => items.iter().all(|item| inner(item, around)),
        Value::Object(members) => {
            if let (Some(line), Some(column)) = (members.get("line"), members.get("character")) {
                let position =
                    LineColumn { line: line.as_u64().unwrap() as u32, column: column.as_u64().unwrap() as u32 };
                let about = documents.iter().find(|document| uri(&document.path) == around);
                return about.is_none_or(|about| {
                    about.text.contains('\u{feff}') || Text { text: &about.text, unit }.has(position)
                });
            }
            let own = members.get("uri").or_else(|| members.get("targetUri")).and_then(Value::as_str);
            let nested = members.get("textDocument").and_then(|document| document["uri"].as_str());
            let about = own.or(nested).unwrap_or(around);
            members.iter().all(|(name, value)| {
                let about = match name.as_str() {
                    "originSelectionRange" => main,
                    name if name.starts_with("file:") => name,
                    _ => about,
                };
                name == "data" || inner(value, about)
            })
        }
        _ => true,
    }
}

const PIECES: [&str; 34] = [
    "\n",
    " ",
    "  ",
    ":",
    "- ",
    "!Ref ",
    "!Sub \"${",
    "}",
    "[",
    "]",
    "{",
    "\"",
    "'",
    "#",
    "ü",
    "😀",
    "Fn::ForEach::L:\n",
    "Type: ",
    "Resources:\n",
    "&a ",
    "*a",
    "|\n",
    "${x}",
    "\t",
    "\r\n",
    "\r",
    "\u{feff}",
    "𝄞",
    "é",
    "---\n",
    "!GetAtt [",
    "Fn::Sub: ",
    "? ",
    "&{x}",
];

const METHODS: [&str; 21] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/implementation",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "textDocument/codeAction",
    "textDocument/documentLink",
    "textDocument/formatting",
    "textDocument/prepareRename",
    "textDocument/rename",
    "formwork/values",
    "formwork/map",
    "formwork/expanded",
];

/// Refused, as by `textDocument/rename` where nothing can be renamed.
const REFUSED: i32 = -32803;

/// One change: a piece that is inserted, removed or written over, a line that comes once more, a wrong key or value.
fn change(random: &mut fastrand::Rng, text: &str) -> (usize, usize, String) {
    if random.u8(..4) == 0
        && let Some(change) = wrong(random, text)
    {
        return change;
    }
    let at = |offset: usize| text.floor_char_boundary(offset.min(text.len()));
    let start = at(random.usize(..=text.len()));
    let end = match random.u8(..8) {
        0..4 => start,
        4..7 => at(start + random.usize(..6)),
        _ => at(start + random.usize(..200)),
    };
    let piece = match random.u8(..8) {
        0 | 1 => String::new(),
        2 => {
            let from = at(random.usize(..=text.len()));
            text[from..at(from + random.usize(..80)).max(from)].to_owned()
        }
        _ => PIECES[random.usize(..PIECES.len())].to_owned(),
    };
    (start, end.max(start), piece)
}

/// Edits files, asks, and compares.
fn edit(edited: &Edited, seed: u64, rounds: usize) {
    let (edited, _own) = &edited.copied();
    let mut random = fastrand::Rng::with_seed(seed);
    let (encoding, unit) =
        [("utf-16", ColumnUnit::Utf16), ("utf-8", ColumnUnit::Utf8), ("utf-32", ColumnUnit::Scalar)][seed as usize % 3];
    let with_carriage_returns = seed % 5 == 4 && !edited.is_own;
    // Every other client is one that diagnostics are pushed to.
    let pulls = seed.is_multiple_of(2);
    let mut client = Client::in_folder(&edited.folder, encoding, pulls);
    let mut documents: Vec<Document> = edited
        .files
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path).unwrap().trim_start_matches('\u{feff}').to_owned();
            let text = if with_carriage_returns { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text };
            client.open(path, &text);
            Document { path: path.clone(), original: text.clone(), text, is_open: true }
        })
        .collect();
    for round in 0..rounds {
        let at = random.usize(..documents.len());
        if round % 40 == 39 {
            reset(&mut client, &mut documents);
        } else if edited.is_own && random.u8(..12) == 0 {
            beside(&mut random, &mut client, &mut documents[at]);
            continue;
        }
        if !documents[at].is_open {
            let document = &mut documents[at];
            client.open(&document.path, &document.text);
            document.is_open = true;
        }
        let offset = type_in(&mut random, &mut client, &mut documents[at], unit);
        ask(&mut random, &mut client, &documents, at, offset, unit);
        if round % LOOK == 0 {
            look(&mut client, edited, &documents, (unit, pulls), round);
        }
    }
    let status = client.request("formwork/status", Value::Null).unwrap();
    assert_eq!(status["panics"], 0);
    client.shut_down();
}

/// Compares the diagnostics of open documents with those of a fresh check, and now and then with those of the program.
fn look(client: &mut Client, edited: &Edited, documents: &[Document], (unit, pulls): (ColumnUnit, bool), round: usize) {
    let program = program().filter(|_| edited.is_own && (round / LOOK).is_multiple_of(RUN));
    if program.is_some() {
        // The program reads the disk. What is open there is not read again.
        let open = documents.iter().filter(|document| document.is_open);
        open.for_each(|document| std::fs::write(&document.path, &document.text).unwrap());
    }
    for document in documents.iter().filter(|document| document.is_open && !document.text.starts_with('\u{feff}')) {
        // A document that was emptied is a template no more, until it looks like one, or a template that imports it is read.
        let path = &document.path;
        let is_template = |client: &mut Client| {
            let kind = client.request("formwork/kind", json!({"uri": uri(path)})).unwrap();
            kind == "template" || kind == "module"
        };
        if !is_template(client) {
            continue;
        }
        let fresh = fresh(&edited.folder, documents, path, unit);
        let served = if pulls { served(client, path) } else { pushed(client, path, &fresh) };
        if !is_template(client) {
            continue;
        }
        let run = program.as_ref().map(|program| of_program(program, &edited.folder, documents, path, unit));
        if served != fresh || run.as_ref().is_some_and(|run| *run != served) {
            let texts: Vec<(&Path, &str, bool)> = documents
                .iter()
                .map(|document| (document.path.as_path(), document.text.as_str(), document.is_open))
                .collect();
            panic!("{}, round {round}: served {served:#?}\nfresh {fresh:#?}\nrun {run:#?}\n{texts:#?}", path.display());
        }
    }
}

/// What the client shows of the last version of a document in the end: `wanted`, when the server is right.
fn pushed(client: &mut Client, path: &Path, wanted: &[String]) -> Vec<String> {
    for _ in 0..1000 {
        if client.shown(path).is_some_and(|items| shown(items) == wanted) {
            break;
        }
        client.drain(Duration::from_millis(10));
    }
    client.shown(path).map_or_else(|| vec!["nothing of the last version".to_owned()], shown)
}

/// All files as they were.
fn reset(client: &mut Client, documents: &mut [Document]) {
    for document in documents {
        document.text.clone_from(&document.original);
        if document.is_open {
            client.replace(&document.path, &document.text);
        } else {
            client.open(&document.path, &document.text);
            document.is_open = true;
        }
    }
}

/// What is not typed: a document is saved, or closed, its file changes or is deleted.
fn beside(random: &mut fastrand::Rng, client: &mut Client, document: &mut Document) {
    let document_of = json!({"textDocument": {"uri": uri(&document.path)}});
    let changed = |kind: u8| json!({"changes": [{"uri": uri(&document.path), "type": kind}]});
    match random.u8(..4) {
        0 => {
            std::fs::write(&document.path, &document.text).unwrap();
            client.notify("workspace/didChangeWatchedFiles", changed(2));
            client.notify("textDocument/didSave", document_of);
        }
        // What the disk has counts again.
        1 if document.is_open => {
            client.notify("textDocument/didClose", document_of);
            document.is_open = false;
            document.text = std::fs::read_to_string(&document.path).unwrap_or_default();
        }
        2 => {
            let _ = std::fs::remove_file(&document.path);
            client.notify("workspace/didChangeWatchedFiles", changed(3));
            if !document.is_open {
                document.text.clear();
            }
        }
        _ => {
            std::fs::write(&document.path, &document.original).unwrap();
            client.notify("workspace/didChangeWatchedFiles", changed(1));
            if !document.is_open {
                document.text.clone_from(&document.original);
            }
        }
    }
}

/// Changes a document, and returns where the cursor is.
fn type_in(random: &mut fastrand::Rng, client: &mut Client, document: &mut Document, unit: ColumnUnit) -> usize {
    let text = &mut document.text;
    // A client may send several changes together.
    let mut changes = Vec::new();
    let mut offset = 0;
    for _ in 0..=usize::from(random.u8(..10) == 0) {
        let (start, end, piece) = change(random, text);
        let now = Text { text, unit };
        let range = json!({"start": now.position(start), "end": now.position(end)});
        // A place between the two halves of a line break is none that a client has.
        let is_place = |offset: usize| !(text[..offset].ends_with('\r') && text[offset..].starts_with('\n'));
        if !is_place(start) || !is_place(end) {
            continue;
        }
        changes.push(json!({"range": range, "text": piece}));
        text.replace_range(start..end, &piece);
        offset = start + piece.len();
    }
    client.change(&document.path, Value::Array(changes));
    text.floor_char_boundary(offset)
}

/// Asks something at the cursor.
fn ask(
    random: &mut fastrand::Rng,
    client: &mut Client,
    documents: &[Document],
    at: usize,
    offset: usize,
    unit: ColumnUnit,
) {
    let document = &documents[at];
    let (main, text) = (uri(&document.path), &document.text);
    let cursor = Text { text, unit }.position(offset);
    let method = METHODS[random.usize(..METHODS.len())];
    let about = if method == "formwork/expanded" {
        format!("formwork-expanded:{}", document.path.display())
    } else {
        main.clone()
    };
    let answer = client.request(
        method,
        json!({
            "textDocument": {"uri": main}, "uri": about, "position": cursor, "positions": [cursor],
            "range": {"start": cursor, "end": cursor}, "newName": "Renamed",
            "options": {"tabSize": 2, "insertSpaces": true},
            "context": {"includeDeclaration": true, "diagnostics": []}
        }),
    );
    let answer = answer.or_else(|error| {
        // The document may be none of ours any more.
        let is_fine = error.code == REFUSED || method.starts_with("formwork/") && error.code == -32602;
        if is_fine { Ok(Value::Null) } else { Err(error) }
    });
    let answer = answer.unwrap_or_else(|error| panic!("{method}: {} in\n{text}", error.message));
    // Numbers of tokens are relative, and places of the expansion are in the expansion.
    let is_about_others = method.contains("Tokens") || method.starts_with("formwork/");
    assert!(
        is_about_others || is_in_range(documents, unit, &answer, &main, &main),
        "{method} at {cursor}: {answer} in\n{text}"
    );
}

#[test]
#[allow(clippy::print_stdout, reason = "a long run prints how far it is")]
fn random_edits_leave_the_diagnostics_of_a_fresh_check() {
    let all = edited();
    // A large template takes longer: it gets fewer edits.
    let weight = |edited: &Edited| 1.0 / (edited.size().max(2000) as f64);
    let sum: f64 = all.iter().map(weight).sum();
    let (mut done, mut failed) = (0, Vec::new());
    for (number, edited) in all.iter().enumerate() {
        let rounds = (count() as f64 * weight(edited) / sum).ceil() as usize;
        let seed = first_seed() + number as u64;
        if std::panic::catch_unwind(|| edit(edited, seed, rounds)).is_err() {
            failed.push(format!("{} with seed {seed}", edited.files[0].display()));
        }
        done += rounds;
        if number % 20 == 19 {
            println!("{done} edits of {} projects, {} failed", number + 1, failed.len());
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
