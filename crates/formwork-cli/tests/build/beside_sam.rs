//! What `build` makes of a project, beside what `sam build` makes of it: of every resource, what its property leads to, and
//! the rest of the template. They are equal except for the listed rows, and each row has the reason.
//!
//! The projects are generated: every kind of resource, with every kind of source, among files that tools, editors and systems
//! leave. Nothing is installed from a network.
//!
//! Holds reference/build.md#products, reference/build.md#builders, reference/build.md#makefile, reference/build.md#npm-files,
//! reference/build.md#deviations.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value};

use super::project::{Project, errors};

/// SAM CLI: where `FORMWORK_SAM` names it, or that of the PATH. Without it the test prints that it is skipped; with
/// `FORMWORK_REQUIRE_SAM` that is a failure.
fn installed() -> Option<PathBuf> {
    let sam = std::env::var_os("FORMWORK_SAM").map_or_else(|| PathBuf::from("sam"), PathBuf::from);
    if Command::new(&sam).arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Some(sam);
    }
    let why = "SAM CLI is not installed: `pip install aws-sam-cli==1.170.0`, and put `sam` on the PATH";
    assert!(std::env::var_os("FORMWORK_REQUIRE_SAM").is_none(), "{why}");
    // The macros are caught by the test runner.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
    None
}

/// A kind of source: its name, the language, `Metadata`, and what is in it besides.
struct Kind {
    name: &'static str,
    language: &'static str,
    /// `BuildMethod` of a function; a layer without one has that of its language.
    method: Option<&'static str>,
    files: &'static [(&'static str, &'static str)],
}

const PACKAGE: &str = r#"{"name": "own", "version": "1.0.0"}"#;

const KINDS: &[Kind] = &[
    Kind { name: "python", language: "python", method: None, files: &[("app.py", "x = 1\n")] },
    Kind { name: "pip", language: "python", method: None, files: &[("app.py", ""), ("requirements.txt", "# none\n")] },
    Kind { name: "node", language: "nodejs", method: None, files: &[("app.js", "")] },
    Kind {
        name: "npm",
        language: "nodejs",
        method: None,
        files: &[("app.js", ""), ("package.json", PACKAGE), (".npmignore", "")],
    },
    Kind {
        name: "npmignore",
        language: "nodejs",
        method: None,
        files: &[
            ("app.js", ""),
            ("package.json", PACKAGE),
            (".npmignore", "test/\n*.orig\n!keep.orig\n"),
            ("keep.orig", ""),
            ("lib/.npmignore", "skip.js\n/deep\n"),
            ("lib/skip.js", ""),
            ("lib/deep/x.js", ""),
            ("lib/in/deep/x.js", ""),
        ],
    },
    Kind {
        name: "npmfiles",
        language: "nodejs",
        method: None,
        files: &[
            ("app.js", ""),
            ("package.json", r#"{"name": "own", "version": "1.0.0", "main": "app.js", "files": ["lib", "dist/*.js"]}"#),
            ("dist/a.js", ""),
            ("dist/a.map", ""),
            ("lib/.npmignore", "skip.js\n"),
            ("lib/skip.js", ""),
            ("COPYING", ""),
        ],
    },
    Kind {
        name: "gitignore",
        language: "nodejs",
        method: None,
        files: &[("app.js", ""), ("package.json", PACKAGE), ("dist/made.js", "")],
    },
    Kind {
        name: "make",
        language: "provided",
        method: Some("makefile"),
        files: &[
            (
                "Makefile",
                "build-MakeServerlessFunction build-MakeLambdaFunction build-MakeServerlessLayer build-MakeLambdaLayer:\n\
                 \tmkdir -p $(ARTIFACTS_DIR)/python\n\tcp lib.py $(ARTIFACTS_DIR)/python/lib.py\n",
            ),
            ("lib.py", ""),
        ],
    },
];

/// What tools, editors and systems leave in a directory.
const LEFT: &[&str] = &[
    ".env",
    ".venv/lib/x.py",
    "venv/x.py",
    "env/x.py",
    ".vscode/x.json",
    ".idea/x",
    "__pycache__/app.cpython-313.pyc",
    "old.pyc",
    "native.so",
    "own.egg-info/PKG-INFO",
    ".pytest_cache/x",
    ".mypy_cache/x",
    ".tox/x",
    ".coverage",
    "htmlcov/index.html",
    ".python-version",
    ".DS_Store",
    "._x",
    ".x.swp",
    "x.orig",
    "npm-debug.log",
    "CVS/Root",
    ".svn/entries",
    ".editorconfig",
    ".hidden",
    "README.md",
    "LICENSE",
    "test/app.test.x",
    "lib/a.x",
    "sub/.env",
    "sub/deep/own.x",
];

/// A difference that is meant: the resource, the file, and why. `*` stands for anything.
struct Row {
    resource: &'static str,
    file: &'static str,
    why: &'static str,
}

const ROWS: &[Row] = &[
    Row { resource: "P*", file: "native.so", why: "a compiled module of the source is code" },
    Row { resource: "Node*", file: "__pycache__/app.cpython-313.pyc", why: "byte code is copied for no language" },
    Row { resource: "Node*", file: "old.pyc", why: "byte code is copied for no language" },
    Row { resource: "Gitignore*", file: "dist/made.js", why: "`.gitignore` often names what a compiler wrote" },
];

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// A template with every kind of resource for every kind of source.
fn generated(project: &Project, python: &str) -> String {
    let mut template = "Transform: AWS::Serverless-2016-10-31
Globals: {Function: {Timeout: 7, Environment: {Variables: {STAGE: dev}}}}
Parameters: {Stage: {Type: String, Default: dev}}
Resources:
"
    .to_owned();
    for kind in KINDS {
        let runtime = match kind.language {
            "python" => python,
            "nodejs" => "nodejs22.x",
            _ => "provided.al2023",
        };
        let name = capital(kind.name);
        for (of, property) in [("Serverless", "CodeUri"), ("Lambda", "Code")] {
            let metadata = kind.method.map(|method| format!("    Metadata: {{BuildMethod: {method}}}\n"));
            let _ = writeln!(
                template,
                "  {name}{of}Function:\n    Type: AWS::{of}::Function\n{}    Properties: {{{property}: src/{}, Handler: \
                 app.h, Runtime: {runtime}, Role: 'arn:aws:iam::1:role/r'}}",
                metadata.unwrap_or_default(),
                kind.name
            );
        }
        for (of, property) in [("Serverless", "ContentUri"), ("Lambda", "Content")] {
            let compatible = if kind.language == "provided" { python } else { runtime };
            let _ = writeln!(
                template,
                "  {name}{of}Layer:\n    Type: AWS::{of}::LayerVersion\n    Metadata: {{BuildMethod: {}}}\n    Properties: \
                 {{{property}: src/{}, CompatibleRuntimes: [{compatible}]}}",
                kind.method.unwrap_or(runtime),
                kind.name
            );
        }
        for (file, text) in kind.files {
            project.write(&format!("src/{}/{file}", kind.name), text);
        }
        let left = LEFT.iter().filter(|_| kind.language != "provided");
        for file in left.filter(|file| !kind.files.iter().any(|(known, _)| known == *file)) {
            project.write(&format!("src/{}/{file}", kind.name), "x");
        }
        let ignored = if kind.name == "gitignore" { "dist\n" } else { "" };
        project.write(&format!("src/{}/.gitignore", kind.name), ignored);
    }
    template
        + "  Inline: {Type: AWS::Serverless::Function, Properties: {InlineCode: x, Handler: index.h, Runtime: python3.13}}
  Skipped: {Type: AWS::Serverless::Function, Metadata: {SkipBuild: true}, Properties: {CodeUri: skipped, Handler: a.h, Runtime: python3.13}}
  Plain: {Type: AWS::Serverless::LayerVersion, Properties: {ContentUri: plain}}
  Child: {Type: AWS::Serverless::Application, Properties: {Location: child/template.yaml, Parameters: {Stage: !Ref Stage}}}
  Stack: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: child/template.yaml, Parameters: {Stage: !Ref Stage}}}
  Flow: {Type: AWS::Serverless::StateMachine, Properties: {DefinitionUri: flow.asl.json, Role: 'arn:aws:iam::1:role/r'}}
  Rest: {Type: AWS::Serverless::Api, Properties: {StageName: p, DefinitionUri: api.yaml}}
Outputs: {Made: {Value: !GetAtt MakeServerlessFunction.Arn}}
"
}

fn project() -> Project {
    let project = Project::new("beside-sam");
    let output = Command::new("python3").arg("--version").output().expect("python3 runs");
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut parts = version.trim().trim_start_matches("Python ").split('.');
    let python = format!("python{}.{}", parts.next().expect("a number"), parts.next().expect("a number"));
    let template = generated(&project, &python);
    project.write("template.yaml", &template);
    let child = format!(
        "Transform: AWS::Serverless-2016-10-31\nParameters: {{Stage: {{Type: String}}}}\nResources:\n  Own:\n    Type: \
         AWS::Serverless::Function\n    Properties: {{CodeUri: code, Handler: app.h, Runtime: {python}}}\n"
    );
    for (name, text) in [
        ("child/template.yaml", child.as_str()),
        ("child/code/app.py", "x = 1\n"),
        ("skipped/app.py", ""),
        ("plain/python/x.py", ""),
        ("flow.asl.json", "{}"),
        ("api.yaml", "openapi: 3.0.1\npaths: {}\n"),
    ] {
        project.write(name, text);
    }
    project
}

/// Runs a program in the project, which must succeed, with the tools of this machine.
fn run(project: &Project, program: &Path, words: &[&str]) -> Vec<u8> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let output = Command::new(program)
        .args(words)
        .current_dir(project.folder())
        .env("PATH", path)
        .env("HOME", &project.0)
        .env("SAM_CLI_TELEMETRY", "0")
        .env("AWS_DEFAULT_REGION", "eu-west-1")
        .env("npm_config_offline", "true")
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{} {words:?}: {}", program.display(), errors(&output));
    output.stdout
}

/// The properties that name files.
const ARTIFACTS: &[&str] = &["CodeUri", "Code", "ContentUri", "Content", "DefinitionUri", "Location", "TemplateURL"];

/// A built template as JSON.
fn template(project: &Project, path: &Path) -> Map<String, Value> {
    let program = Path::new(env!("CARGO_BIN_EXE_formwork"));
    let words = ["expand", "--format", "json", "--project-root", "/", &path.display().to_string()];
    match serde_json::from_slice(&run(project, program, &words)) {
        Ok(Value::Object(template)) => template,
        other => panic!("{}: {other:?}", path.display()),
    }
}

/// The files at a path and below with their contents, and whether they are programs.
fn files(path: &Path) -> BTreeMap<String, (Vec<u8>, bool)> {
    use std::os::unix::fs::PermissionsExt;
    let (mut found, mut left) = (BTreeMap::new(), vec![path.to_owned()]);
    while let Some(one) = left.pop() {
        if one.is_dir() {
            left.extend(std::fs::read_dir(&one).expect("a directory").flatten().map(|entry| entry.path()));
        } else {
            let name = one.strip_prefix(path).map(|name| name.display().to_string()).unwrap_or_default();
            let mode = one.metadata().expect("it is there").permissions().mode();
            found.insert(name, (std::fs::read(&one).expect("it is read"), mode & 0o111 != 0));
        }
    }
    found
}

fn matches(pattern: &str, text: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == text, |begin| text.starts_with(begin))
}

struct Comparison<'p> {
    project: &'p Project,
    used: Vec<bool>,
    wrong: Vec<String>,
}

impl Comparison<'_> {
    /// Compares what two built templates have, and what they lead to.
    fn templates(&mut self, at: &str, ours: &Path, theirs: &Path) {
        let (mut own, mut other) = (template(self.project, ours), template(self.project, theirs));
        let resources = |template: &mut Map<String, Value>| match template.get_mut("Resources") {
            Some(Value::Object(resources)) => std::mem::take(resources),
            _ => Map::new(),
        };
        let (own_resources, mut other_resources) = (resources(&mut own), resources(&mut other));
        if own != other {
            self.wrong.push(format!("{at}: {} is not {}", Value::Object(own), Value::Object(other)));
        }
        for (id, mut resource) in own_resources {
            let Some(mut peer) = other_resources.remove(&id) else {
                self.wrong.push(format!("{at}{id}: only here"));
                continue;
            };
            for name in ARTIFACTS {
                let path = |resource: &mut Value| resource["Properties"].as_object_mut()?.remove(*name);
                match (path(&mut resource), path(&mut peer)) {
                    (Some(Value::String(one)), Some(Value::String(two))) => {
                        self.artifacts(&format!("{at}{id}"), &ours.with_file_name(one), &theirs.with_file_name(two));
                    }
                    (one, two) if one == two => {}
                    (one, two) => self.wrong.push(format!("{at}{id}.{name}: {one:?} is not {two:?}")),
                }
            }
            // A name for its own use.
            if let Some(metadata) = peer["Metadata"].as_object_mut() {
                metadata.remove("SamResourceId");
                if metadata.is_empty() {
                    peer.as_object_mut().map(|peer| peer.remove("Metadata"));
                }
            }
            if resource != peer {
                self.wrong.push(format!("{at}{id}: {resource} is not {peer}"));
            }
        }
        self.wrong.extend(other_resources.into_iter().map(|(id, _)| format!("{at}{id}: only there")));
    }

    fn artifacts(&mut self, at: &str, ours: &Path, theirs: &Path) {
        if ours.file_name().is_some_and(|name| name == "template.yaml") {
            return self.templates(&format!("{at}/"), ours, theirs);
        }
        let (own, other) = (files(ours), files(theirs));
        let mut names: Vec<&String> = own.keys().chain(other.keys()).collect();
        names.sort();
        names.dedup();
        for name in names.into_iter().filter(|name| own.get(*name) != other.get(*name)) {
            let file = ["python/", "nodejs/"].iter().find_map(|folder| name.strip_prefix(folder)).unwrap_or(name);
            let row = ROWS.iter().position(|row| matches(row.resource, at) && matches(row.file, file));
            if let Some(row) = row {
                self.used[row] = true;
            } else {
                let word = |there: bool| if there { "there" } else { "missing" };
                let (here, there) = (word(own.contains_key(name)), word(other.contains_key(name)));
                self.wrong.push(format!("{at}: {name} is {here}, in SAM CLI's {there}"));
            }
        }
    }
}

#[test]
fn artifacts_and_templates_are_those_of_sam_cli() {
    let Some(sam) = installed() else { return };
    let project = project();
    run(&project, Path::new(env!("CARGO_BIN_EXE_formwork")), &["build", "--build-dir", "ours"]);
    run(&project, &sam, &["build", "--build-dir", "theirs", "--cache-dir", "cache"]);
    let mut comparison = Comparison { project: &project, used: vec![false; ROWS.len()], wrong: Vec::new() };
    let folder = project.folder();
    comparison.templates("", &folder.join("ours/template.yaml"), &folder.join("theirs/template.yaml"));
    assert!(comparison.wrong.is_empty(), "differences without a row\n{}", comparison.wrong.join("\n"));
    for (row, used) in ROWS.iter().zip(comparison.used) {
        assert!(used, "no longer different: {} {} ({})", row.resource, row.file, row.why);
    }
}
