//! `formwork account snapshot`.
//!
//! Holds reference/account-data.md#live.

use serde_json::{Value, json};

use super::moto::Moto;
use super::program::Folder;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

pub(crate) fn the_whole_account_as_boto3_tells_it(moto: &Moto) {
    let folder = Folder::new("account");
    let run = moto.run(&folder, &["account", "snapshot", "--region", "us-east-1", "-o", "snapshot.json"]);
    assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "", ""));
    let snapshot = parsed(&folder.read("snapshot.json"));
    let named = ["FormworkAccountSnapshot", "Account", "Region", "Partition"].map(|name| &snapshot[name]);
    assert_eq!(named, [&json!("1"), &json!("123456789012"), &json!("us-east-1"), &json!("aws")]);
    let (found, expected) = (snapshot["Types"].as_object(), moto.seeded["Types"].as_object());
    let (found, expected) = (found.expect("types"), expected.expect("types"));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (kind, values) in expected {
        assert_eq!(&found[kind], values, "{kind}");
        assert_eq!(
            found[kind].as_object().map(|values| values.keys().collect::<Vec<_>>()),
            values.as_object().map(|values| values.keys().collect()),
            "the order of {kind}"
        );
    }
    assert!(snapshot.get("Incomplete").is_none() && snapshot.get("SsmParameters").is_none());

    // As YAML it holds the same, and is read by every command.
    let run = moto.run(&folder, &["account", "snapshot", "--format", "yaml", "-o", "snapshot.yaml"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let folder = folder.with("t.yaml", "Parameters: {Key: {Type: 'AWS::EC2::KeyPair::KeyName', Default: ops}}\nResources: {T: {Type: 'AWS::SNS::Topic', Properties: {DisplayName: !Ref Key}}}\n");
    for file in ["snapshot.yaml", "snapshot.json"] {
        let run = folder.run(&["check", "t.yaml", "--offline", "--account", file], &[]);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{file}");
        let run = folder.run(&["check", "t.yaml", "--account", file, "--parameter-overrides", "Key=other"], &[]);
        assert!(run.status == 1 && run.out.contains("error[FW0606]"), "{run:?}");
    }
}

pub(crate) fn what_is_named(moto: &Moto) {
    let folder = Folder::new("named");
    let words = ["account", "snapshot", "--types", "AWS::SSM::Parameter::Name,AWS::EC2::Image::Id", "--exports"];
    let stored = ["--ssm", "/app/name", "/app/name:1", "/app/zones", "/app/secret", "/app/none"];
    let run = moto.run(&folder, &[&words[..], &stored].concat());
    assert_eq!(run.status, 0);
    assert!(run.err.contains("warning[FW0607]: the SSM parameter /app/secret is a SecureString"), "{}", run.err);
    let snapshot = parsed(&run.out);
    assert_eq!(
        snapshot["SsmParameters"],
        json!({
            "/app/name": {"Type": "String", "Value": "second", "Version": 2},
            "/app/name:1": {"Type": "String", "Value": "first", "Version": 1},
            "/app/zones": {"Type": "StringList", "Value": "us-east-1a,us-east-1b", "Version": 1},
        })
    );
    assert_eq!(snapshot["Exports"], json!({"shared-name": "shared-value"}));
    assert_eq!(snapshot["Incomplete"], json!(["AWS::EC2::Image::Id", "SsmParameters"]));
    let name = "AWS::SSM::Parameter::Name";
    assert_eq!(snapshot["Types"][name], moto.seeded["Types"][name]);

    // With --strict a warning is an error, and after an error nothing is written.
    let run = moto.run(
        &folder,
        &["account", "snapshot", "--strict", "-o", "no.json", "--types", "AWS::EC2::VPC::Id", "--ssm", "/app/secret"],
    );
    assert!(run.status == 1 && !folder.has("no.json"), "{run:?}");
}

pub(crate) fn what_a_template_needs(moto: &Moto) {
    let template = format!(
        "Parameters:
  Vpc: {{Type: 'AWS::EC2::VPC::Id', Default: {vpc}}}
  Name: {{Type: 'AWS::SSM::Parameter::Value<String>', Default: /app/name}}
  Image: {{Type: 'AWS::EC2::Image::Id', Default: {image}}}
  Stored: {{Type: 'AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>', Default: /app/image}}
Rules:
  Own:
    Assertions:
      - Assert: !Contains [!RefAll 'AWS::EC2::VPC::Id', !Ref Vpc]
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties: {{DisplayName: !Sub '${{Name}} ${{AWS::AccountId}}', TopicName: !ImportValue shared-name}}
",
        vpc = moto.text("vpc"),
        image = moto.text("image"),
    );
    let folder = Folder::new("needs").with("t.yaml", &template);
    let run = moto.run(&folder, &["account", "snapshot", "t.yaml"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let snapshot = parsed(&run.out);
    let kinds: Vec<&String> = snapshot["Types"].as_object().expect("types").keys().collect();
    assert_eq!(kinds, ["AWS::EC2::Image::Id", "AWS::EC2::VPC::Id"]);
    // The second image is known by name in the second round.
    let images = json!({moto.text("image"): {}, moto.text("other_image"): {}});
    assert_eq!(snapshot["Types"]["AWS::EC2::Image::Id"], images);
    assert_eq!(snapshot["SsmParameters"]["/app/name"]["Value"], "second");
    assert_eq!(snapshot["Exports"]["shared-name"], "shared-value");
    assert_eq!(snapshot["Account"], "123456789012");
}
