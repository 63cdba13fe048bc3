//! Builds with the tools that are on this machine. A test whose tool is missing prints that it is skipped.

use std::path::PathBuf;
use std::process::{Command, Output};

use super::project::{Project, errors};

/// Runs `build` with the PATH of this machine.
fn build(project: &Project) -> Output {
    let path = std::env::var_os("PATH").expect("a PATH");
    let home = std::env::var_os("HOME").unwrap_or_default();
    let mut command = project.command(&["build"]);
    command.env("PATH", path).env("HOME", home).env("npm_config_cache", project.0.join("npm-cache"));
    // No test needs the network.
    command.env("PIP_NO_INDEX", "1").env("npm_config_offline", "true");
    command.output().expect("the program runs")
}

/// A project of one function with these properties, and what else is in its template.
fn function(name: &str, properties: &str, more: &str) -> Project {
    let project = Project::new(&format!("real-{name}"));
    let function =
        format!("    Type: AWS::Serverless::Function\n    Properties: {{Handler: app.handler, {properties}}}\n");
    let template = format!("Transform: AWS::Serverless-2016-10-31\nResources:\n  Function:\n{function}{more}");
    project.write("template.yaml", &template);
    project
}

fn answers(program: &str, words: &[&str]) -> bool {
    let there = Command::new(program).args(words).output().is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("skipped: {program} {words:?} does not answer");
    }
    there
}

/// A wheel without compiled parts, made by hand.
fn wheel(project: &Project, name: &str) -> PathBuf {
    let path = project.folder().join(format!("wheels/{name}-1.0-py3-none-any.whl"));
    let script = format!(
        "import sys, zipfile
z = zipfile.ZipFile(sys.argv[1], 'w')
z.writestr('{name}/__init__.py', 'VALUE = 5\\n')
z.writestr('{name}-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\n')
z.writestr('{name}-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
z.writestr('{name}-1.0.dist-info/RECORD', '{name}/__init__.py,,\\n{name}-1.0.dist-info/METADATA,,\\n')
z.close()
"
    );
    std::fs::create_dir_all(path.parent().expect("a directory")).expect("made");
    let made = Command::new("python3").args(["-c", &script]).arg(&path).status().expect("python3 runs");
    assert!(made.success());
    path
}

#[test]
fn pip_installs_for_the_runtime_into_functions_and_layers() {
    if !answers("python3", &["-m", "pip", "--version"]) {
        return;
    }
    let layer = "  Layer:
    Type: AWS::Serverless::LayerVersion
    Metadata: {BuildMethod: python3.12}
    Properties: {ContentUri: layer}
";
    let project = function("pip", "Runtime: python3.12, Architectures: [arm64], CodeUri: app", layer);
    wheel(&project, "own");
    project.write("app/app.py", "import own\n");
    project.write("app/requirements.txt", "../wheels/own-1.0-py3-none-any.whl\n");
    project.write("layer/requirements.txt", "../wheels/own-1.0-py3-none-any.whl\n");
    let output = build(&project);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert_eq!(project.read(".formwork/build/Function/own/__init__.py"), "VALUE = 5\n");
    assert_eq!(project.read(".formwork/build/Function/app.py"), "import own\n");
    assert_eq!(project.read(".formwork/build/Layer/python/own/__init__.py"), "VALUE = 5\n");
    let first = project.products();
    assert!(first.iter().all(|(name, _)| !name.contains("__pycache__") && !name.contains(".pyc")));
    std::fs::remove_dir_all(project.folder().join(".formwork")).expect("removed");
    build(&project);
    assert_eq!(project.products(), first, "two builds of one tree produce the same bytes");
    // A change of what the requirements refer to is a change of the source.
    let said = errors(&build(&project));
    assert!(said.contains("built 0 of 2"), "{said}");
}

#[test]
fn npm_installs_what_lies_beside_the_source() {
    if !answers("npm", &["--version"]) {
        return;
    }
    let project = function("npm", "Runtime: nodejs20.x, CodeUri: web", "");
    project.write("web/app.js", "exports.handler = () => require('dep')\n");
    project.write(
        "web/package.json",
        "{\"name\": \"web\", \"version\": \"1.0.0\", \"dependencies\": {\"dep\": \"file:../dep\"}}\n",
    );
    project.write("dep/package.json", "{\"name\": \"dep\", \"version\": \"1.0.0\", \"main\": \"index.js\"}\n");
    project.write("dep/index.js", "module.exports = 5\n");
    let output = build(&project);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert_eq!(project.read(".formwork/build/Function/node_modules/dep/index.js"), "module.exports = 5\n");
    let link = project.folder().join(".formwork/build/Function/node_modules/dep");
    assert!(!link.is_symlink(), "the product holds the package, not a link out of it");
    assert!(!project.has("web/node_modules") && !project.has("web/package-lock.json"));
    project.write("dep/index.js", "module.exports = 6\n");
    let output = build(&project);
    assert!(errors(&output).contains("built 1 of 1"), "{}", errors(&output));
    assert_eq!(project.read(".formwork/build/Function/node_modules/dep/index.js"), "module.exports = 6\n");
}
