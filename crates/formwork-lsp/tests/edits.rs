//! Random edits: no panic, answers in range, diagnostics equal to those of a fresh check.

use std::path::{Path, PathBuf};

use formwork::nested::PathErrors;
use formwork::{
    ColumnUnit, DiskHost, Goal, Limits, LineIndex, Options, Report, Session, UnknownRules, Values, VirtualPath,
};
use serde_json::{Value, json};

use crate::client::{Client, uri};

/// How many edits there are in all: `FORMWORK_EDITS` in CI.
fn count() -> usize {
    std::env::var("FORMWORK_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(600)
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
fn fresh(path: &Path, text: &str) -> Vec<String> {
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
        let at = index.position(text, range.map_or(0, |range| range.start), ColumnUnit::Utf16);
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

/// Whether every position of an answer about a text is in it.
fn is_in_range(value: &Value, text: &str, around: &str, main: &str) -> bool {
    match value {
        Value::Array(items) => items.iter().all(|item| is_in_range(item, text, around, main)),
        Value::Object(members) => {
            if let (Some(line), Some(column)) = (members.get("line"), members.get("character")) {
                let own = text.split('\n').nth(line.as_u64().unwrap() as usize);
                let is_in = |own: &str| column.as_u64().unwrap() <= own.encode_utf16().count() as u64;
                return around != main || own.is_some_and(is_in);
            }
            let uri = members.get("uri").or_else(|| members.get("targetUri")).and_then(Value::as_str).unwrap_or(around);
            members.values().all(|value| is_in_range(value, text, uri, main))
        }
        _ => true,
    }
}

const PIECES: [&str; 24] = [
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
];

const METHODS: [&str; 12] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/inlayHint",
    "textDocument/codeAction",
    "textDocument/documentLink",
];

#[test]
fn random_edits_leave_the_diagnostics_of_a_fresh_check() {
    let templates = templates();
    let rounds = count() / templates.len() + 1;
    for (number, path) in templates.iter().enumerate() {
        let mut random = fastrand::Rng::with_seed(number as u64);
        let original = std::fs::read_to_string(path).unwrap();
        let mut text = original.clone();
        let mut client = Client::in_folder(path.parent().unwrap(), "utf-16", true);
        client.open(path, &text);
        for round in 0..rounds {
            if round % 40 == 39 {
                text.clone_from(&original);
                client.replace(path, &text);
            }
            let at = |random: &mut fastrand::Rng, text: &str| text.floor_char_boundary(random.usize(..=text.len()));
            let start = at(&mut random, &text);
            let end = if random.bool() {
                start
            } else {
                text.floor_char_boundary((start + random.usize(..6)).min(text.len()))
            };
            let end = end.max(start);
            let piece = if random.u8(..4) == 0 { "" } else { PIECES[random.usize(..PIECES.len())] };
            let index = LineIndex::new(&text);
            let position = |offset: usize| {
                let at = index.position(&text, offset as u32, ColumnUnit::Utf16);
                json!({"line": at.line, "character": at.column})
            };
            let range = json!({"start": position(start), "end": position(end)});
            client.change(path, json!([{"range": range, "text": piece}]));
            text.replace_range(start..end, piece);
            let cursor = LineIndex::new(&text).position(&text, (start + piece.len()) as u32, ColumnUnit::Utf16);
            let cursor = json!({"line": cursor.line, "character": cursor.column});
            let method = METHODS[random.usize(..METHODS.len())];
            let answer = client.request(
                method,
                json!({
                    "textDocument": {"uri": uri(path)}, "position": cursor, "positions": [cursor],
                    "range": {"start": cursor, "end": cursor},
                    "context": {"includeDeclaration": true, "diagnostics": []}
                }),
            );
            let answer = answer.unwrap_or_else(|error| panic!("{method}: {} in\n{text}", error.message));
            let main = uri(path);
            assert!(
                method.contains("Tokens") || is_in_range(&answer, &text, &main, &main),
                "{method}: {answer} in\n{text}"
            );
            if round % 10 == 0 {
                assert_eq!(served(&mut client, path), fresh(path, &text), "{}: {text}", path.display());
            }
        }
        let status = client.request("formwork/status", Value::Null).unwrap();
        assert_eq!(status["panics"], 0);
        client.shut_down();
    }
}
