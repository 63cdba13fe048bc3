//! Documents that are open in the client.

use std::path::Path;

use formwork::{ColumnUnit, FileText, LineIndex};
use formwork_ide::kind::{DocumentKind, kind};

use crate::lines::Lines;
use crate::params::Range;

#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) uri: String,
    pub(crate) version: i32,
    pub(crate) language: String,
    pub(crate) text: FileText,
    /// The kind of the document; while the text is broken, its last known kind.
    pub(crate) kind: Option<DocumentKind>,
}

#[derive(Clone, Debug, serde::Deserialize)]
pub(crate) struct Change {
    pub(crate) range: Option<Range>,
    pub(crate) text: String,
}

impl Document {
    pub(crate) fn new(uri: String, version: i32, language: String, text: FileText, path: &Path) -> Document {
        let kind = kind(&name_of(path), &text);
        Document { uri, version, language, text, kind }
    }

    /// Applies changes, each to the result of the one before.
    pub(crate) fn after(&self, version: i32, changes: Vec<Change>, unit: ColumnUnit, path: &Path) -> Document {
        let mut text = self.text.to_string();
        for change in changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let index = LineIndex::new(&text);
                    let (start, end) = Lines { text: &text, index: &index, unit, mark: 0 }.offsets(range);
                    text.replace_range(start as usize..end as usize, &change.text);
                }
            }
        }
        let kind = kind(&name_of(path), &text).or(self.kind.filter(|_| !text.trim().is_empty()));
        Document { uri: self.uri.clone(), version, language: self.language.clone(), text: text.into(), kind }
    }

    pub(crate) fn is_template(&self) -> bool {
        matches!(self.kind, Some(DocumentKind::Template | DocumentKind::Module))
    }
}

pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Position;

    #[test]
    fn changes_apply_in_order_each_on_the_result_of_the_last() {
        let path = Path::new("/t.yaml");
        let document = Document::new("file:///t.yaml".into(), 1, "yaml".into(), "a: ä\nb: 2\n".into(), path);
        let at = |line, character| Position { line, character };
        let change = |start, end, text: &str| Change { range: Some(Range { start, end }), text: text.into() };
        let changes = vec![change(at(0, 3), at(0, 99), "xx"), change(at(0, 4), at(1, 0), "y\n")];
        assert_eq!(document.after(2, changes, ColumnUnit::Utf16, path).text.as_ref(), "a: xy\nb: 2\n");
        let replaced = document.after(3, vec![Change { range: None, text: "c".into() }], ColumnUnit::Utf8, path);
        assert_eq!(replaced.text.as_ref(), "c");
    }
}
