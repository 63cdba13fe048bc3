//! Diagnostics of a fresh check, and of the server, in words.

use std::path::Path;

use formwork::nested::PathErrors;
use formwork::{
    ColumnUnit, Diagnostic, DiskHost, FileRange, FrameKind, Goal, Limits, LineIndex, Options, Report, Session,
    SourceMap, UnknownRules, Values, VirtualPath,
};
use serde_json::{Value, json};

use crate::client::{Client, uri};

use super::Document;

/// A session as `check` has one in a directory, with what is open in the editor.
fn session(folder: &Path, documents: &[Document]) -> Session<'static> {
    let host = DiskHost::new(folder, Some(folder), Limits::default().file_bytes).unwrap();
    let options = Options {
        values: Values::Resolve,
        unknown_rules: UnknownRules::Warn,
        leaves_out_errors: true,
        ..Options::default()
    };
    let session = Session::new(host, options);
    for document in documents.iter().filter(|document| document.is_open) {
        session.set_file(&name(folder, &document.path), document.text.clone());
    }
    session
}

fn name(folder: &Path, path: &Path) -> VirtualPath {
    VirtualPath::new(&path.strip_prefix(folder).unwrap().to_string_lossy())
}

/// What a check of a file finds, in the file and elsewhere; not what a check of another file finds there.
pub fn fresh(folder: &Path, documents: &[Document], path: &Path, unit: ColumnUnit) -> Vec<String> {
    let session = session(folder, documents);
    let root = name(folder, path);
    let compiled = session.compile(root.as_str(), Goal::Check);
    let mut report = Report::from(std::sync::Arc::clone(&compiled));
    report.add(session.compile_nested(&compiled, Goal::Check, PathErrors::Reported).found);
    let index = LineIndex::new(text_of(documents, path));
    let shown = report.diagnostics().iter().filter_map(|found| {
        let range = compiled.sources().file_range(found.span());
        if range.as_ref().is_some_and(|range| range.file != root) {
            let is_shown = elsewhere(&session, compiled.sources(), found);
            return is_shown.then(|| format!("elsewhere {} {}", found.code, found.message));
        }
        // What has no place is shown at the start.
        let at = index.position(text_of(documents, path), range.map_or(0, |range| range.start), unit);
        Some(format!("{}:{} {} {}", at.line, at.column, found.code, found.message))
    });
    let mut shown: Vec<String> = shown.collect();
    shown.sort();
    shown
}

fn text_of<'d>(documents: &'d [Document], path: &Path) -> &'d str {
    &documents.iter().find(|document| document.path == path).unwrap().text
}

/// Whether the check of the file in which something was found does not find it.
fn elsewhere(session: &Session<'_>, sources: &SourceMap, found: &Diagnostic) -> bool {
    if !found.frames.iter().any(|frame| matches!(frame.kind, FrameKind::Module | FrameKind::Stack)) {
        return true;
    }
    let Some(FileRange { file, start, .. }) = sources.file_range(found.span()) else { return true };
    let alone = session.compile(file.as_str(), Goal::Check);
    !alone.diagnostics().iter().any(|other| {
        let place = alone.sources().file_range(other.span());
        other.code == found.code && place.is_some_and(|place| place.file == file && place.start == start)
    })
}

/// What the server has of the same.
pub fn served(client: &mut Client, path: &Path) -> Vec<String> {
    let answer = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": uri(path)}})).unwrap();
    let shown = answer["items"].as_array().unwrap().iter().map(|item| {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let (code, message) = (text(&item["code"]), text(&item["message"]));
        let related = item["relatedInformation"][0]["message"].as_str().unwrap_or_default();
        if related == "the place in the module" {
            return format!("elsewhere {code} {message}");
        }
        let at = &item["range"]["start"];
        format!("{}:{} {code} {message}", at["line"], at["character"])
    });
    let mut shown: Vec<String> = shown.collect();
    shown.sort();
    shown
}
