//! Change sets: made, shown, executed or not.
//!
//! Holds reference/deploy.md#change-set, reference/deploy.md#data-loss,
//! reference/deploy.md#capabilities.

use std::fmt::Write as _;

use super::answers::{Change, Event, change_set, created, done, events, fails, no_stack, ready, stack, summary};
use super::program::Case;
use super::server::Step;

const TOPIC: &str = "AWS::SNS::Topic";
const QUEUE: &str = "AWS::SQS::Queue";

const ROLE: &str = "arn:aws:iam::111122223333:role/given";

const NO_CHANGES: &str = "Waiting for the change set of stack shop in eu-west-1 to be created
No changes to deploy. Stack shop is up to date
";

/// A create that goes well.
fn create() -> Vec<Step> {
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let first = [before.clone(), Event::stack(1, "CREATE_IN_PROGRESS").because("User Initiated")];
    let second = [
        first.to_vec(),
        vec![
            Event::of(2, "QueueOrders", QUEUE, "CREATE_IN_PROGRESS"),
            Event::of(3, "Topic", TOPIC, "CREATE_IN_PROGRESS"),
        ],
    ]
    .concat();
    let third = [
        second.clone(),
        vec![
            Event::of(4, "QueueOrders", QUEUE, "CREATE_COMPLETE"),
            Event::of(5, "Topic", TOPIC, "CREATE_COMPLETE"),
            Event::stack(6, "CREATE_COMPLETE"),
        ],
    ]
    .concat();
    vec![
        no_stack(),
        created(),
        change_set("CREATE_PENDING", "", &[]),
        change_set("CREATE_IN_PROGRESS", "", &[]),
        ready(&[
            Change::new("Add", "QueueOrders", QUEUE),
            Change::new("Add", "QueueUsers", QUEUE),
            Change::new("Add", "Topic", TOPIC),
        ]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&first),
        events(&second),
        events(&second),
        events(&third),
        stack("CREATE_COMPLETE", &[], &[("TopicName", "shop-topic")]),
    ]
}

/// An update up to the question whether it is executed.
fn update(changes: &[Change]) -> Vec<Step> {
    vec![stack("UPDATE_COMPLETE", &[("Stage", "prod")], &[]), summary(&["Stage"]), created(), ready(changes)]
}

/// What follows when it is executed, and goes well.
fn executed() -> Vec<Step> {
    let before = Event::stack(7, "UPDATE_COMPLETE");
    vec![
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[before, Event::stack(8, "UPDATE_IN_PROGRESS"), Event::stack(9, "UPDATE_COMPLETE")]),
        stack("UPDATE_COMPLETE", &[], &[]),
    ]
}

#[test]
fn a_stack_is_created() {
    let run = Case::new("create").deploy(create(), &[]);
    insta::assert_snapshot!(run.all());
}

#[test]
fn for_programs() {
    let run = Case::new("json").deploy(create(), &["--message-format", "json", "--format", "json"]);
    insta::assert_snapshot!(run.told());
    for line in run.err.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("an object a line");
    }
}

#[test]
fn quietly() {
    let run = Case::new("quiet").deploy(create(), &["--quiet"]);
    assert_eq!(
        (run.status, run.out.as_str(), run.err.as_str()),
        (0, "TopicName  shop-topic\nSuccessfully created/updated stack - shop\n", "")
    );
}

#[test]
fn in_colours() {
    let run = Case::new("colours").deploy(create(), &["--color", "always"]);
    assert!(run.err.contains("\u{1b}[32m"), "{}", run.err);
    let run = Case::new("no-colours").deploy(create(), &["--color", "auto"]);
    assert!(!run.err.contains('\u{1b}'), "{}", run.err);
}

#[test]
fn everything_that_a_stack_is_given() {
    let words = [
        "--capabilities",
        "CAPABILITY_IAM",
        "CAPABILITY_AUTO_EXPAND",
        "--tags",
        "Team=shop",
        "Note=a=b c",
        "--role-arn",
        "arn:aws:iam::111122223333:role/deploy",
        "--notification-arns",
        "arn:aws:sns:eu-west-1:111122223333:news",
        "--change-set-name",
        "release-7",
        "--description",
        "the seventh",
        "--no-execute",
    ];
    let steps = vec![no_stack(), created(), ready(&[Change::new("Add", "Topic", TOPIC)])];
    insta::assert_snapshot!(Case::new("given").deploy(steps, &words).all());
}

#[test]
fn samconfig_says_what_the_arguments_do_not() {
    let config = "[default.deploy.parameters]
stack_name = \"shop\"
capabilities = \"CAPABILITY_IAM CAPABILITY_NAMED_IAM\"
tags = \"Team=\\\"the shop\\\"\"
role_arn = \"arn:aws:iam::111122223333:role/config\"
region = \"eu-central-1\"
fail_on_empty_changeset = true
disable_rollback = true
";
    let reason = "No updates are to be performed.";
    let steps = || {
        vec![
            stack("UPDATE_COMPLETE", &[], &[]),
            summary(&[]),
            created(),
            change_set("FAILED", reason, &[]),
            done("DeleteChangeSet"),
            stack("UPDATE_COMPLETE", &[], &[]),
        ]
    };
    let case = Case::new("samconfig").with("samconfig.toml", config);
    let run = case.run(steps(), &["deploy", "t.yaml", "--poll-delay", "0.02"]);
    insta::assert_snapshot!(run.all());
    let words = ["deploy", "t.yaml", "--no-fail-on-empty-changeset", "--role-arn", ROLE, "--poll-delay", "0.02"];
    let run = case.run(steps(), &words);
    assert_eq!((run.status, run.sent("CreateChangeSet", "RoleARN")), (0, ROLE));
}

#[test]
fn nothing_to_change() {
    let wordings = [
        "The submitted information didn't contain changes. Submit different information to create a change set.",
        "No updates are to be performed.",
    ];
    for reason in wordings {
        let steps = || {
            vec![
                stack("UPDATE_COMPLETE", &[], &[]),
                summary(&[]),
                created(),
                change_set("FAILED", reason, &[]),
                done("DeleteChangeSet"),
                stack("UPDATE_COMPLETE", &[], &[("TopicName", "shop-topic")]),
            ]
        };
        let run = Case::new("nothing").deploy(steps(), &[]);
        assert_eq!((run.status, run.out.as_str()), (0, "TopicName  shop-topic\n"), "{}", run.err);
        assert_eq!(run.err, NO_CHANGES);
        let run = Case::new("nothing-fails").deploy(steps(), &["--fail-on-empty-changeset"]);
        assert_eq!(run.status, 3, "{}", run.err);
        let words = ["--fail-on-empty-changeset", "--no-fail-on-empty-changeset"];
        assert_eq!(Case::new("nothing-after-all").deploy(steps(), &words).status, 0);
    }
}

#[test]
fn nothing_to_change_without_a_change_set() {
    let refused = fails("CreateChangeSet", "ValidationError", "No updates are to be performed.");
    let steps =
        vec![stack("UPDATE_COMPLETE", &[], &[]), summary(&["Stage"]), refused, stack("UPDATE_COMPLETE", &[], &[])];
    let run = Case::new("nothing-at-all").deploy(steps, &[]);
    assert_eq!((run.status, run.err.as_str()), (0, NO_CHANGES));
}

#[test]
fn a_table_of_every_change() {
    let changes = [
        Change::new("Add", "QueueUsers", QUEUE),
        Change::new("Modify", "Topic", TOPIC).replaced("True", "TopicName"),
        Change::new("Modify", "QueueOrders", QUEUE).replaced("Conditional", "KmsMasterKeyId"),
        Change::new("Modify", "Made", QUEUE).replaced("False", "Tags"),
        Change::new("Remove", "Old", QUEUE),
        Change::new("Import", "Found", "AWS::S3::Bucket"),
        Change::new("Dynamic", "Later", QUEUE),
    ];
    let run = Case::new("table").deploy(update(&changes), &["--no-execute"]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn data_is_lost_by_a_clear_word_alone() {
    let changes = [
        Change::new("Modify", "Orders", "AWS::DynamoDB::Table").replaced("True", "KeySchema"),
        Change::new("Remove", "Logs", "AWS::S3::Bucket").with("PolicyAction", "Delete"),
        Change::new("Remove", "Kept", "AWS::S3::Bucket").with("PolicyAction", "Retain"),
    ];
    let run = Case::new("data").deploy(update(&changes), &[]);
    insta::assert_snapshot!(run.told());
    let steps = [update(&changes), executed()].concat();
    assert_eq!(Case::new("data-yes").deploy(steps, &["--yes"]).status, 0);
}

#[test]
fn nobody_is_there_to_confirm() {
    let run = Case::new("confirm").deploy(vec![], &["--confirm-changeset"]);
    insta::assert_snapshot!(run.told());
    let steps = [update(&[Change::new("Add", "Topic", TOPIC)]), executed()].concat();
    assert_eq!(Case::new("confirm-yes").deploy(steps, &["--confirm-changeset", "--yes"]).status, 0);
}

#[test]
fn somebody_is_asked() {
    let modify = Change::new("Modify", "Topic", TOPIC).replaced("False", "Tags");
    let lost = Change::new("Modify", "Orders", "AWS::DynamoDB::Table").replaced("True", "KeySchema");
    let mut told = String::new();
    for (name, answer, change, words, is_executed) in [
        ("yes", "y\\n", &modify, &["--confirm-changeset"][..], true),
        ("no", "\\n", &modify, &["--confirm-changeset"], false),
        ("Ctrl-C", "\\x03", &modify, &["--confirm-changeset"], false),
        ("data may be lost", "no\\n", &lost, &[], false),
    ] {
        let mut steps = update(std::slice::from_ref(change));
        if is_executed {
            steps.extend(executed());
        }
        let run = Case::new("asked").deploy_and_answer(steps, answer, words);
        let _ = writeln!(told, "-- {name}: status {}\n{}", run.status, run.out);
    }
    insta::assert_snapshot!(told);
}

#[test]
fn changes_inside_nested_stacks() {
    let nested = "arn:aws:cloudformation:eu-west-1:111122223333:changeSet/nested/9";
    let network = Change::new("Modify", "Network", "AWS::CloudFormation::Stack").with("ChangeSetId", nested);
    let mut steps = update(&[network, Change::new("Add", "Topic", TOPIC)]);
    steps.push(ready(&[Change::new("Add", "Subnet", "AWS::EC2::Subnet")]));
    let run = Case::new("nested-changes").deploy(steps, &["--include-nested-stacks", "--no-execute"]);
    insta::assert_snapshot!(run.told());
    assert_eq!(run.sent("CreateChangeSet", "IncludeNestedStacks"), "true");
}

#[test]
fn a_type_that_was_named() {
    let steps = vec![stack("UPDATE_COMPLETE", &[], &[]), summary(&["Stage"]), created(), ready(&[])];
    let run = Case::new("type").deploy(steps, &["--change-set-type", "CREATE", "--no-execute"]);
    assert_eq!(run.sent("CreateChangeSet", "ChangeSetType"), "CREATE");
}

#[test]
fn large_templates() {
    let mut wide = "Resources:\n".to_owned();
    for number in 0..220 {
        let blanks = " ".repeat(240);
        let _ = write!(wide, "  T{number}:\n{blanks}Type: AWS::SNS::Topic\n");
    }
    let steps = vec![no_stack(), created(), ready(&[])];
    let run = Case::new("wide").with("t.yaml", &wide).deploy(steps, &["--no-execute"]);
    insta::assert_snapshot!(run.told());
    let body = run.sent("CreateChangeSet", "TemplateBody");
    assert!(body.len() < 51_200 && body.starts_with("{\"Resources\":{\"T0\":"), "{}", body.len());

    let mut long = "Resources:\n".to_owned();
    for number in 0..220 {
        let _ = writeln!(long, "  T{number}: {{Type: 'AWS::SNS::Topic', Metadata: {{Filler: {}}}}}", "x".repeat(300));
    }
    let run = Case::new("long").with("t.yaml", &long).deploy(vec![no_stack()], &[]);
    insta::assert_snapshot!(run.told());
}
