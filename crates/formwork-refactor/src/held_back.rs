//! Edits that a rename leaves for the next deployment.

use crate::difference::{Difference, differences};
use crate::equality::Relation;
use crate::{Intermediate, Section, Sides};

/// Returns the other edits in stacks whose resources are only renamed, which are not in the templates that are sent.
/// Mappings that packaging generated do not count.
pub fn held_back(sides: &Sides, sent: &Intermediate) -> Vec<Difference> {
    let relation = Relation { is_same: &|old, new| old == new, may_differ: &|_, _| false };
    let mut found = differences(&sides.stack, &sent.template, &sides.authored, &relation);
    found.retain(|difference| difference.section != Section::Mappings || difference.change != "removed");
    found
}
