//! Forms of entries under unknown values (reference/plan.md#unknown).

use std::collections::BTreeMap;

use crate::change::{Definition, Dependency};
use formwork_template::Section;
use formwork_template::side::Member;

/// The ways of the entries that differ, as far as they were enumerated.
#[derive(Clone, Debug, Default)]
pub struct Ways<'t> {
    /// Ways by section and name.
    pub entries: BTreeMap<(Section, &'t str), EntryWays<'t>>,
    /// Entries that were not enumerated, and values that are rejected, in words.
    pub notes: Vec<String>,
}

/// All possible forms of an entry.
#[derive(Clone, Debug)]
pub struct EntryWays<'t> {
    /// The names that decide.
    pub unknowns: Vec<Unknown>,
    /// Pairs of results, without duplicates.
    pub ways: Vec<Way<'t>>,
}

/// A name without a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// The parameter or pseudo parameter.
    pub name: String,
    /// The values that make a difference; `None` is any other one.
    pub values: Vec<Option<String>>,
    /// The definitions in which it decides; those that differ come first.
    pub definitions: Vec<Definition>,
}

/// A result on both sides; `None` where the entry does not exist.
#[derive(Clone, Debug)]
pub struct Way<'t> {
    /// Assignments that lead to it: for each, the number of the value of each name.
    pub assignments: Vec<Vec<usize>>,
    /// The entry of the old side. Its `Condition` is kept where it is not decided.
    pub old: Option<Member<'t>>,
    /// The entry of the new side, likewise.
    pub new: Option<Member<'t>>,
}

impl EntryWays<'_> {
    /// Returns the requirements for one of the assignments: a condition for each name whose values are not all among
    /// them.
    pub(crate) fn dependencies(&self, assignments: &[&[usize]]) -> Vec<Dependency> {
        let one = |(at, unknown): (usize, &Unknown)| {
            let is_there = |value: usize| assignments.iter().any(|assignment| assignment.get(at) == Some(&value));
            let all = || self.ways.iter().flat_map(|way| &way.assignments).filter_map(|assignment| assignment.get(at));
            if all().all(|&value| is_there(value)) {
                return None;
            }
            // A value without any way does not count.
            let text = |wanted: bool| {
                let values = unknown.values.iter().enumerate();
                let chosen =
                    values.filter(move |(value, _)| is_there(*value) == wanted && all().any(|one| one == value));
                chosen.filter_map(|(_, text)| text.clone()).collect::<Vec<_>>()
            };
            let is_open = unknown.values.iter().position(Option::is_none).is_some_and(is_there);
            let (word, values) = if is_open { ("is not", text(false)) } else { ("is", text(true)) };
            let fits = |definition: &&Definition| {
                definition.row.as_ref().is_none_or(|row| is_open || values.iter().any(|value| value == row))
            };
            Some(Dependency {
                what: format!("{} {word} {}", unknown.name, joined(&values)),
                definition: unknown.definitions.iter().find(fits).cloned(),
                place: None,
            })
        };
        self.unknowns.iter().enumerate().filter_map(one).collect()
    }
}

/// Joins values: `a, b or c`; the first five, and the number of the rest.
fn joined(values: &[String]) -> String {
    const NAMED: usize = 5;
    let more = values.len().saturating_sub(NAMED);
    match values {
        [] => "any other value".to_owned(),
        [one] => one.clone(),
        _ if more > 0 => format!("{} or {more} more", values.get(..NAMED).unwrap_or_default().join(", ")),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}
