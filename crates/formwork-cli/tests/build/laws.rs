//! Building changes where artifacts are, and nothing else.

use super::project::{Project, errors};

const TEMPLATE: &str = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Parameters:
  Names: {Type: CommaDelimitedList, Default: 'x,y'}
Globals: {Function: {Runtime: python3.12, CodeUri: common}}
Conditions: {IsBig: !Equals [!Ref AWS::Region, eu-west-1]}
Resources:
  Fn::ForEach::Envs:
    - Env
    - [dev, prod]
    - Fn::ForEach::Services:
        - Name
        - !Ref Names
        - ${Env}${Name}Function:
            Type: AWS::Serverless::Function
            Condition: IsBig
            Properties: {Handler: app.handler, CodeUri: 'src/${Env}/${Name}'}
          ${Env}${Name}Raw:
            Type: AWS::Lambda::Function
            Properties: {Handler: app.handler, Runtime: python3.12, Code: !Sub 'src/${Env}/${Name}'}
          ${Env}${Name}Same:
            Type: AWS::Lambda::LayerVersion
            Properties: {Content: common}
  Global:
    Type: AWS::Serverless::Function
    Properties: {Handler: app.handler}
  Branch:
    Type: AWS::Lambda::LayerVersion
    Properties: {Content: !If [IsBig, src/dev/x, src/dev/y]}
  Remote:
    Type: AWS::Serverless::Function
    Properties: {Handler: app.handler, CodeUri: s3://own/key}
";

fn project(name: &str) -> Project {
    let project = Project::new(name);
    project.write("template.yaml", TEMPLATE);
    for folder in ["common", "src/dev/x", "src/dev/y", "src/prod/x", "src/prod/y"] {
        project.write(&format!("{folder}/app.py"), &format!("# {folder}\n"));
    }
    project
}

/// What a command prints.
fn printed(project: &Project, words: &[&str]) -> String {
    let output = project.run(words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", errors(&output));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn building_packaging_and_expanding_is_packaging_and_expanding() {
    let project = project("laws");
    let upload = ["--s3-bucket", "file:store", "--bucket-name", "bucket", "-o"];
    printed(&project, &[&["package", "template.yaml"], &upload[..], &["packaged.yaml"]].concat());
    project.build(&[]);
    printed(&project, &[&["package"], &upload[..], &["built.yaml"]].concat());
    let expanded = |name: &str| printed(&project, &["resolve", name, "--region", "eu-west-1"]);
    let (packaged, built) = (expanded("packaged.yaml"), expanded("built.yaml"));
    // Nothing is built here but copied, so that even the objects are the same.
    assert_eq!(built, packaged);
    let plain = expanded("template.yaml");
    let shape = |text: &str| text.lines().filter(|line| !line.contains("bucket")).count();
    assert!(shape(&plain) > 40, "{plain}");
}

#[test]
fn a_built_template_is_built_to_itself_by_packaging_twice() {
    let project = project("twice");
    project.build(&[]);
    let first = project.products();
    project.build(&["--no-cached"]);
    assert_eq!(project.products(), first, "one tree, one result");
    // Another directory, another time: the same bytes but for where they are.
    project.build(&["-b", "elsewhere", "template.yaml"]);
    assert_eq!(project.read("elsewhere/template.yaml"), project.read(".formwork/build/template.yaml"));
}

#[test]
fn json_stays_json() {
    let project = Project::new("json");
    project.write(
        "template.json",
        "{\"Resources\": {\"L\": {\"Type\": \"AWS::Lambda::LayerVersion\", \"Properties\": {\"Content\": \"x\"}}}}\n",
    );
    project.write("x/a", "1");
    project.build(&[]);
    assert!(project.read(".formwork/build/template.json").contains("\"Content\": \"L\""));
    // The default of the next command.
    let words = ["package", "--s3-bucket", "file:store", "--bucket-name", "bucket"];
    assert!(printed(&project, &words).starts_with('{'));
}
