//! Values that CloudFormation would reject: all of them together, before anything is sent.
//!
//! Holds reference/deploy.md#before-the-network.

use super::answers::{Change, created, fails, no_stack, ready, stack};
use super::program::Case;
use super::server::{Answer, Step};

const WRONG: [&str; 20] = [
    "--stack-name",
    "x_y",
    "--capabilities",
    "IAM,capability_iam",
    "--change-set-name",
    "1st",
    "--description",
    "",
    "--s3-bucket",
    "s3://artifacts/p",
    "--tags",
    "Team=a",
    "aws:x=y",
    "Team=b",
    "--role-arn",
    "deployer",
    "--region",
    "Ireland",
    "--poll-delay",
    "0",
];

#[test]
fn all_values_are_checked_at_once() {
    // Nothing is asked, and no credentials are needed.
    let case = Case::new("values").env("AWS_ACCESS_KEY_ID", "").env("AWS_SECRET_ACCESS_KEY", "");
    let run = case.run(vec![], &[&["deploy", "t.yaml"], &WRONG[..]].concat());
    insta::assert_snapshot!(run.told());
}

#[test]
fn values_of_samconfig_are_named_with_their_line() {
    let config = "[default.deploy.parameters]
stack_name = \"x_y\"
role_arn = \"deployer\"
tags = [\"Team=a\", \"Cost\"]
s3_bucket = \"s3://artifacts\"
notification_arns = \"arn:aws:sns:eu-west-1:1:news\"
";
    let run = Case::new("values-config").with("samconfig.toml", config).run(vec![], &["deploy", "t.yaml"]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn a_profile_that_does_not_exist_is_named() {
    let config = "[profile work]\nregion = eu-west-1\n";
    let case = || Case::new("values-profile").with(".aws/config", config);
    let words = ["deploy", "t.yaml", "--stack-name", "shop"];
    let run = case().run(vec![], &[&words[..], &["--profile", "nope"]].concat());
    assert!(run.status == 2 && run.err.contains("profile `nope` does not exist"), "{}", run.err);
    assert!(run.err.contains("`work`"), "{}", run.err);
    let run = case().env("AWS_PROFILE", "nope").run(vec![], &words);
    assert!(run.status == 2 && run.err.contains("profile `nope` does not exist"), "{}", run.err);
}

#[test]
fn habits_of_other_tools_are_accepted() {
    for word in ["--no-rollback", "-R"] {
        let steps = vec![no_stack(), created(), ready(&[Change::new("Add", "Topic", "AWS::SNS::Topic")])];
        let run = Case::new("values-habits").deploy(steps, &[word, "--no-execute-changeset", "--express"]);
        assert_eq!(run.status, 0, "{}", run.err);
        assert_eq!(run.sent("CreateChangeSet", "DeploymentConfig.DisableRollback"), "true");
    }
    let steps = vec![no_stack(), created(), ready(&[Change::new("Add", "Topic", "AWS::SNS::Topic")])];
    let config = "[default.deploy.parameters]\ndisable_rollback = true\n";
    let case = Case::new("values-rollback").with("samconfig.toml", config);
    let run = case.deploy(steps, &["--rollback", "--no-execute", "--express"]);
    assert_eq!(run.sent("CreateChangeSet", "DeploymentConfig.DisableRollback"), "false", "{}", run.err);
}

#[test]
fn a_url_that_nobody_answers_at_is_named_with_its_origin() {
    let words = ["deploy", "t.yaml", "--stack-name", "shop", "--poll-delay", "0.02"];
    let url = "http://127.0.0.1:1";
    let case = || Case::new("values-refused");
    let run = case().env("AWS_ENDPOINT_URL", url).run(vec![], &words);
    assert!(
        run.status == 1 && run.err.contains(&format!("cannot connect to {url} (DescribeStacks): connection refused")),
        "{}",
        run.err
    );
    assert!(run.err.contains("the URL comes from AWS_ENDPOINT_URL\n"), "{}", run.err);
    let run = case().env("AWS_ENDPOINT_URL_CLOUDFORMATION", url).run(vec![], &words);
    assert!(run.status == 1 && run.err.contains("the URL comes from AWS_ENDPOINT_URL_CLOUDFORMATION\n"), "{}", run.err);
    let run = case().run(vec![], &[&words[..], &["--endpoint-url", url]].concat());
    assert!(run.status == 1 && run.err.contains("the URL comes from `--endpoint-url`"), "{}", run.err);
}

#[test]
fn code_is_not_deployed_unsigned_where_the_configuration_signs_it() {
    let config = "version = 0.1\n[default.deploy.parameters]\nstack_name = 'shop'\nsigning_profiles = 'F=p'\n";
    let run = Case::new("values-signing").with("samconfig.toml", config).run(vec![], &["deploy", "t.yaml"]);
    assert_eq!(run.status, 2, "{}", run.err);
    assert!(run.err.contains("samconfig.toml:4"), "{}", run.err);
    assert!(
        run.err.contains("Formwork does not sign code") && run.err.contains("sign it in the pipeline"),
        "{}",
        run.err
    );
}

#[test]
fn a_missing_template_is_reported_with_the_values() {
    let run = Case::new("values-missing").run(vec![], &["deploy", "u.yaml", "--stack-name", "x_y"]);
    assert!(run.status == 2 && run.err.contains("u.yaml: no such file"), "{}", run.err);
    assert!(run.err.contains("`x_y` cannot be the name of a stack"), "{}", run.err);
}

/// A profile whose role needs a code, and one behind it.
const WITH_MFA: &str = "[profile base]
aws_access_key_id = AKIABASE
aws_secret_access_key = never-to-be-seen
[profile ops]
region = eu-west-1
role_arn = arn:aws:iam::111122223333:role/ops
source_profile = base
mfa_serial = arn:aws:iam::111122223333:mfa/ann
";

#[test]
fn the_code_of_an_mfa_device_is_asked_for_on_a_terminal() {
    let words = ["outputs", "shop", "--profile", "ops"];
    let run = Case::new("mfa").with(".aws/config", WITH_MFA).run(vec![], &words);
    let want = "error: the profile ops needs the code of the MFA device arn:aws:iam::111122223333:mfa/ann";
    assert!(run.status == 5 && run.err.starts_with(want) && run.err.contains("on a terminal"), "{}", run.err);
    let session = "<Credentials><AccessKeyId>ASIAOPS</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>";
    let assumed = Step { action: "AssumeRole", answer: Answer::Result(session.to_owned()) };
    let steps = vec![assumed, stack("UPDATE_COMPLETE", &[], &[("Url", "https://example.com")])];
    let case = Case::new("mfa-asked").with(".aws/config", WITH_MFA);
    let run = case.run_and_answer(steps, "123456\\n", &words);
    assert!(run.status == 0 && run.out.contains("https://example.com"), "{}", run.out);
    assert_eq!(run.sent("AssumeRole", "TokenCode"), "123456");
    assert_eq!(run.sent("AssumeRole", "SerialNumber"), "arn:aws:iam::111122223333:mfa/ann");
    let refused = vec![fails(
        "AssumeRole",
        "AccessDenied",
        "MultiFactorAuthentication failed with invalid MFA one time pass code.",
    )];
    let run = case.run_and_answer(refused, "000000\\n", &words);
    assert!(run.status == 5 && run.out.contains("MultiFactorAuthentication failed"), "{}", run.out);
}
