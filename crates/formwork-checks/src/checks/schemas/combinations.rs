//! Properties that exclude or need each other.

use formwork_base::{Diagnostic, codes};
use formwork_schemas::Node;

use super::presence::Presence;
use super::walk::{At, Walk};
use super::words;

/// Limit in characters of a list in a title.
const LONGEST: usize = 60;

/// Checks the combinations of an object, and those of the parts that must all hold.
pub(super) fn judge<'w>(walk: &mut Walk<'w>, schema: Node<'w>, at: At) {
    own(walk, schema, at);
    for part in schema.all_of() {
        own(walk, part, at);
        for inner in part.all_of() {
            own(walk, inner, at);
        }
    }
}

fn own<'w>(walk: &mut Walk<'w>, schema: Node<'w>, at: At) {
    let presence = |walk: &Walk<'_>, name: &str| walk.presence(at.node, name);
    let exactly_one: Vec<&str> = schema.required_xor().collect();
    one_of_names(walk, at, &exactly_one, true);
    let at_least_one: Vec<&str> = schema.required_or().collect();
    one_of_names(walk, at, &at_least_one, false);
    for (name, other) in schema.dependent_required() {
        let needs = presence(walk, name) == Presence::Present && presence(walk, other) == Presence::Absent;
        if needs {
            report(walk, at, &format!("has {name}, which needs {other}"), &format!("add {other}"), &[name, other]);
        }
    }
    for (name, other) in schema.dependent_excluded() {
        let both = presence(walk, name) == Presence::Present && presence(walk, other) == Presence::Present;
        // A pair is often listed in both directions.
        let is_listed_before = name > other && schema.dependent_excluded().any(|pair| pair == (other, name));
        if both && !is_listed_before {
            let message = format!("has {name} and {other}, which exclude each other");
            report(walk, at, &message, &format!("remove {name} or {other}"), &[name, other]);
        }
    }
    let one: Vec<Node<'w>> = schema.one_of().collect();
    alternatives(walk, at, &one, true);
    let any: Vec<Node<'w>> = schema.any_of().collect();
    alternatives(walk, at, &any, false);
}

fn one_of_names(walk: &mut Walk<'_>, at: At, names: &[&str], is_exact: bool) {
    let found: Vec<Presence> = names.iter().map(|name| walk.presence(at.node, name)).collect();
    if found.contains(&Presence::Open) || names.is_empty() {
        return;
    }
    let present: Vec<&str> =
        names.iter().zip(&found).filter(|(_, found)| **found == Presence::Present).map(|(name, _)| *name).collect();
    let list = words::some(names);
    if present.is_empty() {
        let message = match list.len() {
            0..=LONGEST => format!("has none of {list}, of which one is needed"),
            _ => "has none of several properties of which one is needed".to_owned(),
        };
        report(walk, at, &message, &format!("add one of {list}"), names);
    } else if is_exact && present.len() > 1 {
        let several = present.join(" and ");
        report(walk, at, &format!("has {several}, of which one is allowed"), "remove all but one of them", names);
    }
}

/// Checks alternatives of which one must hold, each by its required names.
fn alternatives(walk: &mut Walk<'_>, at: At, alternatives: &[Node<'_>], is_exact: bool) {
    let required: Vec<Vec<&str>> = alternatives.iter().map(|node| node.required().collect()).collect();
    if required.is_empty() || required.iter().any(Vec::is_empty) {
        return;
    }
    let presence = |name: &str| walk.presence(at.node, name);
    let is_open = required.iter().flatten().any(|name| presence(name) == Presence::Open);
    if is_open {
        return;
    }
    let holds = |names: &&Vec<&str>| names.iter().all(|name| presence(name) == Presence::Present);
    let satisfied: Vec<&Vec<&str>> = required.iter().filter(holds).collect();
    let names: Vec<String> = required.iter().map(|names| names.join(" with ")).collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.dedup();
    let only_require = alternatives.iter().all(|node| !node.has_properties());
    if satisfied.is_empty() {
        let list = words::some(&names);
        let (message, help) = match names.as_slice() {
            [only] => (format!("has no {only}, which is needed"), format!("add {only}")),
            _ if list.len() > LONGEST => {
                ("has none of several properties of which one is needed".to_owned(), format!("add one of {list}"))
            }
            _ => (format!("has none of {list}, of which one is needed"), format!("add one of {list}")),
        };
        report(walk, at, &message, &help, &names);
    } else if is_exact && only_require && satisfied.len() > 1 {
        let several: Vec<String> = satisfied.iter().map(|names| names.join(" with ")).collect();
        let several = several.join(" and ");
        report(walk, at, &format!("has {several}, of which one is allowed"), "remove all but one of them", &names);
    }
}

pub(super) fn report(walk: &mut Walk<'_>, at: At, message: &str, help: &str, names: &[&str]) {
    let Some(severity) = walk.severity_of(codes::COMBINATION) else { return };
    let subject = words::subject(&walk.path, walk.tree.text(walk.id));
    let diagnostic =
        Diagnostic::titled(codes::COMBINATION, format!("{subject} {message}")).at(walk.place(at)).help(help);
    walk.push(diagnostic, severity, &names.join(","));
}
