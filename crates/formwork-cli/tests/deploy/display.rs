//! Words of the service are shown like those of a template: nothing in them acts on a terminal.

use super::answers::{Change, Event, created, done, events, no_stack, ready, resources, stack, template};
use super::program::Case;

/// What XML lets through: it ends a line, clears a screen, reorders text.
const RAW: &str = "x\u{85}\u{9b}2J\u{202e}\u{2066}y";

#[test]
fn nothing_acts_on_a_terminal() {
    for words in [&[][..], &["--message-format", "json"], &["--message-format", "short"]] {
        let before = Event::stack(0, "REVIEW_IN_PROGRESS");
        let news = vec![
            Event::stack(1, "CREATE_IN_PROGRESS"),
            Event::of(2, &format!("Queue{RAW}"), &format!("AWS::{RAW}"), "CREATE_FAILED").because(RAW),
            Event::stack(3, "ROLLBACK_COMPLETE").because(RAW),
        ];
        let steps = vec![
            no_stack(),
            created(),
            ready(&[Change::new("Add", &format!("Topic{RAW}"), &format!("AWS::{RAW}"))]),
            events(std::slice::from_ref(&before)),
            done("ExecuteChangeSet"),
            events(&[vec![before], news].concat()),
        ];
        let run = Case::new("display").deploy(steps, words);
        assert_eq!(run.status, 1, "{}", run.err);
        assert!(run.err.contains("2J"), "{}", run.err);
        let acts =
            |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        for text in [&run.out, &run.err] {
            assert!(!text.contains(acts), "{words:?} {text:?}");
        }
    }
}

/// A record of a stack has the words of a service: JSON keeps the values, and no character acts.
#[test]
fn the_record_of_a_stack_acts_on_no_terminal() {
    let case = Case::new("record");
    let steps = || {
        let id = format!("Topic{RAW}");
        vec![
            stack("CREATE_COMPLETE", &[("Stage", RAW)], &[]),
            stack("CREATE_COMPLETE", &[("Stage", RAW)], &[]),
            template(&format!("Resources: {{Topic: {{Type: 'AWS::SNS::Topic', Metadata: {{a: '{RAW}'}}}}}}\n")),
            template(&format!("Resources: {{Topic: {{Type: 'AWS::SNS::Topic', Metadata: {{a: '{RAW}'}}}}}}\n")),
            resources(&[(&id, "AWS::SNS::Topic", RAW)]),
        ]
    };
    let run = case.run(steps(), &["stack", "snapshot", "shop", "--region", "eu-west-1"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let raw = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert!(!run.out.contains(raw), "{:?}", run.out);
    let record: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert!(record.to_string().contains(RAW), "the values are what they were: {record}");
}
