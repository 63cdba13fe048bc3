//! Code actions of a whole file with many errors.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use formwork::{Cancellation, Cancelled, MemoryHost, Options, Session, VirtualPath};
use formwork_ide::actions::{Action, ActionKind, Wanted, actions, prove};
use formwork_ide::{Ide, apply};

/// A template with so many names that are missing, and as many diagnostics that have a fix.
fn template(count: usize) -> String {
    let mut text = "Resources:\n  First: {Type: AWS::SNS::Topic}\n".to_owned();
    for number in 0..count {
        text += &format!(
            "  Topic{number}:\n    Type: AWS::SNS::Topic\n    DependsOn: First\n    Properties:\n      TopicName: !Ref Missing{number}\n      DisplayName: !GetAtt First.TopicName\n"
        );
    }
    text
}

/// What asks about a template.
struct Asked {
    ide: Ide<'static>,
    root: VirtualPath,
    length: u32,
}

impl Asked {
    fn new(text: &str) -> Asked {
        let host = MemoryHost::new().with("t.yaml", text.to_owned());
        let session = Session::new(host, Options::default().for_check(None));
        let root = VirtualPath::new("t.yaml");
        let ide = Ide::new(&session, &root, None).unwrap();
        // What every answer needs is there.
        formwork_ide::diagnostics::diagnostics(&ide);
        Asked { ide, root, length: text.len() as u32 }
    }

    fn actions(&self, are_unproved: bool, cancellation: &Cancellation) -> Result<Vec<Action>, Cancelled> {
        let wanted = Wanted { kinds: &|kind| kind != ActionKind::FixAll, are_unproved, cancellation };
        actions(&self.ide, &self.root, 0..self.length, &wanted)
    }
}

/// The work of the compilations for all actions of a file, and the time that they take this thread.
fn cost(asked: &Asked, are_unproved: bool) -> (u64, Duration) {
    let (cancellation, began) = (Cancellation::new(), spent());
    asked.actions(are_unproved, &cancellation).unwrap();
    (cancellation.looks(), spent().saturating_sub(began))
}

/// What this thread has taken, whatever else the machine does; the time of a clock where the system does not count it.
fn spent() -> Duration {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = counted.ok().and_then(|counted| counted.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGIN.elapsed(), Duration::from_nanos)
}

#[test]
fn ten_times_as_many_errors_cost_at_most_thirteen_times_as_much() {
    let (few, many) = (Asked::new(&template(60)), Asked::new(&template(600)));
    for are_unproved in [false, true] {
        let (one, ten) = (cost(&few, are_unproved), cost(&many, are_unproved));
        assert!(ten.0 <= 13 * one.0, "{} and {} looks", one.0, ten.0);
        // A machine that does something else is measured again.
        let (mut one, mut ten) = (one.1, ten.1);
        for _ in 0..8 {
            if ten <= one * 13 {
                break;
            }
            one = one.min(cost(&few, are_unproved).1);
            ten = ten.min(cost(&many, are_unproved).1);
        }
        assert!(ten <= one * 13, "{one:?} and {ten:?}");
    }
}

#[test]
fn many_fixes_are_compiled_when_they_are_chosen() {
    let text = template(40);
    let asked = Asked::new(&text);
    let never = Cancellation::never();
    let closed = asked.actions(false, &never).unwrap();
    assert!(closed.iter().all(|action| action.is_proved) && closed.len() < 20, "{}", closed.len());
    let open = asked.actions(true, &never).unwrap();
    assert!(open.len() > closed.len() && open.len() < 70, "{}", open.len());
    let later: Vec<&Action> = open.iter().filter(|action| !action.is_proved).collect();
    assert!(later.len() > 10);
    for action in later.iter().step_by(5) {
        let place = action.fixes.as_ref().map_or(0..asked.length, |(_, place)| place.start..place.end);
        let found = prove(&asked.ide, &asked.root, place, &action.title, &never).unwrap().unwrap();
        assert!(found.is_proved && found.edits == action.edits, "{found:?}");
        assert_ne!(apply(&text, &found.edits[0].edits), text);
    }
    // Nothing has this title there.
    assert_eq!(prove(&asked.ide, &asked.root, 0..3, &later[0].title, &never), Ok(None));
}

#[test]
fn a_search_ends_when_nobody_waits() {
    let asked = Asked::new(&template(40));
    let counted = Cancellation::new();
    asked.actions(true, &counted).unwrap();
    let all = counted.looks();
    for looks in [0, 1, all / 10, all / 2] {
        let cancelled = Cancellation::after(looks);
        assert_eq!(asked.actions(true, &cancelled), Err(Cancelled), "after {looks} looks");
        assert!(cancelled.looks() < looks + all / 10 + 200, "{} of {all}", cancelled.looks());
    }
}
