//! Commands with `--live`.
//!
//! Holds reference/account-data.md#live, reference/account-data.md#queries.

use super::moto::Moto;
use super::program::Folder;

const TEMPLATE: &str = "Parameters:
  Name: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /app/name}
  First: {Type: 'AWS::SSM::Parameter::Value<String>', Default: '/app/name:1'}
  Zones: {Type: 'AWS::SSM::Parameter::Value<List<String>>', Default: /app/zones}
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      DisplayName: !Sub '${Name} ${First} ${AWS::AccountId} ${AWS::Region}'
      TopicName: !ImportValue shared-name
      FifoTopic: !Select [1, !Ref Zones]
";

pub(crate) fn what_was_asked_is_recorded_and_repeats_offline(moto: &Moto) {
    let folder = Folder::new("record").with("t.yaml", TEMPLATE);
    let live = moto.run(&folder, &["resolve", "t.yaml", "--live", "--record-account", "account.json"]);
    assert_eq!((live.status, live.err.as_str()), (0, ""));
    for line in ["DisplayName: second first 123456789012 us-east-1", "TopicName: shared-value", "FifoTopic: us-east-1b"]
    {
        assert!(live.out.contains(line), "{}", live.out);
    }
    let snapshot = folder.read("account.json");
    let offline = folder.run(&["resolve", "t.yaml", "--offline", "--account", "account.json"], &[]);
    assert_eq!((offline.status, offline.err.as_str()), (0, ""));
    assert_eq!(offline.out, live.out);
    assert!(!snapshot.contains("/many/"), "only what the run needed is recorded: {snapshot}");
}

pub(crate) fn rules_and_values_that_exist(moto: &Moto) {
    let subnets = moto.seeded["subnets"].as_array().expect("subnets");
    let subnets: Vec<&str> = subnets.iter().filter_map(|id| id.as_str()).collect();
    let template = "Parameters:
  Vpc: {Type: 'AWS::EC2::VPC::Id'}
  Subnets: {Type: 'List<AWS::EC2::Subnet::Id>'}
  Image: {Type: 'AWS::EC2::Image::Id'}
Rules:
  InVpc:
    Assertions:
      - Assert: !EachMemberEquals [!ValueOf [Subnets, VpcId], !Ref Vpc]
        AssertDescription: subnets lie in the VPC
  Tagged:
    Assertions:
      - Assert: !Equals [!ValueOf [Vpc, Tags.Team], 'R&D <1>']
Resources:
  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Sub '${Vpc} ${Image}', TopicName: !Select [0, !Ref Subnets]}}
";
    let folder = Folder::new("rules").with("t.yaml", template);
    let list = format!("Subnets={}", subnets.join(","));
    let vpc = format!("Vpc={}", moto.text("vpc"));
    let image = format!("Image={}", moto.text("image"));
    let check = |vpc: &str, image: &str| {
        moto.run(&folder, &["rules", "check", "t.yaml", "--live", "--parameter-overrides", vpc, &list, image])
    };
    let run = check(&vpc, &image);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{}", run.out);
    let mut vpcs = moto.seeded["Types"]["AWS::EC2::VPC::Id"].as_object().expect("VPCs").keys();
    let other = format!("Vpc={}", vpcs.find(|id| *id != moto.text("vpc")).expect("another VPC"));
    let run = check(&other, &image);
    assert!(run.status == 1 && run.err.contains("Rule InVpc failed: subnets lie in the VPC"), "{}", run.err);
    let run = check("Vpc=vpc-none", &image);
    assert!(run.status == 1 && run.err.contains("error[FW0606]") && run.err.contains("vpc-none"), "{}", run.err);
    let run = check(&vpc, "Image=ami-0123456789abcdef0");
    assert!(
        run.status == 1 && run.err.contains("error[FW0606]") && run.err.contains("ami-0123456789abcdef0"),
        "{}",
        run.err
    );
}

pub(crate) fn secrets_stay_where_they_are(moto: &Moto) {
    let template = "Parameters:
  Secret: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /app/secret}
Resources:
  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref Secret}}
";
    let folder = Folder::new("secret").with("t.yaml", template);
    let run = moto.run(&folder, &["resolve", "t.yaml", "--live", "--record-account", "account.json"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("DisplayName: !Ref Secret"), "{}", run.out);
    assert!(run.err.contains("the SSM parameter /app/secret is a SecureString"), "{}", run.err);
    let recorded = folder.read("account.json");
    assert!(!recorded.contains("never-to-be-seen") && !recorded.contains("SecureString"), "{recorded}");
}

pub(crate) fn secret_values_are_not_asked_about(moto: &Moto) {
    let template = "Parameters:
  Stored: {Type: 'AWS::SSM::Parameter::Value<String>', NoEcho: true}
  Image: {Type: 'AWS::EC2::Image::Id', NoEcho: true}
  Key: {Type: 'AWS::EC2::KeyPair::KeyName', NoEcho: true}
Resources:
  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Sub '${Stored} ${Image} ${Key}'}}
";
    let folder = Folder::new("no-echo").with("t.yaml", template);
    let words = ["resolve", "t.yaml", "--live", "--record-account", "account.json", "--parameter-overrides"];
    let image = format!("Image={}", moto.text("image"));
    let run = moto.run(&folder, &[&words[..], &["Stored=/app/secret", &image, "Key=hidden-key"]].concat());
    // That the key is not in the account is known without asking about it.
    assert!(run.status == 1 && run.err.contains("error[FW0606]"), "{run:?}");
    let run_again = moto.run(&folder, &[&words[..], &["Stored=/app/secret", &image, "Key=ops"]].concat());
    assert_eq!(run_again.status, 0, "{}", run_again.err);
    let recorded = folder.read("account.json");
    for secret in ["/app/secret", moto.text("image"), "hidden-key"] {
        assert!(!recorded.contains(secret), "{recorded}");
        assert!(
            [&run.out, &run.err, &run_again.out, &run_again.err].iter().all(|text| !text.contains(secret)),
            "{run:?}"
        );
    }
}

pub(crate) fn several_templates(moto: &Moto) {
    let folder = Folder::new("several").with("a.yaml", TEMPLATE).with("b.yaml", TEMPLATE);
    let run = moto.run(&folder, &["check", "a.yaml", "b.yaml", "--live"]);
    assert_eq!((run.status, run.out.as_str()), (0, ""), "{}", run.err);
}

pub(crate) fn without_live_nothing_is_asked(moto: &Moto) {
    let folder = Folder::new("pure").with("t.yaml", TEMPLATE);
    let run = moto.run(&folder, &["resolve", "t.yaml"]);
    assert!(run.status == 0 && run.out.contains("${AWS::Region}") && run.out.contains("!ImportValue"), "{run:?}");
}
