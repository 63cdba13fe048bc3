//! Highlights of the other uses of a name in its file.

use formwork::VirtualPath;
use formwork::query::SymbolUse;

use crate::{Ide, references};

/// Returns the places of the same file that declare or use the name at an offset.
pub fn highlight(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Vec<SymbolUse> {
    let mut found = references::references(ide, file, offset);
    found.retain(|used| used.range.file == *file);
    found
}
