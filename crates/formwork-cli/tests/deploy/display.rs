//! Words of the service are shown like those of a template: nothing in them acts on a terminal.

use super::answers::{Change, Event, created, done, events, no_stack, ready};
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
