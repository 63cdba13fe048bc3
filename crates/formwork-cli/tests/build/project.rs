//! A project in a separate directory, with stand-ins for tools on its PATH.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A stand-in for a Python with pip, which records in the artifact what it would install.
pub(crate) const PYTHON: &str = "for word; do
    case \"$before\" in --requirement) file=$word;; --target) out=$word;; esac
    before=$word
done
if test -n \"$out\"; then mkdir -p \"$out\" && cp \"$file\" \"$out/installed.txt\"; fi";

pub(crate) struct Project(pub(crate) PathBuf);

impl Project {
    pub(crate) fn new(name: &str) -> Project {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("build").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("project")).expect("a directory");
        std::fs::create_dir_all(path.join("tools")).expect("a directory");
        let project = Project(path.canonicalize().expect("it exists"));
        // A project root of its own, whatever is around.
        std::fs::create_dir(project.folder().join(".git")).expect("a directory");
        project
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.0.join("project")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder().join(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        let path = self.folder().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.folder().join(name).exists()
    }

    /// A stand-in for a tool: it records its command line, and then runs the script.
    pub(crate) fn tool(&self, name: &str, script: &str) {
        let path = self.0.join("tools").join(name);
        let log = self.0.join("lines");
        let note = format!(
            "for word in {name} \"$@\"; do printf '%s ' \"$word\"; done | tr '\\n' ' ' >>{0}; echo >>{0}",
            log.display()
        );
        std::fs::write(&path, format!("#!/bin/sh\n{note}\n{script}\n")).expect("a file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    }

    /// The command lines that stand-ins were run with, sorted, the directories of the run replaced by a name.
    pub(crate) fn lines(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.0.join("lines")).unwrap_or_default();
        let mut lines: Vec<String> = text.lines().map(|line| self.masked(line.trim_end())).collect();
        lines.sort();
        lines
    }

    fn masked(&self, line: &str) -> String {
        let own = format!("{}/.formwork/build/.formwork/", self.folder().display());
        let words = line.split(' ').map(|word| match word.split_once(&own) {
            // run-XXXXXX/3/work/... and run-XXXXXX/3/product
            Some((before, rest)) if rest.starts_with("run-") => {
                let rest = rest.split('/').skip(2).collect::<Vec<_>>().join("/");
                format!("{before}{}", rest.replace("product", "OUT").replace("work/", "WORK/"))
            }
            _ => word.replace(&format!("{}", self.folder().display()), "PROJECT"),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        self.prepared(Command::new(env!("CARGO_BIN_EXE_formwork")), words)
    }

    /// The same, started in another way.
    pub(crate) fn prepared(&self, mut command: Command, words: &[&str]) -> Command {
        let own = self.0.join("tools");
        let path = std::env::join_paths([own.as_path(), Path::new("/usr/bin"), Path::new("/bin")]).expect("a path");
        command.args(words).current_dir(self.folder()).env("PATH", path).env("HOME", &self.0);
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("the program runs")
    }

    /// Runs `build`, which must succeed, and returns its standard error.
    pub(crate) fn build(&self, words: &[&str]) -> String {
        let output = self.run(&[&["build"], words].concat());
        let errors = errors(&output);
        assert_eq!(output.status.code(), Some(0), "{errors}");
        assert!(output.stdout.is_empty(), "standard output holds nothing");
        errors
    }

    /// Every file of the build directory but its own, with its text.
    pub(crate) fn products(&self) -> Vec<(String, String)> {
        let root = self.folder().join(".formwork/build");
        let mut found = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a directory").flatten() {
                let path = entry.path();
                if path.is_dir() && entry.file_name() != ".formwork" {
                    folders.push(path);
                } else if path.is_file() {
                    let name = path.strip_prefix(&root).expect("inside").to_string_lossy().into_owned();
                    found.push((name, String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned()));
                }
            }
        }
        found.sort();
        found
    }
}

pub(crate) fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// How long anything may take: less than the tools of the tests would run by themselves.
pub(crate) const LONGEST: Duration = Duration::from_secs(30);

/// Waits until something is there.
pub(crate) fn wait<T>(what: &str, mut answer: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = answer() {
            return found;
        }
        assert!(begun.elapsed() < LONGEST, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
