//! What is refused before anything is asked.

use super::program::Folder;

const TEMPLATE: &str = "Parameters: {Vpc: {Type: 'AWS::EC2::VPC::Id'}}\nResources: {T: {Type: 'AWS::SNS::Topic', Properties: {DisplayName: !Ref Vpc}}}\n";

const KEYS: [(&str, &str); 2] = [("AWS_ACCESS_KEY_ID", "AKID"), ("AWS_SECRET_ACCESS_KEY", "hidden")];

fn check(words: &[&str], environment: &[(&str, &str)], why: &str) {
    let folder = Folder::new(&format!("usage-{}", words.join("-").replace(['/', ':'], "")));
    let run = folder.with("t.yaml", TEMPLATE).run(words, environment);
    assert_eq!((run.status, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
    assert!(run.err.contains(why) && !run.err.contains("hidden"), "{words:?}: {}", run.err);
}

#[test]
fn options_that_contradict_each_other() {
    check(&["check", "t.yaml", "--live", "--offline"], &[], "--offline wins");
    check(&["account", "snapshot", "--offline", "--region", "eu-west-1"], &[], "--offline wins");
    check(&["check", "t.yaml", "--profile", "p"], &[], "--profile has an effect only with --live or --allow-remote");
    check(&["expand", "t.yaml", "--endpoint-url", "http://x"], &[], "--endpoint-url has an effect only");
    check(&["resolve", "t.yaml", "--record-account", "a.json"], &[], "--record-account has an effect only");
    check(&["account", "snapshot", "--types", "AWS::EC2::VPC"], &[], "AWS::EC2::VPC is not a type of account data");
}

#[test]
fn nobody_to_ask() {
    check(&["check", "t.yaml", "--live"], &KEYS, "no Region is known");
    check(&["check", "t.yaml", "--live", "--region", "eu-west-1"], &[], "no credentials for AWS were found");
    check(&["account", "snapshot", "--region", "eu-west-1"], &[], "no credentials for AWS were found");
    // A profile that is named and is not there is not replaced by other credentials.
    check(
        &["check", "t.yaml", "--live", "--region", "eu-west-1", "--profile", "none"],
        &KEYS,
        "profile `none` does not exist in the AWS configuration",
    );
}

#[test]
fn a_template_without_questions_needs_nobody() {
    let folder = Folder::new("silent").with("t.yaml", "Resources: {T: {Type: 'AWS::SNS::Topic'}}\n");
    let run = folder.run(&["check", "t.yaml", "--live"], &[]);
    assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "", ""));
}
