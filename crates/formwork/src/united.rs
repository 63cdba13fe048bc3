//! The text of a template of several files (reference/merge.md#text).

use formwork_base::{FileId, IdMap, OriginFile, OriginRow, Origins, VirtualPath};
use formwork_syntax::Tree;

use crate::compilation::Compilation;

/// A template of several files as one text.
#[derive(Debug)]
pub struct UnitedText {
    /// The text, in the encoding of the first file.
    pub bytes: Vec<u8>,
    /// The authored places of its parts.
    pub origins: Origins,
}

impl Compilation {
    /// Writes the union of the files of the template, in the format of the first one. `new_path` returns the new text of
    /// a relative path in a file, `None` to keep it. `None` when the files cannot be united.
    pub fn united_text(&self, new_path: &dyn Fn(&VirtualPath, &str) -> Option<String>) -> Option<UnitedText> {
        let union = self.inputs.union.as_ref().filter(|_| !self.has_errors)?;
        let mut tree: Tree = (*self.tree).clone();
        let new_path = |file: FileId, path: &str| new_path(self.sources.path(file), path);
        let written = formwork_merge::text::text(&mut tree, &self.sources, &union.documents, &union.merged, &new_path);
        let files: Vec<FileId> = union.documents.iter().map(|document| document.file).collect();
        let origin_files = files.iter().map(|&file| OriginFile {
            display: self.sources.display(file).to_owned(),
            bytes: self.sources.text(file).as_bytes().into(),
        });
        let numbers: IdMap<FileId, u32> = files.iter().copied().zip(0..).collect();
        let mut rows = Vec::new();
        let (mut line, mut line_start, mut at) = (0, 0, 0);
        for (offset, span) in &written.places {
            let offset = (*offset as usize).min(written.text.len());
            let passed = &written.text.as_bytes()[at..offset];
            for (index, _) in passed.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
                (line, line_start) = (line + 1, at + index + 1);
            }
            at = offset;
            let Some(file) = self.sources.file_of(*span) else { continue };
            let Some(&number) = numbers.get(&file) else { continue };
            let column = written.text[line_start..offset].chars().count() as u32;
            let base = self.sources.base(file);
            let (start, end) = (span.start() - base, span.end() - base);
            rows.push(OriginRow { line, column, file: number, start, end });
        }
        let bytes = self.encoding.encode(&written.text);
        Some(UnitedText { bytes, origins: Origins { files: origin_files.collect(), rows } })
    }
}
