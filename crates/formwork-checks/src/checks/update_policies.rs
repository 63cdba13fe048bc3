//! Keys of `UpdatePolicy` and `CreationPolicy` (reference/policies.md#update).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes, suggest};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, NodeId, Symbol, View, symbol};
use formwork_template::attribute;

use crate::Context;

/// A policy and the keys of its object; empty for one that is a Boolean.
type Policy = (&'static str, &'static [&'static str]);

const UPDATE: [Policy; 8] = [
    ("AutoScalingReplacingUpdate", &["WillReplace"]),
    (
        "AutoScalingRollingUpdate",
        &[
            "MaxBatchSize",
            "MinActiveInstancesPercent",
            "MinInstancesInService",
            "MinSuccessfulInstancesPercent",
            "PauseTime",
            "SuspendProcesses",
            "WaitOnResourceSignals",
        ],
    ),
    ("AutoScalingScheduledAction", &["IgnoreUnmodifiedGroupSizeProperties"]),
    (
        "CodeDeployLambdaAliasUpdate",
        &["AfterAllowTrafficHook", "ApplicationName", "BeforeAllowTrafficHook", "DeploymentGroupName"],
    ),
    ("EnableVersionUpgrade", &[]),
    ("StartAfterUpdate", &[]),
    ("StopBeforeUpdate", &[]),
    ("UseOnlineResharding", &[]),
];
const CREATION: [Policy; 3] = [
    ("AutoScalingCreationPolicy", &["MinSuccessfulInstancesPercent"]),
    ("ResourceSignal", &["Count", "Timeout"]),
    ("StartFleet", &[]),
];

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
            let Some(policy) = tree.member(resource.value, name) else { continue };
            let kind = tree.get(resource.value, symbol::TYPE).and_then(|kind| tree.string(kind));
            if kind.is_some_and(attribute::is_registry_module) {
                of_module(cx, resource, policy.key, name);
                continue;
            }
            for entry in entries(cx, policy.value) {
                let key = tree.text(entry.key);
                let Some((_, keys)) = known.iter().find(|(known, _)| *known == key) else {
                    report(cx, resource, (name, ""), entry.key, &mut known.iter().map(|(known, _)| *known));
                    continue;
                };
                for entry in entries(cx, entry.value) {
                    if !keys.contains(&tree.text(entry.key)) {
                        report(cx, resource, (name, key), entry.key, &mut keys.iter().copied());
                    }
                }
            }
        }
    }
}

/// Reports a policy of a registry module, which expands to resources, and has none of its own.
fn of_module(cx: &mut Context<'_>, resource: Entry, key: NodeId, attribute: Symbol) {
    let tree = cx.tree;
    let (id, attribute) = (shown(tree.text(resource.key)), tree.name(attribute));
    let diagnostic =
        Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, format!("{id} is a module, which cannot have {attribute}"))
            .at(tree.span(key))
            .frames(tree.frame_chain(tree.frame_of(resource.key)))
            .help(format!("remove {attribute}"));
    let severity = cx.severity_of(resource.key);
    cx.push(diagnostic, severity);
}

/// Returns the entries of an object, or of those that an `Fn::If` chooses from.
fn entries(cx: &Context<'_>, node: NodeId) -> Vec<Entry> {
    let (mut found, mut pending) = (Vec::new(), vec![node]);
    while let Some(node) = pending.pop() {
        match cx.tree.view(node) {
            View::Map => found.extend(cx.tree.entries(node)),
            View::Call(Function::Known(Known::If), argument) => {
                pending.extend(cx.tree.items(argument).iter().skip(1).rev());
            }
            _ => {}
        }
    }
    found
}

/// Reports a key that is near to a known one: another may be newer than this program.
fn report(
    cx: &mut Context<'_>,
    resource: Entry,
    (attribute, policy): (Symbol, &str),
    key: NodeId,
    known: &mut dyn Iterator<Item = &'static str>,
) {
    let tree = cx.tree;
    let text = tree.text(key);
    if text.starts_with("Fn::") {
        return;
    }
    let Some(near) = suggest::nearest(text, known) else { return };
    let dot = if policy.is_empty() { "" } else { "." };
    let place = format!("{}{dot}{policy}", tree.name(attribute));
    let id = shown(tree.text(resource.key));
    let diagnostic =
        Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, format!("{place} of {id} has the unknown key {}", shown(text)))
            .at(tree.span(key))
            .frames(tree.frame_chain(tree.frame_of(resource.key)))
            .help(format!("did you mean `{near}`?"))
            .fix("rename the key", tree.span(key), near);
    let severity = cx.severity_of(resource.key);
    cx.push(diagnostic, severity);
}
