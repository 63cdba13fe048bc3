//! Find references.

use formwork::query::SymbolUse;
use formwork::{FileRange, VirtualPath};

use crate::{Ide, mapping_keys};

/// Returns every place of the template and its modules that declares or uses the name at an offset, including keys of
/// mappings.
pub fn references(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Vec<SymbolUse> {
    let mut found = ide.project().references(file, offset);
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
