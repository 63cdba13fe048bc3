//! Differences of an edited template besides renames and moves.

use formwork_template::Section;
use serde_json::Value;

use crate::artifacts::with_deployed;
use crate::equality::{Relation, bodies, values};
use crate::sides::section;

/// The sections that are compared, in the order of a template.
const SECTIONS: [Section; 5] =
    [Section::Parameters, Section::Conditions, Section::Mappings, Section::Resources, Section::Outputs];

/// An entry of a template that differs from the deployed one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The name of the stack.
    pub stack: String,
    /// The section of the entry.
    pub section: Section,
    /// The name of the entry.
    pub name: String,
    /// The change: `added`, `removed` or `changed`.
    pub change: &'static str,
}

/// Returns the differences between a deployed and an edited template of a stack in which resources have the same names.
pub(crate) fn differences(stack: &str, deployed: &Value, authored: &Value, relation: &Relation<'_>) -> Vec<Difference> {
    SECTIONS.into_iter().flat_map(|part| of_section(part, stack, (deployed, authored), relation)).collect()
}

pub(crate) fn of_section(
    part: Section,
    stack: &str,
    (deployed, authored): (&Value, &Value),
    relation: &Relation<'_>,
) -> Vec<Difference> {
    let (old, new) = (section(deployed, part.name()), section(authored, part.name()));
    let of = |name: &str, change| Difference { stack: stack.to_owned(), section: part, name: name.to_owned(), change };
    let is_same = |old: &Value, new: &Value| match part {
        Section::Resources => bodies(old, &with_deployed(new, old), relation),
        _ => values(old, new, relation),
    };
    let mut found = Vec::new();
    for (name, value) in new.into_iter().flatten() {
        match old.and_then(|old| old.get(name)) {
            None => found.push(of(name, "added")),
            Some(known) if !is_same(known, value) => found.push(of(name, "changed")),
            Some(_) => {}
        }
    }
    let is_gone = |name: &&String| new.is_none_or(|new| !new.contains_key(*name));
    found.extend(old.into_iter().flatten().map(|(name, _)| name).filter(is_gone).map(|name| of(name, "removed")));
    found
}
