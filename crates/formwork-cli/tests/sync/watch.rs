//! `sync --watch` counts its rounds: what a build writes, and what is not part of a source, begins none.
//!
//! Holds reference/sync.md#watching.

use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::services::{Services, words_of};
use crate::support::folder::Folder;

/// A watch, which is ended when it is dropped.
struct Watch<'f> {
    folder: &'f Folder,
    child: Child,
    _services: Services,
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where standard error goes: into the project, where the system has the names of open files.
fn errors_of(folder: &Folder) -> PathBuf {
    if cfg!(target_os = "linux") { folder.path("errors") } else { folder.path("").with_extension("errors") }
}

/// The end of a round.
const END: &str = "watching for changes";

impl Watch<'_> {
    fn start<'f>(folder: &'f Folder, words: &[&str]) -> Watch<'f> {
        let services = Services::start(|_, _| None);
        let words = [&["--code", "--watch", "--stack-name", "shop"], words].concat();
        let (words, environment) = words_of(&services, &words);
        let mut command = folder.formwork(&words);
        command.envs(environment).env("PATH", format!("{}:/usr/bin:/bin", folder.path("tools").display()));
        command.stdout(Stdio::null()).stderr(File::create(errors_of(folder)).expect("a file"));
        let child = command.spawn().expect("the program starts");
        Watch { folder, child, _services: services }
    }

    fn errors(&self) -> String {
        std::fs::read_to_string(errors_of(self.folder)).expect("errors")
    }

    /// Waits until more rounds than before are over and none has begun for a while, and returns how many there were.
    fn rounds(&self, before: usize) -> usize {
        const STILL: Duration = Duration::from_millis(1500);
        let (begin, mut last) = (Instant::now(), (Instant::now(), String::new()));
        loop {
            let now = self.errors();
            let rounds = now.matches(END).count();
            if now != last.1 {
                last = (Instant::now(), now);
            } else if rounds > before && last.0.elapsed() > STILL {
                return rounds;
            }
            assert!(begin.elapsed() < Duration::from_mins(1), "it does not come to rest: {}", last.1);
            assert!(rounds < before + 8, "it wakes itself: {}", last.1);
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A project with one function, and a stand-in for a tool.
fn project(name: &str, properties: &str, files: &[(&str, &str)], (tool, script): (&str, &str)) -> Folder {
    let template = format!("Resources:\n  Orders:\n    Type: AWS::Lambda::Function\n{properties}");
    let folder = Folder::new("sync-watch", name).with("template.yaml", &template);
    let folder = files.iter().fold(folder, |folder, (name, text)| folder.with(name, text));
    let folder = folder.with(&format!("tools/{tool}"), &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(folder.path("tools").join(tool), PermissionsExt::from_mode(0o755)).expect("a mode");
    folder
}

const MAKE: &str = "    Metadata: {BuildMethod: makefile}
    Properties: {Code: src, Handler: app.handler, Runtime: provided.al2023, Role: r}
";
const NODE: &str = "    Properties: {Code: src, Handler: app.handler, Runtime: nodejs22.x, Role: r}\n";
const PYTHON: &str = "    Properties: {Code: ., Handler: app.handler, Runtime: python3.13, Role: r}\n";
/// Other bytes in each run.
const STAMP: &str = "date +%N >out.txt; cp out.txt \"$ARTIFACTS_DIR/\"";

#[test]
fn a_build_does_not_wake_its_watch() {
    const SOURCE: (&str, &str) = ("src/app.js", "1");
    let makefile = [SOURCE, ("src/Makefile", "")];
    let known = [SOURCE, ("src/Makefile", ""), ("src/out.txt", "of an earlier run")];
    let package = [SOURCE, ("src/package.json", "{}")];
    let outside = [
        SOURCE,
        ("src/package.json", r#"{"dependencies": {"shared": "file:../shared"}}"#),
        ("shared/package.json", "{}"),
    ];
    let install = "mkdir -p node_modules/a; date +%N >node_modules/a/index.js";
    let prepare = "mkdir -p ../shared/dist; date +%N >../shared/dist/out.js; mkdir -p node_modules";
    let failing = format!("{STAMP}; exit 1");
    let in_source = &["--build-in-source"][..];
    // The second number: how many rounds there may be until the outputs of a build are known.
    for (name, properties, files, tool, words, most) in [
        ("make", MAKE, &makefile[..], ("make", STAMP), in_source, 1),
        ("make-known", MAKE, &known, ("make", STAMP), in_source, 2),
        ("make-fails", MAKE, &makefile, ("make", failing.as_str()), in_source, 1),
        ("npm", NODE, &package, ("npm", install), in_source, 1),
        ("npm-outside", NODE, &outside, ("npm", prepare), &[], 1),
    ] {
        let folder = project(name, properties, files, tool);
        let watch = Watch::start(&folder, words);
        let first = watch.rounds(0);
        assert!(first <= most, "{name}: {first} rounds: {}", watch.errors());
        std::fs::write(folder.path("src/app.js"), "2").expect("an edit");
        assert_eq!(watch.rounds(first), first + 1, "{name}: {}", watch.errors());
        assert!(!folder.path("shared/dist").exists(), "what a source names is not written to");
    }
}

#[test]
fn what_is_not_part_of_a_source_begins_no_round() {
    let folder = project("beside", PYTHON, &[("app.py", "x = 1\n")], ("none", ""));
    let watch = Watch::start(&folder, &["--build-dir", "out"]);
    assert_eq!(watch.rounds(0), 1, "{}", watch.errors());
    for name in
        ["__pycache__/app.pyc", ".pytest_cache/v", "venv/bin/python", ".formwork-a1b2.tmp", ".formwork/x", "out/more"]
    {
        let path = folder.path(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, "x").expect("a file");
    }
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(watch.errors().matches(END).count(), 1, "{}", watch.errors());
    std::fs::write(folder.path("app.py"), "x = 2\n").expect("an edit");
    assert_eq!(watch.rounds(1), 2, "{}", watch.errors());
}
