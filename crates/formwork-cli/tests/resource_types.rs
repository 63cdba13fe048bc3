//! What is known of resource types on the command line.
//!
//! Holds reference/schemas.md#own, reference/schemas.md#command, reference/schemas.md#table.

use crate::support::folder::Folder;

const WIDGET: &str = r#"{"typeName": "My::Team::Widget", "properties": {"Color": {"type": "string"}},
"additionalProperties": false, "primaryIdentifier": ["/properties/Color"]}"#;
const TEMPLATE: &str = "Resources:\n  A:\n    Type: My::Team::Widget\n    Properties:\n      Colour: red\n  B:\n    Type: AWS::SQS::Queue\n    Properties: {QueueNam: x}\n";

fn folder(name: &str) -> Folder {
    Folder::new("resource-types", name).with("template.yaml", TEMPLATE).with("types/deep/widget.json", WIDGET)
}

#[test]
fn schemas_of_a_directory_are_read_at_any_depth() {
    let run = folder("own").run(&["check", "--schemas", "types", "--message-format", "short"]);
    assert!(
        run.out.contains("template.yaml:5:7: error[FW0112]: My::Team::Widget does not have a property Colour"),
        "{}",
        run.out
    );
    assert!(run.out.contains("template.yaml:8:18: error[FW0112]: AWS::SQS::Queue"), "{}", run.out);
    assert!(!run.out.contains("FW0121"), "{}", run.out);
}

#[test]
fn without_schemas_no_property_is_judged() {
    let run = folder("none").run(&["check", "--no-schemas"]);
    assert_eq!((run.status, run.out.contains("FW01")), (0, false), "{}", run.out);
    let known = folder("unknown").run(&["check", "--message-format", "short"]);
    assert!(known.out.contains("note[FW0121]: My::Team::Widget is not a known resource type"), "{}", known.out);
}

#[test]
fn what_is_not_a_schema_is_named() {
    let folder = folder("wrong").with("bad/package.json", "{\"name\": \"x\"}").with("worse/a.json", "{");
    for (directory, why) in [("bad", "bad/package.json"), ("worse", "worse/a.json"), ("missing", "no such directory")] {
        let run = folder.run(&["check", "--schemas", directory]);
        assert_eq!(run.status, 2, "{}", run.err);
        assert!(run.err.contains(why), "{}", run.err);
    }
}

#[test]
fn formwork_toml_names_directories() {
    let folder = folder("configured").with("formwork.toml", "[check]\nschemas = [\"types\"]\n");
    let run = folder.run(&["check", "--message-format", "short"]);
    assert!(run.out.contains("My::Team::Widget does not have a property Colour"), "{}{}", run.out, run.err);
}

#[test]
fn a_type_is_printed_and_an_unknown_one_has_near_names() {
    let folder = folder("command");
    let run = folder.run(&["schemas", "AWS::SNS::TopicInlinePolicy"]);
    assert!(run.out.contains("  TopicArn  string  required  [replaces]"), "{}", run.out);
    let own = folder.run(&["schemas", "My::Team::Widget", "--schemas", "types"]);
    assert!(own.out.starts_with("My::Team::Widget\n  Color  string\n"), "{}", own.out);
    let unknown = folder.run(&["schemas", "AWS::SQS::Quue"]);
    assert_eq!(unknown.status, 1);
    assert!(unknown.err.contains("did you mean AWS::SQS::Queue?"), "{}", unknown.err);
}

#[test]
fn explain_names_kind_and_effect_of_a_property() {
    let folder = folder("explain");
    let path = "Resources.A.Properties.Colour";
    assert!(!folder.run(&["explain", "template.yaml", path]).out.contains("property of"));
    let run = folder.run(&["explain", "template.yaml", "Resources.B.Properties.QueueNam", "--schemas", "types"]);
    assert!(!run.out.contains("property of"), "{}", run.out);
    let folder = folder.with("right.yaml", "Resources: {B: {Type: AWS::SQS::Queue, Properties: {QueueName: x}}}\n");
    let run = folder.run(&["explain", "right.yaml", "Resources.B.Properties.QueueName", "--schemas", "types"]);
    assert!(
        run.out.contains("property of AWS::SQS::Queue: string; a change replaces the resource (create-only)"),
        "{}",
        run.out
    );
}

/// Advice for properties that are nearly right is code that works.
#[test]
fn advice_for_values_and_attributes_in_the_wrong_place_works() {
    let bucket = |rest: &str| {
        format!("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      BucketName: my-bucket\n{rest}")
    };
    for (name, rest, code, help, fixed) in [
        (
            "policy",
            "      DeletionPolicy: Retain\n",
            "FW0112",
            "move `DeletionPolicy` out of Properties",
            "    DeletionPolicy: Retain\n    UpdateReplacePolicy: Retain\n",
        ),
        (
            "tags",
            "      Tags: {Env: dev, Team: a}\n",
            "FW0114",
            "write a list: `[{Key: Env, Value: dev}, {Key: Team, Value: a}]`",
            "      Tags: [{Key: Env, Value: dev}, {Key: Team, Value: a}]\n",
        ),
    ] {
        let folder =
            Folder::new("resource-types", name).with("t.yaml", &bucket(rest)).with("fixed.yaml", &bucket(fixed));
        let run = folder.run(&["check", "t.yaml"]);
        assert!(run.out.contains(code) && run.out.contains(help), "{}", run.out);
        assert_eq!(run.out.matches("[FW").count(), 1, "{}", run.out);
        let run = folder.run(&["check", "fixed.yaml"]);
        assert_eq!((run.status, run.out.contains("FW")), (0, false), "{}", run.out);
    }
    let json =
        "{\"Resources\": {\"B\": {\"Type\": \"AWS::S3::Bucket\", \"Properties\": {\"Tags\": {\"Env\": \"dev\"}}}}}";
    let run = Folder::new("resource-types", "json-tags").with("t.json", json).run(&["check", "t.json"]);
    assert!(run.out.contains("write a list: `[{\"Key\": \"Env\", \"Value\": \"dev\"}]`"), "{}", run.out);
}

#[test]
fn types_without_a_schema_are_answered() {
    let folder = folder("words");
    for (name, want) in [
        ("Custom::Thing", "is a custom resource"),
        ("AWS::SQS", "did you mean one of AWS::SQS::Queue"),
        ("", "error: `` is not a known resource type"),
    ] {
        let run = folder.run(&["schemas", name]);
        assert!(run.status == 1 && run.err.contains(want), "{name}: {run:?}");
    }
}
