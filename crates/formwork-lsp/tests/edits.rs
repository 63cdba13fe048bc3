//! Random edits: no panic, answers in range, diagnostics equal to those of a fresh check.

use std::path::{Path, PathBuf};

use formwork::nested::PathErrors;
use formwork::{
    ColumnUnit, DiskHost, FileBytes, Goal, Limits, LineColumn, LineIndex, Options, Report, Session, UnknownRules,
    Values, VirtualPath,
};
use serde_json::{Value, json};

use crate::client::{Client, uri};

/// How many edits there are in all: `FORMWORK_EDITS` in CI.
fn count() -> usize {
    std::env::var("FORMWORK_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(600)
}

/// What is edited: the templates below the directories of `FORMWORK_EDITS_OVER`, which colons separate, else the examples.
fn edited() -> Vec<PathBuf> {
    let Ok(folders) = std::env::var("FORMWORK_EDITS_OVER") else { return templates() };
    let mut found = Vec::new();
    let mut pending: Vec<PathBuf> = folders.split(':').map(PathBuf::from).collect();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let folder = path.parent().unwrap();
        // What a project sets is not in a fresh check.
        let is_plain = ["formwork.toml", "samconfig.toml"].iter().all(|name| !folder.join(name).exists());
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let is_template = ["yaml", "yml", "json", "template"].contains(&extension)
            && text.len() < 300_000
            && formwork::has_template_section(&FileBytes::from(text.as_str()));
        if is_plain && is_template {
            found.push(path.canonicalize().unwrap());
        }
    }
    found.sort();
    found.dedup();
    assert!(!found.is_empty());
    found
}

/// The templates of the examples.
pub fn templates() -> Vec<PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path().join("template.yaml");
        if path.is_file() {
            found.push(path.canonicalize().unwrap());
        }
    }
    found.sort();
    assert!(found.len() > 3);
    found
}

/// What a check of a text finds in its own file: code, message and place.
fn fresh(path: &Path, text: &str, unit: ColumnUnit) -> Vec<String> {
    let folder = path.parent().unwrap();
    let host = DiskHost::new(folder, Some(folder), Limits::default().file_bytes).unwrap();
    let options = Options {
        values: Values::Resolve,
        unknown_rules: UnknownRules::Warn,
        leaves_out_errors: true,
        ..Options::default()
    };
    let session = Session::new(host, options);
    let root = VirtualPath::new(&path.file_name().unwrap().to_string_lossy());
    session.set_file(&root, text.to_owned());
    let compiled = session.compile(root.as_str(), Goal::Check);
    let mut report = Report::from(std::sync::Arc::clone(&compiled));
    report.add(session.compile_nested(&compiled, Goal::Check, PathErrors::Reported).found);
    let index = LineIndex::new(text);
    let shown = report.diagnostics().iter().filter_map(|found| {
        let range = compiled.sources().file_range(found.span());
        if range.as_ref().is_some_and(|range| range.file != root) {
            return None;
        }
        // What has no place is shown at the start.
        let at = index.position(text, range.map_or(0, |range| range.start), unit);
        Some(format!("{}:{} {} {}", at.line, at.column, found.code, found.message))
    });
    let mut shown: Vec<String> = shown.collect();
    shown.sort();
    shown
}

/// What the server has of the same.
fn served(client: &mut Client, path: &Path) -> Vec<String> {
    let answer = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": uri(path)}})).unwrap();
    let shown = answer["items"].as_array().unwrap().iter().filter_map(|item| {
        let related = item["relatedInformation"][0]["message"].as_str().unwrap_or_default();
        let at = &item["range"]["start"];
        (related != "the place in the module").then(|| {
            format!(
                "{}:{} {} {}",
                at["line"],
                at["character"],
                item["code"].as_str().unwrap(),
                item["message"].as_str().unwrap()
            )
        })
    });
    let mut shown: Vec<String> = shown.collect();
    shown.sort();
    shown
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

    /// Whether every position of an answer about a document is in it.
    fn has(self, value: &Value, around: &str, main: &str) -> bool {
        match value {
            Value::Array(items) => items.iter().all(|item| self.has(item, around, main)),
            Value::Object(members) => {
                if let (Some(line), Some(column)) = (members.get("line"), members.get("character")) {
                    if around != main {
                        return true;
                    }
                    let position =
                        LineColumn { line: line.as_u64().unwrap() as u32, column: column.as_u64().unwrap() as u32 };
                    let index = LineIndex::new(self.text);
                    let offset = index.offset(self.text, position, self.unit);
                    return index.position(self.text, offset, self.unit) == position;
                }
                let own = members.get("uri").or_else(|| members.get("targetUri")).and_then(Value::as_str);
                let nested = members.get("textDocument").and_then(|document| document["uri"].as_str());
                let about = own.or(nested).unwrap_or(around);
                members.iter().all(|(name, value)| {
                    let about = if name == "originSelectionRange" { main } else { about };
                    name == "data" || name.starts_with("file:") || self.has(value, about, main)
                })
            }
            _ => true,
        }
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

/// One change: a piece that is inserted, removed or written over, or a line that comes once more.
fn change(random: &mut fastrand::Rng, text: &str) -> (usize, usize, String) {
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

/// Edits a template, asks, and compares.
fn edit(path: &Path, seed: u64, rounds: usize) {
    let mut random = fastrand::Rng::with_seed(seed);
    let (encoding, unit) =
        [("utf-16", ColumnUnit::Utf16), ("utf-8", ColumnUnit::Utf8), ("utf-32", ColumnUnit::Scalar)][seed as usize % 3];
    let original = std::fs::read_to_string(path).unwrap().trim_start_matches('\u{feff}').to_owned();
    let original = if seed % 5 == 4 { original.replace("\r\n", "\n").replace('\n', "\r\n") } else { original };
    let mut text = original.clone();
    let mut client = Client::in_folder(path.parent().unwrap(), encoding, true);
    client.open(path, &text);
    let main = uri(path);
    for round in 0..rounds {
        if round % 40 == 39 {
            text.clone_from(&original);
            client.replace(path, &text);
        }
        // A client may send several changes together.
        let mut changes = Vec::new();
        let mut offset = 0;
        for _ in 0..=usize::from(random.u8(..10) == 0) {
            let (start, end, piece) = change(&mut random, &text);
            let now = Text { text: &text, unit };
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
        client.change(path, Value::Array(changes));
        let now = Text { text: &text, unit };
        let cursor = now.position(text.floor_char_boundary(offset));
        let method = METHODS[random.usize(..METHODS.len())];
        let about =
            if method == "formwork/expanded" { format!("formwork-expanded:{}", path.display()) } else { main.clone() };
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
            is_about_others || text.contains('\u{feff}') || now.has(&answer, &main, &main),
            "{method} at {cursor}: {answer} in\n{text}"
        );
        // A document that was emptied is a template no more, until it looks like one.
        let mut is_ours = || !client.request("formwork/kind", json!({"uri": main})).unwrap().is_null();
        if round % 50 == 0 && !text.starts_with('\u{feff}') && is_ours() {
            assert_eq!(served(&mut client, path), fresh(path, &text, unit), "{}: {text}", path.display());
        }
    }
    let status = client.request("formwork/status", Value::Null).unwrap();
    assert_eq!(status["panics"], 0);
    client.shut_down();
}

#[test]
#[allow(clippy::print_stdout, reason = "a long run prints how far it is")]
fn random_edits_leave_the_diagnostics_of_a_fresh_check() {
    let templates = edited();
    // A large template takes longer: it gets fewer edits.
    let weight = |path: &PathBuf| 1.0 / (std::fs::metadata(path).unwrap().len().max(2000) as f64);
    let all: f64 = templates.iter().map(weight).sum();
    let (mut done, mut failed) = (0, Vec::new());
    for (number, path) in templates.iter().enumerate() {
        let rounds = (count() as f64 * weight(path) / all).ceil() as usize;
        if std::panic::catch_unwind(|| edit(path, number as u64, rounds)).is_err() {
            failed.push(format!("{} with seed {number}", path.display()));
        }
        done += rounds;
        if number % 20 == 19 {
            println!("{done} edits of {} templates, {} failed", number + 1, failed.len());
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
