//! The hooks of `.pre-commit-hooks.yaml`, run by pre-commit. `FORMWORK_PRE_COMMIT` names its program.
//!
//! pre-commit installs the package of `pyproject.toml`, without a network: the wheel that it depends on is one with a script
//! that runs the program of this build, and setuptools is the one that virtualenv has. It does so once for all tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::repository::{command, commit, git, with_program};
use crate::documents::published::as_if;
use crate::support::folder::Folder;

const GOOD: &str = "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::T:\n    - N\n    - [A]\n    - \"T${N}\": {Type: AWS::SNS::Topic}\n";

/// pre-commit, with the hooks of this repository.
struct Hooks {
    program: PathBuf,
    folder: Folder,
}

/// The hooks, unless pre-commit is not there and not required.
fn hooks() -> Option<&'static Hooks> {
    static HOOKS: OnceLock<Option<Hooks>> = OnceLock::new();
    let hooks = HOOKS.get_or_init(|| {
        let program = std::env::var_os("FORMWORK_PRE_COMMIT").map(PathBuf::from)?;
        Some(Hooks { program, folder: repository() })
    });
    if hooks.is_none() {
        assert!(std::env::var_os("FORMWORK_REQUIRE_PRE_COMMIT").is_none(), "FORMWORK_PRE_COMMIT is not set");
        eprintln!("SKIPPED: FORMWORK_PRE_COMMIT does not name the program pre-commit");
    }
    hooks.as_ref()
}

/// A repository with the hooks of this one, the configuration of a project that uses them, and a wheel.
fn repository() -> Folder {
    let of_repository = |name: &str| as_if(name, true);
    let folder = Folder::new("hooks", "shared")
        .with("hooks/.pre-commit-hooks.yaml", &of_repository(".pre-commit-hooks.yaml"))
        .with("hooks/pyproject.toml", &of_repository("pyproject.toml"))
        .with("wheels/make.py", WHEEL);
    with_program(&folder);
    let (repo, commit) = (folder.path("hooks"), commit(&folder.path("hooks")));
    let ids = "[{id: formwork-check}, {id: formwork-expand}]";
    let folder = folder
        .with("configuration.yaml", &format!("repos: [{{repo: {}, rev: {commit}, hooks: {ids}}}]\n", repo.display()));
    let mut python = command("python3", &folder.path("wheels"));
    let made = python.args(["make.py", env!("CARGO_PKG_VERSION"), env!("CARGO_BIN_EXE_formwork")]).status();
    assert!(made.is_ok_and(|status| status.success()));
    folder
}

/// A repository with templates.
fn project(name: &str) -> Folder {
    let project = Folder::new("hooks", name)
        .below("project")
        .with("templates/queue.yaml", GOOD)
        .with("deep/api.template", GOOD)
        .with("package.json", "{\"name\": \"project\"}\n")
        .with("values.yaml", "a: [1]\n")
        .with("broken.yaml", "a: [\n");
    commit(&project.path(""));
    project
}

/// Writes a wheel whose script runs a program.
const WHEEL: &str = r#"
import sys, zipfile
version, program = sys.argv[1:]
info = f"formwork_cfn-{version}.dist-info"
files = {
    f"formwork_cfn-{version}.data/scripts/formwork": f'#!/bin/sh\nexec "{program}" "$@"\n',
    f"{info}/METADATA": f"Metadata-Version: 2.1\nName: formwork-cfn\nVersion: {version}\n",
    f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    f"{info}/RECORD": "",
}
with zipfile.ZipFile(f"formwork_cfn-{version}-py3-none-any.whl", "w") as wheel:
    for name, text in files.items():
        entry = zipfile.ZipInfo(name)
        entry.external_attr = 0o100755 << 16
        wheel.writestr(entry, text)
"#;

/// Where virtualenv, which pre-commit uses, has the wheels of pip and setuptools.
fn embedded(program: &Path) -> PathBuf {
    let script = "import pathlib, virtualenv; print(pathlib.Path(virtualenv.__file__).parent / 'seed/wheels/embed')";
    let output = Command::new(program.with_file_name("python3")).args(["-c", script]).output().expect("Python runs");
    assert!(output.status.success(), "pre-commit is not in a virtual environment with its Python: {output:?}");
    PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
}

impl Hooks {
    /// Runs a hook on what is staged; returns whether it passes, and what is printed.
    fn run(&self, project: &Folder, hook: &str, more: &[&str]) -> (bool, String) {
        self.run_of(&self.folder.path("configuration.yaml"), project, hook, more)
    }

    /// Runs a hook of a configuration, with this build as `formwork` on the PATH.
    fn run_of(&self, configuration: &Path, project: &Folder, hook: &str, more: &[&str]) -> (bool, String) {
        git(&project.path(""), &["add", "--all"]);
        let mut command = command(self.program.to_str().expect("UTF-8"), &project.path(""));
        command.env("PRE_COMMIT_HOME", self.folder.path("cache")).env("PRE_COMMIT_COLOR", "never");
        let wheels = format!("{} {}", self.folder.path("wheels").display(), embedded(&self.program).display());
        command.env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", wheels).env("PIP_NO_CACHE_DIR", "1");
        command.args(["run", hook, "--verbose", "--config"]).arg(configuration).args(more);
        command.env("PATH", format!("{}:/usr/bin:/bin", self.folder.path("bin").display()));
        let output = command.output().expect("pre-commit runs");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.success(), printed)
    }
}

#[test]
fn check_reports_the_templates_that_are_committed() {
    let Some(hooks) = hooks() else { return };
    let project = project("check");
    let (passes, printed) = hooks.run(&project, "formwork-check", &["--all-files"]);
    assert!(passes && printed.contains("Passed"), "{printed}");
    let project = project.with("deep/api.template", &GOOD.replace("Type:", "Typ:"));
    let (passes, printed) = hooks.run(&project, "formwork-check", &[]);
    assert!(!passes && printed.contains("deep/api.template:6:"), "{printed}");
    assert!(printed.contains("exit code: 1") && !printed.contains("values.yaml"), "{printed}");
    // Every YAML and JSON file is seen, whatever its name, and those that are not templates are passed over.
    let project = project.with("deep/api.template", GOOD);
    let project = project.with("templates/queue.yaml", &GOOD.replace("Type:", "Typ:"));
    let (passes, printed) = hooks.run(&project, "formwork-check", &["--all-files"]);
    assert!(!passes && printed.contains("templates/queue.yaml:6:"), "{printed}");
    assert!(!printed.contains("values.yaml") && !printed.contains("package.json"), "{printed}");
}

#[test]
fn expand_fails_until_the_expansions_are_committed() {
    let Some(hooks) = hooks() else { return };
    let project = project("expand");
    let expansion = |name: &str| fs::read_to_string(project.path("expanded").join(name)).expect("an expansion");
    // New files are written; pre-commit compares only those that it knows.
    let (_, printed) = hooks.run(&project, "formwork-expand", &["--all-files"]);
    assert!(
        expansion("templates/queue.yaml").contains("TA:") && expansion("deep/api.template").contains("TA:"),
        "{printed}"
    );
    commit(&project.path(""));
    let (passes, printed) = hooks.run(&project, "formwork-expand", &["--all-files"]);
    assert!(passes, "{printed}");
    // One template is changed: its expansion is written, and the hook fails.
    fs::write(project.path("templates/queue.yaml"), GOOD.replace("[A]", "[A, B]")).expect("written");
    let (passes, printed) = hooks.run(&project, "formwork-expand", &[]);
    assert!(!passes && printed.contains("files were modified by this hook"), "{printed}");
    assert!(expansion("templates/queue.yaml").contains("TB:"), "{printed}");
    let (passes, printed) = hooks.run(&project, "formwork-expand", &[]);
    assert!(passes, "{printed}");
}

/// Until there is a wheel, the guide has hooks that run the program on the PATH.
#[test]
fn the_local_hooks_of_the_guide_check_and_expand() {
    let Some(hooks) = hooks() else { return };
    let guide = as_if("docs/guides/ci.md", false);
    let (_, shown) = guide.split_once("```yaml file=.pre-commit-config.yaml\n").expect("a configuration");
    let (shown, _) = shown.split_once("```").expect("an end");
    let project = project("local").with(".pre-commit-config.yaml", shown);
    let run = |hook, more: &[&str]| hooks.run_of(&project.path(".pre-commit-config.yaml"), &project, hook, more);
    let (passes, printed) = run("formwork-check", &["--all-files"]);
    assert!(passes && printed.contains("Passed"), "{printed}");
    let (_, printed) = run("formwork-expand", &["--all-files"]);
    assert!(project.path("expanded/templates/queue.yaml").is_file(), "{printed}");
    fs::write(project.path("templates/queue.yaml"), GOOD.replace("Type:", "Typ:")).expect("written");
    let (passes, printed) = run("formwork-check", &[]);
    assert!(!passes && printed.contains("templates/queue.yaml:6:"), "{printed}");
}

/// The package depends on the wheel of the same version, once there is one.
#[test]
fn the_package_of_the_hooks_has_the_version_of_the_program() {
    let package: toml::Table = as_if("pyproject.toml", true).parse().expect("TOML");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(package["project"]["version"].as_str(), Some(version));
    assert_eq!(package["project"]["dependencies"][0].as_str(), Some(format!("formwork-cfn=={version}").as_str()));
    let before: toml::Table = as_if("pyproject.toml", false).parse().expect("TOML");
    assert_eq!(before["project"]["dependencies"].as_array().map(Vec::len), Some(0));
    assert!(!as_if(".pre-commit-hooks.yaml", false).contains("language: python"));
}
