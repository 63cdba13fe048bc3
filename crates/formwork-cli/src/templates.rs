//! The templates that a command line means: files, directories, patterns, or none at all
//! (reference/command-line.md#templates).

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf, is_separator};
use std::sync::{Arc, Mutex, PoisonError};

use formwork::disk::{FileId, Loader, ReadFile, project_root};
use formwork::{FileBytes, Limits, ReadError};
use globset::{GlobBuilder, GlobMatcher};

use crate::default_template;
use crate::failure::{Failure, FileFailure};
use crate::many::{Worker, in_parallel, others};
use crate::walk::{Found, Walk};

/// The templates of a command line.
#[derive(Debug, Default)]
pub(crate) struct Templates {
    /// In the order of their paths, each once.
    pub(crate) files: Vec<PathBuf>,
    /// Arguments that match no file.
    pub(crate) missing: Vec<FileFailure>,
    /// Of each file, what is known of its content.
    pub(crate) contents: Vec<Content>,
    /// Whether more than one file was asked for: by several words, by a directory or by a pattern.
    pub(crate) are_many: bool,
}

/// What is known of the content of a file.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// The worker that read it.
    pub(crate) reader: Worker,
    /// What was read to see what it is, when that is kept.
    known: Mutex<Option<Known>>,
    /// What reads it, when nobody named it.
    found_by: Option<Arc<Loader>>,
}

/// How a template came to be read.
#[derive(Debug)]
pub(crate) enum Origin {
    /// The command line names it.
    Named,
    /// A walk found it: it is a regular file inside of what this reads, or it is not read.
    Found(Arc<Loader>),
    /// It was read.
    Known(Known),
}

/// A file that was read.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) bytes: FileBytes,
    /// Which file it was.
    pub(crate) id: Option<FileId>,
}

impl From<ReadFile> for Known {
    fn from(read: ReadFile) -> Known {
        Known { bytes: read.bytes.into(), id: read.id }
    }
}

impl Content {
    /// What was read, for the first who asks, else how it is read.
    pub(crate) fn take(&self) -> Origin {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (known, &self.found_by) {
            (Some(known), _) => Origin::Known(known),
            (None, Some(loader)) => Origin::Found(Arc::clone(loader)),
            (None, None) => Origin::Named,
        }
    }
}

/// How templates are looked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Search<'a> {
    /// Results are written below this directory: what is there from an earlier run is not a template of a directory
    /// around it.
    pub(crate) output: Option<&'a Path>,
    /// The project root that the command line names: what a walk finds is inside of it, else of the one that is found.
    pub(crate) root: Option<&'a Path>,
    /// Whether files that are named are passed over when they are not templates, as those of a directory are.
    pub(crate) only_templates: bool,
}

impl Templates {
    /// The templates that `words` name: files as they are, directories for the templates in them, patterns for the
    /// files that match. Without words the template of the working directory.
    ///
    /// # Errors
    /// When there are no words and no template, or a pattern is invalid.
    pub(crate) fn find(words: &[PathBuf], search: Search<'_>) -> Result<Templates, Failure> {
        if words.is_empty() {
            let (files, contents) = (vec![default_template::find()?], vec![Content::default()]);
            return Ok(Templates { files, contents, ..Templates::default() });
        }
        let mut found: Vec<(PathBuf, Content)> = Vec::new();
        let mut kept = 0;
        let mut named = Vec::new();
        let mut templates = Templates { are_many: words.len() > 1, ..Templates::default() };
        for word in words {
            if word.is_dir() {
                others();
                templates.are_many = true;
                let inside = templates_in(word, search, &mut kept, &mut templates.missing);
                if inside.is_empty() {
                    let why = format!("{} holds no template", word.display());
                    templates.missing.push(FileFailure::unfit(word, why).help(IN_DIRECTORY).of_template());
                }
                found.extend(inside);
            } else if let Some(pattern) = pattern(word)? {
                templates.are_many = true;
                let matches = matches(word, &pattern, search.root, &mut templates.missing);
                if matches.is_empty() {
                    let why = format!("no file matches {}", word.display());
                    templates.missing.push(FileFailure::unfit(word, why).of_template());
                }
                found.extend(matches);
            } else {
                named.push(word.clone());
            }
        }
        if search.only_templates {
            found.extend(templates_of(named, search.root, &mut kept));
        } else {
            found.extend(named.into_iter().map(|path| (path, Content::default())));
        }
        let mut found = in_order(found);
        found.dedup_by(|(path, _), (before, _)| path == before);
        (templates.files, templates.contents) = found.into_iter().unzip();
        Ok(templates)
    }
}

/// Sorts paths, with what belongs to each. To compare them part by part takes long: files of one directory differ in their
/// names alone.
fn in_order<T>(paths: Vec<(PathBuf, T)>) -> Vec<(PathBuf, T)> {
    let mut split: Vec<(usize, (PathBuf, T))> = paths.into_iter().map(|one| (name_in(&one.0), one)).collect();
    split.sort_by(|(at, (path, _)), (other_at, (other, _))| {
        let (bytes, others) = (path.as_os_str().as_encoded_bytes(), other.as_os_str().as_encoded_bytes());
        let is_beside = *at > 0 && at == other_at && bytes[..*at] == others[..*at];
        if is_beside { bytes[*at..].cmp(&others[*at..]) } else { path.cmp(other) }
    });
    split.into_iter().map(|(_, one)| one).collect()
}

/// Where the name of a file begins in the bytes of its path, behind a separator. Zero when it does not end in a name.
fn name_in(path: &Path) -> usize {
    let bytes = path.as_os_str().as_encoded_bytes();
    let at = bytes.iter().rposition(|&byte| is_separator(byte.into())).map_or(0, |at| at + 1);
    if matches!(&bytes[at..], b"" | b"." | b"..") { 0 } else { at }
}

/// The advice for a directory without templates.
const IN_DIRECTORY: &str =
    "templates in directories end in .yaml, .yml, .json or .template and have a section such as Resources";

/// Most bytes of templates that are kept from finding them until they are compiled.
const MOST_KEPT: usize = 16 << 20;

/// The templates below a directory, without those that are excluded (see [`Walk`]) and those of the directory `output`
/// in it. `kept` is the number of bytes that are kept.
fn templates_in(
    folder: &Path,
    search: Search<'_>,
    kept: &mut usize,
    unread: &mut Vec<FileFailure>,
) -> Vec<(PathBuf, Content)> {
    let Some(mut walk) = Walk::new(folder, search.output, true, search.root) else { return Vec::new() };
    let loader = Arc::clone(&walk.loader);
    let found = those_that_are_templates(walk.by_ref().map(|file| (Arc::clone(&loader), file)), kept);
    unread.append(&mut walk.unread);
    found
}

/// Which of these files are templates. Those that do not exist stay, and are reported when they are read.
fn templates_of(files: Vec<PathBuf>, root: Option<&Path>, kept: &mut usize) -> Vec<(PathBuf, Content)> {
    let mut loaders: BTreeMap<PathBuf, Arc<Loader>> = BTreeMap::new();
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for path in files {
        let Ok(metadata) = path.symlink_metadata() else {
            found.push((path, Content::default()));
            continue;
        };
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let root = root.map_or_else(|| project_root(folder), Path::to_owned);
        let loader = if let Some(loader) = loaders.get(&root) {
            Arc::clone(loader)
        } else {
            let Ok(loader) = Loader::new(&root, Limits::default().file_bytes) else { continue };
            Arc::clone(loaders.entry(root).or_insert(Arc::new(loader)))
        };
        open.push((loader, Found { path, is_link: metadata.is_symlink() }));
    }
    found.extend(those_that_are_templates(open.into_iter(), kept));
    found
}

/// The files that are templates, or may be, each with what reads it.
fn those_that_are_templates(
    files: impl Iterator<Item = (Arc<Loader>, Found)> + Send,
    kept: &mut usize,
) -> Vec<(PathBuf, Content)> {
    let mut found = Vec::new();
    let take = |(path, looked, reader, loader): (PathBuf, Looked, Worker, Arc<Loader>)| -> Result<(), Infallible> {
        let known = match looked {
            Looked::Other => return Ok(()),
            Looked::Template(known) if *kept + known.bytes.len() <= MOST_KEPT => {
                *kept += known.bytes.len();
                Some(known)
            }
            Looked::Template(_) | Looked::Unreadable => None,
        };
        found.push((path, Content { reader, known: Mutex::new(known), found_by: Some(loader) }));
        Ok(())
    };
    let work = |(loader, file): (Arc<Loader>, Found)| {
        let looked = look(&loader, &file);
        (without_dot(&file.path), looked, Worker::current(), loader)
    };
    let Ok(()) = in_parallel(files, work, take);
    found
}

/// What a file is.
enum Looked {
    Template(Known),
    /// It may be a template: that it cannot be read is reported later.
    Unreadable,
    Other,
}

fn look(loader: &Loader, file: &Found) -> Looked {
    let read = if file.is_link { loader.read_found(&file.path) } else { loader.read_regular(&file.path) };
    match read.map(Known::from) {
        Ok(known) if formwork::has_template_section(&known.bytes) => Looked::Template(known),
        // A file outside of the project is not a template of it.
        Ok(_)
        | Err(ReadError::NotFound | ReadError::IsDirectory | ReadError::NotRegular(_) | ReadError::OutsideRoot) => {
            Looked::Other
        }
        Err(_) => Looked::Unreadable,
    }
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

/// The files that match a pattern, below the directory that it begins with.
fn matches(
    word: &Path,
    pattern: &GlobMatcher,
    root: Option<&Path>,
    unread: &mut Vec<FileFailure>,
) -> Vec<(PathBuf, Content)> {
    let has_wildcard = |part: &Path| part.to_string_lossy().contains(['*', '?', '[', '{']);
    let start: PathBuf = word.iter().take_while(|part| !has_wildcard(Path::new(part))).collect();
    let start = if start.as_os_str().is_empty() { PathBuf::from(".") } else { start };
    let Some(mut walk) = Walk::new(&start, None, false, root) else { return Vec::new() };
    let loader = Arc::clone(&walk.loader);
    let files: Vec<PathBuf> = walk.by_ref().map(|file| without_dot(&file.path)).collect();
    unread.append(&mut walk.unread);
    let files = files.into_iter().filter(|path| pattern.is_match(path) && path.is_file());
    files.map(|path| (path, Content { found_by: Some(Arc::clone(&loader)), ..Content::default() })).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder(name: &str) -> PathBuf {
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
        let name = |path: &PathBuf| path.strip_prefix(base).expect("below").display().to_string();
        templates.files.iter().map(name).collect()
    }

    #[test]
    fn directories_hold_what_has_a_section() {
        let base = folder("directory");
        let found = Templates::find(&[base.join("deep"), base.join("b.yaml")], Search::default()).expect("templates");
        assert_eq!(names(&base, &found), ["b.yaml", "deep/a.json", "deep/er/c.template"]);
        assert!(found.are_many && found.missing.is_empty());
    }

    #[test]
    fn named_files_that_are_not_templates_are_passed_over_where_that_is_asked_for() {
        let base = folder("named");
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
    fn paths_are_in_the_order_of_their_parts() {
        let parts = ["a", "a-b", "a.yaml", "A", ".", "..", "b"];
        let mut paths: Vec<PathBuf> = parts.iter().map(PathBuf::from).collect();
        for (first, second) in parts.iter().flat_map(|first| parts.iter().map(move |second| (first, second))) {
            paths.extend(
                [format!("{first}/{second}"), format!("/{first}/{second}"), format!("{first}//{second}/")]
                    .map(PathBuf::from),
            );
        }
        for (a, b) in paths.iter().flat_map(|a| paths.iter().map(move |b| (a, b))) {
            let mut pair = [a.clone(), b.clone()];
            let ordered: Vec<PathBuf> = in_order(pair.iter().map(|path| (path.clone(), ())).collect())
                .into_iter()
                .map(|(path, ())| path)
                .collect();
            pair.sort();
            assert_eq!(ordered, pair, "{a:?} {b:?}");
        }
    }

    #[test]
    fn stars_end_at_separators_and_two_do_not() {
        let base = folder("pattern");
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
