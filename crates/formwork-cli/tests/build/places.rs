//! Where in an artifact the files are: the builder decides, and SAM CLI's decide the same.
//!
//! Holds reference/build.md#builders, reference/build.md#makefile.

use super::project::{Project, errors};

/// A stand-in for make: what the target would do is in the file that it gets.
const MAKE: &str = "for word; do test \"$before\" = --makefile && file=$word; before=$word; done
. \"$file\"";

fn layer(id: &str, method: &str, source: &str) -> String {
    let metadata = if method.is_empty() { String::new() } else { format!("    Metadata: {{BuildMethod: {method}}}\n") };
    format!(
        "  {id}:\n    Type: AWS::Serverless::LayerVersion\n{metadata}    Properties: {{ContentUri: {source}, \
         CompatibleRuntimes: [python3.13]}}\n"
    )
}

#[test]
fn layers_are_where_their_builder_puts_them() {
    let project = Project::new("places-layers");
    let layers = [
        layer("Made", "makefile", "made"),
        layer("Bare", "python3.13", "bare"),
        layer("Packages", "python3.13", "packages"),
        layer("Script", "nodejs22.x", "script"),
        layer("Plain", "", "bare"),
    ];
    project.write("template.yaml", &format!("Transform: AWS::Serverless-2016-10-31\nResources:\n{}", layers.concat()));
    project.write("made/Makefile", "mkdir -p $ARTIFACTS_DIR/python; cp lib.py $ARTIFACTS_DIR/python/lib.py");
    for name in ["made/lib.py", "bare/lib.py", "packages/lib.py", "script/lib.js"] {
        project.write(name, "x");
    }
    project.write("packages/requirements.txt", "six==1\n");
    project.tool("make", MAKE);
    project.tool("python3.13", super::project::PYTHON);
    project.build(&[]);
    let files: Vec<String> = project.products().into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        files,
        [
            "Bare/python/lib.py",
            "Made/python/lib.py",
            "Packages/python/installed.txt",
            "Packages/python/lib.py",
            "Packages/python/requirements.txt",
            "Plain/lib.py",
            "Script/nodejs/lib.js",
            "template.yaml"
        ]
    );
}

#[test]
fn make_runs_where_the_metadata_says() {
    let function = |id: &str, more: &str| {
        format!(
            "  {id}:\n    Type: AWS::Serverless::Function\n    Metadata: {{BuildMethod: makefile{more}}}\n    Properties: \
             {{CodeUri: src, Handler: x, Runtime: provided.al2023}}\n"
        )
    };
    let functions = [
        function("Own", ""),
        function("Elsewhere", ", ContextPath: mk"),
        function("Inner", ", ContextPath: mk, WorkingDirectory: src/sub"),
        function("Outer", ", ContextPath: mk, WorkingDirectory: ."),
        function("Whole", ", ContextPath: mk, ProjectRootDirectory: ., WorkingDirectory: ."),
    ];
    let project = Project::new("places-make");
    project
        .write("template.yaml", &format!("Transform: AWS::Serverless-2016-10-31\nResources:\n{}", functions.concat()));
    project.write("src/Makefile", "ls >$ARTIFACTS_DIR/own");
    project.write("mk/Makefile", "ls >$ARTIFACTS_DIR/list");
    project.write("src/sub/x", "");
    project.write("template.txt", "");
    project.tool("make", MAKE);
    project.build(&[]);
    let list = |path: &str| project.read(&format!(".formwork/build/{path}")).replace('\n', " ");
    assert_eq!((list("Own/own"), list("Elsewhere/list")), ("Makefile sub ".to_owned(), "Makefile sub ".to_owned()));
    assert_eq!(list("Inner/list"), "x ");
    assert_eq!(list("Outer/list"), "mk src template.txt template.yaml ", "a directory that is not copied");
    assert_eq!(list("Whole/list"), "mk src template.txt template.yaml ");
    // The Makefile is one of the inputs.
    project.write("mk/Makefile", "ls >$ARTIFACTS_DIR/list2");
    assert!(project.build(&[]).contains("built 4 of 5 sources"));
    let template = project.read("template.yaml").replace("ContextPath: mk, WorkingDirectory: .}", "ContextPath: ..}");
    project.write("template.yaml", &template);
    let output = project.run(&["build"]);
    assert!(errors(&output).contains("names `..` in Metadata, which is not a directory of the project"));
}

/// What tools and editors leave in a directory is not code.
#[test]
fn sources_of_python_are_copied_without_what_tools_left() {
    let project = Project::new("places-python");
    project.write(
        "template.yaml",
        "Transform: AWS::Serverless-2016-10-31\nResources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties: \
         {CodeUri: src, Handler: app.h, Runtime: python3.13}\n  G:\n    Type: AWS::Serverless::Function\n    Properties: \
         {CodeUri: src, Handler: app.h, Runtime: nodejs22.x}\n",
    );
    let left =
        [".env", ".venv/bin/python", "sub/venv/x", "env/x", ".gitignore", "x.egg-info/PKG-INFO", ".mypy_cache/x"];
    for name in left.iter().chain(&["app.py", "sub/own.py", "native.so", "environment.py"]) {
        project.write(&format!("src/{name}"), "x");
    }
    project.build(&[]);
    let files: Vec<String> = project.products().into_iter().map(|(name, _)| name).collect();
    let of = |id: &str| files.iter().filter_map(|name| name.strip_prefix(id)).collect::<Vec<_>>().join(" ");
    assert_eq!(of("F/"), "app.py environment.py native.so sub/own.py");
    assert!(left.iter().all(|name| of("G/").contains(name)), "another language: {}", of("G/"));
}
