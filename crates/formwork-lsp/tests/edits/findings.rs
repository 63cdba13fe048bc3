//! Diagnostics of a fresh check, and of the server, in words.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use formwork::nested::PathErrors;
use formwork::{
    ColumnUnit, Diagnostic, DiskHost, FileBytes, FileRange, FrameKind, Goal, Limits, LineColumn, LineIndex, Options,
    Report, Session, Severity, SourceMap, VirtualPath,
};
use serde_json::{Value, json};

use crate::client::{Client, uri};

use super::Document;

/// A session as `check` has one in a directory, with what is open in the editor.
fn session(folder: &Path, documents: &[Document]) -> Session<'static> {
    let host = DiskHost::new(folder, Some(folder), Limits::default().file_bytes).unwrap();
    let schemas = std::sync::Arc::new(formwork::schemas::Schemas::embedded());
    let session = Session::new(host, Options::default().for_check(Some(schemas)));
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
            let is_shown = elsewhere(&session, &root, compiled.sources(), found);
            return is_shown.then(|| format!("elsewhere {}", words(found)));
        }
        // What has no place is shown at the start.
        let at = index.position(text_of(documents, path), range.map_or(0, |range| range.start), unit);
        Some(format!("{}:{} {}", at.line, at.column, words(found)))
    });
    let mut shown: Vec<String> = shown.collect();
    shown.sort();
    shown
}

fn words(found: &Diagnostic) -> String {
    let severity = match found.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    };
    format!("{severity} {} {}", found.code, found.message)
}

fn text_of<'d>(documents: &'d [Document], path: &Path) -> &'d str {
    &documents.iter().find(|document| document.path == path).unwrap().text
}

/// Whether the check of the file in which something was found does not find it.
fn elsewhere(session: &Session<'_>, root: &VirtualPath, sources: &SourceMap, found: &Diagnostic) -> bool {
    let Some(FileRange { file, start, .. }) = sources.file_range(found.span()) else { return true };
    let has_frames = found.frames.iter().any(|frame| matches!(frame.kind, FrameKind::Module | FrameKind::Stack));
    let is_template = || session.read(&file).is_ok_and(|bytes| formwork::has_template_section(&bytes));
    if !has_frames && session.project(root).file(&file).is_none() && !is_template() {
        return true;
    }
    let alone = session.compile(file.as_str(), Goal::Check);
    !alone.diagnostics().iter().any(|other| {
        let place = alone.sources().file_range(other.span());
        other.code == found.code && place.is_some_and(|place| place.file == file && place.start == start)
    })
}

/// What the server has of the same.
pub fn served(client: &mut Client, path: &Path) -> Vec<String> {
    let answer = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": uri(path)}})).unwrap();
    shown(answer["items"].as_array().unwrap())
}

/// Diagnostics of the protocol in words.
pub fn shown(items: &[Value]) -> Vec<String> {
    let shown = items.iter().map(|item| {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let (code, message) = (text(&item["code"]), text(&item["message"]));
        let related = item["relatedInformation"][0]["message"].as_str().unwrap_or_default();
        let words = format!("{} {code} {message}", item["severity"]);
        if related == "the place in the module" {
            return format!("elsewhere {words}");
        }
        let at = &item["range"]["start"];
        format!("{}:{} {words}", at["line"], at["character"])
    });
    let mut shown: Vec<String> = shown.collect();
    shown.sort();
    shown
}

/// What the program reports of the same, where the disk has what the editor has.
pub fn of_program(program: &Path, folder: &Path, documents: &[Document], path: &Path, unit: ColumnUnit) -> Vec<String> {
    let own = name(folder, path);
    let text = text_of(documents, path);
    let (index, units) = (LineIndex::new(text), unit);
    let session = session(folder, documents);
    let found = reported(program, folder, own.as_str());
    let mut alone = BTreeMap::new();
    let shown = found.iter().filter_map(|found| {
        let words = format!("{} {} {}", severity(found), text_at(found, "code"), text_at(found, "message"));
        let file = found["file"].as_str().unwrap_or_default();
        if file == own.as_str() {
            // Columns of reports are those of an author, who counts characters.
            let number = |key: &str| found[key].as_u64().unwrap_or(1) as u32 - 1;
            let place = LineColumn { line: number("line"), column: number("column") };
            let at = index.position(text, index.offset(text, place, ColumnUnit::Scalar), units);
            return Some(format!("{}:{} {words}", at.line, at.column));
        }
        let alone = alone.entry(file.to_owned()).or_insert_with(|| reported(program, folder, file));
        let is_same = |other: &Value| ["file", "line", "column", "code"].iter().all(|key| other[*key] == found[*key]);
        let has_frames = found["frames"].as_array().is_some_and(|frames| !frames.is_empty());
        let is_template = || {
            let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
            formwork::has_template_section(&FileBytes::from(text))
        };
        // What the template imports has a look of its own, whatever it is.
        let is_imported = || session.project(&own).file(&VirtualPath::new(file)).is_some();
        let is_shown = !has_frames && !is_imported() && !is_template() || !alone.iter().any(is_same);
        is_shown.then(|| format!("elsewhere {words}"))
    });
    let mut shown: Vec<String> = shown.collect();
    shown.sort();
    shown
}

fn severity(found: &Value) -> usize {
    let known = ["error", "warning", "note"];
    known.iter().position(|known| found["severity"] == *known).unwrap() + 1
}

fn text_at<'v>(found: &'v Value, key: &str) -> &'v str {
    found[key].as_str().unwrap_or_else(|| panic!("{key} is not in {found}"))
}

/// The findings that `check` prints of a file.
fn reported(program: &Path, folder: &Path, name: &str) -> Vec<Value> {
    let mut command = Command::new(program);
    command.args(["check", "--message-format", "json", "--project-root", ".", name]).current_dir(folder);
    let output = command.output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line.get("code").is_some()).collect()
}
