//! `formwork build` as people and scripts call it.
//!
//! Holds reference/build.md#products, reference/build.md#template, reference/build.md#builders,
//! reference/build.md#cache, reference/build.md#failures, reference/build.md#whole,
//! reference/build.md#built-template.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::format_push_string,
    reason = "a test of files on disk and of a program"
)]

mod beside_sam;
mod economy;
mod failures;
mod full_disk;
mod kills;
mod laws;
mod layers;
mod macro_example;
mod options;
mod peers;
mod places;
mod project;
mod real;
mod same;
mod tools;
mod warnings;

use std::time::{Duration, Instant};

use project::{Project, errors};

const TEMPLATE: &str = "# Services of the shop
Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Resources:
  Fn::ForEach::Services:
    - Name
    - [orders, users]
    - ${Name}Function:  # one per service
        Type: AWS::Serverless::Function
        Properties:
          Handler: app.handler
          Runtime: python3.12
          CodeUri: ./src/${Name}
  Inline:
    Type: AWS::Serverless::Function
    Properties: {Handler: index.h, Runtime: python3.12, InlineCode: !Sub 'x = \"${AWS::Region}\"'}
";

fn shop(name: &str) -> Project {
    let project = Project::new(name);
    project.write("template.yaml", TEMPLATE);
    project.write("src/orders/app.py", "def handler(e, c): return 'orders'\n");
    project.write("src/users/app.py", "def handler(e, c): return 'users'\n");
    project
}

/// Directories with the same files are sources of their own.
#[test]
fn equal_sources_have_a_product_each() {
    let project = shop("equal");
    project.write("src/users/app.py", "def handler(e, c): return 'orders'\n");
    let said = project.build(&[]);
    assert!(said.ends_with("built 2 of 2 sources; the template is .formwork/build/template.yaml\n"), "{said}");
    for product in ["ordersFunction", "usersFunction"] {
        assert!(project.has(&format!(".formwork/build/{product}/app.py")), "{product}");
    }
}

#[test]
fn loops_comments_and_inline_code_stay() {
    let project = shop("loops");
    let said = project.build(&[]);
    assert!(said.contains("template: template.yaml\n"), "{said}");
    assert!(said.ends_with("built 2 of 2 sources; the template is .formwork/build/template.yaml\n"), "{said}");
    let expected = TEMPLATE
        .replace("CodeUri: ./src/${Name}", "CodeUri: !FindInMap [SAMCodeUriServices, !Ref Name, CodeUri]")
        .replace(
            "Resources:\n",
            "Mappings:\n  SAMCodeUriServices:\n    orders:\n      CodeUri: ordersFunction\n    users:\n      CodeUri: \
             usersFunction\nResources:\n",
        );
    assert_eq!(project.read(".formwork/build/template.yaml"), expected);
    assert_eq!(project.read(".formwork/build/ordersFunction/app.py"), "def handler(e, c): return 'orders'\n");
}

#[test]
fn a_second_build_touches_nothing() {
    let project = shop("second");
    project.build(&[]);
    let times = || -> Vec<std::time::SystemTime> {
        let root = project.folder().join(".formwork/build");
        ["template.yaml", "ordersFunction", "ordersFunction/app.py", ".formwork/build.json", "."]
            .iter()
            .map(|name| root.join(name).metadata().expect("it exists").modified().expect("a time"))
            .collect()
    };
    let before = times();
    assert!(project.build(&[]).contains("built 0 of 2 sources"));
    assert_eq!(times(), before);
    // A file that is removed from the source is removed from the artifact, and the other artifact stays.
    project.write("src/users/more.py", "x = 1\n");
    assert!(project.build(&[]).contains("built 1 of 2 sources"));
    assert!(project.has(".formwork/build/usersFunction/more.py"));
    std::fs::remove_file(project.folder().join("src/users/more.py")).expect("removed");
    assert!(project.build(&[]).contains("built 1 of 2 sources"));
    assert!(!project.has(".formwork/build/usersFunction/more.py"));
    assert_eq!(times()[1..3], before[1..3]);
    assert!(project.build(&["--no-cached"]).contains("built 2 of 2 sources"));
}

#[test]
fn a_source_of_many_functions_is_built_once() {
    let project = Project::new("once");
    let mut template = "Transform: AWS::Serverless-2016-10-31\nResources:\n".to_owned();
    for number in 0..100 {
        template += &format!(
            "  Function{number}:\n    Type: AWS::Serverless::Function\n    Properties:\n      Handler: \
             app.handler{number}\n      Runtime: nodejs20.x\n      CodeUri: ./src/{}\n",
            number % 5
        );
    }
    project.write("template.yaml", &template);
    for number in 0..5 {
        project.write(&format!("src/{number}/package.json"), &format!("{{\"name\": \"p{number}\"}}\n"));
    }
    project.tool("npm", "mkdir node_modules; echo made >node_modules/made");
    assert!(project.build(&["--jobs", "3"]).contains("built 5 of 5 sources"));
    assert_eq!(project.lines().len(), 5, "{:?}", project.lines());
    let built = project.read(".formwork/build/template.yaml");
    assert!(built.contains("CodeUri: Function4\n") && !built.contains("CodeUri: Function5\n"), "{built}");
    assert!(project.has(".formwork/build/Function3/node_modules/made"));
    assert!(!project.has("src/3/node_modules"), "no source is written to");
    // A second build builds no source, and is fast: the fastest of several runs is measured, since other tests run as
    // well.
    let again = || {
        let begun = Instant::now();
        assert!(project.build(&[]).contains("built 0 of 5 sources"));
        begun.elapsed()
    };
    let fastest = (0..20).map(|_| again()).min().expect("a time");
    assert!(fastest < Duration::from_millis(50), "{fastest:?}");
    assert_eq!(project.lines().len(), 5, "{:?}", project.lines());
}

#[test]
fn products_of_renamed_resources_go() {
    let project = shop("renamed");
    project.build(&[]);
    project.write("template.yaml", &TEMPLATE.replace("${Name}Function", "${Name}Service"));
    project.build(&[]);
    assert!(project.has(".formwork/build/ordersService/app.py"));
    assert!(!project.has(".formwork/build/ordersFunction"));
}

#[test]
fn other_artifacts_and_nested_templates_are_copied() {
    let project = Project::new("complete");
    project.write(
        "template.yaml",
        "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Flows:
    - Name
    - [a, b]
    - Flow${Name}:
        Type: AWS::Serverless::StateMachine
        Properties: {DefinitionUri: 'flows/${Name}.json'}
  Child:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: nested/child.yaml}
  Layer:
    Type: AWS::Lambda::LayerVersion
    Properties: {Content: layer}
",
    );
    project.write(
        "nested/child.yaml",
        "Resources: {Own: {Type: AWS::Lambda::LayerVersion, Properties: {Content: own}}}\n",
    );
    for (name, text) in [("flows/a.json", "{}"), ("flows/b.json", "{ }"), ("layer/x", "1"), ("nested/own/y", "2")] {
        project.write(name, text);
    }
    project.build(&[]);
    let names: Vec<String> = project.products().into_iter().map(|(name, _)| name).collect();
    let expected = ["Child/Own/y", "Child/template.yaml", "Flowa/a.json", "Flowb/b.json", "Layer/x", "template.yaml"];
    assert_eq!(names, expected);
    let template = project.read(".formwork/build/template.yaml");
    assert!(template.contains("SAMDefinitionUriFlows:\n    a:\n      DefinitionUri: Flowa/a.json"), "{template}");
    assert!(template.contains("TemplateURL: Child/template.yaml"), "{template}");
    assert!(project.read(".formwork/build/Child/template.yaml").contains("Content: Own"));
}

#[test]
fn some_resources_can_be_built_alone() {
    let project = shop("some");
    assert!(project.build(&["--resource", "ordersFunction"]).contains("built 1 of 1 sources"));
    assert!(project.has(".formwork/build/ordersFunction") && !project.has(".formwork/build/usersFunction"));
    assert!(project.read(".formwork/build/template.yaml").contains("CodeUri: ../../src/users"));
    project.build(&["--exclude", "usersFunction"]);
    let output = project.run(&["build", "--resource", "ordersFuncton"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("such as `ordersFunction`"), "{}", errors(&output));
}

#[test]
fn a_build_directory_outside_of_a_named_project_root_can_be_packaged() {
    let project = shop("outside-root");
    project.write(".git/HEAD", "");
    let outside = format!("../outside-root-{}", std::process::id());
    project.build(&["--build-dir", &outside, "--project-root", "."]);
    let template = format!("{outside}/template.yaml");
    let words = ["package", &template, "--s3-bucket", "file:store", "--bucket-name", "bucket", "--project-root", "."];
    let output = project.run(&words);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("CodeUri: s3://bucket/"));
    // Of another project it is outside.
    let other = ["package", &template, "--s3-bucket", "file:store", "--bucket-name", "bucket", "--project-root", "src"];
    assert_ne!(project.run(&other).status.code(), Some(0));
    let _ = std::fs::remove_dir_all(project.0.join("project").join(&outside));
}

#[test]
fn package_takes_the_built_template_and_names_what_changed() {
    let project = shop("built");
    project.write("samconfig.toml", "version = 0.1\n[default.package.parameters]\ns3_prefix = 'p'\n");
    project.build(&[]);
    let words = ["package", "--s3-bucket", "file:store", "--bucket-name", "bucket"];
    let output = project.run(&words);
    let said = errors(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.starts_with("built template: .formwork/build/template.yaml, built from "), "{said}");
    assert!(!said.contains("changed"), "{said}");
    let packaged = String::from_utf8_lossy(&output.stdout).into_owned();
    // The configuration beside the source of the template counts.
    assert!(packaged.contains("CodeUri: s3://bucket/p/"), "{packaged}");
    project.write("src/users/app.py", "changed = 1\n");
    project.write("template.yaml", &format!("{TEMPLATE}# more\n"));
    let said = errors(&project.run(&words));
    assert!(
        said.contains("warning: changed since it was built: template.yaml, src/users (usersFunction); build"),
        "{said}"
    );
}
