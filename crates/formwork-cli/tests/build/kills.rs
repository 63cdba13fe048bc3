//! Builds that are killed, and builds in one build directory at the same time (reference/build.md#whole).

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::project::{LONGEST, Project, wait};
use crate::support::processes::{await_end, with_hangup, without_hangup};

const TEMPLATE: &str = "Resources:
  A:
    Type: AWS::Lambda::Function
    Metadata: {BuildMethod: makefile}
    Properties: {Handler: x, Runtime: provided.al2023, Code: mk}
";

fn project(name: &str) -> Project {
    let project = Project::new(&format!("kills-{name}"));
    project.write("template.yaml", TEMPLATE);
    project.write("mk/Makefile", "");
    project
}

/// A build whose tool starts another process, reports it, and does not end.
fn endless(name: &str) -> Project {
    let project = project(name);
    let pids = project.0.join("pids");
    let script = format!(
        "echo half >\"$ARTIFACTS_DIR/half\"; sleep 60 & echo $! $$ >>{0}.new; mv {0}.new {0}; wait",
        pids.display()
    );
    project.tool("make", &script);
    project
}

/// Starts a build, and waits until its tool runs; the processes of the tool.
fn started(project: &Project) -> (Child, Vec<String>) {
    begun(project, with_hangup())
}

/// A build that was started like this, and the processes of its tool.
fn begun(project: &Project, program: Command) -> (Child, Vec<String>) {
    let child = project.prepared(program, &["build"]).stderr(Stdio::null()).spawn().expect("it runs");
    let pids = wait("the tool begins", || {
        let text = std::fs::read_to_string(project.0.join("pids")).ok()?;
        Some(text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    });
    (child, pids)
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

/// Temporary directories of runs.
fn left(project: &Project) -> usize {
    let own = std::fs::read_dir(project.folder().join(".formwork/build/.formwork")).expect("a directory");
    own.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with("run-")).count()
}

fn the_next_build_works(project: &Project) {
    project.tool("make", "echo whole >\"$ARTIFACTS_DIR/whole\"");
    assert!(project.build(&[]).contains("built 1 of 1 sources"));
    assert_eq!(project.read(".formwork/build/A/whole"), "whole\n");
    assert!(!project.has(".formwork/build/A/half"));
    assert_eq!(left(project), 0);
    assert!(project.build(&[]).contains("built 0 of 1 sources"));
}

#[test]
fn a_killed_build_leaves_no_process_and_the_next_one_works() {
    let project = endless("kill");
    let (mut child, pids) = started(&project);
    assert_eq!(pids.len(), 2);
    signal(&child, "-KILL");
    assert_eq!(child.wait().expect("it ends").code(), None);
    for pid in &pids {
        await_end(pid, LONGEST);
    }
    assert!(!project.has(".formwork/build/template.yaml") && !project.has(".formwork/build/A"));
    assert_eq!(left(&project), 1, "nobody is left to remove it");
    the_next_build_works(&project);
}

#[test]
fn a_build_that_is_asked_to_end_ends_its_tools() {
    for (name, number) in [("-TERM", 130), ("-INT", 130), ("-HUP", 130)] {
        let project = endless(name);
        let (mut child, pids) = started(&project);
        signal(&child, name);
        assert_eq!(child.wait().expect("it ends").code(), Some(number), "{name}");
        for pid in &pids {
            await_end(pid, LONGEST);
        }
        assert_eq!(left(&project), 0, "{name}");
        the_next_build_works(&project);
    }
}

#[test]
fn a_build_that_is_to_outlive_its_terminal_goes_on() {
    let project = endless("nohup");
    let (mut child, pids) = begun(&project, without_hangup());
    signal(&child, "-HUP");
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("a status").is_none(), "it goes on");
    signal(&child, "-TERM");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    for pid in &pids {
        await_end(pid, LONGEST);
    }
    assert_eq!(left(&project), 0);
}

#[test]
fn a_second_build_in_the_same_directory_waits() {
    let project = project("two");
    let gate = project.0.join("gate");
    let script = format!(
        "touch {0}.reached; while ! test -e {0}; do sleep 0.02; done; echo made >\"$ARTIFACTS_DIR/made\"",
        gate.display()
    );
    project.tool("make", &script);
    let spawn = || project.command(&["build"]).stderr(Stdio::piped()).spawn().expect("it runs");
    let first = spawn();
    wait("the tool begins", || project.0.join("gate.reached").exists().then_some(()));
    let mut second = spawn();
    let mut said = String::new();
    let mut lines = std::io::BufReader::new(second.stderr.take().expect("a pipe"));
    while !said.contains("waiting for another build in the same build directory\n") {
        let read = std::io::BufRead::read_line(&mut lines, &mut said).expect("text");
        assert!(read > 0, "{said}");
    }
    std::fs::write(&gate, "").expect("written");
    let first = first.wait_with_output().expect("it ends");
    assert!(String::from_utf8_lossy(&first.stderr).contains("built 1 of 1 sources"));
    std::io::Read::read_to_string(&mut lines, &mut said).expect("text");
    assert!(second.wait().expect("it ends").success(), "{said}");
    assert!(said.contains("built 0 of 1 sources"), "{said}");
    assert_eq!(project.lines().len(), 1, "the tool ran once");
}
