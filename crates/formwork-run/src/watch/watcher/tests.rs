//! Changes on a disk.
//!
//! Holds reference/sync.md#watching.

use std::cell::Cell;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::watch::{Directory, Interest, Watcher};

struct Project {
    _directory: tempfile::TempDir,
    root: PathBuf,
    watcher: Watcher,
}

impl Project {
    fn new() -> Project {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("a real path");
        fs::create_dir_all(root.join("src/.formwork/build")).expect("a directory");
        let mut project = Project { _directory: directory, watcher: Watcher::new().expect("a watcher"), root };
        project.write("template.yaml", "a");
        project.write("src/app.py", "a");
        let interest = Interest {
            files: [project.root.join("template.yaml")].into(),
            directories: vec![Directory::new(project.root.join("src"), vec!["*.log".into()]).expect("patterns")],
            written: vec![project.root.join("src/out")],
        };
        project.watcher.watch(interest).expect("it watches");
        project
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.root.join(name), text).expect("a file");
    }

    /// Returns the names of changed files within a time.
    fn changes(&mut self, within: Duration) -> Option<Vec<String>> {
        let (begin, root) = (Instant::now(), self.root.clone());
        let changed = self.watcher.wait(&|| begin.elapsed() > within)?;
        let name = |path: PathBuf| path.strip_prefix(&root).expect("below").to_string_lossy().into_owned();
        Some(changed.into_iter().map(name).collect())
    }
}

const LONG: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(700);

#[test]
fn edits_are_reported_once() {
    let mut project = Project::new();
    project.write("src/app.py", "b");
    project.write("template.yaml", "b");
    assert_eq!(project.changes(LONG), Some(vec!["src/app.py".to_owned(), "template.yaml".to_owned()]));
    assert_eq!(project.changes(SHORT), None);
}

#[test]
fn a_renamed_file_and_a_new_directory_are_reported() {
    let mut project = Project::new();
    // As many editors save: another file takes the place of the old one.
    project.write("new", "b");
    fs::rename(project.root.join("new"), project.root.join("template.yaml")).expect("a rename");
    assert_eq!(project.changes(LONG), Some(vec!["template.yaml".to_owned()]));
    fs::create_dir(project.root.join("src/lib")).expect("a directory");
    assert_eq!(project.changes(LONG), Some(vec!["src/lib".to_owned()]));
    project.write("src/lib/a.py", "a");
    assert_eq!(project.changes(LONG), Some(vec!["src/lib/a.py".to_owned()]));
    fs::remove_file(project.root.join("src/lib/a.py")).expect("it is removed");
    assert_eq!(project.changes(LONG), Some(vec!["src/lib/a.py".to_owned()]));
}

#[test]
fn reading_and_own_files_wake_nothing() {
    let mut project = Project::new();
    fs::create_dir(project.root.join("src/out")).expect("a directory");
    for name in ["src/.formwork/build/a", "src/out/a", "src/a.log", "src/.app.py.swp", "src/app.py~", "README.md"] {
        project.write(name, "a");
    }
    fs::read(project.root.join("src/app.py")).expect("the file");
    fs::read_dir(project.root.join("src")).expect("the directory").count();
    assert_eq!(project.changes(SHORT), None);
}

#[test]
fn a_wait_ends_when_it_is_over() {
    let (mut project, looks) = (Project::new(), Cell::new(0));
    let begin = Instant::now();
    let changed = project.watcher.wait(&|| {
        looks.set(looks.get() + 1);
        looks.get() > 2
    });
    assert!(changed.is_none() && begin.elapsed() < LONG);
}

#[test]
fn what_is_not_watched_any_more_wakes_nothing() {
    let mut project = Project::new();
    let files = [project.root.join("template.yaml")].into();
    let less = Interest { files, ..Interest::default() };
    assert!(project.watcher.watch(less.clone()).expect("it watches"), "it is another interest");
    assert!(!project.watcher.watch(less).expect("it watches"), "it is the same");
    project.write("src/app.py", "b");
    assert_eq!(project.changes(SHORT), None);
    project.write("template.yaml", "b");
    assert_eq!(project.changes(LONG), Some(vec!["template.yaml".to_owned()]));
}

#[test]
fn a_directory_that_takes_the_place_of_another_is_watched() {
    let mut project = Project::new();
    let interest = || Interest {
        directories: vec![Directory::new(project.root.join("src"), Vec::new()).expect("patterns")],
        ..Interest::default()
    };
    let (first, again) = (interest(), interest());
    project.watcher.watch(first).expect("it watches");
    fs::remove_dir_all(project.root.join("src")).expect("it is removed");
    fs::create_dir(project.root.join("src")).expect("a directory");
    assert!(project.changes(LONG).is_some());
    assert!(project.watcher.watch(again).expect("it watches"), "what changed meanwhile was missed");
    project.write("src/app.py", "c");
    assert_eq!(project.changes(LONG), Some(vec!["src/app.py".to_owned()]));
}
