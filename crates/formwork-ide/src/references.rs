//! Where a name is used.

use formwork::{FileRange, VirtualPath};

use crate::{Ide, mapping_keys};

/// A place where a name is declared or used.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reference {
    /// The name, without quotes, attributes and selectors.
    pub range: FileRange,
    /// Whether the name is declared here.
    pub is_declaration: bool,
}

/// Returns every place of the template and its modules that declares or uses the name at an offset, keys of mappings among
/// them.
pub fn references(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Vec<Reference> {
    let found = ide.project().references(file, offset).into_iter();
    let mut found: Vec<Reference> =
        found.map(|used| Reference { range: used.range, is_declaration: used.is_declaration }).collect();
    found.retain(|used| used.range.start < used.range.end);
    if found.is_empty()
        && let Some(key) = mapping_keys::mapping_key_at(ide, file, offset)
    {
        found = mapping_keys::places(ide, file, &key);
    }
    found
}

/// Returns the sources of the imports of the template and its modules that lead to `file`.
pub fn importers(ide: &Ide<'_>, file: &VirtualPath) -> Vec<FileRange> {
    let files: Vec<VirtualPath> = ide.project().files().map(|index| index.path().clone()).collect();
    let imports = files.iter().flat_map(|importer| ide.project().imports(importer));
    imports.filter(|import| import.file.as_ref() == Some(file)).map(|import| import.declared).collect()
}
