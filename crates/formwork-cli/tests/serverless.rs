//! The serverless transform in the commands (reference/serverless.md).

use serde_json::Value;

use crate::support::folder::Folder;

const TEMPLATE: &str = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Globals:
  Function: {Runtime: nodejs22.x, Handler: index.handler, MemorySize: 256}
Resources:
  Fn::ForEach::Functions:
    - Name
    - [Orders, Users]
    - ${Name}:
        Type: AWS::Serverless::Function
        Properties:
          CodeUri: ./src
          AutoPublishAlias: live
          Events:
            Get: {Type: Api, Properties: {Path: !Sub '/${Name}', Method: get}}
";

fn project(name: &str) -> Folder {
    Folder::new("serverless", name).with("template.yaml", TEMPLATE).with("src/index.js", "exports.handler = () => 1\n")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn types(template: &Value) -> Vec<(&str, &str)> {
    let resources = template["Resources"].as_object().expect("resources");
    resources.iter().map(|(id, resource)| (id.as_str(), resource["Type"].as_str().unwrap_or_default())).collect()
}

#[test]
fn the_result_has_plain_resources_if_it_is_wanted() {
    let project = project("expand");
    let expand = |words: &[&str]| {
        let run = project.run(&[&["expand", "template.yaml", "--format", "json", "-q"], words].concat());
        assert_eq!(run.status, 0, "{}", run.err);
        json(&run.out)
    };
    let kept = expand(&[]);
    assert!(types(&kept).iter().all(|(_, kind)| *kind == "AWS::Serverless::Function"), "{kept}");
    let plain = expand(&["--serverless"]);
    assert!(plain.get("Transform").is_none() && plain.get("Globals").is_none(), "{plain}");
    assert!(types(&plain).iter().all(|(_, kind)| !kind.starts_with("AWS::Serverless::")), "{plain}");
    for id in ["OrdersRole", "UsersAliaslive", "OrdersGetPermissionProd", "ServerlessRestApiProdStage"] {
        assert!(plain["Resources"].get(id).is_some(), "{id}: {plain}");
    }
    assert_eq!(plain["Resources"]["Users"]["Properties"]["Code"], "./src");
    let project = project.with("formwork.toml", "serverless = true\n");
    let configured = project.run(&["expand", "template.yaml", "--format", "json", "-q"]);
    assert_eq!(json(&configured.out), plain);
    let overridden = project.run(&["expand", "template.yaml", "--format", "json", "-q", "--no-serverless"]);
    assert_eq!(json(&overridden.out), kept);
}

#[test]
fn a_packaged_result_has_the_ids_of_the_service() {
    let project = project("package");
    let bucket = ["--s3-bucket", "file:out", "--bucket-name", "code", "-q"];
    let packaged =
        project.run(&[&["package", "template.yaml", "--serverless", "--format", "json"], &bucket[..]].concat());
    assert_eq!(packaged.status, 0, "{}", packaged.err);
    // The same as what is packaged first, and transformed then.
    let first = project.run(&[&["package", "template.yaml", "-o", "packaged.yaml"], &bucket[..]].concat());
    assert_eq!(first.status, 0, "{}", first.err);
    let then = project.run(&["expand", "packaged.yaml", "--serverless", "--format", "json", "-q"]);
    assert_eq!(json(&packaged.out), json(&then.out));
    // Of a local path the hash is not that of the service.
    let map = project.run(&["expand", "template.yaml", "--serverless", "--source-map", "map.json", "-q"]);
    assert_eq!(map.status, 0, "{}", map.err);
    let map = json(&std::fs::read_to_string(project.path("map.json")).expect("the map"));
    assert_eq!(map["by"], "AWS::Serverless-2016-10-31");
    let provisional: Vec<&str> = map["provisional"].as_array().expect("IDs").iter().filter_map(Value::as_str).collect();
    assert!(provisional.iter().any(|id| id.starts_with("OrdersVersion")) && provisional.len() == 2, "{provisional:?}");
    let packaged = json(&packaged.out);
    assert!(provisional.iter().all(|id| packaged["Resources"].get(id).is_none()), "{provisional:?}");
}

#[test]
fn explain_names_the_transform_and_the_authored_value() {
    let project = project("explain");
    let run = project.run(&["explain", "template.yaml", "OrdersRole.ManagedPolicyArns.0", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let answer = json(&run.out);
    assert_eq!((&answer["by"], &answer["rule"]), (&"AWS::Serverless-2016-10-31".into(), &"transformed".into()));
    assert_eq!(answer["frames"][0]["value"], "Orders");
    let memory = project.run(&["explain", "template.yaml", "Users.MemorySize", "--format", "json"]);
    assert_eq!(json(&memory.out)["line"], 3, "the value in Globals: {}", memory.out);
    // A part of the body that does not use the variable is that of the iteration, too.
    let version = project.run(&["explain", "template.yaml", "UsersAliaslive", "--format", "json"]);
    assert_eq!(json(&version.out)["frames"][0]["value"], "Users", "{}", version.out);
}

#[test]
fn a_plan_compares_what_the_transform_makes() {
    let project = project("plan").with("memory.yaml", &TEMPLATE.replace("256", "512"));
    let project = project.with("code.yaml", &TEMPLATE.replace("./src", "s3://code/two"));
    let project = project.with("before.yaml", &TEMPLATE.replace("./src", "s3://code/one"));
    let project = project.with("alone.yaml", &TEMPLATE.replace("          AutoPublishAlias: live\n", ""));
    let plan = |old: &str, new: &str, words: &[&str]| {
        let run = project.run(&[&["plan", old, new, "--format", "json"], words].concat());
        assert!(run.status < 2, "{}", run.err);
        (run.status, json(&run.out))
    };
    let (_, same) = plan("template.yaml", "template.yaml", &[]);
    assert_eq!(same["same"], true, "{same}");
    let (_, memory) = plan("template.yaml", "memory.yaml", &[]);
    let changes = memory["changes"].as_array().expect("changes");
    let ids: Vec<&str> = changes.iter().filter_map(|change| change["id"].as_str()).collect();
    assert_eq!(ids, ["Orders", "Users"], "{memory}");
    assert!(changes.iter().all(|change| change["properties"][0]["origin"]["line"] == 3), "{memory}");
    // A version is published: no gate but `any` stops it.
    let (status, code) = plan("before.yaml", "code.yaml", &["--fail-on", "replacement,destructive,data,broadening"]);
    assert_eq!(status, 0, "{code}");
    let published = |change: &&Value| change["action_reason"] == "publishes";
    assert_eq!(code["changes"].as_array().expect("changes").iter().filter(published).count(), 2, "{code}");
    // Without the alias the version and the alias go.
    let (status, gone) = plan("template.yaml", "alone.yaml", &["--fail-on", "destructive"]);
    assert_eq!(status, 1, "{gone}");
    let actions = gone["changes"].as_array().expect("changes").iter();
    let deleted = actions.filter(|change| change["action"] == "delete").filter_map(|change| change["id"].as_str());
    assert_eq!(deleted.collect::<Vec<_>>(), ["OrdersAliaslive", "UsersAliaslive"], "{gone}");
}

#[test]
fn a_graph_has_a_frame_around_what_a_resource_becomes() {
    let project = project("graph");
    let graph = |words: &[&str]| {
        let run = project.run(&[&["graph", "template.yaml", "--format", "json"], words].concat());
        assert_eq!(run.status, 0, "{}", run.err);
        json(&run.out)
    };
    let whole = graph(&[]);
    let clusters = whole["clusters"].as_array().expect("clusters");
    let frames: Vec<&Value> = clusters.iter().filter(|cluster| cluster["kind"] == "serverless").collect();
    assert_eq!(frames.len(), 3, "{whole}");
    let folded = graph(&["--collapse", "serverless"]);
    assert_eq!(folded["nodes"].as_array().map(Vec::len), Some(3), "{folded}");
}

#[test]
fn a_finding_in_what_is_made_is_at_the_authored_value() {
    let project = Folder::new("serverless", "check").with(
        "template.yaml",
        "Transform: AWS::Serverless-2016-10-31
Resources:
  Orders:
    Type: AWS::Serverless::Function
    Properties:
      InlineCode: exports.handler = () => 1
      Handler: index.handler
      Runtime: nodejs22.x
      Policies: arn:aws:iam::aws:policy
",
    );
    let run = project.run(&["check", "template.yaml"]);
    assert!(run.out.contains("--> template.yaml:9:17"), "{}", run.out);
    assert!(run.out.contains("in OrdersRole (AWS::IAM::Role), which the serverless transform makes"), "{}", run.out);
}

#[test]
fn a_secret_is_not_written() {
    let template = "Transform: AWS::Serverless-2016-10-31
Parameters:
  Key: {Type: String, NoEcho: true}
Resources:
  Orders:
    Type: AWS::Serverless::Function
    Properties:
      InlineCode: !Sub 'key = \"${Key}\"'
      Handler: index.handler
      Runtime: python3.13
      ALIAS
";
    let values = ["--parameter-overrides", "Key=hunter2", "--serverless"];
    let kept = Folder::new("serverless", "secret").with("template.yaml", &template.replace("ALIAS", "Timeout: 3"));
    let run = kept.run(&[&["expand", "template.yaml"], &values[..]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("${Key}") && !format!("{run:?}").contains("hunter2"), "{run:?}");
    // The name of an alias is a part of a logical ID.
    let named = kept.with("template.yaml", &template.replace("ALIAS", "AutoPublishAlias: !Ref Key"));
    for command in ["expand", "resolve"] {
        let run = named.run(&[&[command, "template.yaml"], &values[..]].concat());
        assert!(!format!("{run:?}").contains("hunter2"), "{run:?}");
    }
    let run = named.run(&["check", "template.yaml", "--parameter-overrides", "Key=hunter2"]);
    assert!(run.status == 1 && !format!("{run:?}").contains("hunter2"), "{run:?}");
}

#[test]
fn behind_a_macro_the_transform_stays() {
    let template = TEMPLATE.replace("[AWS::LanguageExtensions, ", "[AWS::LanguageExtensions, Company, ");
    let project = project("macro").with("template.yaml", &template);
    let run = project.run(&["expand", "template.yaml", "--serverless"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("AWS::Serverless::Function") && run.err.contains("note[FW1403]"), "{run:?}");
}
