//! The templates that `formwork.toml` declares with their files (reference/configuration.md#template).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::disk::Loader;
use formwork_project::{DeclaredTemplate, Failure, FileFailure, ProjectFile, notes};
use globset::{GlobBuilder, GlobMatcher};

use crate::many_files::ManyFiles;
use crate::relocation::real;
use crate::walk::Walk;

/// The largest number of files of a template.
const MOST_FILES: usize = 10_000;

/// A declared template.
#[derive(Debug)]
pub struct Declared {
    /// The name on the command line.
    pub name: String,
    /// The files.
    pub files: Arc<ManyFiles>,
}

/// All declared templates.
#[derive(Debug, Default)]
pub struct DeclaredTemplates {
    /// The configuration file.
    file: PathBuf,
    all: Vec<Arc<Declared>>,
    /// The templates by the real paths of their files.
    of_file: BTreeMap<PathBuf, Arc<Declared>>,
}

impl DeclaredTemplates {
    /// Finds the templates that the `formwork.toml` of the working directory declares.
    ///
    /// # Errors
    /// When the file cannot be used, a pattern matches nothing, or a file is in the lists of two templates.
    pub fn find() -> Result<DeclaredTemplates, Failure> {
        let Some(file) = ProjectFile::find().map_err(Failure::of_first)? else {
            return Ok(DeclaredTemplates::default());
        };
        let mut found = DeclaredTemplates { file: file.path.clone(), ..DeclaredTemplates::default() };
        let Some(first) = file.templates().first() else { return Ok(found) };
        let unreadable = || file.unfit_setting(first.line, "the directory of the file cannot be read");
        let walk = Walk::new(file.directory(), None, true, None).ok_or_else(unreadable)?;
        let loader = Arc::clone(&walk.loader);
        let mut all: Vec<PathBuf> = walk.map(|found| without_dot(&found.path)).collect();
        all.sort();
        let mut lines: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for template in file.templates() {
            found.add(&file, template, (&all, &loader), &mut lines)?;
        }
        Ok(found)
    }

    fn add(
        &mut self,
        file: &ProjectFile,
        template: &DeclaredTemplate,
        (all, loader): (&[PathBuf], &Arc<Loader>),
        lines: &mut BTreeMap<PathBuf, usize>,
    ) -> Result<(), FileFailure> {
        let mut files: Vec<PathBuf> = Vec::new();
        let mut known: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for (pattern, line) in &template.files {
            let matching = matching(file, pattern, *line, all)?;
            if matching.is_empty() {
                let why = format!("no file matches `{pattern}` of template `{}`", template.name);
                return Err(file
                    .unfit_setting(*line, &why)
                    .help("correct the pattern; its files end in .yaml, .yml, .json or .template"));
            }
            for path in matching {
                if known.insert(real(&path), *line).is_none() {
                    files.push(path);
                }
            }
        }
        if files.len() > MOST_FILES {
            let why = format!("template `{}` has more than {MOST_FILES} files", template.name);
            return Err(file.unfit_setting(template.line, &why));
        }
        let declared = Arc::new(Declared {
            name: template.name.clone(),
            files: Arc::new(ManyFiles::found(files, Arc::clone(loader))),
        });
        for (path, line) in known {
            if let Some(other) = self.of_file.get(&path) {
                let first = lines.get(&path).copied().unwrap_or_default();
                let shown = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let why = format!(
                    "{shown} is a file of template `{}` and, in line {first}, of template `{}`",
                    template.name, other.name
                );
                return Err(file.unfit_setting(line, &why).help("remove it from one of the two lists"));
            }
            lines.insert(path.clone(), line);
            self.of_file.insert(path, Arc::clone(&declared));
        }
        self.all.push(declared);
        Ok(())
    }

    /// Returns `true` if none is declared.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the template that a word on the command line names. A file of that name is a template by itself; a
    /// directory is written as `./NAME` or `NAME/`.
    pub fn of_word(&self, word: &Path) -> Option<&Arc<Declared>> {
        let found = self.all.iter().find(|declared| word.as_os_str() == declared.name.as_str() && !word.is_file());
        self.noted(found)
    }

    /// Returns the template that a file is a part of.
    pub fn of_file(&self, file: &Path) -> Option<&Arc<Declared>> {
        let found = if self.is_empty() { None } else { self.of_file.get(&real(file)) };
        self.noted(found)
    }

    /// Notes that the file had an effect if a template was found.
    fn noted<'d>(&self, found: Option<&'d Arc<Declared>>) -> Option<&'d Arc<Declared>> {
        if found.is_some() {
            notes::note(&self.file, "template");
        }
        found
    }
}

/// Rejects a template on the command line that is neither a file nor a declared template, before files beside it are
/// searched for.
///
/// # Errors
/// When it does not exist.
pub fn if_missing(template: &Path) -> Result<(), FileFailure> {
    let is_declared = ProjectFile::names_template;
    FileFailure::if_missing(template).or_else(|missing| if is_declared(template) { Ok(()) } else { Err(missing) })
}

/// Returns the files that match a pattern, from the directory of the configuration file.
fn matching(file: &ProjectFile, pattern: &str, line: usize, all: &[PathBuf]) -> Result<Vec<PathBuf>, FileFailure> {
    let directory = without_dot(file.directory());
    let written = pattern.strip_prefix("./").unwrap_or(pattern);
    if !written.contains(['*', '?', '[', '{']) {
        let path = without_dot(&directory.join(written));
        return Ok(if path.is_file() { vec![path] } else { Vec::new() });
    }
    let glob: GlobMatcher = match GlobBuilder::new(written).literal_separator(true).build() {
        Ok(glob) => glob.compile_matcher(),
        Err(error) => {
            return Err(file.unfit_setting(line, &format!("`{pattern}` is not a pattern: {}", error.kind())));
        }
    };
    let is_match = |path: &&PathBuf| path.strip_prefix(&directory).is_ok_and(|path| glob.is_match(path));
    Ok(all.iter().filter(is_match).cloned().collect())
}

/// Converts `./a` to `a`, so that a file has one name.
fn without_dot(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_owned()
}
