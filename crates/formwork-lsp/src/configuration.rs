//! Reads the settings of `formwork.toml` and `samconfig.toml` for `check` (reference/configuration.md,
//! reference/command-line.md#samconfig).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::disk::{is_inside, project_configuration, read_inside, without_dots};
use formwork::samconfig::SamConfig;
use formwork::schemas::Schemas;
use formwork::{CodePattern, Compat, LanguageExtensions, Limits, Options, Selection, SourceFile};
use formwork_ide::values::passed;
use formwork_project::file::FILE_NAME;
use formwork_project::{ProjectFile, Setting};
use toml::de::{DeTable, DeValue};

use crate::document::Document;
use crate::links::without_links;
use crate::parameter_files::is_parameter_file;
use crate::roots::Roots;
use crate::what_if::WhatIf;

/// Reads configuration files and files of values. Open documents take precedence over the disk.
pub(crate) struct Reader<'s> {
    pub(crate) roots: &'s Roots,
    open: &'s BTreeMap<PathBuf, Arc<Document>>,
    asked: RefCell<BTreeSet<PathBuf>>,
}

impl<'s> Reader<'s> {
    pub(crate) fn new(roots: &'s Roots, open: &'s BTreeMap<PathBuf, Arc<Document>>) -> Reader<'s> {
        Reader { roots, open, asked: RefCell::default() }
    }

    /// Returns every file that was requested: the dependencies of the result.
    pub(crate) fn into_asked(self) -> BTreeSet<PathBuf> {
        self.asked.into_inner()
    }

    /// Adds files that were read before, and the content of directories among them, to the dependencies.
    pub(crate) fn depends_on(&self, files: &[PathBuf]) {
        self.asked.borrow_mut().extend(files.iter().cloned());
    }

    /// Reads a file for templates in a directory; `None` outside of the project root of that directory.
    pub(crate) fn read(&self, directory: &Path, path: &Path) -> Option<Vec<u8>> {
        self.read_up_to(directory, path, Limits::default().file_bytes)
    }

    pub(crate) fn read_up_to(&self, directory: &Path, path: &Path, limit: u64) -> Option<Vec<u8>> {
        let path = without_dots(path);
        self.asked.borrow_mut().insert(path.clone());
        let root = self.roots.project_root(directory);
        let Some(document) = self.open.get(&path) else {
            return read_inside(&root, &path, limit).ok();
        };
        let real = without_links(&path)?;
        is_inside(&root.canonicalize().ok()?, &real).then(|| document.text.as_bytes().to_vec())
    }

    fn text(&self, directory: &Path, path: &Path) -> Option<String> {
        self.read(directory, path).and_then(|bytes| String::from_utf8(bytes).ok())
    }

    /// The workspace directory around a directory, else the directory itself.
    pub(crate) fn folder_of<'d>(&'d self, directory: &'d Path) -> &'d Path {
        self.roots.folder_of(directory).unwrap_or(directory)
    }
}

/// The options of templates in a directory, as `check` computes them in the workspace directory.
pub(crate) fn options(
    reader: &Reader<'_>,
    directory: &Path,
    (values, globs): (&WhatIf, &[String]),
    schemas: Arc<Schemas>,
) -> Options {
    let folder = reader.folder_of(directory);
    let below = directory.strip_prefix(folder).unwrap_or(Path::new("")).to_string_lossy().replace('\\', "/");
    let display_prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
    let mut options = Options { display_prefix, ..Options::default() }.for_check(Some(schemas));
    sam_config(reader, directory, values, &mut options);
    if let Some(file) = find(reader, folder) {
        apply(&file, values, &mut options);
    }
    if let Some(path) = values.named("file:").filter(|path| is_parameter_file(globs, path)) {
        options.parameter_files.extend(parameter_file(reader, directory, path));
    }
    options.parameters.extend(passed(values.parameters.iter().cloned()));
    options.pseudo.extend(values.pseudo.iter().cloned());
    options
}

fn parameter_file(reader: &Reader<'_>, directory: &Path, path: &str) -> Option<SourceFile> {
    let bytes = reader.read(directory, &reader.folder_of(directory).join(path))?;
    let shown = path.to_owned();
    Some(SourceFile { path: shown.clone(), display: shown, bytes: bytes.into() })
}

fn sam_config(reader: &Reader<'_>, directory: &Path, values: &WhatIf, options: &mut Options) {
    let environment = values.named("samconfig:");
    let path = directory.join(SamConfig::FILE_NAME);
    let Some(file) = reader.read(directory, &path).and_then(|bytes| SamConfig::parse(&bytes).ok()) else { return };
    let shown = format!("{}{}", options.display_prefix, SamConfig::FILE_NAME);
    if let Ok(section) = file.section(environment, "check") {
        // Words that name no parameter are reported by the command line only.
        let _ = section.apply_to(&shown, options);
    }
}

pub(crate) fn environments(reader: &Reader<'_>, directory: &Path) -> Vec<String> {
    let text = reader.text(directory, &directory.join(SamConfig::FILE_NAME)).unwrap_or_default();
    let Ok(table) = DeTable::parse(&text) else { return Vec::new() };
    let is_environment = |value: &DeValue<'_>| matches!(value, DeValue::Table(_));
    let tables = table.get_ref().iter().filter(|(_, value)| is_environment(value.get_ref()));
    tables.map(|(name, _)| name.get_ref().to_string()).collect()
}

pub(crate) fn parameter_sets(reader: &Reader<'_>, directory: &Path) -> Vec<String> {
    project_file(reader, directory).map_or_else(Vec::new, |file| file.sets().map(str::to_owned).collect())
}

/// The `formwork.toml` that applies to a directory.
pub(crate) fn project_file(reader: &Reader<'_>, directory: &Path) -> Option<ProjectFile> {
    find(reader, reader.folder_of(directory))
}

/// The file in the workspace directory, or in a trusted workspace in the nearest directory above it that has one.
fn find(reader: &Reader<'_>, folder: &Path) -> Option<ProjectFile> {
    let mut path = folder.join(FILE_NAME);
    if reader.roots.is_trusted {
        // A file that is created in the directory takes precedence.
        reader.asked.borrow_mut().insert(path.clone());
        let found = project_configuration(folder, FILE_NAME).filter(|found| !found.is_foreign)?;
        path = without_dots(&found.path);
    }
    let bytes = reader.read(path.parent()?, &path)?;
    Some(ProjectFile::parse_leniently(&path, &bytes))
}

/// Applies the settings that change results: the selected diagnostics, the tool that is followed, the values.
fn apply(file: &ProjectFile, values: &WhatIf, options: &mut Options) {
    let words = |key: &str| file.setting(&["check"], key).map_or_else(Vec::new, Setting::words);
    let patterns =
        |key: &str| words(key).iter().filter_map(|word| CodePattern::parse(word.trim())).collect::<Vec<CodePattern>>();
    options.selection = Selection { select: patterns("select"), ignore: patterns("ignore") };
    options.strict = file.setting(&["check"], "strict").and_then(Setting::flag) == Some(true);
    options.compat = match words("compat").first().map(String::as_str) {
        Some("aws") => Compat::Aws,
        Some("sam") => Compat::Sam,
        _ => Compat::Formwork,
    };
    options.language_extensions = match words("language-extensions").first().map(String::as_str) {
        Some("always") => LanguageExtensions::Always,
        Some("never") => LanguageExtensions::Never,
        _ => LanguageExtensions::Auto,
    };
    let configured = words("parameter-set").into_iter().next();
    let name = values.named("parameter-set:").map(str::to_owned).or(configured);
    // A set that does not exist is reported by the command line only.
    options.configurations.extend(name.and_then(|name| file.set(&name).ok()));
}
