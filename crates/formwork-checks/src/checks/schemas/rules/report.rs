//! Findings about violated rules.

use std::fmt::Display;

use formwork_base::display::shown;
use formwork_base::{Code, Diagnostic, Severity, codes};
use formwork_schemas::{Catalog, Clause, Keyword, RulePattern};
use formwork_syntax::{Kind, NodeId};

use super::super::presence::Presence;
use super::super::scalar::{NotAllowed, nearest};
use super::super::walk::{At, Walk};
use super::super::words;
use super::super::words::quoted;

/// Longer strings are not in a reason.
const LONGEST: usize = 40;

/// Adds the facts that a condition is about: `Engine is mysql`, `Code.ZipFile is set`.
pub(super) fn reasons(walk: &Walk<'_>, condition: &Clause, node: NodeId, why: &mut Vec<String>) {
    let mut facts = Vec::new();
    facts_of(walk, condition, node, "", &mut facts);
    facts.retain(|fact| !why.contains(fact));
    why.append(&mut facts);
}

fn facts_of(walk: &Walk<'_>, condition: &Clause, node: NodeId, outer: &str, facts: &mut Vec<String>) {
    let tree = walk.tree;
    for keyword in &condition.keywords {
        match keyword {
            Keyword::Required(names) => {
                for name in names {
                    add(walk, (node, name), &format!("{outer}{name}"), facts);
                }
            }
            Keyword::Properties(properties) => {
                for (name, inner) in properties {
                    match tree.get_text(node, name).filter(|&value| tree.kind(value) == Kind::Map) {
                        Some(value) => facts_of(walk, inner, value, &format!("{outer}{name}."), facts),
                        None => add(walk, (node, name), &format!("{outer}{name}"), facts),
                    }
                }
            }
            Keyword::All(parts) | Keyword::Any(parts) | Keyword::One(parts) => {
                for part in parts {
                    facts_of(walk, part, node, outer, facts);
                }
            }
            Keyword::Not(inner) => facts_of(walk, inner, node, outer, facts),
            _ => {}
        }
    }
}

fn add(walk: &Walk<'_>, (node, name): (NodeId, &str), path: &str, facts: &mut Vec<String>) {
    let tree = walk.tree;
    let value = tree.get_text(node, name).filter(|&value| !walk.is_nothing(value));
    let fact = match value {
        None => format!("{path} is missing"),
        Some(value) if is_known(walk, value) && walk.text_of(value).len() <= LONGEST => {
            format!("{path} is {}", shown(walk.text_of(value)))
        }
        Some(_) => format!("{path} is set"),
    };
    // A fact about a property replaces a shorter one.
    if !facts.iter().any(|known| known == &fact || known.starts_with(&format!("{path}."))) {
        facts.push(fact);
    }
}

fn is_known(walk: &Walk<'_>, node: NodeId) -> bool {
    walk.tree.is_scalar(node) || walk.assumed(node).is_some()
}

fn because(why: &[String]) -> Option<String> {
    let facts: Vec<&str> = why.iter().map(String::as_str).take(3).collect();
    (!facts.is_empty()).then(|| format!("because {}", facts.join(" and ")))
}

/// Pushes a finding with its reasons.
fn push(walk: &mut Walk<'_>, diagnostic: Diagnostic, severity: Severity, why: &[String], subject: &str) {
    let diagnostic = match because(why) {
        Some(note) => diagnostic.note(note),
        None => diagnostic,
    };
    walk.push(diagnostic, severity, subject);
}

fn start(walk: &Walk<'_>, code: Code, message: impl Display) -> Option<(Diagnostic, Severity)> {
    let severity = walk.severity_of(code)?;
    let subject = words::subject(&walk.path, walk.tree.text(walk.id));
    Some((Diagnostic::titled(code, format!("{subject} {message}")), severity))
}

pub(super) fn missing(walk: &mut Walk<'_>, name: &str, at: At, why: &[String]) {
    let Some((diagnostic, severity)) = start(walk, codes::COMBINATION, format_args!("needs {name}")) else { return };
    let diagnostic = diagnostic.at(walk.place(at)).help(format!("add {name}"));
    push(walk, diagnostic, severity, why, name);
}

pub(super) fn forbidden(walk: &mut Walk<'_>, name: &str, at: At, why: &[String]) {
    let message = format!("has {name}, which does not apply");
    let Some((diagnostic, severity)) = start(walk, codes::COMBINATION, message) else { return };
    let diagnostic = diagnostic.at(walk.place(at)).help(format!("remove {name}"));
    push(walk, diagnostic, severity, why, name);
}

/// Reports a clause that must not hold, by the names that it is about.
pub(super) fn excluded(walk: &mut Walk<'_>, inner: &Clause, at: At, why: &[String]) {
    let tree = walk.tree;
    let mut names: Vec<&str> = Vec::new();
    collect_required(inner, &mut names);
    names.retain(|name| walk.presence(at.node, name) == Presence::Present);
    let entries: Vec<_> = tree.entries(at.node).filter(|entry| names.contains(&tree.text(entry.key))).collect();
    for entry in &entries {
        forbidden(walk, tree.text(entry.key), At { node: entry.value, key: Some(entry.key) }, why);
    }
    if entries.is_empty() && tree.is_scalar(at.node) {
        let Some((diagnostic, severity)) = start(walk, codes::VALUE_NOT_ALLOWED, "has a value that is reserved") else {
            return;
        };
        let help = walk.advice(at.node, "another value");
        push(walk, diagnostic.at(tree.span(at.node)).help(help), severity, why, "reserved");
    }
}

fn collect_required<'c>(clause: &'c Clause, names: &mut Vec<&'c str>) {
    for keyword in &clause.keywords {
        match keyword {
            Keyword::Required(required) => names.extend(required.iter().map(String::as_str)),
            Keyword::Any(parts) | Keyword::All(parts) => parts.iter().for_each(|part| collect_required(part, names)),
            _ => {}
        }
    }
}

/// Reports that no alternative fits.
pub(super) fn alternatives(walk: &mut Walk<'_>, parts: &[Clause], at: At, why: &[String]) {
    let mut names: Vec<&str> = Vec::new();
    for part in parts {
        collect_required(part, &mut names);
    }
    if !names.is_empty() {
        let list = words::some(&names);
        let message = format!("has none of {list}, of which one is needed");
        let Some((diagnostic, severity)) = start(walk, codes::COMBINATION, message) else { return };
        let diagnostic = diagnostic.at(walk.place(at)).help(format!("add one of {list}"));
        return push(walk, diagnostic, severity, why, "alternatives");
    }
    let mut properties: Vec<String> = Vec::new();
    for keyword in parts.iter().flat_map(|part| &part.keywords) {
        if let Keyword::Properties(named) = keyword {
            properties.extend(named.iter().map(|(name, _)| name.clone()));
        }
    }
    properties.dedup();
    properties.truncate(2);
    let message = match properties.as_slice() {
        [one, other] => format!("has values of {one} and {other} that do not go together"),
        _ => "has a value that is not allowed".to_owned(),
    };
    let Some((diagnostic, severity)) = start(walk, codes::COMBINATION, message) else { return };
    let first = properties.first().and_then(|name| walk.tree.get_text(at.node, name));
    let place = first.filter(|&node| walk.tree.is_scalar(node)).map_or(walk.place(at), |node| walk.tree.span(node));
    push(walk, diagnostic.at(place).help("write values that are allowed together"), severity, why, "alternatives");
}

/// Reports a list none of whose elements satisfies a clause.
pub(super) fn contains(walk: &mut Walk<'_>, inner: &Clause, at: At, why: &[String]) {
    let names: Vec<&str> = match inner.keywords.as_slice() {
        [Keyword::Not(inner), ..] => {
            let properties = inner.keywords.iter().filter_map(|keyword| match keyword {
                Keyword::Properties(named) => named.first().map(|(name, _)| name.as_str()),
                _ => None,
            });
            properties.collect()
        }
        _ => Vec::new(),
    };
    let message = match names.first() {
        Some(name) => format!("has no element without `{name}: false`, and one is needed"),
        None => "does not have an element that it needs".to_owned(),
    };
    let Some((diagnostic, severity)) = start(walk, codes::COMBINATION, message) else { return };
    let help = names.first().map_or("add it".to_owned(), |name| format!("write `{name}: true` in one element"));
    push(walk, diagnostic.at(walk.place(at)).help(help), severity, why, "contains");
}

/// Reports the number of elements of a list, with the advice.
pub(super) fn count(walk: &mut Walk<'_>, message: &str, (at, help): (At, String), why: &[String]) {
    let Some((diagnostic, severity)) = start(walk, codes::BOUND_OF_PROPERTY, format_args!("has {message}")) else {
        return;
    };
    push(walk, diagnostic.at(walk.place(at)).help(help), severity, why, "count");
}

/// Reports a key that is not an allowed name.
pub(super) fn name(walk: &mut Walk<'_>, inner: &Clause, key: NodeId, why: &[String]) {
    let tree = walk.tree;
    let name = shown(tree.text(key));
    let is_reserved = inner.keywords.iter().any(|keyword| matches!(keyword, Keyword::Not(_)));
    let message = if is_reserved {
        format!("has the reserved key {name}")
    } else {
        format!("has the key {name}, which is not allowed")
    };
    let Some((diagnostic, severity)) = start(walk, codes::VALUE_NOT_ALLOWED, message) else { return };
    let allowed = inner.keywords.iter().find_map(|keyword| match keyword {
        Keyword::Values(values) => Some(values.iter().map(String::as_str).collect::<Vec<_>>()),
        _ => None,
    });
    let near = allowed.as_ref().and_then(|values| nearest(tree.text(key), values).0);
    let help = near.map_or_else(|| "write another key".to_owned(), |near| format!("write {near}"));
    push(walk, diagnostic.at(tree.span(key)).help(help), severity, why, tree.text(key));
}

pub(super) fn value(walk: &mut Walk<'_>, values: &[&str], at: At, why: &[String]) {
    let text = walk.text_of(at.node);
    let near = nearest(text, values).0;
    let Some(severity) = walk.warning() else { return };
    walk.report_not_allowed(&NotAllowed { values, near, why: because(why) }, at, text, severity);
}

/// Reports a value that no Region has, or not the one that was passed.
pub(super) fn listed(walk: &mut Walk<'_>, catalog: &Catalog, at: At, text: &str) {
    let is_known = catalog.values().any(|known| known == text);
    if !is_known {
        // A new size of a family is not in the table yet.
        let values: Vec<&str> = catalog.values().collect();
        let near = nearest(text, &values).0;
        let Some(severity) = walk.warning() else { return };
        return walk.report_not_allowed(&NotAllowed { values: &values, near, why: None }, at, text, severity);
    }
    let (Some(region), Some(resource)) = (walk.region(), walk.resource) else { return };
    let Some(number) = resource.region_number(region) else { return };
    let Some(severity) = walk.note().filter(|_| !catalog.is_in(text, number)) else { return };
    let subject = words::subject(&walk.path, walk.tree.text(walk.id));
    let title = format!("{} of {subject} is not recorded in {}", quoted(text), shown(region));
    let diagnostic = Diagnostic::titled(codes::VALUE_NOT_ALLOWED, title).at(walk.tree.span(at.node));
    let diagnostic = diagnostic.note(walk.known_as_of());
    walk.push(diagnostic, severity, "region");
}

pub(super) fn pattern(walk: &mut Walk<'_>, pattern: &RulePattern, at: At, why: &[String]) {
    let Some(severity) = walk.severity_of(codes::PATTERN_OF_PROPERTY) else { return };
    let (tree, subject) = (walk.tree, words::subject(&walk.path, walk.tree.text(walk.id)));
    let text = quoted(walk.text_of(at.node));
    let shown = shown(pattern.text());
    let (title, help) = if pattern.is_excluded() {
        (format!("{text} is not allowed for {subject}"), format!("a value that does not match `{shown}`"))
    } else {
        (format!("{text} does not match the pattern of {subject}"), format!("a value that matches `{shown}`"))
    };
    let help = walk.advice(at.node, &help);
    let diagnostic = Diagnostic::titled(codes::PATTERN_OF_PROPERTY, title).at(tree.span(at.node)).help(help);
    push(walk, diagnostic, severity, why, "");
}

pub(super) fn bound(walk: &mut Walk<'_>, message: &str, help: &str, at: At, why: &[String]) {
    let text = shown(walk.text_of(at.node));
    let message = format!("is {text}, {message}");
    let Some((diagnostic, severity)) = start(walk, codes::BOUND_OF_PROPERTY, message) else { return };
    let diagnostic = diagnostic.at(walk.tree.span(at.node)).help(walk.advice(at.node, help));
    push(walk, diagnostic, severity, why, "");
}

/// Reports a number that is less than the one before it.
pub(super) fn less(walk: &mut Walk<'_>, (less, more): (&str, &str), node: NodeId) {
    let message = format!("has a {more} that is less than its {less}");
    let Some((diagnostic, severity)) = start(walk, codes::BOUND_OF_PROPERTY, message) else { return };
    let diagnostic = diagnostic.at(walk.tree.span(node)).help(format!("write a {more} that is at least {less}"));
    walk.push(diagnostic, severity, more);
}

/// Reports an object with a key that an earlier element of its list has.
pub(super) fn again(walk: &mut Walk<'_>, name: &str, node: NodeId) {
    let text = shown(walk.tree.text_form(node));
    let message = format!("has the {name} {text} of an earlier element");
    let Some((diagnostic, severity)) = start(walk, codes::BOUND_OF_PROPERTY, message) else { return };
    let help = walk.advice(node, &format!("another {name}, or remove the element"));
    walk.push(diagnostic.at(walk.tree.span(node)).help(help), severity, name);
}
