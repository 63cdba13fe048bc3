//! `formwork package` as scripts call it: streams, files, and what is left when something fails
//! (reference/command-line.md#output; reference/packaging.md#output).
//!
//! Holds reference/packaging.md#plan, reference/packaging.md#local-target.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

const TEMPLATE: &str = "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Layers:
    - Name
    - [a, b, c]
    - Layer${Name}:
        Type: AWS::Serverless::LayerVersion
        Properties:
          ContentUri: ./src/${Name}
";

/// A project in a directory of its own.
struct Project(PathBuf);

impl Project {
    fn new(name: &str) -> Project {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("package").join(name);
        let _ = std::fs::remove_dir_all(&path);
        // A project of its own: the tests run inside a repository.
        std::fs::create_dir_all(path.join(".git")).expect("a directory");
        let project = Project(path);
        project.write("template.yaml", TEMPLATE);
        for (name, count) in [("a", 3), ("b", 40), ("c", 400)] {
            let lines: Vec<String> = (0..count * 100).map(|number| format!("line {number} of {name}\n")).collect();
            project.write(&format!("src/{name}/code.py"), &lines.concat());
        }
        project
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }

    /// Runs the program by a shell, `before` first.
    fn shell(&self, before: &str, words: &str) -> Command {
        let program = env!("CARGO_BIN_EXE_formwork");
        let mut command = Command::new("sh");
        let line = format!("{before}\nexec {program} package template.yaml --bucket-name bucket {words}");
        command.args(["-c", &line]).current_dir(&self.0);
        command
    }

    fn run(&self, before: &str, words: &str) -> Output {
        self.shell(before, words).output().expect("the program runs")
    }

    /// Every file of a directory, by name.
    fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        files(&self.0.join(folder))
    }
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(folder) else { return BTreeMap::new() };
    let files = entries.flatten().filter(|entry| entry.path().is_file());
    files
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, std::fs::read(entry.path()).expect("a file"))
        })
        .collect()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn one_tree_is_one_object_whatever_the_surroundings() {
    let project = Project::new("surroundings");
    let mut seen = Vec::new();
    for (before, store) in [
        ("umask 022; TZ=UTC; export TZ", "one"),
        ("umask 077; TZ=Asia/Tokyo; LC_ALL=C; export TZ LC_ALL; touch src/*/*", "two"),
        ("chmod 600 src/*/*; HOME=/nowhere; export HOME", "three"),
    ] {
        let output = project.run(before, &format!("--s3-bucket file:{store}"));
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        seen.push((project.files(store), output.stdout));
    }
    assert_eq!(seen[0].0.len(), 3);
    assert!(seen.iter().all(|other| *other == seen[0]), "one tree, one result");
}

#[test]
fn the_template_alone_goes_to_standard_output() {
    let project = Project::new("streams");
    let output = project.run("", "--s3-bucket file:store");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with("Transform: AWS::LanguageExtensions\nMappings:\n  SAMContentUriLayers:\n"), "{text}");
    assert!(output.stderr.is_empty(), "nobody watches");
    let written = project.run("", "--s3-bucket file:store --output-template-file out.yaml");
    assert!(written.stdout.is_empty());
    assert_eq!(std::fs::read_to_string(project.0.join("out.yaml")).expect("the output"), text);
    let json = project.run("", "--s3-bucket file:store --use-json");
    assert!(json.stdout.starts_with(b"{\n"));
}

#[test]
fn a_plan_uploads_nothing() {
    let project = Project::new("plan");
    let output = project.run("", "--plan --s3-prefix /p//q/");
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let artifacts = plan["artifacts"].as_array().expect("a list");
    assert_eq!(artifacts.len(), 3);
    assert_eq!(artifacts[0]["resource"], "Layera");
    assert_eq!(artifacts[0]["property"], "ContentUri");
    assert_eq!(artifacts[0]["path"], "./src/a");
    assert_eq!(artifacts[0]["kind"], "zip");
    assert_eq!(artifacts[0]["bytes"], 4_090);
    assert!(artifacts[0]["object"].as_str().is_some_and(|key| key.starts_with("p/q/") && key.len() == 4 + 64));
    assert_eq!(std::fs::read_dir(&project.0).expect("the directory").count(), 3, "nothing was written");
    // The names are those of a run.
    project.run("", "--s3-bucket file:store --s3-prefix p/q");
    let keys: Vec<String> = project.files("store/p/q").into_keys().map(|key| format!("p/q/{key}")).collect();
    let mut planned: Vec<&str> = artifacts.iter().filter_map(|artifact| artifact["object"].as_str()).collect();
    planned.sort_unstable();
    assert_eq!(keys, planned);
}

#[test]
fn what_packaging_writes_is_in_no_archive() {
    let project = Project::new("left-out");
    project.write("template.yaml", "Resources: {Layer: {Type: AWS::Serverless::LayerVersion}}\n");
    let words = "--s3-bucket file:store -o packaged.yaml";
    for _ in 0..2 {
        let output = project.run("", words);
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        assert_eq!(project.files("store").len(), 1, "the second run finds the same tree");
    }
}

#[test]
fn exit_statuses() {
    let project = Project::new("statuses");
    assert_eq!(project.run("", "").status.code(), Some(1), "no bucket");
    assert_eq!(project.run("", "--s3-bucket file:").status.code(), Some(2), "no directory");
    assert_eq!(project.run("rm -r src/b", "--s3-bucket file:store").status.code(), Some(1), "a missing path");
    assert!(!project.0.join("store").exists(), "nothing was uploaded");
    let mut bare = Command::new(env!("CARGO_BIN_EXE_formwork"));
    let output = bare.args(["package", "template.yaml", "--s3-bucket", "file:x"]).current_dir(&project.0).output();
    assert_eq!(output.expect("it runs").status.code(), Some(2), "no name for the bucket");
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

/// A thousand runs that are killed, run out of room or find the wrong thing in their way: the output is
/// the old one or the new one, nothing is half there, and a run that reports success is complete.
#[test]
fn faults_leave_the_output_old_or_new() {
    const RUNS: u32 = 1000;
    let project = Project::new("faults");
    assert_eq!(project.run("", "--s3-bucket file:whole -o new.yaml").status.code(), Some(0));
    let whole = project.files("whole");
    let new = std::fs::read(project.0.join("new.yaml")).expect("the output");
    std::fs::remove_file(project.0.join("new.yaml")).expect("removed");
    let old = b"old: true\n";
    let mut random = Random(7);
    let (mut done, mut failed, mut killed) = (0, 0, 0);
    for run in 0..RUNS {
        let _ = std::fs::remove_dir_all(project.0.join("store"));
        std::fs::write(project.0.join("out.yaml"), old).expect("written");
        let words = "--s3-bucket file:store -o out.yaml --concurrency 2 >/dev/null 2>&1";
        let blocks = random.below(24);
        let status = match run % 4 {
            // The disk is full: files end after some blocks of 512 bytes.
            0 => project.shell(&format!("trap '' XFSZ; ulimit -f {blocks}"), words).status(),
            // The same, but the process is ended.
            1 => project.shell(&format!("ulimit -c 0; ulimit -f {blocks}"), words).status(),
            // Some object is in the way of another.
            2 => {
                let at = random.below(whole.len() as u64 + 1) as usize;
                let key = whole.keys().nth(at).map_or("other", String::as_str);
                project.shell(&format!("mkdir -p store/{key}/x"), words).status()
            }
            // Somebody ends it at some moment.
            _ => {
                let mut child = project.shell("", words).spawn().expect("the program runs");
                std::thread::sleep(Duration::from_micros(random.below(12_000)));
                let _ = child.kill();
                child.wait()
            }
        };
        let code = status.expect("the program runs").code();
        let out = std::fs::read(project.0.join("out.yaml")).expect("the output is there");
        assert!(out == old || out == new, "run {run}: the output is neither old nor new");
        let store = project.files("store");
        let is_temporary = |name: &String| Path::new(name).extension().is_some_and(|extension| extension == "tmp");
        for (key, bytes) in store.iter().filter(|(key, _)| !is_temporary(key)) {
            assert!(whole.get(key) == Some(bytes), "run {run}: {key} is half there");
        }
        match code {
            Some(0) => {
                done += 1;
                assert!(out == new && store.len() == whole.len(), "run {run} reports that it is done");
            }
            Some(_) => {
                failed += 1;
                assert!(out == old, "run {run} failed and wrote");
                assert!(!store.keys().any(is_temporary), "run {run} left something in the store");
                assert!(!project.files(".").keys().any(is_temporary), "run {run} left something beside the output");
            }
            None => killed += 1,
        }
        if code.is_none() {
            for name in project.files(".").into_keys().filter(is_temporary) {
                std::fs::remove_file(project.0.join(name)).expect("removed");
            }
        }
    }
    assert!(done > 50 && failed > 200 && killed > 200, "{done} done, {failed} failed, {killed} were killed");
}
