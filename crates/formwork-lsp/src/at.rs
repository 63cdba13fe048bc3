//! The place of a request, with the compiled template that answers it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::{FileRange, VirtualPath};
use formwork_ide::{FileEdits, Ide};
use serde_json::{Map, Value, json};

use crate::lines::Lines;
use crate::params::{InDocument, Location, Position, Range};
use crate::response::Failure;
use crate::uri;
use crate::view::View;
use crate::world::absolute;

pub(crate) struct At<'v> {
    pub(crate) view: &'v View,
    pub(crate) path: PathBuf,
    pub(crate) ide: Arc<Ide<'static>>,
    pub(crate) file: VirtualPath,
}

impl<'v> At<'v> {
    /// Resolves the document of a request; `None` when it is not a template.
    ///
    /// # Errors
    /// When the state is outdated.
    pub(crate) fn of(view: &'v View, uri: &str) -> Result<Option<At<'v>>, Failure> {
        At::of_path(view, &uri::to_path(uri))
    }

    /// Resolves the document and the offset of the position of a request.
    ///
    /// # Errors
    /// When the state is outdated, or the position is missing.
    pub(crate) fn position(view: &'v View, params: &InDocument) -> Result<Option<(At<'v>, u32)>, Failure> {
        let position = params.position.ok_or_else(|| Failure::params("no position"))?;
        let at = At::of(view, &params.text_document.uri)?;
        Ok(at.map(|at| {
            let offset = at.offset(position);
            (at, offset)
        }))
    }

    /// Returns another template to which this one refers; `None` when it is not a template.
    ///
    /// # Errors
    /// When the state is outdated.
    pub(crate) fn other(&self, file: &VirtualPath) -> Result<Option<At<'v>>, Failure> {
        At::of_path(self.view, &absolute(file, self.folder()))
    }

    /// Returns the template at a path; `None` when it is not a template.
    ///
    /// # Errors
    /// When the state is outdated.
    pub(crate) fn of_path(view: &'v View, path: &Path) -> Result<Option<At<'v>>, Failure> {
        let Some(ide) = view.ide(path)? else { return Ok(None) };
        let file = ide.root().clone();
        Ok(Some(At { view, path: path.to_owned(), ide, file }))
    }

    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    pub(crate) fn lines(&self) -> Option<Lines<'_>> {
        let text = self.ide.text()?;
        Some(Lines { text: text.text(), index: text.lines(), unit: self.view.unit(), mark: self.mark() })
    }

    /// The columns of a byte order mark in front of the text: it counts for clients that have it in the document.
    fn mark(&self) -> u32 {
        let is_marked = self.view.document(&self.path).is_some_and(|document| document.text.starts_with('\u{feff}'));
        if is_marked { self.view.unit().width('\u{feff}') } else { 0 }
    }

    pub(crate) fn offset(&self, position: Position) -> u32 {
        self.lines().map_or(0, |lines| lines.offset(position))
    }

    pub(crate) fn offsets(&self, range: Range) -> (u32, u32) {
        self.lines().map_or((0, 0), |lines| lines.offsets(range))
    }

    pub(crate) fn range(&self, start: u32, end: u32) -> Range {
        self.lines().map_or_else(Range::default, |lines| lines.range(start, end))
    }

    pub(crate) fn range_in(&self, range: &FileRange) -> Range {
        let unit = self.view.unit();
        if let Some(text) = self.ide.text().filter(|_| range.file == self.file) {
            return Lines { text: text.text(), index: text.lines(), unit, mark: self.mark() }
                .range(range.start, range.end);
        }
        match self.ide.snapshot().source(&range.file) {
            Ok(source) => {
                let text = source.text();
                Lines { text: text.text(), index: text.lines(), unit, mark: 0 }.range(range.start, range.end)
            }
            Err(_) => Range::default(),
        }
    }

    /// The URI of a file of the template, as the client writes it if the file is open.
    pub(crate) fn uri(&self, file: &VirtualPath) -> String {
        self.view.uri_of(&absolute(file, self.folder()))
    }

    pub(crate) fn location(&self, range: &FileRange) -> Location {
        Location { uri: self.uri(&range.file), range: self.range_in(range) }
    }

    pub(crate) fn workspace_edit(&self, edits: &[FileEdits]) -> Value {
        let client = &self.view.client;
        let texts = |file: &FileEdits| -> Vec<Value> {
            let range = |start, end| self.range_in(&FileRange::new(file.file.clone(), start, end));
            file.edits.iter().map(|edit| json!({"range": range(edit.start, edit.end), "newText": edit.text})).collect()
        };
        if !client.can("/workspace/workspaceEdit/documentChanges") {
            let changes: Map<String, Value> =
                edits.iter().map(|file| (self.uri(&file.file), Value::Array(texts(file)))).collect();
            return json!({"changes": changes});
        }
        let mut changes = Vec::new();
        for file in edits {
            let path = absolute(&file.file, self.folder());
            let version = self.view.document(&path).map(|document| document.version);
            if file.is_new {
                changes.push(json!({"kind": "create", "uri": self.uri(&file.file)}));
            }
            let document = json!({"uri": self.uri(&file.file), "version": version});
            changes.push(json!({"textDocument": document, "edits": texts(file)}));
        }
        json!({"documentChanges": changes})
    }
}
