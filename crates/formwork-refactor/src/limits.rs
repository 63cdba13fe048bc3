//! Limits of a refactor, as far as they are known without a call.

use serde_json::Value;

use crate::moves::differences;
use crate::references::visit;
use crate::sides::{deployed, resources, section};
use crate::{Difference, Intermediate, Mapping, Sides};

const STACKS: usize = 5;

/// Pseudo parameters that have another value in each stack.
const OWN: [&str; 2] = ["AWS::StackName", "AWS::StackId"];

/// The reason why CloudFormation rejects a refactor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// More than five stacks; the number of them.
    TooManyStacks(usize),
    /// A stack would have no resources.
    Empty(String),
    /// A resource that moves has another value in the other stack.
    OwnValue {
        /// The move.
        mapping: Mapping,
        /// The pseudo parameter.
        name: &'static str,
    },
    /// A stack that the refactor creates has a section that it must not have.
    NewStack {
        /// The name of the stack.
        stack: String,
        /// `Parameters` or `Rules`.
        section: &'static str,
    },
    /// A template of a move has another edit.
    Edited(Difference),
}

/// Returns all reasons why CloudFormation rejects a refactor with these templates.
pub fn refused(stacks: &[Sides], mappings: &[Mapping], sent: &[Intermediate]) -> Vec<Refusal> {
    let mut found = Vec::new();
    if sent.len() > STACKS {
        found.push(Refusal::TooManyStacks(sent.len()));
    }
    for one in sent {
        let Some(sides) = stacks.iter().find(|sides| sides.stack == one.stack) else { continue };
        if resources(&one.template).next().is_none() {
            found.push(Refusal::Empty(one.stack.clone()));
        }
        if sides.is_new() {
            let has = |name: &&'static str| section(&one.template, name).is_some_and(|entries| !entries.is_empty());
            let stack = &one.stack;
            found.extend(
                ["Parameters", "Rules"]
                    .into_iter()
                    .filter(has)
                    .map(|section| Refusal::NewStack { stack: stack.clone(), section }),
            );
        }
        if one.has_moves {
            found.extend(differences(stacks, sides, mappings).into_iter().map(Refusal::Edited));
        }
    }
    for mapping in mappings.iter().filter(|mapping| mapping.is_move()) {
        let body = deployed(stacks, &mapping.source).unwrap_or(&Value::Null);
        for name in OWN {
            let mut is_used = false;
            visit(body, &mut |used| is_used |= used == name);
            if is_used {
                found.push(Refusal::OwnValue { mapping: mapping.clone(), name });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::intermediate;

    #[test]
    fn limits_that_need_no_call() {
        let topic =
            json!({"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Fn::Sub": "${AWS::StackName}-x"}}});
        let stacks = [
            Sides {
                stack: "a".to_owned(),
                deployed: json!({"Resources": {"T": topic}}),
                authored: json!({"Resources": {}}),
            },
            Sides {
                stack: "b".to_owned(),
                deployed: Value::Null,
                authored: json!({"Parameters": {"P": {}}, "Resources": {"T": topic}}),
            },
        ];
        let mapping = Mapping::read("a.T=b.T", None).expect("a mapping");
        let mappings = [mapping.clone()];
        let found = refused(&stacks, &mappings, &intermediate(&stacks, &mappings));
        let new = Refusal::NewStack { stack: "b".to_owned(), section: "Parameters" };
        for want in [Refusal::Empty("a".to_owned()), new, Refusal::OwnValue { mapping, name: "AWS::StackName" }] {
            assert!(found.contains(&want), "{want:?} in {found:?}");
        }
        let many: Vec<_> = (0..6)
            .map(|at| Sides {
                stack: format!("s{at}"),
                deployed: json!({"Resources": {"A": {"Type": "T"}}}),
                authored: json!({"Resources": {"B": {"Type": "T"}}}),
            })
            .collect();
        let mappings: Vec<_> =
            (0..6).map(|at| Mapping::read("A=B", Some(&format!("s{at}"))).expect("a mapping")).collect();
        assert_eq!(refused(&many, &mappings, &intermediate(&many, &mappings)), [Refusal::TooManyStacks(6)]);
    }
}
