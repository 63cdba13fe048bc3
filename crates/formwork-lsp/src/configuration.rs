//! What `formwork.toml` and `samconfig.toml` set for `check`
//! (reference/configuration.md, reference/command-line.md#samconfig).

use std::path::{Path, PathBuf};

use formwork::disk::{project_configuration, read_inside};
use formwork::samconfig::SamConfig;
use formwork::{CodePattern, Compat, LanguageExtensions, Limits, Options, Selection, SourceFile, UnknownRules, Values};
use formwork_ide::values::passed;
use formwork_project::file::FILE_NAME;
use formwork_project::{ProjectFile, Setting};
use toml::de::{DeTable, DeValue};

use crate::roots::Roots;
use crate::what_if::WhatIf;

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
    if let Some(file) = find(roots, folder) {
        apply(&file, values, &mut options);
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
    project_file(roots, directory).map_or_else(Vec::new, |file| file.sets().map(str::to_owned).collect())
}

/// The `formwork.toml` that counts for a directory.
pub(crate) fn project_file(roots: &Roots, directory: &Path) -> Option<ProjectFile> {
    find(roots, roots.folder_of(directory).unwrap_or(directory))
}

/// The file in the workspace directory, or with trust in the nearest directory above it that has one.
fn find(roots: &Roots, folder: &Path) -> Option<ProjectFile> {
    let path = if roots.is_trusted {
        let found = project_configuration(folder, FILE_NAME).filter(|found| !found.is_foreign)?;
        formwork::disk::without_dots(&found.path)
    } else {
        folder.join(FILE_NAME)
    };
    let bytes = read(roots, path.parent()?, &path)?;
    Some(ProjectFile::parse_leniently(&path, &bytes))
}

/// Language matters: which diagnostics there are, which tool is followed, which values count.
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
    // A set that does not exist is for the command line to report.
    options.configurations.extend(name.and_then(|name| file.set(&name).ok()));
}
