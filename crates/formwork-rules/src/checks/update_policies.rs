//! Keys of `UpdatePolicy` and `CreationPolicy` (reference/policies.md#update).

use formwork_base::{Diagnostic, Severity, codes, suggest};
use formwork_syntax::document::shown;
use formwork_syntax::{Kind, symbol};

use crate::Context;

const UPDATE: [&str; 8] = [
    "AutoScalingReplacingUpdate",
    "AutoScalingRollingUpdate",
    "AutoScalingScheduledAction",
    "CodeDeployLambdaAliasUpdate",
    "EnableVersionUpgrade",
    "StartAfterUpdate",
    "StopBeforeUpdate",
    "UseOnlineResharding",
];
const CREATION: [&str; 3] = ["AutoScalingCreationPolicy", "ResourceSignal", "StartFleet"];

pub(super) fn check(cx: &mut Context<'_>) {
    let tree = cx.tree;
    let policies = [(symbol::UPDATE_POLICY, &UPDATE[..]), (symbol::CREATION_POLICY, &CREATION[..])];
    let is_there = policies.iter().any(|&(name, _)| tree.has_key(name));
    if !cx.goal.is_thorough() || !is_there || cx.template.has_own_macros() {
        return;
    }
    let resources = tree.get(cx.unrolled, symbol::RESOURCES);
    for resource in resources.into_iter().flat_map(|resources| tree.entries(resources)) {
        for (name, known) in policies {
            let Some(policy) = tree.member(resource.value, name).filter(|one| tree.kind(one.value) == Kind::Map) else {
                continue;
            };
            for entry in tree.entries(policy.value) {
                let key = tree.text(entry.key);
                let is_function = key.starts_with("Fn::");
                // What is not near may be a policy that is newer than this program.
                let near = suggest::nearest(key, known.iter().copied());
                let Some(near) = near.filter(|_| !known.contains(&key) && !is_function) else { continue };
                let (id, policy) = (shown(tree.text(resource.key)), tree.name(name));
                let diagnostic = Diagnostic::new(
                    codes::UNKNOWN_ATTRIBUTE,
                    format!("{policy} of {id} has the unknown key {}", shown(key)),
                )
                .at(tree.span(entry.key))
                .frames(tree.frame_chain(tree.frame_of(resource.key)))
                .help(format!("did you mean `{near}`?"))
                .fix("rename the key", tree.span(entry.key), near);
                let severity: Severity = cx.severity_of(resource.key);
                cx.push(diagnostic, severity);
            }
        }
    }
}
