//! What a loop refers to by names with its item is reported as in the same template written out by hand, and its output is
//! the same.

use std::collections::BTreeMap;

use formwork::{Code, Goal, Options, Severity};

use super::{compile, equal, same_data, text_of};
use crate::generate::{Loops, json};

/// The law for one loop; returns how many of the runs have an output.
///
/// # Errors
/// In words.
pub fn names_agree(loops: &Loops) -> Result<usize, String> {
    let [for_each, map, unrolled] = [&loops.for_each, &loops.map, &loops.unrolled].map(json);
    let mut outputs = 0;
    for goal in [Goal::Check, Goal::Expand, Goal::Resolve] {
        let expected = run(&unrolled, goal);
        for (what, text) in [("Fn::ForEach", &for_each), ("Fn::Map", &map)] {
            let (found, output) = run(text, goal);
            let what = format!("{what} and by hand, {goal:?}, in\n{text}");
            // What is met at one place in several iterations has the words of the first.
            let is_known = |found: &Found| expected.0.iter().any(|other| other.line == found.line);
            if counts(&found) != counts(&expected.0) || !found.iter().all(is_known) {
                return Err(format!("{what}\n{found:#?}\n{:#?}", expected.0));
            }
            match (&output, &expected.1) {
                (Some(one), Some(other)) => same_data(&what, one, other)?,
                (one, other) => equal(&what, &format!("{one:?}"), &format!("{other:?}"))?,
            }
            outputs += usize::from(output.is_some());
        }
    }
    Ok(outputs)
}

/// An error or a warning.
#[derive(Debug)]
struct Found {
    code: Code,
    line: String,
    count: u32,
}

/// How often each code was met.
fn counts(found: &[Found]) -> BTreeMap<Code, u32> {
    let mut counts = BTreeMap::new();
    for one in found {
        *counts.entry(one.code).or_default() += one.count;
    }
    counts
}

/// What is reported, and the output.
fn run(text: &str, goal: Goal) -> (Vec<Found>, Option<String>) {
    let result = compile(text, &Options::default(), goal);
    let found = result.diagnostics().iter().filter(|found| found.severity != Severity::Note);
    let found = found.map(|found| Found {
        code: found.code,
        line: format!("{:?}: {}", found.severity, found.message),
        count: found.count,
    });
    (found.collect(), text_of(&result, None).ok())
}
