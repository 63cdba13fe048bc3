//! `textDocument/formatting` and `textDocument/rangeFormatting`.

use std::path::Path;

use formwork::{Limits, LineIndex, VirtualPath};
use formwork_format::{Options, Step};
use formwork_ide::kind::DocumentKind;
use serde_json::{Value, json};

use crate::document::{Document, name_of};
use crate::fmt_settings;
use crate::lines::Lines;
use crate::params::{self, InDocument};
use crate::response::Answer;
use crate::uri;
use crate::view::View;

pub(crate) fn document(view: &View, params: Value) -> Answer {
    format(view, params, false)
}

pub(crate) fn range(view: &View, params: Value) -> Answer {
    format(view, params, true)
}

/// Returns `true` for the documents that `fmt` formats: templates and test files.
pub(super) fn is_formatted(document: &Document) -> bool {
    document.is_template() || document.kind == Some(DocumentKind::Test)
}

/// The options for a document. The settings of the client only apply to a file without any nesting.
pub(super) fn options_of(
    view: &View,
    path: &Path,
    text: &str,
    spaces: Option<&Value>,
    tab_size: Option<&Value>,
) -> Options {
    let default_indent = match (spaces.and_then(Value::as_bool), tab_size.and_then(Value::as_u64)) {
        (Some(false), _) if text.trim_start().starts_with('{') => Step::Tab,
        (_, Some(size @ 1..=8)) => Step::Spaces(size as u8),
        _ => Step::Spaces(2),
    };
    Options { default_indent, ..fmt_settings::options(&view.reader(), path.parent().unwrap_or(path)) }
}

/// A document that is not well-formed stays unchanged.
fn format(view: &View, params: Value, is_range: bool) -> Answer {
    let number = |key: &str| params.pointer(&format!("/options/{key}")).cloned().unwrap_or(Value::Null);
    let (tab_size, spaces) = (number("tabSize"), number("insertSpaces"));
    let params: InDocument = params::read(params)?;
    let path = uri::to_path(&params.text_document.uri);
    let document = view.document(&path).filter(|_| view.settings_of(&path).is_on("format"));
    let Some(document) = document.filter(|document| is_formatted(document)) else { return Ok(json!([])) };
    let options = options_of(view, &path, &document.text, Some(&spaces), Some(&tab_size));
    let (file, limits) = (VirtualPath::new(&name_of(&path)), Limits::default());
    let index = LineIndex::new(&document.text);
    let lines = Lines { text: &document.text, index: &index, unit: view.unit(), mark: 0 };
    let edits = match params.range.filter(|_| is_range) {
        Some(range) => {
            let (start, end) = lines.offsets(range);
            formwork_format::format_range(&document.text, &file, start as usize..end as usize, &options, &limits)
        }
        None => formwork_format::format(&document.text, &file, &options, &limits)
            .map(|formatted| formwork_format::edits(&document.text, &formatted)),
    };
    let edits = edits.unwrap_or_default();
    let made = edits.iter().map(|edit| {
        let (start, end, new) = whole_breaks(&document.text, edit.range.clone(), &edit.text);
        json!({"range": lines.range(start as u32, end as u32), "newText": new})
    });
    Ok(made.collect())
}

/// Moves the start and the end of an edit to valid positions of the protocol, which are never inside of a two-character
/// line break.
fn whole_breaks(text: &str, range: std::ops::Range<usize>, new: &str) -> (usize, usize, String) {
    let bytes = text.as_bytes();
    let is_inside = |at: usize| at > 0 && bytes.get(at - 1) == Some(&b'\r') && bytes.get(at) == Some(&b'\n');
    let (mut start, mut end, mut new) = (range.start, range.end, new.to_owned());
    if is_inside(start) {
        start -= 1;
        new.insert(0, '\r');
    }
    if is_inside(end) {
        end += 1;
        new.push('\n');
    }
    (start, end, new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_break_is_replaced_as_a_whole() {
        let text = "a\r\nb";
        assert_eq!(whole_breaks(text, 1..2, ""), (1, 3, "\n".to_owned()));
        assert_eq!(whole_breaks(text, 2..3, ""), (1, 3, "\r".to_owned()));
        assert_eq!(whole_breaks(text, 1..3, "\n"), (1, 3, "\n".to_owned()));
        assert_eq!(whole_breaks(text, 0..1, "x"), (0, 1, "x".to_owned()));
    }
}
