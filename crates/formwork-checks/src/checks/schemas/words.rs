//! Paths and values in words.

use formwork_base::display::shown;
use formwork_schemas::{FactPath, Kind, Kinds, Node};

use super::step::Step;

/// Writes `"text"`.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", shown(text))
}

/// Writes `Tags.0.Key`.
pub(super) fn dotted(path: &[Step<'_>]) -> String {
    let mut out = String::new();
    for step in path {
        if !out.is_empty() {
            out.push('.');
        }
        match step {
            Step::Key(key) => out.push_str(&shown(key)),
            Step::Element(number) => out.push_str(&number.to_string()),
        }
    }
    out
}

/// Writes `Tags.0.Key of Queue`; the properties themselves are the resource.
pub(super) fn subject(path: &[Step<'_>], id: &str) -> String {
    if path.is_empty() { shown(id) } else { format!("{} of {}", dotted(path), shown(id)) }
}

/// Writes `#/Tags/0/Key`, as CloudFormation does.
pub(super) fn pointer(path: &[Step<'_>]) -> String {
    let mut out = "#".to_owned();
    for step in path {
        out.push('/');
        match step {
            Step::Key(key) => out.push_str(&shown(key)),
            Step::Element(number) => out.push_str(&number.to_string()),
        }
    }
    out
}

/// Writes `Resources.Queue.Properties.Tags.0.Key`.
pub(super) fn full_path(id: &str, path: &[Step<'_>]) -> String {
    let dot = if path.is_empty() { "" } else { "." };
    format!("Resources.{}.Properties{dot}{}", shown(id), dotted(path))
}

/// Writes `Globals.Function.Environment.Variables`.
pub(super) fn global_path(kind: &str, path: &[Step<'_>]) -> String {
    format!("Globals.{}.{}", shown(kind), dotted(path))
}

pub(super) fn is_at(fact: FactPath<'_>, path: &[Step<'_>]) -> bool {
    let mut names = fact.names();
    for step in path {
        let is_same = match (names.next(), step) {
            (Some("*"), _) => true,
            (Some(name), Step::Key(key)) => name == *key,
            _ => false,
        };
        if !is_same {
            return false;
        }
    }
    names.next().is_none()
}

/// Lists up to five names, and the number of the rest.
pub(super) fn some(names: &[&str]) -> String {
    const MOST: usize = 5;
    let first = names.iter().take(MOST).map(|name| shown(name)).collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(MOST) {
        Some(more) if more > 0 => format!("{first} and {more} more"),
        _ => first,
    }
}

pub(super) fn wanted(node: Node<'_>) -> String {
    let kinds = node.kinds();
    if kinds.is_any() {
        let kinds = node.one_of().chain(node.any_of()).flat_map(|one| one.kinds().iter()).fold(Kinds::ANY, Kinds::with);
        return if kinds.is_any() { "another kind of value".to_owned() } else { of_kinds(kinds) };
    }
    match node.items().filter(|_| kinds == Kinds::ANY.with(Kind::Array)).map(Node::kinds) {
        Some(items) if !items.is_any() => format!("a list of {}", plural(items)),
        _ => of_kinds(kinds),
    }
}

fn of_kinds(kinds: Kinds) -> String {
    kinds.iter().map(name).collect::<Vec<_>>().join(" or ")
}

pub(super) fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::String => "a string",
        Kind::Integer => "an integer",
        Kind::Number => "a number",
        Kind::Boolean => "a Boolean",
        Kind::Object => "an object",
        Kind::Array => "a list",
    }
}

fn plural(kinds: Kinds) -> String {
    let name = |kind| match kind {
        Kind::String => "strings",
        Kind::Integer => "integers",
        Kind::Number => "numbers",
        Kind::Boolean => "Booleans",
        Kind::Object => "objects",
        Kind::Array => "lists",
    };
    kinds.iter().map(name).collect::<Vec<_>>().join(" or ")
}

/// Returns a node's first kind, in CloudFormation's words.
pub(super) fn of_service(node: Node<'_>) -> &'static str {
    match node.kinds().iter().next() {
        Some(Kind::String) | None => "String",
        Some(Kind::Integer) => "Integer",
        Some(Kind::Number) => "Number",
        Some(Kind::Boolean) => "Boolean",
        Some(Kind::Object) => "JSONObject",
        Some(Kind::Array) => "JSONArray",
    }
}
