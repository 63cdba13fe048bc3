//! Finds files of a directory that may be templates (reference/command-line.md#templates): with files that Git tracks,
//! without those that `.gitignore` excludes. Nothing in the tree is trusted: links to directories are not followed, and
//! files that control the search are read within limits.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::disk::{Loader, Tracked, in_project, is_git, is_inside, refuse_links, tracked};
use formwork::{Limits, ReadError};
use formwork_project::FileFailure;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::default_template::is_default;

const EXTENSIONS: [&str; 4] = ["yaml", "yml", "json", "template"];
const BUILT: [&str; 4] = [".aws-sam", ".formwork", "cdk.out", "node_modules"];
const IGNORE_FILE: &str = ".gitignore";
/// Maximum size of all `.gitignore` files, in bytes and lines: each line becomes an automaton.
const IGNORE_BYTES: usize = 256 << 10;
const IGNORE_LINES: usize = 4000;

fn has_extension(path: &Path) -> bool {
    path.extension().is_some_and(|found| EXTENSIONS.iter().any(|known| found.eq_ignore_ascii_case(known)))
}

/// A file that was found.
#[derive(Debug)]
pub struct WalkedFile {
    /// The path, below the directory of the walk.
    pub path: PathBuf,
    /// Set if the path is a link.
    pub is_link: bool,
}

/// An iterator over the files of a directory.
pub struct Walk {
    /// The loader of files that are not on the command line.
    pub loader: Arc<Loader>,
    directory: PathBuf,
    real: PathBuf,
    /// Directories that are not read yet, with the rules of `.gitignore`.
    left: Vec<(PathBuf, Option<Arc<Ignored>>)>,
    files: Vec<WalkedFile>,
    /// The real path of the output directory, which is skipped.
    output: Option<PathBuf>,
    /// Set for a search for templates, which skips other files and directories of build outputs.
    searches: bool,
    ignores: bool,
    budget: Budget,
    /// Files that Git tracks and that were not found yet, by their paths in the directory.
    tracked: BTreeSet<PathBuf>,
    /// Directories that cannot be read.
    pub unread: Vec<FileFailure>,
}

/// The rules of a `.gitignore`, and those of the directories above.
struct Ignored {
    rules: Gitignore,
    above: Option<Arc<Ignored>>,
}

struct Budget {
    bytes: usize,
    lines: usize,
}

impl Walk {
    /// Creates a walk through `directory` that skips `output` in it, and, if `searches` is set, files that
    /// are ignored, built, or cannot be templates by their names. `root` is the project root of the command line; by
    /// default it follows from the path as typed, so that a link in a repository does not choose another one. A
    /// directory outside of the root is skipped, and reported as unreadable.
    pub fn new(directory: &Path, output: Option<&Path>, searches: bool, root: Option<&Path>) -> Option<Walk> {
        let root =
            root.map_or_else(|| in_project(directory).map(|place| place.root), |root| Ok(root.to_owned())).ok()?;
        let loader = Arc::new(Loader::new(&root, Limits::default().file_bytes).ok()?);
        let real = directory.canonicalize().ok()?;
        let is_inside = is_inside(loader.root(), &real);
        let mut walk = Walk {
            loader,
            directory: directory.to_owned(),
            real,
            left: Vec::new(),
            files: Vec::new(),
            output: output.and_then(|output| output.canonicalize().ok()),
            searches,
            ignores: searches,
            budget: Budget { bytes: IGNORE_BYTES, lines: IGNORE_LINES },
            tracked: BTreeSet::new(),
            unread: Vec::new(),
        };
        if !is_inside {
            walk.unread.push(FileFailure::unread(directory, &ReadError::OutsideRoot).of_template());
            return Some(walk);
        }
        let mut above = None;
        if searches {
            walk.find_tracked();
        }
        if walk.ignores {
            let outer: Vec<PathBuf> = walk.real.ancestors().skip(1).map(Path::to_owned).collect();
            let inside = outer.iter().take_while(|path| path.starts_with(walk.loader.root()));
            for path in inside.collect::<Vec<_>>().into_iter().rev() {
                above = walk.ignored(path, above);
            }
        }
        walk.left.push((directory.to_owned(), above));
        Some(walk)
    }

    fn find_tracked(&mut self) {
        let is_wanted = |name: &str| {
            let path = Path::new(name);
            has_extension(path) && !path.iter().any(|part| is_git(part) || BUILT.iter().any(|built| part == *built))
        };
        match tracked(&self.real, &is_wanted) {
            Tracked::Nothing => {}
            Tracked::Files { top, paths } => {
                let inside = |path: &String| top.join(path).strip_prefix(&self.real).ok().map(Path::to_owned);
                self.tracked = paths.iter().filter_map(inside).collect();
            }
            // Any file may be tracked.
            Tracked::Unknown => self.ignores = false,
        }
    }

    fn ignored(&mut self, real: &Path, above: Option<Arc<Ignored>>) -> Option<Arc<Ignored>> {
        let path = real.join(IGNORE_FILE);
        if !self.ignores || path.symlink_metadata().is_err() {
            return above;
        }
        // A `.gitignore` that cannot be read, or that is too large, excludes nothing.
        let Ok(read) = self.loader.read_found(&path) else { return above };
        let Ok(text) = String::from_utf8(read.bytes) else { return above };
        let lines = text.lines().count();
        let left = self.budget.bytes.checked_sub(text.len()).zip(self.budget.lines.checked_sub(lines));
        let Some((bytes, lines)) = left else { return above };
        self.budget = Budget { bytes, lines };
        let mut builder = GitignoreBuilder::new(real);
        for line in text.trim_start_matches('\u{feff}').lines() {
            // A line that is not a pattern has no effect.
            let _ = builder.add_line(None, line);
        }
        match builder.build() {
            Ok(rules) => Some(Arc::new(Ignored { rules, above })),
            Err(_) => above,
        }
    }

    fn enter(&mut self, directory: &Path, above: Option<Arc<Ignored>>) {
        let entries = fs::read_dir(directory).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                let why = format!("{} cannot be read: {error}", directory.display());
                self.unread.push(FileFailure::unfit(directory, why).of_template());
                return;
            }
        };
        entries.sort_by_cached_key(fs::DirEntry::file_name);
        let real = match directory.strip_prefix(&self.directory) {
            Ok(below) => self.real.join(below),
            Err(_) => self.real.clone(),
        };
        let rules = self.ignored(&real, above);
        let mut inner = Vec::new();
        for entry in entries {
            let Ok(kind) = entry.file_type() else { continue };
            let (name, is_dir) = (entry.file_name(), kind.is_dir());
            let is_file = kind.is_file() || kind.is_symlink();
            // Files with the name of a default template are always reported.
            let is_named = self.searches && is_default(&name);
            let is_other = !is_dir && !is_named && !(is_file && (!self.searches || has_extension(Path::new(&name))));
            let is_built = self.searches && is_dir && BUILT.iter().any(|built| name == *built);
            let real = real.join(&name);
            if is_other || is_git(&name) || is_built || is_ignored(rules.as_deref(), &real, is_dir) {
                continue;
            }
            if is_dir {
                if self.output.as_ref().is_none_or(|output| *output != real) {
                    inner.push((entry.path(), rules.clone()));
                }
            } else {
                self.files.push(WalkedFile { path: entry.path(), is_link: kind.is_symlink() });
            }
        }
        self.files.reverse();
        self.left.extend(inner.into_iter().rev());
    }

    fn next_tracked(&mut self) -> Option<WalkedFile> {
        while let Some(below) = self.tracked.pop_first() {
            let real = self.real.join(&below);
            let is_clean = || refuse_links(&self.real, real.parent()?).ok();
            let is_output = self.output.as_ref().is_some_and(|output| real.starts_with(output));
            let Ok(found) = real.symlink_metadata() else { continue };
            if (found.is_file() || found.is_symlink()) && !is_output && is_clean().is_some() {
                return Some(WalkedFile { path: self.directory.join(below), is_link: found.is_symlink() });
            }
        }
        None
    }
}

impl Iterator for Walk {
    type Item = WalkedFile;

    fn next(&mut self) -> Option<WalkedFile> {
        loop {
            if let Some(found) = self.files.pop() {
                if let Ok(below) = found.path.strip_prefix(&self.directory) {
                    self.tracked.remove(below);
                }
                return Some(found);
            }
            let Some((directory, above)) = self.left.pop() else { return self.next_tracked() };
            self.enter(&directory, above);
        }
    }
}

/// Returns `true` when a file or directory is excluded, by the nearest rules that match it.
fn is_ignored(mut rules: Option<&Ignored>, real: &Path, is_dir: bool) -> bool {
    while let Some(found) = rules {
        let matched = found.rules.matched(real, is_dir);
        if !matched.is_none() {
            return matched.is_ignore();
        }
        rules = found.above.as_deref();
    }
    false
}
