//! Deciding whether a value satisfies a clause: `None` where that is not known.

use formwork_schemas::{Clause, Keyword, Kind, Kinds};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View};

use super::super::partial::{ends_decide, pieces_of};
use super::super::presence::Presence;
use super::super::scalar::{allows_text, is_placeholder, number};
use super::super::walk::Walk;

/// Returns `true` if a value satisfies a clause, and `false` if it certainly does not.
pub(super) fn clause(walk: &Walk<'_>, clause: &Clause, node: NodeId) -> Option<bool> {
    let tree = walk.tree;
    if let View::Call(Function::Known(Known::If), argument) = tree.view(node) {
        let [_, one, other] = *tree.items(argument) else { return None };
        if walk.is_nothing(one) || walk.is_nothing(other) {
            return None;
        }
        let one = self::clause(walk, clause, one)?;
        return (self::clause(walk, clause, other) == Some(one)).then_some(one);
    }
    all(clause.keywords.iter().map(|one| keyword(walk, one, node)))
}

/// Combines conditions that must all hold.
fn all(results: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut is_known = true;
    for result in results {
        match result {
            Some(false) => return Some(false),
            Some(true) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(true)
}

fn any(results: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(results.map(|result| result.map(|result| !result))).map(|result| !result)
}

fn keyword(walk: &Walk<'_>, keyword: &Keyword, node: NodeId) -> Option<bool> {
    let tree = walk.tree;
    match keyword {
        Keyword::Never => return Some(false),
        Keyword::Unknown => return None,
        Keyword::All(parts) => return all(parts.iter().map(|part| clause(walk, part, node))),
        Keyword::Any(parts) => return any(parts.iter().map(|part| clause(walk, part, node))),
        Keyword::One(parts) => return exactly_one(parts.iter().map(|part| clause(walk, part, node))),
        Keyword::Not(inner) => return clause(walk, inner, node).map(|result| !result),
        Keyword::If(condition) => {
            let branch = if clause(walk, &condition.holds, node)? { &condition.then } else { &condition.otherwise };
            return clause(walk, branch, node);
        }
        _ => {}
    }
    match tree.view(node) {
        View::Call(function, _) => match walk.assumed(node) {
            Some(text) => of_scalar(keyword, text, false),
            None => of_call(walk, keyword, function, node),
        },
        View::Null => None,
        View::Map if !walk.is_plain_object(node) => None,
        View::Map => of_object(walk, keyword, node),
        View::List(items) => of_list(walk, keyword, items),
        View::String(text) if is_placeholder(text) => None,
        _ if walk.is_reported(node) => None,
        view => of_scalar(keyword, tree.text_form(node), matches!(view, View::Bool(_))),
    }
}

/// Decides what the literal parts of a string decide.
fn of_call(walk: &Walk<'_>, keyword: &Keyword, function: Function, node: NodeId) -> Option<bool> {
    if !matches!(function, Function::Known(Known::Sub | Known::Join)) {
        return None;
    }
    match keyword {
        Keyword::Kinds(kinds) => Some(kinds.allows(Kind::String)),
        Keyword::Pattern(pattern) if !pattern.is_excluded() => {
            ends_decide(pattern.text(), &pieces_of(walk.tree, node)?)
        }
        _ => None,
    }
}

fn exactly_one(results: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut count = 0;
    for result in results {
        count += u32::from(result?);
    }
    Some(count == 1)
}

fn of_object(walk: &Walk<'_>, keyword: &Keyword, node: NodeId) -> Option<bool> {
    let tree = walk.tree;
    match keyword {
        Keyword::Kinds(kinds) => Some(kinds.allows(Kind::Object)),
        Keyword::Values(_) | Keyword::Listed(_) => Some(false),
        Keyword::Required(names) => all(names.iter().map(|name| is_present(walk, node, name))),
        Keyword::Properties(properties) => all(properties.iter().map(|(name, inner)| {
            match tree.get_text(node, name) {
                Some(value) if !walk.is_nothing(value) => clause(walk, inner, value),
                // A misspelt name is meant to be there.
                _ => is_present(walk, node, name).map(|_| true),
            }
        })),
        Keyword::Dependent(pairs) => all(pairs.iter().map(|(name, other, is_needed)| {
            let (first, second) = (is_present(walk, node, name)?, is_present(walk, node, other)?);
            Some(!first || second == *is_needed)
        })),
        Keyword::Names(inner) => all(tree.entries(node).map(|entry| text(inner, tree.text(entry.key)))),
        Keyword::Ordered(_) | Keyword::Among(..) => None,
        _ => Some(true),
    }
}

/// Returns `true` if the text of a key satisfies a clause.
pub(super) fn text(clause: &Clause, key: &str) -> Option<bool> {
    all(clause.keywords.iter().map(|keyword| match keyword {
        Keyword::Values(values) => Some(values.iter().any(|value| value == key)),
        Keyword::Pattern(pattern) => pattern.allows(key),
        Keyword::Not(inner) => text(inner, key).map(|result| !result),
        _ => None,
    }))
}

fn is_present(walk: &Walk<'_>, node: NodeId, name: &str) -> Option<bool> {
    match walk.presence(node, name) {
        Presence::Present => Some(true),
        Presence::Absent => Some(false),
        Presence::Open => None,
    }
}

fn of_list(walk: &Walk<'_>, keyword: &Keyword, items: &[NodeId]) -> Option<bool> {
    let count = || {
        items.iter().fold((0, 0), |sum, &item| {
            let (least, most) = walk.elements(item, 8);
            (sum.0 + least, sum.1 + most)
        })
    };
    match keyword {
        Keyword::Kinds(kinds) => Some(kinds.allows(Kind::Array)),
        Keyword::Values(_) | Keyword::Listed(_) => Some(false),
        Keyword::Items(inner) => all(items.iter().map(|&item| clause(walk, inner, item))),
        Keyword::PrefixItems(parts) => all(parts.iter().zip(items).map(|(part, &item)| clause(walk, part, item))),
        Keyword::Contains(inner) => any(items.iter().map(|&item| clause(walk, inner, item))),
        Keyword::MinItems(bound) => match count() {
            (least, _) if least >= *bound => Some(true),
            (_, most) if most < *bound => Some(false),
            _ => None,
        },
        Keyword::MaxItems(bound) => match count() {
            (_, most) if most <= *bound => Some(true),
            (least, _) if least > *bound => Some(false),
            _ => None,
        },
        Keyword::UniqueKeys(_) => None,
        _ => Some(true),
    }
}

fn of_scalar(keyword: &Keyword, text: &str, is_boolean: bool) -> Option<bool> {
    let value = || number(text);
    match keyword {
        Keyword::Kinds(kinds) => Some(is_of(*kinds, text, is_boolean)),
        Keyword::Values(values) => Some(is_one_of(values, text)),
        Keyword::Listed(catalog) => Some(catalog.values().any(|known| known == text)),
        Keyword::Pattern(pattern) => pattern.allows(text),
        Keyword::Minimum(bound) => Some(value().is_none_or(|value| value >= bound.value())),
        Keyword::Above(bound) => Some(value().is_none_or(|value| value > bound.value())),
        Keyword::Maximum(bound) => Some(value().is_none_or(|value| value <= bound.value())),
        Keyword::MultipleOf(of) => Some(value().is_none_or(|value| (value / of.value()).fract() == 0.0)),
        Keyword::Format(_) => None,
        _ => Some(true),
    }
}

/// Returns `true` for an allowed value. Services take many of these in any letter case, such as engines.
pub(super) fn is_one_of(values: &[String], text: &str) -> bool {
    values.iter().any(|value| value.eq_ignore_ascii_case(text)) || allows_text(values.iter().map(String::as_str), text)
}

fn is_of(kinds: Kinds, text: &str, is_boolean: bool) -> bool {
    let is_number = number(text).is_some();
    kinds.allows(Kind::String)
        || kinds.has(Kind::Number) && is_number
        || kinds.has(Kind::Integer) && number(text).is_some_and(|value| value.fract() == 0.0)
        || kinds.has(Kind::Boolean) && (is_boolean || matches!(text, "true" | "false"))
}
