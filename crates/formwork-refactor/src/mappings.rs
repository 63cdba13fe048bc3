//! Checks mappings that people pass.

use std::collections::HashSet;

use crate::sides::{authored, deployed, kind, of};
use crate::{Mapping, ResourceId, Sides};

/// The error of a mapping.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WrongMapping {
    /// A stack is not among those of the run.
    UnknownStack(String),
    /// The stack does not have the resource.
    UnknownSource(ResourceId),
    /// A resource would get two names.
    DoubledSource(ResourceId),
    /// Another resource has the name, and keeps it.
    TakenDestination(ResourceId),
    /// Two resources would get the name.
    DoubledDestination(ResourceId),
    /// The resource in the template has another type.
    DifferentTypes {
        /// The mapping.
        mapping: Mapping,
        /// The deployed type.
        deployed: String,
        /// The type in the template.
        authored: String,
    },
    /// The mapping changes nothing.
    Same(ResourceId),
}

/// Returns all errors of mappings.
pub fn wrong_mappings(stacks: &[Sides], mappings: &[Mapping]) -> Vec<WrongMapping> {
    let (mut wrong, mut sources, mut destinations) = (Vec::new(), HashSet::new(), HashSet::new());
    for mapping in mappings {
        let Mapping { source, destination } = mapping;
        let unknown = [source, destination].into_iter().find(|id| of(stacks, &id.stack).is_none());
        if let Some(id) = unknown {
            wrong.push(WrongMapping::UnknownStack(id.stack.clone()));
            continue;
        }
        if source == destination {
            wrong.push(WrongMapping::Same(source.clone()));
            continue;
        }
        let Some(body) = deployed(stacks, source) else {
            wrong.push(WrongMapping::UnknownSource(source.clone()));
            continue;
        };
        if !sources.insert(source) {
            wrong.push(WrongMapping::DoubledSource(source.clone()));
        }
        let stays =
            deployed(stacks, destination).is_some() && !mappings.iter().any(|other| other.source == *destination);
        if !destinations.insert(destination) {
            wrong.push(WrongMapping::DoubledDestination(destination.clone()));
        } else if stays {
            wrong.push(WrongMapping::TakenDestination(destination.clone()));
        }
        if let Some(own) = authored(stacks, destination)
            && kind(own) != kind(body)
        {
            let (deployed, authored) = (kind(body).to_owned(), kind(own).to_owned());
            wrong.push(WrongMapping::DifferentTypes { mapping: mapping.clone(), deployed, authored });
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_mistake_is_found() {
        let stacks = [Sides {
            stack: "s".to_owned(),
            deployed: json!({"Resources": {"A": {"Type": "T"}, "B": {"Type": "T"}, "C": {"Type": "T"}}}),
            authored: json!({"Resources": {"New": {"Type": "U"}}}),
        }];
        let check = |words: &[&str]| {
            let mappings: Vec<_> =
                words.iter().map(|word| Mapping::read(word, Some("s")).expect("a mapping")).collect();
            wrong_mappings(&stacks, &mappings)
        };
        let id = |id| ResourceId::new("s", id);
        assert_eq!(check(&["A=D", "B=A"]), [], "a chain is none");
        assert_eq!(check(&["X=D"]), [WrongMapping::UnknownSource(id("X"))]);
        assert_eq!(check(&["x.A=D"]), [WrongMapping::UnknownStack("x".to_owned())]);
        assert_eq!(check(&["A=B"]), [WrongMapping::TakenDestination(id("B"))]);
        assert_eq!(check(&["A=A"]), [WrongMapping::Same(id("A"))]);
        assert_eq!(check(&["A=D", "B=D"]), [WrongMapping::DoubledDestination(id("D"))]);
        assert_eq!(check(&["A=D", "A=E"]), [WrongMapping::DoubledSource(id("A"))]);
        assert!(matches!(check(&["A=New"]).as_slice(), [WrongMapping::DifferentTypes { .. }]));
    }
}
