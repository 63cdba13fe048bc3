//! Names that are unique among runs.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::SystemTime;

use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;

/// Returns `PREFIX-20260131T100000-1a2b3c4d`: whole seconds alone collide. `RandomState` is seeded by the system.
pub(crate) fn unique_name(prefix: &str) -> String {
    let time = DateTime::from_secs(DateTime::from(SystemTime::now()).secs()).fmt(Format::DateTime).unwrap_or_default();
    let time: String = time.chars().filter(|c| c.is_ascii_alphanumeric() && *c != 'Z').collect();
    let random = RandomState::new().build_hasher().finish() as u32;
    format!("{prefix}-{time}-{random:08x}")
}

/// The tokens of the calls of one run: a unique name followed by a number.
#[derive(Debug)]
pub(crate) struct Tokens {
    run: String,
    count: usize,
}

const OWN: &str = "formwork-";

impl Tokens {
    pub(crate) fn new() -> Tokens {
        Tokens { run: unique_name(OWN.trim_end_matches('-')), count: 0 }
    }

    /// Returns the token of the next call that begins an operation. A request that is sent again keeps it.
    pub(crate) fn next_token(&mut self) -> String {
        self.count += 1;
        format!("{}-{}", self.run, self.count)
    }
}

/// `true` if two tokens are those of one call, or of calls of one run of this program.
pub(crate) fn is_of_one_run(one: &str, other: &str) -> bool {
    one == other || run_of(one).is_some_and(|run| run_of(other) == Some(run))
}

/// Returns the common part of the tokens of one run: `formwork-TIME-RANDOM-1` is that of its first call.
fn run_of(token: &str) -> Option<&str> {
    let (run, _) = token.rsplit_once('-').filter(|_| token.starts_with(OWN))?;
    (run.matches('-').count() == 2).then_some(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_one_run_are_recognized() {
        let (mut first, mut second) = (Tokens::new(), Tokens::new());
        let (one, two, other) = (first.next_token(), first.next_token(), second.next_token());
        assert_ne!(one, two);
        assert!(is_of_one_run(&one, &two) && is_of_one_run(&one, &one) && !is_of_one_run(&one, &other));
        assert!(!is_of_one_run("Console-1", "Console-2") && is_of_one_run("Console-1", "Console-1"));
        assert!(!is_of_one_run("formwork-1", "formwork-2"));
        // Tokens of earlier versions, without a number: two calls in one second.
        assert!(!is_of_one_run("formwork-20260131T100000-1a2b3c4d", "formwork-20260131T100000-5e6f7a8b"));
    }

    #[test]
    fn names_of_one_second_differ() {
        let names: std::collections::BTreeSet<String> = (0..50).map(|_| unique_name("formwork")).collect();
        assert_eq!(names.len(), 50);
        let name = names.first().expect("a name");
        assert!(name.starts_with("formwork-2") && name.len() == "formwork-20260131T100000-1a2b3c4d".len(), "{name}");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{name}");
    }
}
