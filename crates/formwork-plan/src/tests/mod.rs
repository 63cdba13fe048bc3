//! Plans of small templates.

mod laws;
mod markdown;

use crate::test_facts::TestFacts;
use crate::test_values::side;
use crate::{Action, ChangeKind, Data, Gate, Settings, plan};

/// Returns `kind id action reason data` of each change.
fn planned(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (side(old), side(new));
    let found = plan(&old, &new, Settings { facts: Some(&TestFacts), ..Settings::default() });
    let line = |change: &crate::Change<'_, '_>| {
        let resource = change.resource.as_ref();
        let resource = resource.map(|it| format!(" {} {} {}", it.action.name(), it.reason, it.data.name()));
        format!("{} {}{}", change.kind.name(), change.id, resource.unwrap_or_default())
    };
    found.changes.iter().map(line).collect()
}

fn resources(resources: &str) -> String {
    format!(r#"{{"Resources": {{{resources}}}}}"#)
}

fn queue(id: &str, properties: &str) -> String {
    format!(r#""{id}": {{"Type": "AWS::SQS::Queue", "Properties": {{{properties}}}}}"#)
}

#[test]
fn a_template_and_itself_do_not_differ() {
    let template = resources(&queue("A", r#""QueueName": "a""#));
    assert!(planned(&template, &template).is_empty());
}

#[test]
fn actions_follow_from_effects() {
    let old =
        resources(&[queue("A", r#""QueueName": "a""#), queue("B", r#""DelaySeconds": 1"#), queue("C", "")].join(", "));
    let new = resources(
        &[queue("A", r#""QueueName": "b""#), queue("B", r#""DelaySeconds": 2"#), queue("D", r#""DelaySeconds": 9"#)]
            .join(", "),
    );
    assert_eq!(
        planned(&old, &new),
        [
            "changed A replace create-only lost",
            "changed B update properties none",
            "added D create added none",
            "removed C delete removed lost"
        ]
    );
}

#[test]
fn policies_decide_what_becomes_of_data() {
    let table = |policy: &str, name: &str| {
        resources(&format!(
            r#""T": {{"Type": "AWS::DynamoDB::Table", {policy} "Properties": {{"TableName": "{name}"}}}}"#
        ))
    };
    assert_eq!(planned(&table("", "a"), &table("", "b")), ["changed T replace create-only lost"]);
    let kept = r#""UpdateReplacePolicy": "Retain", "#;
    assert_eq!(planned(&table(kept, "a"), &table(kept, "b")), ["changed T replace create-only kept"]);
    let none = resources("");
    assert_eq!(planned(&table(r#""DeletionPolicy": "Retain", "#, "a"), &none), ["removed T orphan removed kept"]);
    let instance = resources(r#""I": {"Type": "AWS::RDS::DBInstance"}"#);
    assert_eq!(planned(&instance, &none), ["removed I delete removed snapshot"]);
    let bucket = resources(r#""B": {"Type": "AWS::S3::Bucket"}"#);
    assert_eq!(planned(&bucket, &none), ["removed B delete removed blocked"]);
}

#[test]
fn references_follow_a_replacement() {
    let template = |name: &str| {
        resources(&format!(
            r#""T": {{"Type": "AWS::SNS::Topic", "Properties": {{"TopicName": "{name}"}}}},
               "S": {{"Type": "AWS::SNS::Subscription", "Properties": {{"TopicArn": {{"Ref": "T"}}}}}},
               "Q": {{"Type": "AWS::SQS::Queue", "Properties": {{"Tags": [{{"Key": "t", "Value": {{"Ref": "S"}}}}]}}}},
               "N": {{"Type": "AWS::SQS::Queue", "DependsOn": "T"}}"#
        ))
    };
    assert_eq!(
        planned(&template("a"), &template("b")),
        [
            "changed T replace create-only none",
            "changed S replace reference-replaced none",
            "changed Q update reference-replaced none"
        ]
    );
}

#[test]
fn what_may_be_replaced_replaces_nothing_for_certain() {
    let template = |engine: &str| {
        resources(&format!(
            r#""D": {{"Type": "AWS::RDS::DBInstance", "Properties": {{"Engine": "{engine}"}}}},
               "S": {{"Type": "AWS::SNS::Subscription", "Properties": {{"TopicArn": {{"Ref": "D"}}}}}}"#
        ))
    };
    assert_eq!(
        planned(&template("a"), &template("b")),
        ["changed D may-replace conditional lost", "changed S may-replace reference-may-be-replaced none"]
    );
}

#[test]
fn a_renamed_resource_is_one_move() {
    let template = |id: &str, other: &str| {
        resources(&format!(
            r#""{id}": {{"Type": "AWS::SNS::Topic", "Properties": {{"DisplayName": "x"}}}},
               "{other}": {{"Type": "AWS::SQS::Queue", "DependsOn": ["{id}"], "Properties": {{"DelaySeconds": 3, "Tags": [{{"Key": "t", "Value": {{"Fn::Sub": "${{{id}.TopicName}}"}}}}]}}}}"#
        ))
    };
    assert_eq!(planned(&template("A", "Q"), &template("B", "Q")), ["moved B replace moved none"]);
    assert_eq!(
        planned(&template("A", "Q"), &template("B", "R")),
        ["moved B replace moved none", "moved R replace moved lost"]
    );
}

#[test]
fn another_type_is_refused_by_cloudformation() {
    let (old, new) = (
        side(&resources(r#""A": {"Type": "AWS::SQS::Queue"}"#)),
        side(&resources(r#""A": {"Type": "AWS::SNS::Topic"}"#)),
    );
    let found = plan(&old, &new, Settings { facts: Some(&TestFacts), ..Settings::default() });
    let (change, resource) = found.resources().next().expect("one");
    assert_eq!((change.kind, resource.action, resource.reason), (ChangeKind::Changed, Action::Replace, "type-changed"));
    let blocked = resource.blocked.as_ref().expect("blocked");
    assert!(blocked.sentence.ends_with("of the following resources: [A]"));
}

#[test]
fn a_name_that_stays_forbids_a_replacement() {
    let table = |key: &str| {
        resources(&format!(r#""B": {{"Type": "AWS::S3::Bucket", "Properties": {{"BucketName": "b", "{key}": 1}}}}"#))
    };
    let (old, new) = (side(&table("X")), side(&table("Y")));
    let found = plan(&old, &new, Settings { facts: Some(&TestFacts), ..Settings::default() });
    assert!(found.resources().all(|(_, resource)| resource.blocked.is_none()), "it is only updated");
}

#[test]
fn gates() {
    let hits = |old: &str, new: &str, facts: bool| {
        let (old, new) = (side(old), side(new));
        let known: &dyn crate::Facts = &TestFacts;
        let found = plan(&old, &new, Settings { facts: facts.then_some(known), ..Settings::default() });
        Gate::ALL.into_iter().filter(|gate| gate.is_hit(&found)).map(Gate::name).collect::<Vec<_>>().join(" ")
    };
    let (old, new) = (resources(&queue("A", r#""QueueName": "a""#)), resources(&queue("A", r#""QueueName": "b""#)));
    assert_eq!(hits(&old, &new, true), "replacement destructive data any");
    assert_eq!(hits(&old, &new, false), "any");
    assert_eq!(hits(&old, &resources(""), false), "destructive any");
    assert_eq!(hits(&old, &old, true), "");
}

#[test]
fn other_sections_are_listed_before_and_after_resources() {
    let old = r#"{"Parameters": {"A": {"Type": "String"}}, "Outputs": {"O": {"Value": 1}}}"#;
    let new = r#"{"Parameters": {"A": {"Type": "Number"}}, "Resources": {"Q": {"Type": "X"}}, "Outputs": {"O": {"Value": 2}}}"#;
    assert_eq!(planned(old, new), ["changed A", "added Q create added none", "changed O"]);
}

#[test]
fn data_of_unchanged_resources_is_none() {
    let (old, new) = (side(&resources(&queue("A", ""))), side(&resources(&queue("A", r#""DelaySeconds": 1"#))));
    let found = plan(&old, &new, Settings { facts: Some(&TestFacts), ..Settings::default() });
    assert!(found.resources().all(|(_, resource)| resource.data == Data::None));
}
