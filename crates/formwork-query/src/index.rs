//! The names that one file declares and uses.

use formwork_base::{FileRange, Limits, LineIndex, VirtualPath};
use formwork_syntax::SourceContent;

use crate::names::{Names, TextRange};
use crate::parsed::ParsedFile;
use crate::walk::Walk;

/// The index of the names that one file declares and uses, independent of other files.
#[derive(Debug)]
pub struct FileIndex {
    pub(crate) parsed: ParsedFile,
    pub(crate) names: Names,
}

impl FileIndex {
    /// Indexes a file. A file that is not well-formed is indexed as far as it can be read. Offsets count from the first
    /// character after a byte order mark.
    pub fn new(path: VirtualPath, source: &SourceContent, limits: &Limits) -> FileIndex {
        let parsed = ParsedFile::new(path, source, limits);
        let names = parsed.root().map_or_else(Names::default, |root| Walk::new(&parsed).run(root));
        FileIndex { parsed, names }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &VirtualPath {
        self.parsed.path()
    }

    /// Returns the text of the file, without a byte order mark.
    pub fn text(&self) -> &str {
        self.parsed.text()
    }

    /// Returns the lines of the file, for columns of any unit.
    pub fn lines(&self) -> &LineIndex {
        self.parsed.lines()
    }

    /// Returns `true` if the file is well-formed.
    pub fn is_well_formed(&self) -> bool {
        self.parsed.is_well_formed()
    }

    pub(crate) fn file_range(&self, range: &TextRange) -> FileRange {
        self.parsed.file_range(range)
    }
}
