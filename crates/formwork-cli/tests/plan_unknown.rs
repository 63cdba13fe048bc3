//! Plans under values that nobody passed (reference/plan.md#unknown), exports (reference/plan.md#exports) and `Globals`
//! (reference/plan.md#globals).

use serde_json::Value;

use crate::support::folder::Folder;

const GATES: [&str; 5] = ["replacement", "destructive", "data", "broadening", "any"];

/// The plan of two templates as JSON, with the gates that it hits.
fn plan(name: &str, old: &str, new: &str, words: &[&str]) -> (Value, Vec<String>) {
    let folder = Folder::new("plan-unknown", name).with("old.yaml", old).with("new.yaml", new);
    let gates = GATES.join(",");
    let all = [&["plan", "old.yaml", "new.yaml", "--format", "json", "--fail-on", &gates], words].concat();
    let run = folder.run(&all);
    let plan: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
    let failed = plan["failed"].as_array().expect("gates").iter().map(|gate| gate.as_str().unwrap_or("").to_owned());
    let failed: Vec<String> = failed.collect();
    assert_eq!(run.status, i32::from(!failed.is_empty()), "{run:?}");
    (plan, failed)
}

fn change<'p>(plan: &'p Value, section: &str, id: &str) -> &'p Value {
    let changes = plan["changes"].as_array().expect("changes");
    let is_it = |change: &&Value| change["section"] == section && change["id"] == id;
    changes.iter().find(is_it).unwrap_or_else(|| panic!("{id} is not in {plan:#}"))
}

const IMAGES: &str = "\
Mappings:
  Images:
    eu-west-1: {Id: ami-1}
    us-east-1: {Id: ami-2}
Resources:
  Host:
    Type: AWS::EC2::Instance
    Properties:
      ImageId: !FindInMap [Images, !Ref AWS::Region, Id]
";

#[test]
fn a_row_of_a_mapping_counts_where_it_can_be_reached() {
    let edited = IMAGES.replace("ami-1", "ami-9");
    let (found, gates) = plan("row", IMAGES, &edited, &[]);
    let host = change(&found, "Resources", "Host");
    assert_eq!(host["action"], "may-replace");
    assert_eq!(host["depends_on"][0]["what"], "AWS::Region is eu-west-1");
    assert_eq!(host["depends_on"][0]["origin"]["line"], 3);
    assert!(gates.contains(&"replacement".to_owned()), "{gates:?}");
    // Where the Region is passed, it decides.
    let (found, gates) = plan("row-here", IMAGES, &edited, &["--region", "eu-west-1"]);
    assert_eq!(change(&found, "Resources", "Host")["action"], "replace");
    assert!(gates.contains(&"replacement".to_owned()), "{gates:?}");
    let (_, gates) = plan("row-elsewhere", IMAGES, &edited, &["--region", "us-east-1"]);
    assert_eq!(gates, ["any"]);
}

#[test]
fn what_nothing_reads_stops_no_gate_but_any() {
    let with_spare = IMAGES.replace(
        "Resources:",
        "  Spare:\n    a: {b: c}\nConditions:\n  Unused: !Equals [!Ref AWS::Region, a]\nResources:",
    );
    let edited = with_spare.replace("b: c", "b: d").replace("AWS::Region, a]", "AWS::Region, b]");
    let (found, gates) = plan("unread", &with_spare, &edited, &[]);
    assert_eq!(gates, ["any"], "{found:#}");
    // A key that `AllowedValues` rule out is not read.
    let with_choice = |id: &str| {
        format!(
            "Parameters:\n  Stage: {{Type: String, AllowedValues: [dev, prod]}}\nMappings:\n  M:\n    dev: {{Id: a}}\n    prod: {{Id: b}}\n    other: {{Id: {id}}}\nResources:\n  Q:\n    Type: AWS::SQS::Queue\n    Properties: {{QueueName: !FindInMap [M, !Ref Stage, Id]}}\n"
        )
    };
    let (found, gates) = plan("ruled-out", &with_choice("c"), &with_choice("d"), &[]);
    assert_eq!(gates, ["any"], "{found:#}");
}

#[test]
fn a_condition_that_differs_may_delete() {
    let template = |word: &str| {
        format!(
            "Parameters:\n  Env: {{Type: String}}\nConditions:\n  IsProd: !Equals [!Ref Env, {word}]\nResources:\n  Always: {{Type: AWS::SNS::Topic}}\n  Orders:\n    Type: AWS::DynamoDB::Table\n    Condition: IsProd\n    Properties:\n      BillingMode: PAY_PER_REQUEST\n      AttributeDefinitions: [{{AttributeName: id, AttributeType: S}}]\n      KeySchema: [{{AttributeName: id, KeyType: HASH}}]\n"
        )
    };
    let (found, gates) = plan("condition", &template("prod"), &template("production"), &[]);
    let orders = change(&found, "Resources", "Orders");
    assert_eq!((&orders["action"], &orders["data"]), (&"may-delete".into(), &"lost".into()));
    assert_eq!(orders["depends_on"][0]["what"], "Env is prod");
    assert_eq!(orders["others"][0]["action"], "may-create");
    assert!(gates.contains(&"data".to_owned()) && gates.contains(&"destructive".to_owned()), "{gates:?}");
    assert_eq!(found["summary"]["may-delete"], 1);
}

#[test]
fn the_name_of_an_ssm_parameter_is_what_is_read() {
    let template = |name: &str| {
        format!(
            "Parameters:\n  Image: {{Type: 'AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>', Default: {name}}}\nResources:\n  Host:\n    Type: AWS::EC2::Instance\n    Properties: {{ImageId: !Ref Image}}\n"
        )
    };
    let (found, gates) = plan("ssm", &template("/a"), &template("/b"), &[]);
    assert_eq!(change(&found, "Resources", "Host")["action"], "may-replace");
    assert!(gates.contains(&"replacement".to_owned()), "{gates:?}");
}

#[test]
fn a_replaced_database_is_lost_without_a_policy() {
    let template = |subnets: &str| {
        format!(
            "Resources:\n  Db:\n    Type: AWS::RDS::DBInstance\n    Properties: {{DBInstanceClass: db.t3.micro, Engine: mysql, DBSubnetGroupName: {subnets}}}\n"
        )
    };
    let (found, gates) = plan("database", &template("a"), &template("b"), &[]);
    let database = change(&found, "Resources", "Db");
    assert_eq!((&database["policy"], &database["data"]), (&"Delete".into(), &"lost".into()));
    assert!(gates.contains(&"data".to_owned()), "{gates:?}");
}

#[test]
fn exports_may_be_in_use() {
    let template = |outputs: &str| format!("Resources:\n  T: {{Type: AWS::SNS::Topic}}\nOutputs:\n{outputs}");
    let old = template("  Arn: {Value: !Ref T, Export: {Name: shop-topic}}\n  Name: {Value: !GetAtt T.TopicName}\n");
    for (name, outputs, what) in [
        ("gone", "  Name: {Value: !GetAtt T.TopicName}\n", "removed"),
        ("renamed", "  Arn: {Value: !Ref T, Export: {Name: other}}\n", "renamed"),
        ("changed", "  Arn: {Value: x, Export: {Name: shop-topic}}\n", "changed"),
    ] {
        let (found, gates) = plan(name, &old, &template(outputs), &[]);
        let export = &change(&found, "Outputs", "Arn")["export"];
        assert_eq!((&export["name"], &export["change"]), (&"shop-topic".into(), &what.into()), "{name}");
        assert!(gates.contains(&"destructive".to_owned()), "{name}: {gates:?}");
    }
    let (_, gates) = plan("plain", &old, &old.replace("T.TopicName", "T.TopicArn"), &[]);
    assert_eq!(gates, ["any"]);
}

#[test]
fn globals_are_a_change_of_what_they_reach() {
    let template = |memory: u32| {
        format!(
            "Transform: AWS::Serverless-2016-10-31\nGlobals:\n  Function: {{MemorySize: {memory}}}\nResources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties: {{Handler: a.b, Runtime: python3.13, InlineCode: x}}\n  Own:\n    Type: AWS::Serverless::Function\n    Properties: {{Handler: a.b, Runtime: python3.13, InlineCode: x, MemorySize: 64}}\n"
        )
    };
    let (found, gates) = plan("globals", &template(128), &template(256), &[]);
    let function = change(&found, "Resources", "F");
    assert_eq!(function["properties"][0]["path"], "Properties.MemorySize");
    assert_eq!(function["properties"][0]["origin"]["line"], 3);
    assert!(!found["changes"].as_array().expect("changes").iter().any(|change| change["id"] == "Own"), "{found:#}");
    assert_eq!((&found["same"], gates), (&false.into(), vec!["any".to_owned()]));
}

#[test]
fn rules_that_refuse_defaults_nobody_passed_are_notes() {
    let template = "Parameters:\n  Env: {Type: String, Default: none}\nRules:\n  Named:\n    Assertions: [{Assert: !Equals [!Ref Env, prod]}]\nResources:\n  T: {Type: AWS::SNS::Topic}\n";
    let (_, gates) = plan("rules", template, &template.replace("  T:", "  U:"), &[]);
    assert!(gates.contains(&"any".to_owned()), "{gates:?}");
    let folder = Folder::new("plan-unknown", "rules-passed").with("t.yaml", template);
    let run = folder.run(&["resolve", "t.yaml"]);
    assert!(run.status == 0 && run.err.contains("note[FW0611]"), "{run:?}");
    assert_eq!(folder.run(&["resolve", "t.yaml", "--parameter-overrides", "Env=dev"]).status, 1);
}
