//! What a rename leaves for the next deployment.

use crate::difference::{Difference, differences};
use crate::equality::Relation;
use crate::{Intermediate, Section, Sides};

/// What else the author edited in a stack whose resources are only renamed: it is not in the template that is sent.
/// Mappings that packaging generated do not count.
pub fn held_back(sides: &Sides, sent: &Intermediate) -> Vec<Difference> {
    let relation = Relation { is_same: &|old, new| old == new, may_differ: &|_, _| false };
    let mut found = differences(&sides.stack, &sent.template, &sides.authored, &relation);
    found.retain(|difference| difference.section != Section::Mappings || difference.change != "removed");
    found
}
