//! The templates on the command line: files, directories, patterns, or the default template
//! (reference/command-line.md#templates).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use formwork::disk::{FileId, Loader, project_root};
use formwork::{FileBytes, Limits, ReadError};
use formwork_project::{Failure, FileFailure};
use globset::{GlobBuilder, GlobMatcher};

use crate::declared_templates::{Declared, DeclaredTemplates};
use crate::default_template::{self, is_default};
use crate::excluded::Excluded;
use crate::many::on_all;
use crate::many_files::ManyFiles;
use crate::stacks::Deployment;
use crate::walk::{Walk, WalkedFile};

/// The templates of a command line.
#[derive(Debug, Default)]
pub struct Templates {
    /// Files in the order of their paths, without duplicates.
    pub files: Vec<TemplateFile>,
    /// Arguments that match no file.
    pub missing: Vec<FileFailure>,
    /// The deployment files of Git sync that a search found.
    pub deployments: Vec<Deployment>,
    /// Set when the command line asks for more than one file: by several words, a directory or a pattern.
    pub are_many: bool,
}

/// A file that is, or may be, a template.
#[derive(Debug)]
pub struct TemplateFile {
    /// The path, as typed or found.
    pub path: PathBuf,
    /// The loader of a file that was found, not typed: it is a regular file inside of a project, or it is not read.
    pub found_by: Option<Arc<Loader>>,
    /// The files of a template of several ones.
    pub many: Option<Arc<ManyFiles>>,
    /// The file whose diagnostics are shown, of a template of several ones; `None` for all.
    pub shown: Option<PathBuf>,
    /// The content that was read to recognize a template, until it is compiled.
    read: Mutex<Option<Content>>,
}

type Content = (FileBytes, Option<FileId>);

/// Maximum number of bytes of a directory's files that are kept from the search to the compilation; other files are
/// read again.
const KEPT_BYTES: u64 = 64 << 20;

impl TemplateFile {
    /// Creates the value for a file on the command line.
    pub fn named(path: PathBuf) -> TemplateFile {
        TemplateFile { path, found_by: None, many: None, shown: None, read: Mutex::default() }
    }

    /// Creates the value for files that are one template.
    pub fn of_files(path: PathBuf, files: Arc<ManyFiles>) -> TemplateFile {
        TemplateFile { many: Some(files), ..TemplateFile::named(path) }
    }

    /// Returns the name of a file with the result: that of the template, for several files with the extension of the first
    /// one.
    pub fn result_name(&self) -> Option<std::ffi::OsString> {
        let mut name = self.path.file_name()?.to_owned();
        let first = self.many.as_ref().and_then(|many| many.files.first());
        if let Some(extension) = first.and_then(|first| first.extension()).filter(|_| self.path.extension().is_none()) {
            name.push(".");
            name.push(extension);
        }
        Some(name)
    }

    fn declared(declared: &Declared) -> TemplateFile {
        TemplateFile::of_files(PathBuf::from(&declared.name), Arc::clone(&declared.files))
    }

    /// Returns the content that the search read, until the template is compiled.
    pub fn content(&self) -> Option<FileBytes> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.as_ref().map(|(bytes, _)| bytes.clone())
    }

    /// Takes the content that the search read. The second caller reads the file again, as it may have been written
    /// since.
    pub(crate) fn take_content(&self) -> Option<Content> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The settings of a search for templates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Search<'a> {
    /// The directory of results; its content is skipped when a directory around it is searched.
    pub output: Option<&'a Path>,
    /// The project root of the command line, which a search does not leave; by default the one that is found.
    pub root: Option<&'a Path>,
    /// Set when files on the command line are skipped if they are not templates, as in directories.
    pub only_templates: bool,
    /// Set when test files, `*.formwork-test.yaml`, are found like templates.
    pub tests: bool,
    /// Set when a file of a declared template is a part of it, and not a template by itself.
    pub joins_parts: bool,
    /// Set when each file of a declared template is taken by itself.
    pub takes_files: bool,
    /// The excluded files; they do not apply to files on the command line.
    pub excluded: Option<&'a Excluded>,
}

impl Search<'_> {
    fn excludes(&self, path: &Path, searched: &Path) -> bool {
        self.excluded.is_some_and(|excluded| excluded.contains(path, searched))
    }
}

impl Templates {
    /// Takes files as one template, in their order.
    ///
    /// # Errors
    /// When a word is not a file.
    pub fn merged(words: &[PathBuf]) -> Result<Templates, Failure> {
        if let Some(word) = words.iter().find(|word| !word.is_file()) {
            return Err(if word.is_dir() {
                format!("{} is a directory\n  help: name the files of the template", word.display()).into()
            } else {
                FileFailure::missing(word).of_template().into()
            });
        }
        let name = words.first().and_then(|first| first.file_name()).map(PathBuf::from).unwrap_or_default();
        let file = TemplateFile::of_files(name, Arc::new(ManyFiles::named(words.to_vec())));
        Ok(Templates { files: vec![file], ..Templates::default() })
    }

    /// Finds the templates of `words`: files as they are, directories for the templates in them, patterns for the files
    /// that match. Without words the template of the working directory.
    ///
    /// # Errors
    /// When there are no words and no template, or a pattern is invalid.
    pub fn find(words: &[PathBuf], search: Search<'_>) -> Result<Templates, Failure> {
        if words.is_empty() {
            let files = vec![TemplateFile::named(default_template::find()?)];
            return Ok(Templates { files, ..Templates::default() });
        }
        let declared = DeclaredTemplates::find()?;
        let mut found: Vec<TemplateFile> = Vec::new();
        let mut named = Vec::new();
        let mut templates = Templates { are_many: words.len() > 1, ..Templates::default() };
        for word in words {
            if let Some(template) = declared.of_word(word) {
                templates.are_many |= search.takes_files;
                if search.takes_files {
                    named.extend(template.files.files.iter().cloned());
                } else {
                    found.push(TemplateFile::declared(template));
                }
            } else if word.is_dir() {
                templates.are_many = true;
                let before = templates.missing.len();
                let (inside, deployments, is_excluded) = templates_in(word, search, &mut templates.missing);
                templates.deployments.extend(deployments);
                if inside.is_empty() && !is_excluded && templates.missing.len() == before {
                    let why = format!("{} holds no template", word.display());
                    templates.missing.push(FileFailure::unfit(word, why).help(IN_DIRECTORY).of_template());
                }
                found.extend(inside);
            } else if let Some(pattern) = pattern(word)? {
                templates.are_many = true;
                let before = templates.missing.len();
                let (matches, is_excluded) = matches(word, &pattern, search, &mut templates.missing);
                if matches.is_empty() && !is_excluded && templates.missing.len() == before {
                    let why = format!("no file matches {}", word.display());
                    templates.missing.push(FileFailure::unfit(word, why).of_template());
                }
                found.extend(matches);
            } else {
                named.push(word.clone());
            }
        }
        let whole: Vec<PathBuf> = found.iter().filter(|one| one.many.is_some()).map(|one| one.path.clone()).collect();
        let is_whole = |file: &TemplateFile| !search.takes_files && file.many.is_none();
        let whole_of = |file: &TemplateFile| declared.of_file(&file.path).filter(|_| is_whole(file));
        let mut found: Vec<TemplateFile> =
            found.into_iter().map(|file| whole_of(&file).map_or(file, |one| TemplateFile::declared(one))).collect();
        if search.only_templates {
            found.extend(templates_of(named, search));
        } else {
            let (parts, named): (Vec<PathBuf>, Vec<PathBuf>) =
                named.into_iter().partition(|file| declared.of_file(file).is_some_and(|_| search.joins_parts));
            for file in parts {
                if let Some(template) = declared.of_file(&file)
                    && !whole.contains(&PathBuf::from(&template.name))
                {
                    found.push(TemplateFile { shown: Some(file), ..TemplateFile::declared(template) });
                }
            }
            found.extend(named.into_iter().map(TemplateFile::named));
        }
        found.sort_by(|a, b| (&a.path, &a.shown).cmp(&(&b.path, &b.shown)));
        found.dedup_by(|file, before| {
            file.path == before.path && (file.shown == before.shown || before.shown.is_none())
        });
        templates.files = found;
        Ok(templates)
    }
}

const IN_DIRECTORY: &str =
    "templates in directories end in .yaml, .yml, .json or .template and have a section such as Resources";

/// Finds the templates below a directory, without those that Git ignores (see [`Walk`]), those of the directory
/// `output` in it, and excluded ones. The flag is set if a file was excluded.
fn templates_in(
    directory: &Path,
    search: Search<'_>,
    unread: &mut Vec<FileFailure>,
) -> (Vec<TemplateFile>, Vec<Deployment>, bool) {
    let Some(mut walk) = Walk::new(directory, search.output, true, search.root) else {
        return (Vec::new(), Vec::new(), false);
    };
    let (excluded, files): (Vec<WalkedFile>, Vec<WalkedFile>) =
        walk.by_ref().partition(|file| search.excludes(&file.path, directory));
    unread.append(&mut walk.unread);
    unread.extend(files.iter().filter_map(|file| unfit(&walk.loader, file)));
    let files = files.into_iter().map(|file| (Arc::clone(&walk.loader), file)).collect();
    let (templates, deployments) = those_that_are_templates(files, search.tests);
    (templates, deployments, !excluded.is_empty())
}

/// Returns the reason why a file with the name of a template is not part of the project: a link out of it, or not a
/// regular file.
fn unfit(loader: &Loader, file: &WalkedFile) -> Option<FileFailure> {
    if !file.path.file_name().is_some_and(is_default) {
        return None;
    }
    let error = loader.read_found(&file.path).err().filter(is_of_no_project)?;
    Some(FileFailure::unread(&without_dot(&file.path), &error).of_template())
}

/// Returns the templates among files. Missing files are kept, and are reported when they are read.
fn templates_of(files: Vec<PathBuf>, search: Search<'_>) -> Vec<TemplateFile> {
    let mut loaders: BTreeMap<PathBuf, Arc<Loader>> = BTreeMap::new();
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for path in files {
        let Ok(metadata) = path.symlink_metadata() else {
            found.push(TemplateFile::named(path));
            continue;
        };
        if search.excludes(&path, Path::new(".")) {
            continue;
        }
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let root = search.root.map_or_else(|| project_root(directory), Path::to_owned);
        let loader = if let Some(loader) = loaders.get(&root) {
            Arc::clone(loader)
        } else {
            let Ok(loader) = Loader::new(&root, Limits::default().file_bytes) else { continue };
            Arc::clone(loaders.entry(root).or_insert(Arc::new(loader)))
        };
        open.push((loader, WalkedFile { path, is_link: metadata.is_symlink() }));
    }
    found.extend(those_that_are_templates(open, search.tests).0);
    found
}

/// Returns the templates among files, and the deployment files.
fn those_that_are_templates(
    files: Vec<(Arc<Loader>, WalkedFile)>,
    tests: bool,
) -> (Vec<TemplateFile>, Vec<Deployment>) {
    let kept = AtomicU64::new(0);
    let template = |(loader, file): (Arc<Loader>, WalkedFile)| {
        let path = without_dot(&file.path);
        if tests && is_test(&file.path) {
            return (Some(TemplateFile { found_by: Some(loader), ..TemplateFile::named(path) }), None);
        }
        let (may_be_template, content) = judge(&loader, &file);
        let fits = |content: &Content| {
            let bytes = content.0.len() as u64;
            kept.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) <= KEPT_BYTES
        };
        if may_be_template {
            let read = Mutex::new(content.filter(fits));
            return (Some(TemplateFile { found_by: Some(loader), read, ..TemplateFile::named(path) }), None);
        }
        let named = content.as_ref().and_then(|(bytes, _)| formwork::deployed_template(bytes));
        (None, named.map(|template| Deployment { path, template }))
    };
    let (templates, deployments): (Vec<_>, Vec<_>) = on_all(files, template).into_iter().unzip();
    (templates.into_iter().flatten().collect(), deployments.into_iter().flatten().collect())
}

fn is_test(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".formwork-test.yaml")
}

/// Returns whether a file is a template, and its content. A file that cannot be read may be a template: that is
/// reported later.
fn judge(loader: &Loader, file: &WalkedFile) -> (bool, Option<Content>) {
    let read = if file.is_link { loader.read_found(&file.path) } else { loader.read_regular(&file.path) };
    match read {
        Ok(read) => {
            let bytes = FileBytes::from(read.bytes);
            (formwork::has_template_section(&bytes), Some((bytes, read.id)))
        }
        // A file outside of the project is not a template of it.
        Err(error) => (!is_of_no_project(&error), None),
    }
}

fn is_of_no_project(error: &ReadError) -> bool {
    matches!(error, ReadError::NotFound | ReadError::IsDirectory | ReadError::NotRegular(_) | ReadError::OutsideRoot)
}

/// Converts `./a` to `a`, so that a file has one name.
fn without_dot(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_owned()
}

/// Parses an argument as a pattern, unless it names a file.
fn pattern(word: &Path) -> Result<Option<GlobMatcher>, Failure> {
    let text = word.to_string_lossy();
    if !text.contains(['*', '?', '[', '{']) || word.exists() {
        return Ok(None);
    }
    let glob = GlobBuilder::new(text.strip_prefix("./").unwrap_or(&text)).literal_separator(true).build();
    match glob {
        Ok(glob) => Ok(Some(glob.compile_matcher())),
        Err(error) => Err(format!("{text} is not a pattern: {}", error.kind()).into()),
    }
}

/// Finds the files that match a pattern, below the directory that it begins with, without excluded ones. The flag is
/// set if a file was excluded.
fn matches(
    word: &Path,
    pattern: &GlobMatcher,
    search: Search<'_>,
    unread: &mut Vec<FileFailure>,
) -> (Vec<TemplateFile>, bool) {
    let has_wildcard = |part: &Path| part.to_string_lossy().contains(['*', '?', '[', '{']);
    let start: PathBuf = word.iter().take_while(|part| !has_wildcard(Path::new(part))).collect();
    let start = if start.as_os_str().is_empty() { PathBuf::from(".") } else { start };
    let Some(mut walk) = Walk::new(&start, None, false, search.root) else { return (Vec::new(), false) };
    let loader = Arc::clone(&walk.loader);
    let files: Vec<PathBuf> = walk.by_ref().map(|file| without_dot(&file.path)).collect();
    unread.append(&mut walk.unread);
    let files = files.into_iter().filter(|path| pattern.is_match(path) && path.is_file());
    let (excluded, files): (Vec<PathBuf>, Vec<PathBuf>) = files.partition(|path| search.excludes(path, &start));
    let found = |path| TemplateFile { found_by: Some(Arc::clone(&loader)), ..TemplateFile::named(path) };
    (files.into_iter().map(found).collect(), !excluded.is_empty())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn temporary_directory(name: &str) -> PathBuf {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/templates").join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("deep/er")).expect("a directory");
        for (file, text) in [
            ("b.yaml", "Resources: {}\n"),
            ("deep/a.json", r#"{"Resources": {}}"#),
            ("deep/er/c.template", "Resources: {}\n"),
            ("deep/values.yaml", "Stage: prod\n"),
            ("deep/ignored.yaml", "Resources: {}\n"),
            ("deep/notes.txt", "Resources: {}\n"),
            (".gitignore", "ignored.yaml\n"),
        ] {
            fs::write(path.join(file), text).expect("a file");
        }
        path
    }

    fn names(base: &Path, templates: &Templates) -> Vec<String> {
        let name = |file: &TemplateFile| file.path.strip_prefix(base).expect("below").display().to_string();
        templates.files.iter().map(name).collect()
    }

    #[test]
    fn directories_hold_what_has_a_section() {
        let base = temporary_directory("directory");
        let found = Templates::find(&[base.join("deep"), base.join("b.yaml")], Search::default()).expect("templates");
        assert_eq!(names(&base, &found), ["b.yaml", "deep/a.json", "deep/er/c.template"]);
        assert!(found.are_many && found.missing.is_empty());
    }

    #[test]
    fn what_a_walk_read_is_handed_out_once() {
        let base = temporary_directory("content");
        let found = Templates::find(&[base.join("deep")], Search::default()).expect("templates");
        let first = found.files.first().expect("a template");
        let (bytes, id) = first.take_content().expect("its content");
        assert_eq!(&*bytes, br#"{"Resources": {}}"#);
        assert_eq!(id, formwork::disk::read_file(&first.path, 100).expect("a file").id);
        assert!(first.take_content().is_none());
        assert!(TemplateFile::named(first.path.clone()).take_content().is_none());
    }

    #[test]
    fn named_files_that_are_not_templates_are_passed_over_where_that_is_asked_for() {
        let base = temporary_directory("named");
        let words =
            ["deep/values.yaml", "b.yaml", "deep/a.json", "deep/notes.txt", "deep/missing.yaml", "deep/ignored.yaml"];
        let words: Vec<PathBuf> = words.iter().map(|word| base.join(word)).collect();
        let all = Templates::find(&words, Search::default()).expect("templates");
        assert_eq!(all.files.len(), words.len());
        let search = Search { only_templates: true, ..Search::default() };
        let found = Templates::find(&words, search).expect("templates");
        // One that does not exist is reported when it is read.
        let expected = ["b.yaml", "deep/a.json", "deep/ignored.yaml", "deep/missing.yaml", "deep/notes.txt"];
        assert_eq!(names(&base, &found), expected);
        assert!(found.are_many && found.missing.is_empty());
        let none = Templates::find(&words[..1], search).expect("none");
        assert!(none.files.is_empty() && none.missing.is_empty());
    }

    #[test]
    fn what_is_excluded_is_passed_over_unless_it_is_named() {
        let base = temporary_directory("excluded");
        let excluded = Excluded::new(&["er".to_owned(), "b.*".to_owned()]).expect("patterns");
        let search = Search { excluded: Some(&excluded), ..Search::default() };
        let of = |words: &[&str], search: Search<'_>| {
            let words: Vec<PathBuf> = words.iter().map(|word| base.join(word)).collect();
            let found = Templates::find(&words, search).expect("templates");
            assert!(found.missing.is_empty(), "{words:?}");
            names(&base, &found)
        };
        assert_eq!(of(&["."], search), ["deep/a.json"]);
        assert_eq!(
            of(&["deep/**"], search),
            ["deep/a.json", "deep/ignored.yaml", "deep/notes.txt", "deep/values.yaml"]
        );
        assert_eq!(of(&["b.yaml", "deep/er"], search), ["b.yaml", "deep/er/c.template"]);
        // Nobody chose the files of a hook.
        assert!(of(&["b.yaml", "deep/er/c.template"], Search { only_templates: true, ..search }).is_empty());
        // A directory of which everything is excluded is not one without templates.
        let all = Excluded::new(&["*".to_owned()]).expect("a pattern");
        assert!(of(&["deep"], Search { excluded: Some(&all), ..Search::default() }).is_empty());
    }

    #[test]
    fn stars_end_at_separators_and_two_do_not() {
        let base = temporary_directory("pattern");
        let of = |pattern: &str| {
            names(&base, &Templates::find(&[base.join(pattern)], Search::default()).expect("templates"))
        };
        assert_eq!(of("*.yaml"), ["b.yaml"]);
        assert_eq!(of("*/*.json"), ["deep/a.json"]);
        assert_eq!(of("**/*.{json,template}"), ["deep/a.json", "deep/er/c.template"]);
        let missing = Templates::find(&[base.join("*.nosuch"), base.join("b.yaml")], Search::default())
            .expect("templates")
            .missing;
        assert_eq!(missing.len(), 1);
        assert!(Templates::find(&[base.join("[")], Search::default()).is_err());
    }
}
