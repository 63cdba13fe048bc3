//! `delete`: what goes is listed, asked for, and followed.
//!
//! Holds reference/deploy.md#delete.

use super::answers::{
    Event, STACK_ID, breaks, done, events, fails, interrupted, no_stack, resources, stack, stack_with, template,
    throttled,
};
use super::program::Case;
use super::server::Step;

const TOPIC: &str = "AWS::SNS::Topic";
const TABLE: &str = "AWS::DynamoDB::Table";
const BUCKET: &str = "AWS::S3::Bucket";
const NESTED: &str = "AWS::CloudFormation::Stack";
const NESTED_ID: &str = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-Inner/5e6f";

/// What is asked before anybody decides.
fn look() -> Vec<Step> {
    vec![
        stack("CREATE_COMPLETE", &[], &[]),
        resources(&[
            ("Topic", TOPIC, "arn:topic"),
            ("Table", TABLE, "shop-table"),
            ("Logs", BUCKET, "shop-logs"),
            ("Archive", BUCKET, "shop-archive"),
        ]),
        template("Resources: {Topic: {Type: T}, Table: {DeletionPolicy: Snapshot}, Archive: {DeletionPolicy: Retain}}"),
    ]
}

fn before() -> Event {
    Event::stack(0, "CREATE_COMPLETE")
}

/// A deletion that goes well.
fn deleted() -> Vec<Step> {
    let first = [before(), Event::stack(1, "DELETE_IN_PROGRESS").because("User Initiated")];
    let second = [
        first.to_vec(),
        vec![
            Event::of(2, "Topic", TOPIC, "DELETE_IN_PROGRESS"),
            Event::of(3, "Archive", BUCKET, "DELETE_SKIPPED"),
            Event::of(4, "Topic", TOPIC, "DELETE_COMPLETE"),
            Event::stack(5, "DELETE_COMPLETE"),
        ],
    ]
    .concat();
    vec![events(&[before()]), done("DeleteStack"), events(&first), events(&second)]
}

#[test]
fn a_stack_is_deleted() {
    let run = Case::new("delete").delete([look(), deleted()].concat(), &["--yes"]);
    insta::assert_snapshot!(run.all());
    assert_eq!((run.status, run.sent("DeleteStack", "StackName")), (0, STACK_ID));
}

#[test]
fn delete_for_programs() {
    let words = ["--no-prompts", "--output", "json", "--message-format", "json"];
    let run = Case::new("delete-json").delete([look(), deleted()].concat(), &words);
    insta::assert_snapshot!(run.told());
    for line in run.err.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("an object per line");
    }
}

#[test]
fn nobody_is_there_to_approve_of_a_deletion() {
    let run = Case::new("delete-unattended").delete(look(), &["--format", "json"]);
    assert_eq!(run.status, 2, "{}", run.err);
    insta::assert_snapshot!(run.told());
}

#[test]
fn somebody_decides_about_a_deletion() {
    let run = Case::new("delete-yes").delete_and_answer([look(), deleted()].concat(), "y\n", &[]);
    assert_eq!(run.status, 0, "{}", run.out);
    insta::assert_snapshot!(run.out);
    let run = Case::new("delete-no").delete_and_answer(look(), "n\n", &[]);
    assert_eq!(run.status, 0, "{}", run.out);
    assert!(run.out.ends_with("Stack shop is not deleted\n"), "{}", run.out);
    let run = Case::new("delete-ctrl-c").delete_and_answer(look(), "\\x03", &[]);
    assert_eq!(run.status, 130, "{}", run.out);
    assert!(run.out.contains("nothing was deleted"), "{}", run.out);
}

#[test]
fn no_stack_to_delete() {
    let run = Case::new("delete-none").delete(vec![no_stack()], &[]);
    assert_eq!((run.status, run.out.as_str()), (0, ""), "{}", run.err);
    assert_eq!(run.err, "Stack shop does not exist in eu-west-1: nothing to delete\n");
    let run = Case::new("delete-none-json").delete(vec![no_stack()], &["--format", "json"]);
    let result: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((run.status, &result["Result"]), (0, &"no-stack".into()));
}

#[test]
fn a_stack_that_was_never_created_is_deleted() {
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let after = [before.clone(), Event::stack(1, "DELETE_COMPLETE")];
    let steps = vec![
        stack("REVIEW_IN_PROGRESS", &[], &[]),
        resources(&[]),
        events(&[before]),
        done("DeleteStack"),
        events(&after),
    ];
    let run = Case::new("delete-review").delete(steps, &["--yes"]);
    assert_eq!((run.status, run.out.as_str()), (0, "Successfully deleted stack - shop\n"), "{}", run.err);
    assert!(run.err.starts_with("Stack shop in eu-west-1, account 111122223333 has no resources\n"), "{}", run.err);
}

#[test]
fn nested_stacks_are_listed_and_followed() {
    let inner = Event::of(2, "Inner", NESTED, "DELETE_IN_PROGRESS").physical(NESTED_ID);
    let own =
        |number, status: &str| Event::of(number, "shop-Inner", NESTED, status).physical(NESTED_ID).inside(NESTED_ID);
    let first = [before(), Event::stack(1, "DELETE_IN_PROGRESS"), inner.clone()];
    let last = [
        first.to_vec(),
        vec![Event::of(6, "Inner", NESTED, "DELETE_COMPLETE").physical(NESTED_ID), Event::stack(7, "DELETE_COMPLETE")],
    ]
    .concat();
    let inside = [own(3, "DELETE_IN_PROGRESS"), Event::of(4, "Table", TABLE, "DELETE_IN_PROGRESS").inside(NESTED_ID)];
    let all_inside = [
        inside.to_vec(),
        vec![Event::of(5, "Table", TABLE, "DELETE_COMPLETE").inside(NESTED_ID), own(6, "DELETE_COMPLETE")],
    ]
    .concat();
    let steps = vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        resources(&[("Inner", NESTED, NESTED_ID), ("Kept", NESTED, "arn:kept")]),
        template(r#"{"Resources": {"Kept": {"DeletionPolicy": "Retain"}}}"#),
        resources(&[("Table", TABLE, "inner-table")]),
        template("Resources: {Table: {Type: T}}"),
        events(&[before()]),
        done("DeleteStack"),
        events(&first),
        events(&inside),
        events(&last),
        events(&all_inside),
    ];
    let run = Case::new("delete-nested").delete(steps, &["--yes"]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn a_deletion_that_fails_names_the_first_failure_and_what_can_be_kept() {
    let failed = vec![
        events(&[before()]),
        done("DeleteStack"),
        events(&[
            before(),
            Event::stack(1, "DELETE_IN_PROGRESS"),
            Event::of(2, "Logs", BUCKET, "DELETE_FAILED")
                .because("The bucket you tried to delete is not empty (Service: S3, Status Code: 409)"),
            Event::of(3, "Topic", TOPIC, "DELETE_FAILED").because("not authorized to perform: SNS:DeleteTopic"),
            Event::stack(4, "DELETE_FAILED").because("The following resource(s) failed to delete: [Logs, Topic]."),
        ]),
    ];
    let run = Case::new("delete-failed").delete([look(), failed].concat(), &["--yes", "--format", "json"]);
    assert_eq!(run.status, 1, "{}", run.err);
    insta::assert_snapshot!(run.told());
}

#[test]
fn resources_are_retained_after_a_deletion_that_failed() {
    let steps = |status| {
        let mut steps = look();
        steps[0] = stack(status, &[], &[]);
        steps
    };
    let words = ["--yes", "--retain-resources", "Logs", "Topic"];
    let run = Case::new("delete-retain").delete([steps("DELETE_FAILED"), deleted()].concat(), &words);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(run.sent("DeleteStack", "RetainResources.member.1"), "Logs");
    assert_eq!(run.sent("DeleteStack", "RetainResources.member.2"), "Topic");
    assert_eq!(run.err.matches("= Keep (retained)").count(), 2, "{}", run.err);
    // A bucket that stays is not emptied; whether the list is accepted is known before any bucket is emptied.
    let words = ["--yes", "--retain-resources", "Topic", "--force-empty-buckets"];
    let run = Case::new("delete-retain-empty").delete(steps("CREATE_COMPLETE"), &words);
    assert!(run.status == 1 && run.err.contains("no bucket was emptied"), "{}", run.err);
    let run = Case::new("delete-retain-wrong").delete(look(), &["--yes", "--retain-resources", "Tpic"]);
    assert!(run.status == 2 && run.err.contains("stack shop has no resource Tpic"), "{}", run.err);
}

#[test]
fn a_stack_that_may_not_be_deleted() {
    let protected = "<EnableTerminationProtection>true</EnableTerminationProtection>";
    let run = Case::new("delete-protected").delete(vec![stack_with("CREATE_COMPLETE", protected)], &["--yes"]);
    assert_eq!(run.status, 1, "{}", run.err);
    insta::assert_snapshot!(run.err);
    let run = Case::new("delete-busy").delete(vec![stack("UPDATE_IN_PROGRESS", &[], &[])], &["--yes"]);
    assert!(run.status == 1 && run.err.contains("pass `--wait`"), "{}", run.err);
    let denied = fails("DescribeStacks", "AccessDenied", "not authorized to perform: cloudformation:DescribeStacks");
    let run = Case::new("delete-denied").delete(vec![denied], &["--yes"]);
    assert_eq!(run.status, 5, "{}", run.err);
    let refused = vec![events(&[before()]), fails("DeleteStack", "ValidationError", "Role arn:x is invalid")];
    let run = Case::new("delete-refused").delete([look(), refused].concat(), &["--yes"]);
    assert!(run.status == 1 && run.err.contains("DeleteStack is rejected: `Role arn:x is invalid`"), "{}", run.err);
}

#[test]
fn buckets_of_a_stack_whose_exports_are_used_are_not_emptied() {
    let output = "<Outputs><member><OutputKey>A</OutputKey><OutputValue>a</OutputValue><ExportName>shop-a</ExportName></member></Outputs>";
    let mut steps = look();
    steps[0] = stack_with("CREATE_COMPLETE", output);
    let imports = Step {
        action: "ListImports",
        answer: super::server::Answer::Result("<Imports><member>web</member></Imports>".to_owned()),
    };
    steps.push(imports);
    let run = Case::new("delete-exports").delete(steps, &["--yes", "--force-empty-buckets"]);
    assert!(run.status == 1 && run.err.contains("its export shop-a is imported by web"), "{}", run.err);
}

#[test]
fn policies_that_are_hidden_are_a_warning() {
    let mut steps = look();
    steps[2] = fails("GetTemplate", "AccessDenied", "not authorized to perform: cloudformation:GetTemplate");
    let run = Case::new("delete-policies").delete([steps, deleted()].concat(), &["--yes"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("warning: resources that their DeletionPolicy keeps are not known"), "{}", run.err);
}

#[test]
fn an_operation_is_waited_for_before_a_deletion() {
    let old = Event::stack(0, "UPDATE_IN_PROGRESS");
    let done = Event::stack(1, "UPDATE_COMPLETE");
    let wait = vec![
        stack("UPDATE_IN_PROGRESS", &[], &[]),
        events(std::slice::from_ref(&old)),
        stack("UPDATE_COMPLETE", &[], &[]),
        events(&[old, done]),
    ];
    let run = Case::new("delete-wait").delete([wait, look(), deleted()].concat(), &["--yes", "--wait"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.starts_with("Stack shop is in UPDATE_IN_PROGRESS: an update has to end first\n"), "{}", run.err);
}

/// Nobody is asked: it is not this run that deletes it.
#[test]
fn a_deletion_that_others_began_is_followed() {
    let old = Event::stack(1, "DELETE_IN_PROGRESS");
    let steps = |end: &str, last: Event| {
        vec![
            stack("DELETE_IN_PROGRESS", &[], &[]),
            events(std::slice::from_ref(&old)),
            stack("DELETE_IN_PROGRESS", &[], &[]),
            events(std::slice::from_ref(&old)),
            stack(end, &[], &[]),
            events(&[old.clone(), last]),
        ]
    };
    let run = Case::new("delete-follow").delete(steps("DELETE_COMPLETE", Event::stack(2, "DELETE_COMPLETE")), &[]);
    assert_eq!((run.status, run.out.as_str()), (0, "Successfully deleted stack - shop\n"), "{}", run.err);
    let failed = Event::of(2, "Logs", BUCKET, "DELETE_FAILED").because("no");
    let run = Case::new("delete-follow-failed").delete(steps("DELETE_FAILED", failed), &[]);
    assert!(run.status == 1 && run.err.contains("Logs (AWS::S3::Bucket): no"), "{}", run.err);
}

#[test]
fn ctrl_c_at_each_step_of_a_deletion() {
    let told = |name: &str, steps: Vec<Step>, words: &[&str]| {
        let run = Case::new(name).delete(steps, words);
        assert_eq!((run.status, run.out.as_str()), (130, ""), "{name}: {}", run.err);
        run.err
    };
    let nothing = "nothing was deleted";
    for at in 0..look().len() {
        let mut steps = look();
        steps.truncate(at + 1);
        steps[at] = interrupted(steps[at].clone());
        let err = told(&format!("delete-ctrl-c-{at}"), steps, &["--yes"]);
        assert!(err.contains(nothing), "{at}: {err}");
    }
    let steps = [look(), vec![interrupted(events(&[before()]))]].concat();
    let err = told("delete-ctrl-c-events", steps, &["--yes"]);
    assert!(err.contains(nothing), "{err}");
    // The call itself is not interrupted, so that it is known whether the service took it.
    let steps = [look(), vec![events(&[before()]), interrupted(done("DeleteStack"))]].concat();
    let err = told("delete-ctrl-c-call", steps, &["--yes"]);
    assert!(err.contains("the deletion continues in CloudFormation") && !err.contains(nothing), "{err}");
    let on = events(&[before(), Event::stack(1, "DELETE_IN_PROGRESS")]);
    let steps = [look(), vec![events(&[before()]), done("DeleteStack"), interrupted(on)]].concat();
    let err = told("delete-ctrl-c-follow", steps, &["--yes"]);
    assert!(err.contains("the deletion continues in CloudFormation"), "{err}");
    let old = events(&[Event::stack(1, "DELETE_IN_PROGRESS")]);
    let steps = vec![stack("DELETE_IN_PROGRESS", &[], &[]), interrupted(old)];
    let err = told("delete-ctrl-c-others", steps, &[]);
    assert!(err.contains("the deletion continues in CloudFormation"), "{err}");
}

#[test]
fn a_deletion_whose_answer_is_lost() {
    let steps = [look(), vec![events(&[before()]), breaks("DeleteStack")]].concat();
    let run = Case::new("delete-lost").delete(steps, &["--yes"]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.err.contains("it is not known whether the deletion has begun"), "{}", run.err);
    // Throttling ends nothing.
    let mut steps = look();
    steps.insert(0, throttled("DescribeStacks"));
    steps.push(events(&[before()]));
    steps.push(throttled("DeleteStack"));
    let run = Case::new("delete-throttled").delete([steps, deleted()[1..].to_vec()].concat(), &["--yes"]);
    assert_eq!(run.status, 0, "{}", run.err);
}

#[test]
fn samconfig_names_the_stack_that_is_deleted() {
    let config = "[default.deploy.parameters]\nstack_name = \"shop\"\nregion = \"eu-central-1\"\n";
    let case = Case::new("delete-samconfig").with("samconfig.toml", config);
    let run = case.run(vec![no_stack()], &["delete"]);
    let want =
        "note: samconfig.toml sets region, stack_name\nStack shop does not exist in eu-central-1: nothing to delete\n";
    assert_eq!(run.err, want);
    let run = case.run(vec![], &["delete", "--no-config"]);
    assert!(run.status == 2 && run.err.contains("the stack has no name"), "{}", run.err);
    let run = Case::new("delete-nameless").run(vec![], &["delete", "--yes"]);
    assert!(run.status == 2 && run.err.contains("pass `--stack-name NAME`"), "{}", run.err);
}
