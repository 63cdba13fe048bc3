//! `expand` and `resolve` to another directory than the template's: relative paths of artifacts name the same files
//! from there (reference/command-line.md#relocated).

use std::fmt::Write as _;

use crate::support::folder::Folder;
use sha2::Digest as _;

const TEMPLATE: &str = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Parameters:
  Source: {Type: String, Default: ./src}
  Image: {Type: String}
Resources:
  Fn::ForEach::Functions:
    - Name
    - [orders, users]
    - \"${Name}Function\":
        Type: AWS::Serverless::Function
        Properties: {Handler: a.b, Runtime: python3.13, CodeUri: !Sub \"./services/${Name}/\"}
  Plain:
    Type: AWS::Lambda::Function
    Properties:
      Code: src # where it is
      Handler: a.b
      Role: arn:aws:iam::111122223333:role/r
      Runtime: python3.13
  Here:
    Type: AWS::Serverless::Function
    Properties: {Handler: a.b, Runtime: python3.13}
  Remote:
    Type: AWS::Serverless::LayerVersion
    Properties: {ContentUri: s3://bucket/layer.zip}
  Split:
    Type: AWS::Lambda::LayerVersion
    Properties: {Content: s3://bucket/layer.zip}
  Absolute:
    Type: AWS::Serverless::LayerVersion
    Properties: {ContentUri: /srv/layer}
  Container:
    Type: AWS::Serverless::Function
    Properties: {PackageType: Image, ImageUri: app:latest}
  Passed:
    Type: AWS::Serverless::Function
    Properties: {PackageType: Image, ImageUri: !Ref Image}
  Child:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: child.yaml}
";

const CHILD: &str = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n";

fn project(name: &str) -> Folder {
    Folder::new("relocation", name)
        .with("t.yaml", TEMPLATE)
        .with("child.yaml", CHILD)
        .with("src/a.py", "x = 1\n")
        .with("services/orders/a.py", "x = 2\n")
        .with("services/users/a.py", "x = 3\n")
        .with("build/out/.keep", "")
}

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).expect("the file")
}

#[test]
fn paths_start_at_the_directory_of_the_output() {
    let folder = project("moved");
    let beside = folder.run(&["expand", "t.yaml"]);
    assert_eq!(beside.status, 0, "{beside:?}");
    let run = folder.run(&["expand", "t.yaml", "-o", "build/out/t.yaml"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{run:?}");
    let wanted = beside
        .out
        .replace("./services/", "../../services/")
        .replace("Code: src #", "Code: ../../src #")
        .replace("TemplateURL: child.yaml", "TemplateURL: ../../child.yaml")
        .replace(
            "Properties: {Handler: a.b, Runtime: python3.13}",
            "Properties: {Handler: a.b, Runtime: python3.13, CodeUri: ../..}",
        );
    assert_eq!(read(&folder, "build/out/t.yaml"), wanted);
    for same in
        ["Content: s3://bucket/layer.zip", "ContentUri: /srv/layer", "ImageUri: app:latest", "ImageUri: !Ref Image"]
    {
        assert!(wanted.contains(same), "{same}: {wanted}");
    }
}

#[test]
fn packaging_finds_the_same_files() {
    let folder = project("same-files");
    let template = TEMPLATE.replace(
        "  Absolute:\n    Type: AWS::Serverless::LayerVersion\n    Properties: {ContentUri: /srv/layer}\n",
        "",
    );
    let template = template.replace("ImageUri: app:latest", "ImageUri: localhost:5000/app");
    let folder = folder.with("t.yaml", &template).with(".formworkignore", "build\nout.yaml\n");
    assert_eq!(folder.run(&["expand", "t.yaml", "-o", "build/out/t.yaml"]).status, 0);
    assert_eq!(folder.run(&["expand", "t.yaml", "-o", "out.yaml"]).status, 0);
    let names = |template: &str| {
        let run = folder.run(&["package", template, "--plan", "--parameter-overrides", "Image=localhost:5000/app"]);
        assert_eq!(run.status, 0, "{run:?}");
        let plan: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        let artifacts = plan["artifacts"].as_array().expect("artifacts");
        artifacts.iter().map(|one| format!("{} {}", one["resource"], one["object"])).collect::<Vec<_>>()
    };
    let moved = names("build/out/t.yaml");
    assert_eq!(moved, names("out.yaml"));
    assert!(moved.len() >= 5, "{moved:?}");
}

#[test]
fn outputs_that_are_not_elsewhere_keep_every_path() {
    let folder = project("kept");
    let printed = folder.run(&["expand", "t.yaml"]).out;
    for output in ["out.yaml", "./out.yaml", "build/../out.yaml", "/dev/stdout"] {
        let run = folder.run(&["expand", "t.yaml", "-o", output]);
        assert_eq!(run.status, 0, "{run:?}");
        let text = if output == "/dev/stdout" { run.out } else { read(&folder, "out.yaml") };
        assert_eq!(text, printed, "{output}");
    }
}

#[test]
fn what_cannot_be_rewritten_is_a_warning() {
    let text = "Parameters:
  Source: {Type: String, Default: ./src}
  Unknown: {Type: String}
Resources:
  Known: {Type: AWS::Lambda::LayerVersion, Properties: {Content: !Ref Source}}
  Open: {Type: AWS::Lambda::LayerVersion, Properties: {Content: !Ref Unknown}}
  Constant: {Type: AWS::Lambda::LayerVersion, Properties: {Content: !Sub ./src}}
  Remote: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: !Sub \"https://${Unknown}.s3.amazonaws.com/t.yaml\"}}
";
    let folder = Folder::new("relocation", "warned").with("t.yaml", text).with("build/.keep", "");
    let run = folder.run(&["expand", "t.yaml", "-o", "build/t.yaml", "--message-format", "short"]);
    let wanted =
        "t.yaml:5:66: warning[FW0802]: Content of Known is resolved at deployment and is not rewritten for build
t.yaml:6:65: warning[FW0802]: Content of Open is resolved at deployment and is not rewritten for build
2 warnings
";
    assert_eq!((run.status, run.err.as_str()), (0, wanted), "{run:?}");
    assert_eq!(read(&folder, "build/t.yaml"), text.replace("!Sub ./src", "../src"));
    assert_eq!(folder.run(&["expand", "t.yaml", "-o", "t2.yaml"]).err, "");
    let strict = folder.run(&["expand", "t.yaml", "-o", "build/strict.yaml", "--strict"]);
    assert!(strict.status == 1 && !folder.path("build/strict.yaml").exists(), "{strict:?}");
    // With all values computed the path is a literal.
    let run = folder.run(&["resolve", "t.yaml", "-o", "build/t.yaml", "--parameter-overrides", "Unknown=lib"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{run:?}");
    let written = read(&folder, "build/t.yaml");
    assert!(written.contains("Content: ../src") && written.contains("Content: ../lib"), "{written}");
}

#[test]
fn paths_of_modules_start_at_the_module() {
    let root = "Modules:\n  Api: {Source: lib/api/module.yaml}\nResources: {}\n";
    let module = "Resources:\n  Function:\n    Type: AWS::Serverless::Function\n    Properties: {CodeUri: ./code, Handler: a.b, Runtime: python3.13}\n";
    let folder = Folder::new("relocation", "modules")
        .with("t.yaml", root)
        .with("lib/api/module.yaml", module)
        .with("build/.keep", "");
    let run = folder.run(&["expand", "t.yaml", "-o", "build/t.yaml"]);
    assert_eq!(run.status, 0, "{run:?}");
    let written = read(&folder, "build/t.yaml");
    assert!(written.contains("CodeUri: ../lib/api/code"), "{written}");
}

const MODULES: &str = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Parameters:
  Open: {Type: String}
Modules:
  Api:
    Source: lib/api/module.yaml
    Properties: {Path: ./src}
    Overrides:
      Changed: {Properties: {Content: src}}
  Fn::ForEach::Units:
    - Name
    - [orders, users]
    - Unit${Name}:
        Source: ./lib/unit.yaml
        Properties: {Name: !Ref Name}
Resources:
  Own:
    Type: AWS::Serverless::Function
    Properties: {Handler: a.b, Runtime: python3.13}
";

const API: &str = "Parameters:
  Path: {Type: String}
  Preset: {Type: String, Default: ./code}
Modules:
  Inner: {Source: ../unit.yaml, Properties: {Name: inner}}
Resources:
  Folder:
    Type: AWS::Serverless::Function
    Properties: {Handler: a.b, Runtime: python3.13}
  Argument: {Type: AWS::Lambda::LayerVersion, Properties: {Content: !Ref Path}}
  Preset: {Type: AWS::Lambda::LayerVersion, Properties: {Content: !Ref Preset}}
  Changed: {Type: AWS::Lambda::LayerVersion, Properties: {Content: ./code}}
  Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: child.yaml}}
  Remote: {Type: AWS::Lambda::LayerVersion, Properties: {Content: s3://bucket/layer.zip}}
  Machine:
    Type: AWS::Serverless::StateMachine
    Properties: {DefinitionUri: ./code/machine.json}
";

const UNIT: &str = "Parameters: {Name: {Type: String}}
Resources:
  Layer: {Type: AWS::Lambda::LayerVersion, Properties: {Content: !Sub \"parts/${Name}/\"}}
";

fn project_of_modules(name: &str) -> Folder {
    Folder::new("relocation", name)
        .with("formwork.toml", "")
        .with(".formworkignore", "build\nbeside.yaml\nprinted.yaml\n")
        .with("t.yaml", MODULES)
        .with("src/a.py", "x = 1\n")
        .with("lib/unit.yaml", UNIT)
        .with("lib/parts/orders/a.py", "x = 2\n")
        .with("lib/parts/users/a.py", "x = 3\n")
        .with("lib/parts/inner/a.py", "x = 4\n")
        .with("lib/api/module.yaml", API)
        .with("lib/api/child.yaml", CHILD)
        .with("lib/api/code/a.py", "x = 5\n")
        .with("lib/api/code/machine.json", "{}\n")
        .with("build/out/.keep", "")
}

#[test]
fn packaging_finds_what_modules_name_wherever_the_output_is() {
    let folder = project_of_modules("of-modules");
    let printed = folder.run(&["expand", "t.yaml"]);
    assert_eq!((printed.status, printed.err.as_str()), (0, ""), "{printed:?}");
    for path in ["Content: ./src", "Content: src", "Content: ./lib/api/code", "Content: lib/parts/users/"] {
        assert!(printed.out.contains(path), "{path}: {}", printed.out);
    }
    let folder = folder.with("printed.yaml", &printed.out);
    assert_eq!(folder.run(&["expand", "t.yaml", "-o", "beside.yaml"]).status, 0);
    assert_eq!(read(&folder, "beside.yaml"), printed.out);
    assert_eq!(folder.run(&["expand", "t.yaml", "-o", "build/out/t.yaml"]).status, 0);
    let names = |template: &str| {
        let run = folder.run(&["package", template, "--plan", "--parameter-overrides", "Open=x"]);
        assert_eq!(run.status, 0, "{run:?}");
        let plan: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        let artifacts = plan["artifacts"].as_array().expect("artifacts");
        let mut names: Vec<String> =
            artifacts.iter().map(|one| format!("{} {}", one["resource"], one["object"])).collect();
        names.sort();
        names
    };
    let of_modules = names("t.yaml");
    assert!(of_modules.len() >= 9, "{of_modules:?}");
    for output in ["printed.yaml", "beside.yaml", "build/out/t.yaml"] {
        assert_eq!(names(output), of_modules, "{output}");
    }
}

#[test]
fn paths_of_modules_that_cannot_be_rewritten_are_warnings() {
    let folder = project_of_modules("of-modules-warned");
    let root = "Parameters: {Open: {Type: String}}
Modules:
  Api: {Source: lib/open.yaml, Properties: {Path: !Ref Open}}
Resources:
  Own: {Type: AWS::Lambda::LayerVersion, Properties: {Content: !Ref Open}}
";
    let module = "Parameters: {Path: {Type: String}}
Resources:
  Argument: {Type: AWS::Lambda::LayerVersion, Properties: {Content: !Ref Path}}
  Joined: {Type: AWS::Lambda::LayerVersion, Properties: {Content: !Sub \"./${Path}\"}}
";
    let folder = folder.with("open.yaml", root).with("lib/open.yaml", module);
    let run = folder.run(&["expand", "open.yaml", "--message-format", "short"]);
    let wanted =
        "lib/open.yaml:4:67: warning[FW0802]: Content of ApiJoined is resolved at deployment and is not rewritten for . [Api=lib/open.yaml]
1 warning
";
    assert_eq!((run.status, run.err.as_str()), (0, wanted), "{run:?}");
}

#[test]
fn outputs_of_one_run_name_each_other() {
    let parent = "Resources:
  Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: ./stacks/child.yaml}}
  Other: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: other.txt}}
  Layer: {Type: AWS::Lambda::LayerVersion, Properties: {Content: src}}
";
    let folder = Folder::new("relocation", "many")
        .with("p.yaml", parent)
        .with("stacks/child.yaml", CHILD)
        .with("other.txt", CHILD);
    let run = folder.run(&["expand", ".", "-o", "build"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{run:?}");
    let written = read(&folder, "build/p.yaml");
    let wanted = parent
        .replace("./stacks/child.yaml", "stacks/child.yaml")
        .replace("other.txt", "../other.txt")
        .replace("Content: src", "Content: ../src");
    assert_eq!(written, wanted);
    assert_eq!(read(&folder, "build/stacks/child.yaml"), CHILD);
}

#[test]
fn the_source_map_is_that_of_the_written_template() {
    let folder = project("map");
    let run = folder.run(&["expand", "t.yaml", "-o", "build/t.yaml", "--source-map", "build/map.json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{run:?}");
    let map: serde_json::Value = serde_json::from_str(&read(&folder, "build/map.json")).expect("JSON");
    let mut digest = String::new();
    for byte in sha2::Sha256::digest(read(&folder, "build/t.yaml")) {
        write!(digest, "{byte:02x}").expect("a string");
    }
    assert!(map.to_string().contains(&digest), "{map}");
    assert!(read(&folder, "build/t.yaml").contains("Code: ../src # where it is"));
}
