//! Checks that a refactor does what was requested.

use formwork_deploy::StackRefactorAction;
use formwork_refactor::{Mapping, ResourceId};

/// Returns the actions that are not among the renames and moves. Unknown actions are left to CloudFormation.
pub(super) fn unexpected<'a>(
    actions: &'a [StackRefactorAction],
    mappings: &[Mapping],
    new_stacks: bool,
) -> Vec<&'a StackRefactorAction> {
    let is_meant = |action: &&StackRefactorAction| match (action.action.as_str(), action.entity.as_str()) {
        ("CREATE", "STACK") => new_stacks,
        ("MOVE" | "CREATE", _) => action.mapping.as_ref().is_some_and(|(old, new)| {
            let id = |(stack, id): &(String, String)| ResourceId::new(stack_name(stack), id);
            mappings.contains(&Mapping { source: id(old), destination: id(new) })
        }),
        _ => true,
    };
    actions.iter().filter(|action| !is_meant(action)).collect()
}

/// Returns the name in the ARN of a stack; a name is returned unchanged.
pub(super) fn stack_name(stack: &str) -> &str {
    match stack.split_once(":stack/") {
        Some((_, rest)) => rest.split('/').next().unwrap_or(rest),
        None => stack,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_arns() {
        assert_eq!(stack_name("arn:aws:cloudformation:eu-west-1:1:stack/shop/5e6f"), "shop");
        assert_eq!(stack_name("shop"), "shop");
    }
}
