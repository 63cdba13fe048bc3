//! Stacks of the environments of `samconfig.toml` with a `stack_name`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use formwork::samconfig::SamConfig;

use super::{Known, Stack, StackSettings};
use crate::default_template::is_default;
use crate::folder::folder;
use crate::templates::TemplateFile;

/// The environment that is read without `--config-env`: it is of no stage.
const DEFAULT: &str = "default";

/// The keys of a template.
const TEMPLATE: [&str; 3] = ["template_file", "template", "t"];

/// Adds the stacks of all files beside templates, and in the directories above them. A file that cannot be used is reported
/// when its templates are read.
pub(super) fn add(known: &Known<'_>, found: &mut Vec<Stack>) {
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    for (directory, template) in &known.directories {
        for above in directory.ancestors() {
            let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
            if !seen.insert(above.to_owned()) {
                break;
            }
            if let Some(file) = read(template, above) {
                add_file(&file, above, known, found);
            }
        }
    }
}

/// Returns the environments of the file beside a template.
pub(super) fn environments(known: &Known<'_>, template: &Path) -> Vec<String> {
    let directory = folder(template);
    let loading = known.directories.get(directory).copied();
    let file = loading.and_then(|loading| read(loading, directory));
    file.map(|file| file.environments().map(str::to_owned).collect()).unwrap_or_default()
}

/// Reads a file as one of the project of a template; a file of the command line is read as it is.
fn read(template: &TemplateFile, directory: &Path) -> Option<SamConfig> {
    let path = directory.join(SamConfig::FILE_NAME);
    let read = match &template.found_by {
        Some(loader) => loader.read_regular(&path).ok()?,
        None => formwork::disk::read_file(&path, formwork::Limits::default().file_bytes).ok()?,
    };
    SamConfig::parse(&read.bytes).ok()
}

fn add_file(file: &SamConfig, directory: &Path, known: &Known<'_>, found: &mut Vec<Stack>) {
    let shown = directory.join(SamConfig::FILE_NAME);
    let shown = shown.strip_prefix(".").unwrap_or(&shown).to_owned();
    for environment in file.environments() {
        let Ok(section) = file.section(Some(environment), "deploy") else { continue };
        let Some(name) = section.text("stack_name") else { continue };
        let named = TEMPLATE.iter().find_map(|key| section.text(key)).map(|path| directory.join(path));
        let Some(template) = template_of(named.as_deref(), directory, known) else { continue };
        let is_beside = known.files.get(template).is_some_and(|file| folder(&file.path) == directory);
        let is_default = environment == DEFAULT;
        let settings = StackSettings {
            stack_name: Some(name.clone()),
            region: section.text("region"),
            config_file: (!is_beside).then(|| shown.clone()),
            config_env: (!is_default).then(|| environment.to_owned()),
            ..StackSettings::default()
        };
        let table = section.names().next().unwrap_or_default();
        found.push(Stack {
            name,
            stage: (!is_default).then(|| environment.to_owned()),
            template,
            source: format!("{} [{table}]", shown.display()),
            settings,
        });
    }
}

/// Returns the template of an environment: the one that it names, else the default one beside the file. A built template
/// is that of its source.
fn template_of(named: Option<&Path>, directory: &Path, known: &Known<'_>) -> Option<usize> {
    let is_built = |path: &Path| path.iter().any(|part| part == ".aws-sam" || part == ".formwork");
    if let Some(named) = named.filter(|path| !is_built(path)) {
        return known.at(named);
    }
    let beside = |(_, file): &(usize, &TemplateFile)| {
        folder(&file.path) == directory && file.path.file_name().is_some_and(is_default)
    };
    let found = known.files.iter().enumerate().find(beside);
    found.map(|(at, _)| at)
}
