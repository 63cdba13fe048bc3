//! Paths of facts.

use crate::block::{Block, StrId};

/// A path below the properties of a type, as the schema writes it: `*` is an element of a list or any key of a map.
#[derive(Clone, Copy, Debug)]
pub struct FactPath<'a> {
    pub(crate) block: &'a Block,
    pub(crate) names: &'a [StrId],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// At the fact's path or below it.
    Within,
    /// Above the fact's path.
    Above,
    Apart,
}

impl<'a> FactPath<'a> {
    /// Returns the names, from the top.
    pub fn names(self) -> impl Iterator<Item = &'a str> + Clone {
        let FactPath { block, names } = self;
        names.iter().map(|name| block.str(*name))
    }

    /// Returns the relation of `path` to this one. Elements of lists are `*` or a number, and may be omitted where the
    /// fact omits them.
    pub(crate) fn relation(self, path: &[&str]) -> Relation {
        let mut rest = path.iter().copied();
        for name in self.names() {
            loop {
                let Some(element) = rest.next() else { return Relation::Above };
                if name == "*" || name == element {
                    break;
                }
                if !is_element(element) {
                    return Relation::Apart;
                }
            }
        }
        Relation::Within
    }
}

impl std::fmt::Display for FactPath<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, name) in self.names().enumerate() {
            let dot = if number > 0 { "." } else { "" };
            write!(f, "{dot}{name}")?;
        }
        Ok(())
    }
}

/// Returns `true` if an element of a path matches all elements of lists.
fn is_element(element: &str) -> bool {
    element == "*" || (!element.is_empty() && element.bytes().all(|byte| byte.is_ascii_digit()))
}
