//! How deployments end.
//!
//! Holds reference/deploy.md#status, reference/deploy.md#events, reference/deploy.md#rollback,
//! reference/deploy.md#exit-status.

use std::fmt::Write as _;

use super::answers::{Change, Event, created, done, events, fails, no_stack, ready, stack, summary};
use super::program::Case;
use super::server::Step;

const TOPIC: &str = "AWS::SNS::Topic";
const QUEUE: &str = "AWS::SQS::Queue";
const STACK: &str = "AWS::CloudFormation::Stack";

/// A create whose events are these, with a single look at them.
fn create(news: Vec<Event>) -> Vec<Step> {
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    vec![
        no_stack(),
        created(),
        ready(&[Change::new("Add", "Topic", TOPIC)]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[vec![before], news].concat()),
    ]
}

/// The same for an update.
fn update(news: Vec<Event>) -> Vec<Step> {
    let mut steps = create(news);
    steps.splice(0..1, [stack("UPDATE_COMPLETE", &[], &[]), summary(&["Stage"])]);
    steps
}

/// A failure of a queue, what it stopped, and the end of the stack.
fn failure(verb: &str, end: &str) -> Vec<Event> {
    vec![
        Event::stack(1, &format!("{verb}_IN_PROGRESS")),
        Event::of(2, "QueueUsers", QUEUE, &format!("{verb}_IN_PROGRESS")),
        Event::of(3, "QueueUsers", QUEUE, &format!("{verb}_FAILED")).because("A queue of that name was just deleted"),
        Event::of(4, "Topic", TOPIC, &format!("{verb}_FAILED")).because("Resource creation cancelled"),
        Event::stack(5, end).because("The following resource(s) failed: [QueueUsers, Topic]."),
    ]
}

#[test]
fn a_create_that_is_rolled_back() {
    let run = Case::new("rolled-back").deploy(create(failure("CREATE", "ROLLBACK_COMPLETE")), &[]);
    insta::assert_snapshot!(run.told());
    assert_eq!(run.sent("ExecuteChangeSet", "DisableRollback"), "");
}

#[test]
fn every_bad_end_has_its_advice() {
    let mut told = String::new();
    for (verb, end) in [
        ("CREATE", "CREATE_FAILED"),
        ("CREATE", "ROLLBACK_FAILED"),
        ("CREATE", "DELETE_COMPLETE"),
        ("UPDATE", "UPDATE_FAILED"),
        ("UPDATE", "UPDATE_ROLLBACK_COMPLETE"),
        ("UPDATE", "UPDATE_ROLLBACK_FAILED"),
        ("UPDATE", "IMPORT_ROLLBACK_COMPLETE"),
        ("UPDATE", "IMPORT_ROLLBACK_FAILED"),
    ] {
        let news = failure(verb, end);
        let steps = if verb == "CREATE" { create(news) } else { update(news) };
        let run = Case::new("ends").deploy(steps, &[]);
        assert_eq!(run.status, 1, "{end}: {}", run.err);
        let last = run.err.split_once("error:").map_or("", |(_, last)| last);
        let _ = write!(told, "-- {end}\nerror:{last}");
    }
    insta::assert_snapshot!(told);
}

#[test]
fn the_stack_itself_failed() {
    let news = vec![
        Event::stack(1, "CREATE_IN_PROGRESS"),
        Event::stack(2, "ROLLBACK_COMPLETE").because("The role may not be assumed"),
    ];
    insta::assert_snapshot!(Case::new("itself").deploy(create(news), &[]).told());
}

#[test]
fn nothing_is_rolled_back() {
    for word in [&["--disable-rollback"][..], &["--on-failure", "do-nothing"], &["--on-failure", "DO_NOTHING"]] {
        let run = Case::new("do-nothing").deploy(create(failure("CREATE", "CREATE_FAILED")), word);
        assert_eq!((run.status, run.sent("ExecuteChangeSet", "DisableRollback")), (1, "true"), "{}", run.err);
    }
}

/// A creation that fails, and a deletion that ends like this.
fn deleted(end: &str) -> Vec<Step> {
    let last = Event::stack(5, "ROLLBACK_COMPLETE");
    let mut steps = create(failure("CREATE", "ROLLBACK_COMPLETE"));
    steps.extend([
        events(std::slice::from_ref(&last)),
        done("DeleteStack"),
        events(&[last, Event::stack(6, "DELETE_IN_PROGRESS"), Event::stack(7, end)]),
    ]);
    steps
}

#[test]
fn a_stack_that_never_worked_is_deleted() {
    let run = Case::new("delete").deploy(deleted("DELETE_COMPLETE"), &["--on-failure", "delete"]);
    insta::assert_snapshot!(run.told());
    // What `events` shows together.
    let token = |action: &str| run.sent(action, "ClientRequestToken");
    let (executed, deleted) = (token("ExecuteChangeSet"), token("DeleteStack"));
    assert_ne!(executed, deleted);
    assert_eq!(executed.rsplit_once('-').map(|(run, _)| run), deleted.rsplit_once('-').map(|(run, _)| run));
}

#[test]
fn the_status_is_that_of_the_stack_behind_the_deletion() {
    for end in ["DELETE_COMPLETE", "DELETE_FAILED"] {
        let words = ["--on-failure", "delete", "--format", "json"];
        let run = Case::new(&format!("delete-status-{end}")).deploy(deleted(end), &words);
        let object: serde_json::Value = serde_json::from_str(&run.out).expect("an object");
        assert_eq!((&object["Result"], &object["Status"]), (&"failed".into(), &end.into()), "{object}");
    }
}

#[test]
fn an_update_that_failed_goes_back() {
    let last = Event::stack(5, "UPDATE_FAILED");
    let mut steps = update(failure("UPDATE", "UPDATE_FAILED"));
    steps.extend([
        events(std::slice::from_ref(&last)),
        done("RollbackStack"),
        events(&[last, Event::stack(6, "UPDATE_ROLLBACK_IN_PROGRESS"), Event::stack(7, "UPDATE_ROLLBACK_COMPLETE")]),
    ]);
    insta::assert_snapshot!(Case::new("back").deploy(steps, &["--on-failure", "delete"]).told());
}

#[test]
fn nested_stacks_are_followed() {
    let child = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-Network/7";
    let grandchild = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-Network-Zone/8";
    let of_child = |number, status| Event::of(number, "shop-Network", STACK, status).physical(child).inside(child);
    let template = "Resources:
  Network:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: 'https://s3.eu-west-1.amazonaws.com/b/network.template'}
";
    let before = Event::stack(0, "UPDATE_COMPLETE");
    let root = vec![
        before.clone(),
        Event::stack(10, "UPDATE_IN_PROGRESS"),
        Event::of(11, "Network", STACK, "UPDATE_IN_PROGRESS").physical(child),
        Event::of(17, "Network", STACK, "UPDATE_FAILED").physical(child).because("Embedded stack was not updated"),
        Event::stack(18, "UPDATE_ROLLBACK_COMPLETE"),
    ];
    // What happened before the update is not reported again.
    let inside = vec![
        of_child(2, "CREATE_COMPLETE"),
        of_child(12, "UPDATE_IN_PROGRESS"),
        Event::of(13, "Zone", STACK, "UPDATE_IN_PROGRESS").physical(grandchild).inside(child),
        Event::of(16, "Zone", STACK, "UPDATE_FAILED").physical(grandchild).inside(child).because("Embedded stack"),
    ];
    let deep = vec![
        Event::of(14, "Subnet", "AWS::EC2::Subnet", "UPDATE_IN_PROGRESS").inside(grandchild),
        Event::of(15, "Subnet", "AWS::EC2::Subnet", "UPDATE_FAILED").inside(grandchild).because("The CIDR overlaps"),
    ];
    let steps = vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        created(),
        ready(&[Change::new("Modify", "Network", STACK).replaced("False", "TemplateURL")]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&root[..3]),
        events(&inside[..2]),
        events(&root),
        events(&inside),
        events(&deep),
    ];
    insta::assert_snapshot!(Case::new("nested").with("t.yaml", template).deploy(steps, &[]).told());
}

#[test]
fn many_pages_of_events() {
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let all: Vec<Event> = [before.clone(), Event::stack(1, "CREATE_IN_PROGRESS")]
        .into_iter()
        .chain((2..60).map(|number| Event::of(number, "Topic", TOPIC, "CREATE_IN_PROGRESS")))
        .chain([Event::stack(60, "CREATE_COMPLETE")])
        .collect();
    let mut newest = events(&all[30..]);
    if let super::server::Answer::Result(xml) = &mut newest.answer {
        *xml += "<NextToken>page-2</NextToken>";
    }
    let steps = vec![
        no_stack(),
        created(),
        ready(&[]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        newest,
        events(&all[..30]),
        stack("CREATE_COMPLETE", &[], &[]),
    ];
    let run = Case::new("pages").deploy(steps, &[]);
    assert_eq!(run.err.matches("Topic (AWS::SNS::Topic)").count(), 58, "{}", run.err);
    let first = run.err.lines().find(|line| line.starts_with("2026")).expect("an event");
    assert!(first.contains("10:00:01") && first.contains("shop"), "{}", run.err);
}

#[test]
fn the_cleanup_is_shown_and_not_needed() {
    let news = vec![Event::stack(1, "UPDATE_IN_PROGRESS"), Event::stack(2, "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS")];
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let more = [
        vec![before.clone()],
        news.clone(),
        vec![Event::of(3, "Old", QUEUE, "DELETE_COMPLETE"), Event::stack(4, "UPDATE_COMPLETE")],
    ]
    .concat();
    let mut steps = update(news.clone());
    steps.extend([events(&more), stack("UPDATE_COMPLETE", &[], &[])]);
    insta::assert_snapshot!(Case::new("cleanup").deploy(steps, &[]).told());
    // The update is done when the cleanup can be watched no more.
    let mut steps = update(news);
    steps.extend([
        fails("DescribeStackEvents", "ExpiredToken", "The token has expired"),
        stack("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", &[], &[]),
    ]);
    assert_eq!(Case::new("cleanup-unseen").deploy(steps, &[]).status, 0);
}

#[test]
fn what_a_transform_makes_leads_to_what_it_is_made_of() {
    let template = "Transform: AWS::Serverless-2016-10-31
Resources:
  Api:
    Type: AWS::Serverless::Function
    Properties: {InlineCode: '', Handler: a.b, Runtime: python3.13}
";
    let news = vec![
        Event::stack(1, "CREATE_IN_PROGRESS"),
        Event::of(2, "ApiRole", "AWS::IAM::Role", "CREATE_FAILED").because("not allowed"),
        Event::stack(3, "ROLLBACK_COMPLETE"),
    ];
    let words = ["--capabilities", "CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"];
    insta::assert_snapshot!(Case::new("transform").with("t.yaml", template).deploy(create(news), &words).told());
}
