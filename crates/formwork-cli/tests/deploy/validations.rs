//! Early validation: what CloudFormation found, at the author's line.
//!
//! Holds reference/deploy.md#early-validation.

use super::answers::{
    Change, Event, Finding, SET_ID, STACK_ID, breaks, change_set, created, done, events, fails, fails_with, followed,
    foreign, no_stack, operation_events, ready, stack, summary, throttled,
};
use super::program::{Case, Run};
use super::server::Step;

const QUEUE: &str = "AWS::SQS::Queue";
const SENTENCE: &str = "The following hook(s)/validation failed: [AWS::EarlyValidation::PropertyValidation]. To troubleshoot Early Validation errors, use the DescribeEvents API for detailed failure information.";

/// A loop with a property in each queue, and a queue of its own.
const TEMPLATE: &str = "Transform: AWS::LanguageExtensions
Parameters:
  Password: {Type: String, NoEcho: true, Default: never-to-be-seen}
Resources:
  Plain:
    Type: AWS::SQS::Queue
    Properties:
      Tags:
        - {Key: a/b, Value: c}
        - {Key: d}
  Fn::ForEach::Queues:
    - Name
    - [Orders, Users]
    - Queue${Name}:
        Type: AWS::SQS::Queue
        Properties:
          VisibilityTimeout: 999999
# formwork: allow-file FW0113 -- CloudFormation finds it
# formwork: allow-file FW0117 -- CloudFormation finds it
";

fn case(name: &str) -> Case {
    Case::new(name).with("t.yaml", TEMPLATE)
}

fn property(number: usize, id: &str) -> Finding {
    let path = format!("/Resources/{id}/Properties/VisibilityTimeout");
    Finding::new(number, &path, "#/VisibilityTimeout: 999999 is not less or equal to 43200")
        .of("PROPERTY_VALIDATION", "FAIL")
}

fn bucket(number: usize) -> Finding {
    Finding::new(number, "/Resources/Old", "The bucket old-logs is not empty.")
        .of("BUCKET_EMPTINESS_VALIDATION", "WARN")
}

/// A change set that fails, with what is asked about it.
fn failed(asked: Vec<Step>) -> Vec<Step> {
    let head = vec![no_stack(), created(), change_set("FAILED", SENTENCE, &[])];
    [head, asked, vec![done("DeleteChangeSet")]].concat()
}

/// A change set that can be executed, with what is asked about it.
fn complete(asked: Vec<Step>) -> Vec<Step> {
    let head =
        vec![stack("UPDATE_COMPLETE", &[], &[]), summary(&[]), created(), ready(&[Change::new("Add", "Plain", QUEUE)])];
    [head, asked].concat()
}

fn executed() -> Vec<Step> {
    let before = Event::stack(7, "UPDATE_COMPLETE");
    vec![
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[before, Event::stack(8, "UPDATE_IN_PROGRESS"), Event::stack(9, "UPDATE_COMPLETE")]),
        stack("UPDATE_COMPLETE", &[], &[]),
    ]
}

/// The events of each request for them: filter and page.
fn asked(run: &Run) -> Vec<String> {
    let value = |request: &[(String, String)], key: &str| {
        request.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let requests = run.requests.iter().filter(|request| value(request, "Action") == "DescribeEvents");
    requests
        .map(|request| {
            assert!(["", SET_ID].contains(&value(request, "ChangeSetName").as_str()), "{request:?}");
            format!("{}{}", value(request, "Filters.FailedEvents"), value(request, "NextToken"))
        })
        .collect()
}

#[test]
fn findings_are_errors_at_the_line_of_the_value_with_their_iterations() {
    let first = [property(1, "QueueUsers"), property(2, "QueueOrders")];
    let tags = Finding::new(3, "/Resources/Plain/Properties/Tags/1", "#/Tags/1: required key [Value] not found")
        .of("PROPERTY_VALIDATION", "FAIL");
    let name = Finding::new(
        4,
        "/Resources/Plain",
        "Resource of type 'AWS::SQS::Queue' with identifier 'plain' already exists.",
    )
    .of("NAME_CONFLICT_VALIDATION", "FAIL")
    .but("PhysicalResourceId", "", "plain");
    let pages = vec![
        followed(operation_events(&first), "2"),
        operation_events(&[tags, name, property(2, "QueueOrders"), bucket(5)]),
    ];
    let run = case("validation-fail").deploy(failed(pages), &["--format", "json"]);
    insta::assert_snapshot!(run.told());
    assert_eq!(asked(&run), ["true", "true2"]);
}

#[test]
fn for_programs_a_line_per_finding() {
    let found = vec![operation_events(&[property(1, "QueueUsers"), property(2, "QueueOrders"), bucket(3)])];
    let run = case("validation-json").deploy(failed(found), &["--message-format", "json"]);
    insta::assert_snapshot!(run.told());
    for line in run.err.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("an object a line");
    }
}

#[test]
fn without_findings_the_unfiltered_events_are_asked_for() {
    let found = vec![operation_events(&[]), operation_events(&[property(1, "QueueUsers")])];
    let run = case("validation-unfiltered").deploy(failed(found), &[]);
    assert_eq!((run.status, asked(&run)), (1, vec!["true".to_owned(), String::new()]));
    assert!(run.err.contains("failed: 1 validation error; nothing was executed"), "{}", run.err);
    let run = case("validation-none").deploy(failed(vec![operation_events(&[]), operation_events(&[])]), &[]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn nothing_is_asked_when_there_is_nothing_to_change() {
    let steps = vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        summary(&[]),
        created(),
        change_set("FAILED", "No updates are to be performed.", &[]),
        done("DeleteChangeSet"),
        stack("UPDATE_COMPLETE", &[], &[]),
    ];
    assert_eq!(case("validation-empty").deploy(steps, &[]).status, 0);
}

#[test]
fn warnings_are_below_the_review_and_end_nothing() {
    let found =
        || vec![operation_events(&[bucket(1), property(2, "Plain").but("ValidationFailureMode", "FAIL", "WARN")])];
    let run = case("validation-warn").deploy([complete(found()), executed()].concat(), &["--format", "json"]);
    insta::assert_snapshot!(run.told());
    assert_eq!(asked(&run), [""]);
    let run = case("validation-warn-left").deploy(complete(found()), &["--no-execute"]);
    assert!(run.status == 0 && run.err.contains("warning[FW1302]"), "{}", run.err);
    let strict = [complete(found()), vec![done("DeleteChangeSet")]].concat();
    let run = case("validation-warn-strict").deploy(strict, &["--strict", "--format", "json"]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn the_question_counts_warnings() {
    let steps = complete(vec![operation_events(&[bucket(1)])]);
    let run = case("validation-question").deploy_and_answer(steps, "n\\n", &["--confirm-changeset"]);
    assert!(run.out.contains("Deploy this change set with 1 warning to stack shop"), "{}", run.out);
}

#[test]
fn the_mode_decides_and_not_the_name() {
    let unknown = Finding::new(1, "/Resources/Plain", "No.").of("SOMETHING_NEW", "FAIL");
    let strange = Finding::new(2, "/Resources/Plain", "Hm.").of("PROPERTY_VALIDATION", "LATER");
    let bare = Finding::new(3, "Resources/QueueUsers/Properties/Gone", "Bare.").but("EventId", "finding-3", "");
    let skipped = Finding::new(4, "/Resources/Plain", "Not permitted: s3:ListBucketV2")
        .of("BUCKET_EMPTINESS_VALIDATION", "WARN")
        .but("ValidationStatus", "FAILED", "SKIPPED");
    let all = [unknown, strange, bare, skipped];
    let run = case("validation-modes").deploy(failed(vec![operation_events(&all)]), &["--message-format", "short"]);
    insta::assert_snapshot!(run.told());
    let steps = [complete(vec![operation_events(&all)]), vec![done("DeleteChangeSet")]].concat();
    let run = case("validation-modes-complete").deploy(steps, &["--message-format", "short"]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn secrets_in_reasons_are_masked() {
    let reason = "#/Password: never-to-be-seen does not match";
    let finding = Finding::new(1, "/Resources/Plain", reason).of("PROPERTY_VALIDATION", "FAIL");
    for words in [&["--format", "json"][..], &["--message-format", "json"]] {
        let run =
            case("validation-secret").deploy(failed(vec![operation_events(std::slice::from_ref(&finding))]), words);
        assert!(run.err.contains("#/Password: **** does not match"), "{}", run.err);
    }
}

#[test]
fn without_the_permission_the_sentence_stays_and_the_status_too() {
    let denied = || {
        fails_with(
            "DescribeEvents",
            403,
            "AccessDenied",
            "User is not authorized to perform: cloudformation:DescribeEvents",
        )
    };
    let run = case("validation-denied").deploy(failed(vec![denied()]), &[]);
    insta::assert_snapshot!(run.told());
    let run = case("validation-denied-complete").deploy([complete(vec![denied()]), executed()].concat(), &[]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn an_endpoint_without_the_call_is_asked_once_and_nothing_is_told() {
    let answers = [
        fails("DescribeEvents", "InvalidAction", "Could not find operation DescribeEvents"),
        fails("DescribeEvents", "UnknownOperationException", ""),
        foreign("DescribeEvents", 404, "<html>Not Found"),
        fails_with("DescribeEvents", 501, "InternalFailure", "API action 'DescribeEvents' not yet implemented"),
        foreign("DescribeEvents", 500, "<html>Internal Server Error"),
    ];
    for answer in answers {
        let run = case("validation-absent").deploy(failed(vec![answer.clone()]), &[]);
        let words = format!("`Failed to create changeset for the stack: shop, {SENTENCE}`");
        assert!(run.status == 1 && run.err.contains(&words) && !run.err.contains("not known"), "{}", run.err);
        let run = case("validation-absent-v").deploy([complete(vec![answer]), executed()].concat(), &["--verbose"]);
        let line = "what early validation found is not known: this endpoint does not support DescribeEvents";
        assert!(run.status == 0 && run.err.contains(line), "{}", run.err);
    }
}

#[test]
fn a_service_that_is_out_of_order_is_asked_three_times() {
    for error in [
        throttled("DescribeEvents"),
        breaks("DescribeEvents"),
        fails_with("DescribeEvents", 503, "ServiceUnavailable", ""),
    ] {
        let run = case("validation-trouble").deploy([complete(vec![error; 3]), executed()].concat(), &[]);
        assert_eq!((run.status, asked(&run).len()), (0, 3), "{}", run.err);
        assert!(
            run.err.contains("note: what early validation found is not known: DescribeEvents is not answered"),
            "{}",
            run.err
        );
    }
    let recovers = vec![throttled("DescribeEvents"), operation_events(&[bucket(1)])];
    let run = case("validation-recovers").deploy(complete(recovers), &["--no-execute"]);
    assert!(run.err.contains("warning[FW1302]") && !run.err.contains("throttled"), "{}", run.err);
}

#[test]
fn pages_that_repeat_end() {
    let page = || followed(operation_events(&[property(1, "QueueUsers")]), "1");
    let run = case("validation-pages").deploy(failed(vec![page(), page()]), &[]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn validation_is_disabled_on_request_alone() {
    for word in ["--disable-validation", "--no-early-validation"] {
        let run = case("validation-disabled").deploy([complete(vec![]), executed()].concat(), &[word]);
        assert_eq!((run.status, run.sent("CreateChangeSet", "DisableValidation")), (0, "true"), "{}", run.err);
        let found = vec![operation_events(&[property(1, "QueueUsers")])];
        assert_eq!(asked(&case("validation-disabled-fails").deploy(failed(found), &[word])), ["true"]);
    }
    let run = case("validation-default").deploy(complete(vec![operation_events(&[])]), &["--no-execute"]);
    assert_eq!(run.sent("CreateChangeSet", "DisableValidation"), "");
}

const NESTED_SET: &str = "arn:aws:cloudformation:eu-west-1:111122223333:changeSet/nested/9";
const NESTED_STACK: &str = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-Network/5e6f";

#[test]
fn a_nested_change_set_is_asked_about_down_to_the_leaf() {
    let parent = "Resources:
  Network:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: net.yaml}
";
    let child = "Resources:
  Queue:
    Type: AWS::SQS::Queue
    Properties: {VisibilityTimeout: 999999}
# formwork: allow-file FW0117 -- CloudFormation finds it
";
    let reason = format!("Nested change set {NESTED_SET} was not successfully created: Currently in FAILED.");
    let change = Change::new("Add", "Network", "AWS::CloudFormation::Stack").with("ChangeSetId", NESTED_SET);
    let found = property(1, "Queue").but("StackId", STACK_ID, NESTED_STACK);
    let steps = vec![
        no_stack(),
        created(),
        change_set("FAILED", &reason, &[change]),
        operation_events(&[]),
        operation_events(&[]),
        change_set("FAILED", SENTENCE, &[]),
        operation_events(&[found]),
        done("DeleteChangeSet"),
    ];
    let case = Case::new("validation-nested").with("t.yaml", parent).with("net.yaml", child);
    let words =
        ["--s3-bucket", "file:store", "--bucket-name", "artifacts", "--include-nested-stacks", "--format", "json"];
    let run = case.deploy(steps, &words);
    insta::assert_snapshot!(run.told());
}

#[test]
fn a_running_operation_that_is_not_valid_is_asked_about() {
    let before = Event::stack(7, "UPDATE_COMPLETE");
    let sentence = "Validation failed with 1 error(s). Call DescribeEvents to retrieve the full list of issues with resource and property details, resolve each error, then retry the operation.";
    let detected = "Validation failure detected. See the operation's FAILED event for details.";
    for (name, event) in [
        (
            "status",
            Event::stack(9, "UPDATE_FAILED").with("DetailedStatus", "VALIDATION_FAILED").with("OperationId", "op-2"),
        ),
        ("sentence", Event::stack(9, "UPDATE_FAILED").because(sentence)),
        ("rollback", Event::stack(9, "UPDATE_ROLLBACK_IN_PROGRESS").because(detected)),
    ] {
        let old =
            Finding::new(1, "/Resources/Plain", "Of another operation.").of("X", "FAIL").with("OperationId", "op-1");
        let found = if name == "status" {
            vec![property(2, "QueueUsers").with("OperationId", "op-2"), old]
        } else {
            vec![property(2, "QueueUsers")]
        };
        let steps = [
            complete(vec![operation_events(&[])]),
            vec![
                events(std::slice::from_ref(&before)),
                done("ExecuteChangeSet"),
                events(&[
                    before.clone(),
                    Event::stack(8, "UPDATE_IN_PROGRESS"),
                    event,
                    Event::stack(10, "UPDATE_ROLLBACK_COMPLETE"),
                ]),
                operation_events(&found),
            ],
        ]
        .concat();
        let run = case("validation-running").deploy(steps, &[]);
        assert_eq!(run.status, 1, "{}", run.err);
        assert!(run.err.contains("error[FW1301]") && !run.err.contains("another operation."), "{}", run.err);
        let last = run.requests.iter().rfind(|request| request.iter().any(|(_, value)| value == "DescribeEvents"));
        let last = last.expect("it is asked");
        assert!(last.iter().any(|(key, value)| key == "StackName" && value == STACK_ID), "{last:?}");
    }
}
