//! `DeletionPolicy` without `UpdateReplacePolicy`, or the reverse, on resources that hold data
//! (reference/schemas.md#pairs).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severities, codes};
use formwork_schemas::Schemas;
use formwork_syntax::{Entry, Symbol, View, symbol};
use formwork_template::attribute;

use crate::Context;

/// A policy, the one that is missing beside it, and the consequence.
struct Pair {
    written: Symbol,
    missing: Symbol,
    event: &'static str,
    consequence: &'static str,
}

const PAIRS: [Pair; 2] = [
    Pair {
        written: symbol::DELETION_POLICY,
        missing: symbol::UPDATE_REPLACE_POLICY,
        event: "replacement",
        consequence: "an update that replaces it deletes the old one",
    },
    Pair {
        written: symbol::UPDATE_REPLACE_POLICY,
        missing: symbol::DELETION_POLICY,
        event: "deletion",
        consequence: "it is deleted with its stack, and when it is removed from the template",
    },
];

pub(super) fn check(cx: &mut Context<'_>, schemas: &Schemas) {
    let tree = cx.tree;
    let is_written = PAIRS.iter().any(|pair| tree.has_key(pair.written));
    let Some(severity) = Severities::ThoroughDoubt.at(cx.goal).filter(|_| is_written) else { return };
    for resource in cx.unrolled_resources().collect::<Vec<_>>() {
        if cx.is_cancelled() {
            return;
        }
        for pair in &PAIRS {
            let Some(written) = tree.member(resource.value, pair.written) else { continue };
            // Another value is reported as that.
            let known = attribute::policy_values(tree.name(pair.written));
            let protects = match tree.view(written.value) {
                View::Call(..) => true,
                _ => tree.string(written.value).is_some_and(|word| word != "Delete" && known.contains(&word)),
            };
            if !protects || tree.get(resource.value, pair.missing).is_some() {
                continue;
            }
            let kind = tree.get(resource.value, symbol::TYPE).and_then(|kind| tree.string(kind));
            let stateful = kind.and_then(|kind| schemas.resource_type(kind)?.stateful());
            let Some(stateful) = stateful else { continue };
            // CloudFormation takes a snapshot on deletion; a cluster has the data of its instances.
            let is_kept = pair.missing == symbol::DELETION_POLICY && stateful.default_policy.is_some();
            if !is_kept {
                cx.push(diagnostic(cx, resource, written, pair), severity);
            }
        }
    }
}

fn diagnostic(cx: &Context<'_>, resource: Entry, written: Entry, pair: &Pair) -> Diagnostic {
    let tree = cx.tree;
    let (id, missing) = (shown(tree.text(resource.key)), tree.name(pair.missing));
    let message = format!("{} of {id} does not protect it from {}", tree.text(written.key), pair.event);
    Diagnostic::new(codes::POLICY_ALONE, message)
        .at(tree.span(written.key))
        .frames(tree.frame_chain(tree.frame_of(resource.key)))
        .note(format!("without {missing}, {}", pair.consequence))
        .help(format!("add `{missing}: Retain`, or `Delete` if that is meant"))
}
