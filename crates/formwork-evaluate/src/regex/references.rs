//! References to groups, of which the engine cannot run all as other languages do.

use super::tree::{Group, Part};

/// Returns why the engine does not run the references of a pattern as other languages do.
pub(super) fn error(tree: &Part) -> Option<&'static str> {
    let mut walk = Walk::default();
    walk.part(tree, false);
    if walk.referred.iter().any(|&group| group > walk.groups) {
        return Some("it refers to a group that does not exist");
    }
    // Languages differ in the content of such a group after it was left without a match.
    let is_inner = walk.referred.iter().any(|group| walk.inner.contains(group));
    (walk.refers_to_open_group || is_inner)
        .then_some("a reference to a group that is repeated or looked for is not supported")
}

#[derive(Default)]
struct Walk {
    groups: usize,
    open: Vec<usize>,
    /// Groups that are repeated, optional or looked for.
    inner: Vec<usize>,
    referred: Vec<usize>,
    refers_to_open_group: bool,
}

impl Walk {
    fn part(&mut self, part: &Part, is_inner: bool) {
        match part {
            Part::Group(Group::Captured, group) => {
                self.groups += 1;
                self.open.push(self.groups);
                self.inner.extend(is_inner.then_some(self.groups));
                self.part(group, is_inner);
                self.open.pop();
            }
            Part::Group(Group::Plain, group) => self.part(group, is_inner),
            Part::Group(_, group) | Part::Repeat(group, _) => self.part(group, true),
            Part::Sequence(parts) | Part::Choice(parts) => parts.iter().for_each(|part| self.part(part, is_inner)),
            Part::Back(number) => {
                self.refers_to_open_group |= self.open.contains(number);
                self.referred.push(*number);
            }
            Part::Char(..) | Part::Any | Part::Class(..) | Part::Assertion(_) => {}
        }
    }
}
