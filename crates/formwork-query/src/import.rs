//! Imports, their files and the logical IDs that they generate.

use formwork_base::{FileRange, VirtualPath};
use serde::Serialize;

use crate::project::Project;
use crate::symbol::SymbolKind;

/// A use of a module.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct ImportInfo {
    /// The name of the import.
    pub name: String,
    /// The range of the name.
    pub declared: FileRange,
    /// The source as written.
    pub source: Option<String>,
    /// The file of the module, if it is a local one.
    pub file: Option<VirtualPath>,
    /// Names of the parameters of the module, when it is in the project.
    pub parameters: Vec<String>,
    /// Names of the outputs of the module.
    pub outputs: Vec<String>,
    /// Logical IDs of the resources that it generated in the last expansion, copies included.
    pub ids: Vec<String>,
}

impl Project {
    /// Returns the imports of a file, in order.
    pub fn imports(&self, file: &VirtualPath) -> Vec<ImportInfo> {
        let Some(index) = self.file(file) else { return Vec::new() };
        let info = |number: usize| {
            let import = &index.names.imports[number];
            let declaration = &index.names.declarations[import.declaration];
            let declared = index.file_range(&declaration.name_range);
            let module = self.module(index, number);
            let names = |kind| module.map_or_else(Vec::new, |module| module.names_of(kind));
            ImportInfo {
                name: import.name.clone(),
                ids: self.ids_of(&declared),
                declared,
                source: import.source.clone(),
                file: index.source_of(number),
                parameters: names(SymbolKind::Parameter),
                outputs: names(SymbolKind::Output),
            }
        };
        (0..index.names.imports.len()).map(info).collect()
    }

    fn ids_of(&self, declared: &FileRange) -> Vec<String> {
        let ids = self.expansion().map_or(&[][..], |expansion| expansion.ids());
        let is_by =
            |site: &FileRange| site.file == declared.file && site.start <= declared.start && declared.end <= site.end;
        let own = ids.iter().filter(|id| id.section == "Resources" && id.generated_by.iter().any(is_by));
        own.map(|id| id.id.clone()).collect()
    }
}
