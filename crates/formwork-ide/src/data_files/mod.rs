//! Files that pass values to templates: parameters files, `samconfig.toml` and `formwork.toml`. Each is read by its text
//! alone, so that answers are available while somebody writes it.

mod assignments;
mod completion;
mod configuration;
mod declared;
mod members;
pub(crate) mod parameters;
mod toml_context;
mod toml_table;

use std::ops::Range;

pub use completion::{Declared, DeclaredParameter, completion};
pub use configuration::hover;
pub use declared::{declaration, parameters as declared_parameters};

use crate::kind::{DocumentKind, kind};

/// The kind of a data file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataKind {
    /// A parameters file, in one of the shapes of `--parameters-file` (reference/command-line.md#parameter-values).
    Parameters,
    /// `samconfig.toml` (reference/command-line.md#samconfig).
    SamConfig,
    /// `formwork.toml` (reference/configuration.md).
    Project,
}

/// A use of a template's parameter in a data file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterUse {
    /// The name.
    pub name: String,
    /// The name in the text, without quotes.
    pub range: Range<u32>,
    /// The path of the template to which the name belongs, relative to the file; `None` when the file has none for it.
    pub template: Option<String>,
}

/// A path of another file in a data file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedPath {
    /// The path as written, relative to the file.
    pub path: String,
    /// The path in the text, without quotes.
    pub range: Range<u32>,
}

/// A file that passes values to templates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataFile {
    /// The kind.
    pub kind: DataKind,
    /// The uses of parameters, by position.
    pub uses: Vec<ParameterUse>,
    /// The paths of other files, by position.
    pub paths: Vec<NamedPath>,
    /// The paths of templates, relative to the file.
    pub templates: Vec<String>,
}

/// Returns the kind of a data file; `None` for other documents.
pub fn data_kind(name: &str, document: DocumentKind) -> Option<DataKind> {
    match document {
        DocumentKind::Parameters => Some(DataKind::Parameters),
        DocumentKind::Configuration if name == "samconfig.toml" => Some(DataKind::SamConfig),
        DocumentKind::Configuration => Some(DataKind::Project),
        DocumentKind::Template | DocumentKind::Module | DocumentKind::Test => None,
    }
}

impl DataFile {
    /// Reads a file by its name and text; `None` for other files.
    pub fn read(name: &str, text: &str) -> Option<DataFile> {
        Some(DataFile::of_kind(data_kind(name, kind(name, text)?)?, text))
    }

    /// Reads a file of a kind.
    pub fn of_kind(kind: DataKind, text: &str) -> DataFile {
        let mut file = DataFile { kind, uses: Vec::new(), paths: Vec::new(), templates: Vec::new() };
        match kind {
            DataKind::Parameters => parameters::read(text, &mut file),
            DataKind::SamConfig => configuration::read_sam(text, &mut file),
            DataKind::Project => configuration::read_project(text, &mut file),
        }
        file.uses.sort_by_key(|used| (used.range.start, used.range.end));
        file.uses.dedup_by(|a, b| a.range == b.range);
        file.paths.sort_by_key(|named| named.range.start);
        file.templates.dedup();
        file
    }

    /// Returns the parameter at an offset.
    pub fn use_at(&self, offset: u32) -> Option<&ParameterUse> {
        self.uses.iter().find(|used| used.range.start <= offset && offset <= used.range.end)
    }

    /// Returns the path at an offset.
    pub fn path_at(&self, offset: u32) -> Option<&NamedPath> {
        self.paths.iter().find(|named| named.range.start <= offset && offset <= named.range.end)
    }

    fn add_use(&mut self, name: &str, range: Range<u32>, template: Option<&str>) {
        let is_name = !name.is_empty() && name.len() == range.len();
        if is_name {
            self.uses.push(ParameterUse { name: name.to_owned(), range, template: template.map(str::to_owned) });
        }
    }

    fn add_path(&mut self, path: &str, range: Range<u32>) {
        if !path.is_empty() && path.len() == range.len() && !path.contains("://") {
            self.paths.push(NamedPath { path: path.to_owned(), range });
        }
    }
}

fn unquoted(text: &str, range: Range<u32>) -> Range<u32> {
    let source = text.get(range.start as usize..range.end as usize).unwrap_or_default().trim_end();
    let end = range.start + source.len() as u32;
    for quote in ["\"\"\"", "'''", "\"", "'"] {
        let count = quote.len() as u32;
        if source.len() >= 2 * quote.len() && source.starts_with(quote) && source.ends_with(quote) {
            return range.start + count..end - count;
        }
    }
    range.start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, text: &str) -> Vec<String> {
        let file = DataFile::read(name, text).expect("a data file");
        let used = |used: &ParameterUse| {
            let source = &text[used.range.start as usize..used.range.end as usize];
            assert_eq!(source, used.name);
            let template = used.template.as_deref().map(|path| format!("@{path}")).unwrap_or_default();
            format!("{}{template}", used.name)
        };
        let uses = file.uses.iter().map(used);
        let paths = file.paths.iter().map(|named| format!("={}", named.path));
        uses.chain(paths).collect()
    }

    #[test]
    fn every_shape_of_a_parameters_file_names_parameters() {
        let list = "[{\"ParameterKey\": \"Env\", \"ParameterValue\": \"a\"}]";
        assert_eq!(shown("p.json", list), ["Env"]);
        assert_eq!(shown("p.yaml", "- ParameterKey: Env\n  ParameterValue: a\n- ParameterKey: 'B'\n"), ["Env", "B"]);
        assert_eq!(
            shown("p.json", "{\"Parameters\": {\"Env\": \"a\", \"B\": 1}, \"Tags\": {\"x\": \"y\"}}"),
            ["Env", "B"]
        );
        assert_eq!(shown("parameters.yaml", "Env: a\nB: [1, 2]\n"), ["Env", "B"]);
        assert_eq!(shown("params.json", "[\"Env=a\", \"B=c=d\"]"), ["Env", "B"]);
        let git = "template-file-path: t.yaml\nparameters:\n  Env: a\n";
        assert_eq!(shown("d.yaml", git), ["Env@t.yaml", "=t.yaml"]);
    }

    #[test]
    fn configuration_files_name_parameters() {
        let sam = "version = 0.1\n[default.deploy.parameters]\ntemplate_file = \"t.yaml\"\nparameter_overrides = \"A=b C=\\\"d E=f\\\"\"\n[prod.deploy.parameters]\nparameter_overrides = ['A=b', \"ParameterKey=C,ParameterValue=d\"]\n[x.deploy.parameters.parameter_overrides]\nG = 1\n";
        assert_eq!(shown("samconfig.toml", sam), ["A@t.yaml", "C@t.yaml", "A", "C", "G", "=t.yaml"]);
        let project = "strict = true\n[parameters.prod]\nA = \"b\"\n\"C\" = [1]\n";
        assert_eq!(shown("formwork.toml", project), ["A", "C"]);
        // The broken part is left out.
        assert_eq!(shown("formwork.toml", "[parameters.prod]\nA = \"b\"\nC =\nD = 1\n")[..1], ["A"]);
    }
}
