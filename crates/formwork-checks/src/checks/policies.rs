//! Literal values of `DeletionPolicy` and `UpdateReplacePolicy` (reference/policies.md#values). Computed ones are
//! checked where they are computed.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes, suggest};
use formwork_syntax::{Entry, Kind, Symbol, symbol};
use formwork_template::attribute;

use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    const POLICIES: [Symbol; 2] = [symbol::DELETION_POLICY, symbol::UPDATE_REPLACE_POLICY];
    if !POLICIES.iter().any(|&policy| cx.tree.has_key(policy)) {
        return;
    }
    let Some(section) = cx.tree.get(cx.unrolled, symbol::RESOURCES) else { return };
    for resource in cx.tree.entries(section).collect::<Vec<_>>() {
        if cx.is_cancelled() {
            return;
        }
        for policy in POLICIES {
            let Some(entry) = cx.tree.member(resource.value, policy) else { continue };
            let is_text = cx.tree.kind(entry.value) == Kind::String;
            // Under the transform the kind of a computed value is checked where it is computed.
            if is_text || cx.tree.is_scalar(entry.value) && !cx.language_extensions {
                check_text(cx, resource, entry);
            }
        }
    }
}

fn check_text(cx: &mut Context<'_>, resource: Entry, policy: Entry) {
    let name = cx.tree.text(policy.key);
    let text = cx.tree.text(policy.value);
    let known = attribute::policy_values(name);
    if known.contains(&text) {
        return;
    }
    let near = suggest::nearest(text, known.iter().copied());
    // A macro may take words of its own.
    if near.is_none() && cx.template.has_own_macros() {
        return;
    }
    let (id, text) = (shown(cx.tree.text(resource.key)), shown(text));
    let sentence = format!("Unrecognized {name} {text} for resource {id}");
    let mut diagnostic =
        Diagnostic::new(codes::POLICY_VALUE, format!("{name} of resource {id} is \"{text}\": `{sentence}`"))
            .at(cx.tree.span(policy.value))
            .frames(cx.tree.frame_chain(cx.tree.frame_of(resource.key)))
            .note(format!("valid values of {name} are {}", known.join(", ")));
    diagnostic = match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(
            "change the policy",
            cx.tree.span(policy.value),
            near,
        ),
        None => diagnostic.help(format!("write `{name}: Retain`")).unsafe_fix(
            "write a valid policy",
            cx.tree.span(policy.value),
            "Retain",
        ),
    };
    let severity = if cx.language_extensions { Severity::Error } else { cx.as_written() };
    cx.push(diagnostic, severity);
}
