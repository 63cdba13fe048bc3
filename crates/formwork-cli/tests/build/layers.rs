//! `build --dependency-layer`: packages in layers of a nested stack (reference/build.md#dependency-layers).

use super::TEMPLATE;
use super::project::{PYTHON, Project, errors};

const STACK: &str = "AwsSamAutoDependencyLayerNestedStack";

/// A project with this body of a loop `Services` over `Name`, and a source with packages for each of `sources`.
fn project(name: &str, template: &str, sources: &[&str]) -> Project {
    let project = Project::new(&format!("layers-{name}"));
    project.write("template.yaml", template);
    for source in sources {
        project.write(&format!("src/{source}/app.py"), &format!("# {source}\n"));
        project.write(&format!("src/{source}/requirements.txt"), &format!("{source}==1\n"));
    }
    project.tool("python3.13", PYTHON);
    project
}

fn built(project: &Project, name: &str) -> String {
    project.read(&format!(".formwork/build/{name}"))
}

/// The template of the shop with one more function, which has a layer.
fn shop() -> String {
    let (services, _) = TEMPLATE.split_once("  Inline:").expect("it has a function with inline code");
    format!(
        "{}  Own:
    Type: AWS::Serverless::Function
    Properties:
      Handler: app.handler
      Runtime: python3.13
      CodeUri: src/orders
      Layers:
        - !Ref Tools
  Tools:
    Type: AWS::Serverless::LayerVersion
    Properties: {{ContentUri: s3://bucket/tools.zip}}
",
        services.replace("python3.12", "python3.13").replace("./src/", "src/")
    )
}

#[test]
fn packages_are_in_a_nested_stack() {
    let shop = shop();
    let project = project("shop", &shop, &["orders", "users"]);
    let said = project.build(&["--dependency-layer"]);
    assert!(said.contains("built 4 of 4 sources"), "{said}");
    let expected = shop
        .replace("          CodeUri: src/${Name}\n", &format!(
            "          CodeUri: !FindInMap [SAMCodeUriServices, !Ref Name, CodeUri]\n          Layers:\n            - !GetAtt [{STACK}, !FindInMap [SAMLayersServices, !Ref Name, LayerOutputKey]]\n"
        ))
        .replace("      CodeUri: src/orders\n", "      CodeUri: ordersFunction\n")
        .replace("        - !Ref Tools\n", &format!(
            "        - !Ref Tools\n        - !GetAtt [{STACK}, Outputs.ordersFunctionLayer]\n"
        ))
        .replace(
            "Resources:\n",
            "Mappings:\n  SAMCodeUriServices:\n    orders:\n      CodeUri: ordersFunction\n    users:\n      CodeUri: usersFunction\n  SAMLayersServices:\n    orders:\n      LayerOutputKey: Outputs.ordersFunctionLayer\n    users:\n      LayerOutputKey: Outputs.usersFunctionLayer\nResources:\n",
        );
    let stack = format!(
        "  {STACK}:\n    Type: AWS::CloudFormation::Stack\n    Properties:\n      TemplateURL: {STACK}/template.yaml\n"
    );
    assert_eq!(built(&project, "template.yaml"), format!("{expected}{stack}"));
    assert_eq!(
        built(&project, &format!("{STACK}/template.yaml")),
        "AWSTemplateFormatVersion: \"2010-09-09\"
Description: Packages of functions, from formwork build --dependency-layer
Resources:
  ordersFunctionLayer:
    Type: AWS::Lambda::LayerVersion
    Properties:
      Content: \"ordersFunction\"
      CompatibleRuntimes: [python3.13]
      CompatibleArchitectures: [x86_64]
  usersFunctionLayer:
    Type: AWS::Lambda::LayerVersion
    Properties:
      Content: \"usersFunction\"
      CompatibleRuntimes: [python3.13]
      CompatibleArchitectures: [x86_64]
Outputs:
  ordersFunctionLayer:
    Value: !Ref ordersFunctionLayer
  usersFunctionLayer:
    Value: !Ref usersFunctionLayer
"
    );
    let files: Vec<String> = project.products().into_iter().map(|(name, _)| name).collect();
    let layer = |name: &str| format!("{STACK}/{name}/python/installed.txt");
    let template = format!("{STACK}/template.yaml");
    let mut all = vec![layer("ordersFunction"), layer("usersFunction"), template];
    for name in ["ordersFunction", "usersFunction"] {
        all.extend(["app.py", "requirements.txt"].map(|file| format!("{name}/{file}")));
    }
    all.push("template.yaml".to_owned());
    all.sort();
    assert_eq!(files, all);
    assert_eq!(built(&project, &layer("usersFunction")), "users==1\n");

    // It is packaged as any other, and the loops still run.
    let output =
        project.run(&["package", "--s3-bucket", "file:store", "--bucket-name", "bucket", "-o", "packaged.yaml"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let packaged = project.read("packaged.yaml");
    assert!(packaged.contains("LayerOutputKey: Outputs.usersFunctionLayer"), "{packaged}");
    assert!(packaged.contains("TemplateURL: https://s3.amazonaws.com/bucket/"), "{packaged}");
    let output = project.run(&["expand", ".formwork/build/template.yaml"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let expanded = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(expanded.contains(&format!("!GetAtt [{STACK}, Outputs.usersFunctionLayer]")), "{expanded}");

    // Without the option everything is in the functions again.
    project.build(&[]);
    assert!(!project.has(&format!(".formwork/build/{STACK}/template.yaml")));
    assert!(project.has(".formwork/build/usersFunction/installed.txt"));
    assert!(!built(&project, "template.yaml").contains("Layers:\n            -"));
}

#[test]
fn functions_of_one_loop_have_mappings_of_their_own() {
    let function = |key: &str, source: &str| {
        format!(
            "      {key}:\n        Type: AWS::Serverless::Function\n        Properties: {{Handler: a.h, Runtime: \
             python3.13, CodeUri: 'src/{source}'}}\n"
        )
    };
    let template = format!(
        "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]\nResources:\n  Fn::ForEach::Envs:\n    - Env\n    \
         - [dev, prod]\n    - Fn::ForEach::Services:\n      - Name\n      - [a, b]\n      -\n{}{}",
        function("${Env}${Name}Api", "${Name}").replace("      ", "        "),
        function("${Env}${Name}Job", "${Env}-${Name}").replace("      ", "        "),
    );
    let project = project("two", &template, &["a", "b", "dev-a", "dev-b", "prod-a", "prod-b"]);
    project.build(&["--dependency-layer"]);
    let text = built(&project, "template.yaml");
    let api = "SAMLayersEnvsServicesApi:\n    a:\n      LayerOutputKey: Outputs.devaApiLayer\n    b:\n";
    let job = "SAMLayersEnvsServicesJob:\n    dev-a:\n      LayerOutputKey: Outputs.devaJobLayer\n    dev-b:\n";
    assert!(text.contains(api) && text.contains(job), "{text}");
    let read = "!FindInMap [SAMLayersEnvsServicesJob, !Join [\"-\", [!Ref Env, !Ref Name]], LayerOutputKey]";
    assert!(text.contains(read), "{text}");
}

#[test]
fn one_source_for_all_iterations_is_one_layer() {
    let template = shop().replace("src/${Name}", "src/orders");
    let project = project("static", &template, &["orders"]);
    assert!(project.build(&["--dependency-layer"]).contains("built 2 of 2 sources"));
    let text = built(&project, "template.yaml");
    assert!(!text.contains("Mappings"), "{text}");
    assert_eq!(text.matches(&format!("!GetAtt [{STACK}, Outputs.ordersFunctionLayer]")).count(), 2, "{text}");
}

#[test]
fn packages_of_node_are_in_the_directory_of_its_layers() {
    let project = Project::new("layers-node");
    project.write(
        "template.yaml",
        "Resources:
  F:
    Type: AWS::Lambda::Function
    Properties: {Handler: app.handler, Runtime: nodejs22.x, Architectures: [arm64], Code: src}
  Plain:
    Type: AWS::Lambda::Function
    Properties: {Handler: app.handler, Runtime: nodejs22.x, Code: plain}
",
    );
    project.write("src/package.json", "{}");
    project.write("src/app.js", "");
    project.write("plain/app.js", "");
    project.tool("npm", "mkdir -p node_modules/a; echo x >node_modules/a/index.js");
    project.build(&["--dependency-layer"]);
    let files: Vec<String> = project.products().into_iter().map(|(name, _)| name).collect();
    let stack = |name: &str| format!("{STACK}/{name}");
    let expected = [
        stack("F/nodejs/node_modules/a/index.js"),
        stack("template.yaml"),
        "F/app.js".into(),
        "F/package.json".into(),
        "Plain/app.js".into(),
        "template.yaml".into(),
    ];
    assert_eq!(files, expected);
    assert!(built(&project, &stack("template.yaml")).contains("CompatibleArchitectures: [arm64]"));
    let text = built(&project, "template.yaml");
    assert_eq!(text.matches("Layers").count(), 1, "nothing is added to a function without packages: {text}");
}

#[test]
fn what_stands_in_the_way_is_an_error() {
    for (name, from, to, why) in [
        ("call", "Layers:\n        - !Ref Tools", "Layers: !If [X, [a], [b]]", "Own: its Layers is not a list"),
        (
            "taken",
            "  Tools:",
            "  AwsSamAutoDependencyLayerNestedStack:",
            "has the name of the nested stack of dependency layers",
        ),
        (
            "mapping",
            "Resources:\n",
            "Mappings: {SAMLayersServices: {a: {b: c}}}\nResources:\n",
            "that name is already used",
        ),
        ("one", "- [orders, users]", "- [orders, plain]", "plainFunction has no packages, and other iterations have"),
    ] {
        let template = shop().replace(from, to).replace("!Ref Tools", "!Ref AWS::NoValue");
        let template = template.replace("Transform:", "Conditions: {X: !Equals [a, b]}\nTransform:");
        let project = project(name, &template, &["orders", "users"]);
        project.write("src/plain/app.py", "");
        let output = project.run(&["build", "--dependency-layer"]);
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(said.contains(why), "{name}: {said}");
        assert!(!project.has(".formwork/build/template.yaml"));
    }
}

#[test]
fn nested_templates_have_stacks_of_their_own() {
    let function = |id: &str, code: &str| {
        format!(
            "  {id}:\n    Type: AWS::Lambda::Function\n    Properties:\n      Handler: app.h\n      Runtime: python3.13\n      \
             Code: {code}\n"
        )
    };
    let child = "  Child:\n    Type: AWS::CloudFormation::Stack\n    Properties: {TemplateURL: nested/child.yaml}\n";
    let template = format!("Resources:\n{}{child}", function("F", "src/a"));
    let project = project("nested", &template, &["a"]);
    project.write("nested/child.yaml", &format!("Resources:\n{}", function("G", "../src/a")));
    assert!(project.build(&["--dependency-layer"]).contains("built 2 of 2 sources"));
    // Both have the artifact of the outermost template.
    let stack = built(&project, &format!("Child/{STACK}/template.yaml"));
    assert!(
        stack.contains(&format!(
            "  GLayer:\n    Type: AWS::Lambda::LayerVersion\n    Properties:\n      Content: \"../../{STACK}/F\"\n"
        )),
        "{stack}"
    );
    let text = built(&project, "Child/template.yaml");
    assert!(text.contains("      Code: ../F\n"), "{text}");
    assert!(text.contains(&format!("        - !GetAtt [{STACK}, Outputs.GLayer]\n")), "{text}");
    let output =
        project.run(&["package", "--s3-bucket", "file:store", "--bucket-name", "bucket", "-o", "packaged.yaml"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
}
