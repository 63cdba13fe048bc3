//! Builds that fail, and builds that are ended.
//!
//! Holds reference/build.md#failures, reference/build.md#logs, reference/build.md#tools.

use std::time::{Duration, Instant};

use super::project::{LONGEST, Project, errors};
use super::{TEMPLATE, shop};
use crate::support::processes::await_end;

const MAKES: &str = "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Makes:
    - Name
    - [A, B, C]
    - Make${Name}:
        Type: AWS::Lambda::Function
        Metadata: {BuildMethod: makefile}
        Properties: {Handler: x, Runtime: provided.al2023, Code: mk}
";

#[test]
fn every_failure_is_reported_and_nothing_is_left() {
    let project = Project::new("failures");
    project.write("template.yaml", MAKES);
    project.write(
        "mk/Makefile",
        "build-MakeA:\n\techo fine >$(ARTIFACTS_DIR)/x\nbuild-MakeB build-MakeC:\n\t@echo $@ is broken; exit 7\n",
    );
    let output = project.run(&["build"]);
    let said = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for part in [
        "error[FW0809]: MakeB was not built: make exited with status 2",
        "error[FW0809]: MakeC was not built: make exited with status 2",
        "build-MakeB is broken",
        "Name = \"B\"",
        ".formwork/logs/MakeC.log",
        "no template was written",
    ] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    assert!(!project.has(".formwork/build/template.yaml") && !project.has(".formwork/build/MakeA"));
    let log = project.read(".formwork/build/.formwork/logs/MakeB.log");
    assert!(log.starts_with("$ make --makefile ") && log.contains("build-MakeB is broken"), "{log}");
    // What did succeed is not built again.
    project.write("mk/Makefile", "build-MakeA build-MakeB build-MakeC:\n\techo fine >$(ARTIFACTS_DIR)/x\n");
    project.build(&[]);
    assert_eq!(project.read(".formwork/build/MakeC/x"), "fine\n");
}

#[test]
fn an_earlier_build_stays_when_one_fails() {
    let project = shop("earlier");
    project.build(&[]);
    let before = project.products();
    project.write("src/users/app.py", "changed = 1\n");
    project.write("src/orders/package.json", "{}\n");
    project.write("template.yaml", &TEMPLATE.replace("python3.12\n", "nodejs20.x\n"));
    project.tool("npm", "echo half >half; exit 3");
    assert_eq!(project.run(&["build"]).status.code(), Some(1));
    assert_eq!(project.products(), before);
}

#[test]
fn what_is_missing_is_named() {
    let project = shop("missing");
    for (before, after, said) in [
        ("python3.12\n", "pyton3.12\n", "has the unknown runtime `pyton3.12`"),
        ("CodeUri: ./src/${Name}", "CodeUri: ./none/${Name}", "refers to a file or folder that does not exist"),
        (
            "        Properties:\n          Handler",
            "        Metadata: {BuildMethod: makefil}\n        Properties:\n          Handler",
            "write `BuildMethod: makefile`",
        ),
    ] {
        project.write("template.yaml", &TEMPLATE.replacen(before, after, 1));
        let output = project.run(&["build"]);
        assert_eq!(output.status.code(), Some(1), "{after}");
        assert!(errors(&output).contains(said), "{said} is not in\n{}", errors(&output));
        assert!(!project.has(".formwork/build/template.yaml"));
    }
    project.write("template.yaml", TEMPLATE);
    project.write("src/orders/uv.lock", "");
    let said = errors(&project.run(&["build"]));
    assert!(said.contains("ordersFunction was not built: uv is not on the PATH"), "{said}");
    assert!(said.contains("install uv"), "{said}");
}

#[test]
fn the_build_directory_is_not_one_with_sources() {
    let project = shop("directory");
    let output = project.run(&["build", "-b", "."]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("holds the template"), "{}", errors(&output));
    project.build(&["-b", "out", "template.yaml"]);
    assert!(project.has("out/template.yaml"));
}

#[test]
fn an_interrupt_ends_the_tools_and_leaves_nothing() {
    let project = Project::new("interrupt");
    project.write("template.yaml", MAKES);
    // The tool and what it began ignore the polite signal.
    let script = "trap '' TERM; sleep 60 & echo $! >>../../../../../../../../pids; wait; sleep 60";
    project.write("mk/Makefile", "");
    project
        .tool("make", &script.replace("../../../../../../../../pids", &project.0.join("pids").display().to_string()));
    let mut child = project.command(&["build", "--jobs", "2"]).spawn().expect("it runs");
    let begun = Instant::now();
    let pids = || std::fs::read_to_string(project.0.join("pids")).unwrap_or_default();
    while pids().lines().count() < 2 {
        assert!(begun.elapsed() < Duration::from_mins(1), "the tools begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    for pid in pids().lines() {
        await_end(pid, LONGEST);
    }
    assert!(!project.has(".formwork/build/template.yaml") && !project.has(".formwork/build/MakeA"));
    let own = project.folder().join(".formwork/build/.formwork");
    let left = std::fs::read_dir(own).expect("a directory").flatten();
    assert!(left.into_iter().all(|entry| !entry.file_name().to_string_lossy().starts_with("run-")));
}
