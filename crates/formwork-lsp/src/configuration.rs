//! What `formwork.toml` and `samconfig.toml` set for `check`
//! (reference/configuration.md, reference/command-line.md#samconfig).

use std::path::{Path, PathBuf};

use formwork::disk::{project_configuration, read_inside};
use formwork::samconfig::SamConfig;
use formwork::{
    CodePattern, Compat, Configuration, LanguageExtensions, Limits, Options, ParameterValue, Selection, SourceFile,
    UnknownRules, ValueSource, Values,
};
use formwork_ide::values::passed;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::roots::Roots;
use crate::what_if::WhatIf;

/// The name of the project's file.
pub(crate) const PROJECT_FILE: &str = "formwork.toml";

/// What templates of a directory are compiled with: as `check` run in the workspace directory does it.
pub(crate) fn options(roots: &Roots, directory: &Path, values: &WhatIf, files: &[PathBuf]) -> Options {
    let folder = roots.folder_of(directory).unwrap_or(directory);
    let below = directory.strip_prefix(folder).unwrap_or(Path::new("")).to_string_lossy().replace('\\', "/");
    let display_prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
    let mut options = Options {
        values: Values::Resolve,
        unknown_rules: UnknownRules::Warn,
        leaves_out_errors: true,
        display_prefix,
        ..Options::default()
    };
    sam_config(roots, directory, values, &mut options);
    let project = ProjectFile::find(roots, folder);
    if let Some(project) = &project {
        project.apply_to(values, &mut options);
    }
    if let Some(path) = values.named("file:").map(PathBuf::from).filter(|path| files.contains(path)) {
        options.parameter_files.extend(parameter_file(roots, directory, &path));
    }
    if let Some((file, name)) = values.named("test:").and_then(|id| id.split_once('#')) {
        let path = formwork::disk::without_dots(&directory.join(file));
        let text = read(roots, directory, &path).and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let own = formwork_ide::data_files::combinations(&text).into_iter().find(|one| one.name == name);
        options.parameters.extend(passed(own.map_or_else(Vec::new, |one| one.parameters)));
    }
    options.parameters.extend(passed(values.parameters.iter().cloned()));
    options.pseudo.extend(values.pseudo.iter().cloned());
    options
}

fn read(roots: &Roots, directory: &Path, path: &Path) -> Option<Vec<u8>> {
    read_inside(&roots.project_root(directory), path, Limits::default().file_bytes).ok()
}

fn parameter_file(roots: &Roots, directory: &Path, path: &Path) -> Option<SourceFile> {
    let bytes = read(roots, directory, path)?;
    let shown = path.to_string_lossy().into_owned();
    Some(SourceFile { path: shown.clone(), display: shown, bytes: bytes.into() })
}

fn sam_config(roots: &Roots, directory: &Path, values: &WhatIf, options: &mut Options) {
    let environment = values.named("samconfig:");
    let path = directory.join(SamConfig::FILE_NAME);
    let Some(file) = read(roots, directory, &path).and_then(|bytes| SamConfig::parse(&bytes).ok()) else { return };
    let shown = format!("{}{}", options.display_prefix, SamConfig::FILE_NAME);
    if let Ok(section) = file.section(environment, "check") {
        // Words that name no parameter are for the command line to report.
        let _ = section.apply_to(&shown, options);
    }
}

/// The environments of the `samconfig.toml` in a directory.
pub(crate) fn environments(roots: &Roots, directory: &Path) -> Vec<String> {
    let bytes = read(roots, directory, &directory.join(SamConfig::FILE_NAME));
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let Ok(table) = DeTable::parse(&text) else { return Vec::new() };
    let is_environment = |value: &DeValue<'_>| matches!(value, DeValue::Table(_));
    let tables = table.get_ref().iter().filter(|(_, value)| is_environment(value.get_ref()));
    tables.map(|(name, _)| name.get_ref().to_string()).collect()
}

/// The names of the parameter sets for a directory.
pub(crate) fn parameter_sets(roots: &Roots, directory: &Path) -> Vec<String> {
    let folder = roots.folder_of(directory).unwrap_or(directory);
    let Some(file) = ProjectFile::find(roots, folder) else { return Vec::new() };
    let Ok(table) = DeTable::parse(&file.text) else { return Vec::new() };
    let sets = table.get_ref().get("parameters").and_then(|sets| as_table(sets.get_ref()));
    sets.map_or_else(Vec::new, |sets| sets.keys().map(|name| name.get_ref().to_string()).collect())
}

/// The text of the `formwork.toml` that counts for a directory.
pub(crate) fn project_file(roots: &Roots, directory: &Path) -> Option<String> {
    let folder = roots.folder_of(directory).unwrap_or(directory);
    ProjectFile::find(roots, folder).map(|file| file.text)
}

/// A `formwork.toml`.
struct ProjectFile {
    path: PathBuf,
    text: String,
}

impl ProjectFile {
    /// The file in the workspace directory, or with trust in the nearest directory above it that has one.
    fn find(roots: &Roots, folder: &Path) -> Option<ProjectFile> {
        let path = if roots.is_trusted {
            let found = project_configuration(folder, PROJECT_FILE).filter(|found| !found.is_foreign)?;
            formwork::disk::without_dots(&found.path)
        } else {
            folder.join(PROJECT_FILE)
        };
        let text = String::from_utf8(read(roots, path.parent()?, &path)?).ok()?;
        Some(ProjectFile { path, text })
    }

    /// Language matters: which diagnostics there are, which tool is followed, which values count.
    fn apply_to(&self, values: &WhatIf, options: &mut Options) {
        let Ok(root) = DeTable::parse(&self.text) else { return };
        let root = root.get_ref();
        let check = root.get("check").and_then(|check| as_table(check.get_ref()));
        let setting = |key: &str| {
            let own = check.and_then(|check| check.get(key));
            own.or_else(|| root.get(key)).map(Spanned::get_ref)
        };
        let patterns = |key: &str| -> Vec<CodePattern> {
            setting(key)
                .map_or_else(Vec::new, words)
                .iter()
                .filter_map(|word| CodePattern::parse(word.trim()))
                .collect()
        };
        options.selection = Selection { select: patterns("select"), ignore: patterns("ignore") };
        options.strict = matches!(setting("strict"), Some(DeValue::Boolean(true)));
        options.compat = match setting("compat").map_or_else(Vec::new, words).first().map(String::as_str) {
            Some("aws") => Compat::Aws,
            Some("sam") => Compat::Sam,
            _ => Compat::Formwork,
        };
        options.language_extensions = match setting("language-extensions").map_or_else(Vec::new, words).first() {
            Some(word) if word == "always" => LanguageExtensions::Always,
            Some(word) if word == "never" => LanguageExtensions::Never,
            _ => LanguageExtensions::Auto,
        };
        let configured = setting("parameter-set").map_or_else(Vec::new, words).into_iter().next();
        let name = values.named("parameter-set:").map(str::to_owned).or(configured);
        let set = |name: String| {
            let sets = as_table(root.get("parameters")?.get_ref())?;
            as_table(sets.get(name.as_str())?.get_ref())
        };
        if let Some(set) = name.and_then(set) {
            let values = set.iter().map(|(name, value)| {
                let (name, range) = (name.get_ref().to_string(), value.span());
                let value = words(value.get_ref()).join(",");
                (ParameterValue { name, value, given: ValueSource::File }, range)
            });
            let shown = self.path.to_string_lossy().into_owned();
            let file = SourceFile { path: shown.clone(), display: shown, bytes: self.text.clone().into() };
            options.configurations.push(Configuration { file, values: values.collect() });
        }
    }
}

fn as_table<'t, 'v>(value: &'t DeValue<'v>) -> Option<&'t DeTable<'v>> {
    match value {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}

/// A value as words: a scalar is one, a string with commas several, a list its elements.
fn words(value: &DeValue<'_>) -> Vec<String> {
    match value {
        DeValue::String(text) => text.split(',').map(str::to_owned).collect(),
        DeValue::Integer(number) => vec![number.as_str().to_owned()],
        DeValue::Float(number) => vec![number.as_str().to_owned()],
        DeValue::Boolean(holds) => vec![holds.to_string()],
        DeValue::Array(items) => items.iter().flat_map(|item| words(item.get_ref())).collect(),
        _ => Vec::new(),
    }
}
