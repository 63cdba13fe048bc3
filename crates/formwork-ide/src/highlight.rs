//! The other uses of a name in its file.

use formwork::VirtualPath;

use crate::references::Reference;
use crate::{Ide, references};

/// Returns the places of the same file that declare or use the name at an offset.
pub fn highlight(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Vec<Reference> {
    let mut found = references::references(ide, file, offset);
    found.retain(|used| used.range.file == *file);
    found
}
