//! Options that change what tools are run on, and Poetry, by stand-ins (reference/build.md#options,
//! reference/build.md#python).

use super::project::{PYTHON, Project, errors};

const TEMPLATE: &str = "Resources:
  F:
    Type: AWS::Lambda::Function
    Properties: {Handler: app.handler, Runtime: RUNTIME, Code: src}
";

fn project(name: &str, runtime: &str, files: &[(&str, &str)]) -> Project {
    let project = Project::new(&format!("options-{name}"));
    project.write("template.yaml", &TEMPLATE.replace("RUNTIME", runtime));
    for (name, text) in files {
        project.write(name, text);
    }
    project
}

#[test]
fn poetry_exports_its_lock_and_pip_installs_it() {
    let files = [
        ("src/pyproject.toml", "[project]\nname = 'x'\n[tool.poetry]\n"),
        ("src/poetry.lock", ""),
        ("src/app.py", "x = 1\n"),
    ];
    let project = project("poetry", "python3.13", &files);
    project.tool("python3.13", PYTHON);
    let said = errors(&project.run(&["build"]));
    assert!(said.contains("error[FW0809]") && said.contains("pipx install poetry"), "{said}");
    project.tool("poetry", "for word; do file=$word; done; echo 'locked==1' >\"$file\"");
    project.build(&[]);
    let lines = project.lines();
    let export = "poetry export --format requirements.txt --without-hashes --no-interaction --output \
                  WORK/source/formwork-requirements.txt";
    assert_eq!(lines[0], export);
    let install = "python3.13 -m pip --disable-pip-version-check --no-input install --requirement \
                   WORK/source/formwork-requirements.txt --target OUT --only-binary=:all: --implementation cp \
                   --python-version 3.13 --abi cp313 --platform manylinux2014_x86_64 ";
    assert!(lines.iter().any(|line| line.starts_with(install)), "{lines:?}");
    assert_eq!(project.read(".formwork/build/F/installed.txt"), "locked==1\n");
    assert_eq!(project.read(".formwork/build/F/app.py"), "x = 1\n");
    assert!(!project.has("src/formwork-requirements.txt"), "no source is written to");
}

#[test]
fn one_manifest_for_all_sources() {
    let files = [("src/app.py", ""), ("src/requirements.txt", "own==1\n"), ("shared/requirements.txt", "shared==1\n")];
    let project = project("manifest", "python3.13", &files);
    project.tool("python3.13", PYTHON);
    let words = ["--manifest", "shared/requirements.txt"];
    let installed = || project.read(".formwork/build/F/installed.txt");
    project.build(&[]);
    assert_eq!(installed(), "own==1\n");
    assert!(project.build(&words).contains("built 1 of 1"));
    assert_eq!(installed(), "shared==1\n");
    assert!(project.build(&words).contains("built 0 of 1"));
    project.write("shared/requirements.txt", "shared==2\n");
    assert!(project.build(&words).contains("built 1 of 1"));
    assert_eq!(installed(), "shared==2\n");
    let output = project.run(&["build", "--manifest", "gone.txt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("gone.txt: no such file"), "{}", errors(&output));
    assert_eq!(installed(), "shared==2\n", "what was built stays");
}

#[test]
fn tools_run_in_the_source_when_that_is_asked_for() {
    let project = project("in-source", "nodejs22.x", &[("src/package.json", "{}"), ("src/app.js", "")]);
    project.tool("npm", "mkdir -p node_modules/a; pwd >node_modules/a/where");
    let where_built = || project.read(".formwork/build/F/node_modules/a/where").trim().to_owned();
    project.build(&[]);
    assert!(!project.has("src/node_modules"));
    let source = project.folder().join("src").display().to_string();
    assert_ne!(where_built(), source);
    assert!(project.build(&["--build-in-source"]).contains("built 1 of 1"));
    assert_eq!(where_built(), source);
    assert!(project.has("src/node_modules/a/where") && project.has(".formwork/build/F/app.js"));
}

#[test]
fn make_runs_in_the_source_when_that_is_asked_for() {
    let project = project("make-in-source", "provided.al2023", &[("src/Makefile", "build-F:\n")]);
    let template = TEMPLATE.replace("RUNTIME", "provided.al2023");
    project
        .write("template.yaml", &template.replace("Properties:", "Metadata: {BuildMethod: makefile}\n    Properties:"));
    project.tool("make", "pwd >\"$ARTIFACTS_DIR/where\"");
    let source = project.folder().join("src").display().to_string();
    project.build(&[]);
    assert_ne!(project.read(".formwork/build/F/where").trim(), source);
    project.build(&["--build-in-source"]);
    assert_eq!(project.read(".formwork/build/F/where").trim(), source);
}

#[test]
fn paths_of_sources_start_in_the_base_directory() {
    let project = project("base", "python3.13", &[("code/src/app.py", "x = 1\n")]);
    project.write("infra/template.yaml", &TEMPLATE.replace("RUNTIME", "python3.13"));
    let output = project.run(&["build", "infra/template.yaml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("infra/template.yaml:4:"), "{}", errors(&output));
    project.build(&["infra/template.yaml", "--base-dir", "code"]);
    assert_eq!(project.read("infra/.formwork/build/F/app.py"), "x = 1\n");
    assert!(project.read("infra/.formwork/build/template.yaml").contains("Code: F}"));
}

#[test]
fn a_base_directory_counts_in_nested_templates() {
    let project = Project::new("options-nested-base");
    let function = "Transform: AWS::Serverless-2016-10-31\nResources:\n  F:\n    Type: AWS::Serverless::Function\n    \
                    Properties: {Handler: app.handler, Runtime: python3.13, CodeUri: src}\n";
    let stack = "  S:\n    Type: AWS::Serverless::Application\n    Properties: {Location: child/child.yaml}\n";
    project.write("infra/template.yaml", &format!("{function}{stack}"));
    project.write("infra/child/child.yaml", function);
    project.write("src/app.py", "x = 1\n");
    project.build(&["-t", "infra/template.yaml", "--base-dir", "."]);
    assert!(project.has("infra/.formwork/build/S/template.yaml"));
    // Without it, paths start from the directory of each template.
    let said = errors(&project.run(&["build", "-t", "infra/template.yaml"]));
    assert_eq!(said.matches("[FW0801]").count(), 2, "{said}");
}

#[test]
fn samconfig_leaves_resources_out() {
    let two = TEMPLATE.replace("RUNTIME", "python3.13")
        + "  G:\n    Type: AWS::Lambda::Function\n    Properties: {Handler: app.handler, Runtime: python3.13, Code: other}\n";
    let project = Project::new("options-exclude");
    project.write("template.yaml", &two);
    project.write("src/app.py", "");
    project.write("other/app.py", "");
    project.write("samconfig.toml", "version = 0.1\n[default.build.parameters]\nexclude = [\"G\"]\n");
    project.build(&[]);
    assert!(project.has(".formwork/build/F/app.py") && !project.has(".formwork/build/G"));
}
