//! `outputs`: those of a stack, or one of them.
//!
//! Holds reference/around.md#outputs.

use super::answers::{breaks, fails, interrupted, no_stack, stack, throttled};
use super::program::{Case, Run};
use super::server::{Answer, Step};
use crate::schemas::schema::Schema;

fn outputs() -> Step {
    stack("UPDATE_COMPLETE", &[], &[("TopicName", "shop-topic"), ("Url", "https://a.example/?x=1&y=\u{1b}[31m")])
}

fn run(name: &str, steps: Vec<Step>, words: &[&str]) -> Run {
    Case::new(name).run(steps, &[&["outputs"], words].concat())
}

/// The account that the credentials belong to.
pub(crate) fn caller() -> Step {
    Step { action: "GetCallerIdentity", answer: Answer::Result("<Account>111122223333</Account>".to_owned()) }
}

#[test]
fn outputs_are_lines_or_an_object() {
    let text = run("outputs", vec![outputs()], &["shop"]);
    assert_eq!(text.out, "TopicName  shop-topic\nUrl        https://a.example/?x=1&y=\\u{1b}[31m\n");
    assert_eq!((text.status, text.err.as_str(), text.sent("DescribeStacks", "StackName")), (0, "", "shop"));
    let json = run("outputs-json", vec![outputs()], &["--stack-name", "shop", "--output", "json"]);
    let value: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    Schema::read("outputs.json").hold(&value, "outputs");
    assert_eq!(value, serde_json::json!({"TopicName": "shop-topic", "Url": "https://a.example/?x=1&y=\u{1b}[31m"}));
    assert!(!json.out.contains('\u{1b}'), "{}", json.out);
}

#[test]
fn one_output_is_its_value_alone() {
    for words in [["shop", "TopicName"].as_slice(), &["--stack-name", "shop", "TopicName"]] {
        let run = run("outputs-one", vec![outputs()], words);
        assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "shop-topic\n", ""));
    }
    let json = run("outputs-one-json", vec![outputs()], &["shop", "TopicName", "--format", "json"]);
    assert_eq!((json.status, json.out.as_str()), (0, "\"shop-topic\"\n"));
    let unknown = run("outputs-unknown", vec![outputs()], &["shop", "Topic"]);
    assert_eq!((unknown.status, unknown.out.as_str()), (1, ""));
    assert_eq!(unknown.err, "error: stack shop has no output Topic\n |\n = help: use TopicName, Url\n\n");
}

#[test]
fn a_stack_without_outputs_prints_nothing() {
    let steps = || vec![stack("CREATE_COMPLETE", &[], &[])];
    let text = run("outputs-none", steps(), &["shop"]);
    assert_eq!((text.status, text.out.as_str(), text.err.as_str()), (0, "", "note: stack shop has no outputs\n\n"));
    let json = run("outputs-none-json", steps(), &["shop", "--format", "json"]);
    assert_eq!((json.status, json.out.as_str()), (0, "{}\n"));
    let one = run("outputs-none-one", steps(), &["shop", "Url"]);
    assert!(one.status == 1 && one.err.contains("note: it has none"), "{}", one.err);
}

#[test]
fn an_absent_stack_is_named_with_its_account() {
    let run = run("outputs-absent", vec![no_stack(), caller()], &["shop"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    insta::assert_snapshot!(run.err);
}

#[test]
fn the_account_is_left_out_when_it_cannot_be_asked() {
    let run =
        run("outputs-absent-denied", vec![no_stack(), fails("GetCallerIdentity", "AccessDenied", "no")], &["shop"]);
    assert!(run.status == 1 && run.err.contains("`Stack with id shop does not exist` in eu-west-1\n"), "{}", run.err);
}

#[test]
fn an_arn_names_the_region_too() {
    let arn = "arn:aws:cloudformation:eu-central-1:111122223333:stack/shop/9z";
    let gone = fails("DescribeStacks", "ValidationError", &format!("Stack with id {arn} does not exist"));
    let run = run("outputs-arn", vec![gone, caller()], &[arn]);
    assert!(run.status == 1 && run.err.contains("does not exist` in eu-central-1, account"), "{}", run.err);
}

#[test]
fn a_stack_has_to_be_named() {
    let nameless = run("outputs-nameless", vec![], &[]);
    assert!(nameless.status == 2 && nameless.err.contains("the stack has no name"), "{}", nameless.err);
    let wrong = run("outputs-wrong", vec![], &["my_shop"]);
    assert!(wrong.status == 2 && wrong.err.contains("it contains `_`"), "{}", wrong.err);
    let three = run("outputs-three", vec![], &["shop", "Url", "--stack-name", "shop"]);
    assert_eq!(three.status, 2, "{}", three.err);
}

#[test]
fn samconfig_names_the_stack() {
    for section in ["outputs", "deploy", "global"] {
        let config = format!("[default.{section}.parameters]\nstack_name = \"shop\"\nregion = \"eu-central-1\"\n");
        let case = Case::new("outputs-samconfig").with("samconfig.toml", &config);
        let run = case.run(vec![outputs()], &["outputs"]);
        assert_eq!((run.status, run.err.as_str()), (0, "note: samconfig.toml sets region, stack_name\n"), "{section}");
        let run = case.run(vec![], &["outputs", "--no-config"]);
        assert_eq!(run.status, 2, "{}", run.err);
    }
}

#[test]
fn calls_that_fail() {
    let denied = fails("DescribeStacks", "AccessDenied", "not authorized to perform: cloudformation:DescribeStacks");
    let denied = run("outputs-denied", vec![denied], &["shop"]);
    assert!(denied.status == 5 && denied.err.contains("cloudformation:DescribeStacks"), "{}", denied.err);
    let broken = run("outputs-broken", vec![breaks("DescribeStacks")], &["shop"]);
    assert!(broken.status == 1 && broken.err.contains("DescribeStacks is not answered"), "{}", broken.err);
    let stopped = run("outputs-ctrl-c", vec![interrupted(outputs())], &["shop"]);
    assert_eq!((stopped.status, stopped.out.as_str()), (130, ""), "{}", stopped.err);
    let throttled = run("outputs-throttled", vec![throttled("DescribeStacks"), outputs()], &["shop"]);
    assert!(throttled.status == 0 && throttled.err.contains("is throttled"), "{}", throttled.err);
}
