//! `list`: stacks, and what is in a stack.
//!
//! Holds reference/around.md#list.

use serde_json::{Value, json};

use super::answers::{fails, followed, interrupted, no_stack, resources, stack, stack_with};
use super::outputs::caller;
use super::program::{Case, Run};
use super::server::{Answer, Step};
use crate::schemas::schema::Schema;

const TOPIC: &str = "AWS::SNS::Topic";
const QUEUE: &str = "AWS::SQS::Queue";
const NESTED: &str = "AWS::CloudFormation::Stack";
const NESTED_ID: &str = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-Inner/5e6f";

fn run(name: &str, steps: Vec<Step>, words: &[&str]) -> Run {
    Case::new(name).run(steps, &[&["list"], words].concat())
}

/// Stacks: name, status, what else the service reports.
fn stacks(stacks: &[(&str, &str, &str)]) -> Step {
    let member = |(name, status, more): &(&str, &str, &str)| {
        format!(
            "<member><StackName>{name}</StackName><StackId>arn:{name}</StackId><StackStatus>{status}</StackStatus>\
             <CreationTime>2026-01-31T09:00:00.5Z</CreationTime>{more}</member>"
        )
    };
    let members: String = stacks.iter().map(member).collect();
    Step { action: "ListStacks", answer: Answer::Result(format!("<StackSummaries>{members}</StackSummaries>")) }
}

const UPDATED: &str = "<LastUpdatedTime>2026-02-01T10:00:00Z</LastUpdatedTime>";
const CHILD: &str = "<ParentId>arn:shop</ParentId><RootId>arn:shop</RootId>";

fn pages() -> Vec<Step> {
    vec![
        followed(stacks(&[("web", "CREATE_COMPLETE", ""), ("shop", "UPDATE_COMPLETE", UPDATED)]), "2"),
        stacks(&[("shop-Inner", "NEW_STATUS", CHILD), ("web", "CREATE_COMPLETE", ""), ("old", "DELETE_COMPLETE", "")]),
    ]
}

#[test]
fn stacks_of_the_account() {
    let text = run("list-stacks", pages(), &["stacks"]);
    assert_eq!((text.status, text.err.as_str()), (0, ""));
    assert_eq!(
        text.out,
        "StackName  StackStatus      LastUpdated\nshop       UPDATE_COMPLETE  2026-02-01 10:00:00+00:00\nweb        CREATE_COMPLETE  2026-01-31 09:00:00+00:00\n"
    );
    assert_eq!(text.sent("ListStacks", "StackStatusFilter.member.1"), "CREATE_IN_PROGRESS");
    assert!(!text.requests[0].iter().any(|(_, value)| value == "DELETE_COMPLETE"));
    let json = run("list-stacks-json", pages(), &["stacks", "--nested", "--output", "json"]);
    let value: Value = serde_json::from_str(&json.out).expect("JSON");
    Schema::read("list-stacks.json").hold(&value, "stacks");
    let names: Vec<&Value> = value.as_array().expect("a list").iter().map(|stack| &stack["StackName"]).collect();
    assert_eq!(names, ["shop", "shop-Inner", "web"]);
    let shop = json!({"StackName": "shop", "StackId": "arn:shop", "StackStatus": "UPDATE_COMPLETE",
        "CreationTime": "2026-01-31T09:00:00.5Z", "LastUpdatedTime": "2026-02-01T10:00:00Z"});
    assert_eq!((&value[0], &value[2]["LastUpdatedTime"]), (&shop, &Value::Null));
    let all = run("list-stacks-all", pages(), &["stacks", "--all"]);
    assert!(all.out.contains("old") && all.requests.iter().flatten().all(|(key, _)| !key.starts_with("StackStatus")));
}

#[test]
fn an_account_without_stacks() {
    let text = run("list-stacks-none", vec![stacks(&[])], &["stacks"]);
    assert_eq!((text.status, text.out.as_str(), text.err.as_str()), (0, "", "note: no stacks in eu-west-1\n\n"));
    let json = run("list-stacks-none-json", vec![stacks(&[])], &["stacks", "--format", "json"]);
    assert_eq!((json.status, json.out.as_str()), (0, "[]\n"));
}

#[test]
fn listings_that_fail() {
    let denied = fails("ListStacks", "AccessDenied", "not authorized to perform: cloudformation:ListStacks");
    let denied = run("list-stacks-denied", vec![denied], &["stacks"]);
    assert!(denied.status == 5 && denied.err.contains("cloudformation:ListStacks"), "{}", denied.err);
    // A service that repeats the token of a page would never end.
    let endless = vec![followed(stacks(&[]), "2"), followed(stacks(&[]), "2")];
    let endless = run("list-stacks-endless", endless, &["stacks"]);
    assert!(endless.status == 1 && endless.err.contains("does not end"), "{}", endless.err);
    let stopped = run("list-stacks-ctrl-c", vec![interrupted(stacks(&[]))], &["stacks"]);
    assert_eq!((stopped.status, stopped.out.as_str()), (130, ""), "{}", stopped.err);
    let absent = run("list-resources-absent", vec![no_stack(), caller()], &["resources", "shop"]);
    assert!(absent.status == 1 && absent.err.contains("`Stack with id shop does not exist`"), "{}", absent.err);
    let nameless = run("list-outputs-nameless", vec![], &["stack-outputs"]);
    assert!(nameless.status == 2 && nameless.err.contains("the stack has no name"), "{}", nameless.err);
}

fn of_shop() -> Vec<Step> {
    vec![
        stack("UPDATE_COMPLETE", &[("Stage", "prod")], &[]),
        resources(&[
            ("Topic", TOPIC, "arn:topic"),
            ("QueueOrders", QUEUE, "https://queue/\u{1b}[31m"),
            ("QueueUsers", "AWS::SQS::QueuePolicy", "other"),
            ("Inner", NESTED, NESTED_ID),
            ("Other", TOPIC, ""),
        ]),
        resources(&[("Table", "AWS::DynamoDB::Table", "inner-table")]),
    ]
}

#[test]
fn resources_of_a_stack_have_lines_of_the_template() {
    let run = run("list-resources", of_shop(), &["resources", "shop", "-t", "t.yaml"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    insta::assert_snapshot!(run.out);
}

#[test]
fn resources_of_a_stack_for_programs() {
    let words = ["resources", "shop", "-t", "t.yaml", "--format", "json"];
    let run = run("list-resources-json", of_shop(), &words);
    let value: Value = serde_json::from_str(&run.out).expect("JSON");
    Schema::read("list-resources.json").hold(&value, "resources");
    let queue = json!({"LogicalResourceId": "QueueOrders", "PhysicalResourceId": "https://queue/\u{1b}[31m",
        "ResourceType": QUEUE, "ResourceStatus": "CREATE_COMPLETE", "source": "t.yaml:11 [Name=Orders]"});
    assert_eq!(value[1], queue);
    let table = json!({"LogicalResourceId": "Inner/Table", "PhysicalResourceId": "inner-table",
        "ResourceType": "AWS::DynamoDB::Table", "ResourceStatus": "CREATE_COMPLETE", "source": null});
    assert_eq!((&value[4], &value[5]["PhysicalResourceId"]), (&table, &json!("-")));
}

#[test]
fn nested_templates_have_lines_too() {
    let root =
        "Resources:\n  Inner:\n    Type: AWS::CloudFormation::Stack\n    Properties: {TemplateURL: inner.yaml}\n";
    let inner = "Resources:\n  Table: {Type: AWS::DynamoDB::Table}\n";
    let case = Case::new("list-resources-nested").with("template.yaml", root).with("inner.yaml", inner);
    let steps = || {
        vec![
            stack("CREATE_COMPLETE", &[], &[]),
            resources(&[("Inner", NESTED, NESTED_ID)]),
            resources(&[("Table", "AWS::DynamoDB::Table", "inner-table")]),
        ]
    };
    let run = case.run(steps(), &["list", "resources", "shop"]);
    assert!(run.out.contains("CREATE_COMPLETE  template.yaml:2\n"), "{}", run.out);
    assert!(run.out.ends_with("CREATE_COMPLETE  inner.yaml:2\n"), "{}", run.out);
    // Without a stack nothing is called.
    let local = case.run(vec![], &["list", "resources"]);
    assert_eq!(local.status, 0, "{}", local.err);
    assert!(local.out.contains("Inner/Table        -"), "{}", local.out);
}

#[test]
fn a_template_that_does_not_fit_has_no_lines() {
    let broken = Case::new("list-resources-broken").with("template.yaml", "Resources: {A: {Type: !Nope x}}\n");
    let run = broken.run(of_shop(), &["list", "resources", "shop", "-v"]);
    assert!(run.status == 0 && !run.out.contains(".yaml:"), "{}", run.out);
    assert!(run.err.contains("resources have no lines: template.yaml has errors"), "{}", run.err);
    let none = Case::new("list-resources-no-template").run(of_shop(), &["list", "resources", "shop"]);
    assert_eq!((none.status, none.err.as_str()), (0, ""));
    let wrong = Case::new("list-resources-wrong").run(vec![], &["list", "resources", "shop", "-t", "x.yaml"]);
    assert!(wrong.status == 2 && wrong.err.contains("x.yaml"), "{}", wrong.err);
}

#[test]
fn resources_of_the_expanded_template_need_no_stack() {
    let text = run("list-local", vec![], &["resources", "-t", "t.yaml"]);
    assert_eq!((text.status, text.err.as_str()), (0, ""));
    insta::assert_snapshot!(text.out);
    let json = run("list-local-json", vec![], &["resources", "-t", "t.yaml", "--format", "json"]);
    let value: Value = serde_json::from_str(&json.out).expect("JSON");
    let topic = json!({"LogicalResourceId": "Topic", "PhysicalResourceId": "-", "ResourceType": TOPIC,
        "ResourceStatus": null, "source": "t.yaml:5"});
    assert_eq!(value[0], topic);
    let broken = Case::new("list-local-broken").with("template.yaml", "Resources: {A: {Type: !Nope x}}\n");
    let broken = broken.run(vec![], &["list", "resources"]);
    assert!(broken.status == 1 && broken.out.is_empty() && broken.err.contains("Nope"), "{}", broken.err);
    let none = run("list-local-none", vec![], &["resources"]);
    assert!(none.status == 2 && none.err.contains("no template is named"), "{}", none.err);
}

#[test]
fn outputs_with_their_descriptions() {
    let outputs = "<Outputs><member><OutputKey>Url</OutputKey><OutputValue>https://x</OutputValue><Description>Where it is</Description></member><member><OutputKey>Arn</OutputKey><OutputValue>a</OutputValue></member></Outputs>";
    let steps = || vec![stack_with("CREATE_COMPLETE", outputs)];
    let text = run("list-outputs", steps(), &["stack-outputs", "shop"]);
    assert_eq!(
        text.out,
        "OutputKey  OutputValue  Description\nArn        a            -\nUrl        https://x    Where it is\n"
    );
    let json = run("list-outputs-json", steps(), &["stack-outputs", "shop", "--output", "json"]);
    let value: Value = serde_json::from_str(&json.out).expect("JSON");
    Schema::read("list-stack-outputs.json").hold(&value, "outputs");
    assert_eq!(value[1], json!({"OutputKey": "Url", "OutputValue": "https://x", "Description": "Where it is"}));
    assert_eq!(value[0]["Description"], "");
    let none = run(
        "list-outputs-none",
        vec![stack("CREATE_COMPLETE", &[], &[])],
        &["stack-outputs", "shop", "--format", "json"],
    );
    assert_eq!((none.status, none.out.as_str(), none.err.as_str()), (0, "[]\n", "note: stack shop has no outputs\n\n"));
}
