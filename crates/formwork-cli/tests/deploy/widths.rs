//! What a deployment prints on terminals of several widths.
//!
//! Holds reference/command-line.md#progress.

use super::answers::{Change, Event, created, done, events, no_stack, ready};
use super::program::Case;
use super::server::Step;

fn steps() -> Vec<Step> {
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let news = vec![
        Event::stack(1, "CREATE_IN_PROGRESS"),
        Event::of(2, "QueueUsers", "AWS::SQS::Queue", "CREATE_FAILED").because("A queue of that name was just deleted"),
        Event::stack(3, "ROLLBACK_COMPLETE").because("The following resource(s) failed: [QueueUsers]."),
    ];
    vec![
        no_stack(),
        created(),
        ready(&[Change::new("Add", "QueueUsers", "AWS::SQS::Queue")]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[vec![before], news].concat()),
    ]
}

#[test]
fn a_deployment_fits_its_terminal() {
    for columns in ["40", "80", "120"] {
        let case = Case::new(&format!("width-{columns}")).env("TEST_COLUMNS", columns);
        let run = case.deploy_and_answer(steps(), "", &[]);
        assert_eq!(run.status, 1, "{}", run.out);
        insta::assert_snapshot!(format!("deploy_{columns}"), run.out);
    }
}
