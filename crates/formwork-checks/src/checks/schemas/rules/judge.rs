//! The parts of a clause that a value certainly violates.

use formwork_schemas::{Clause, Keyword};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View};

use super::super::partial::pieces_of;
use super::super::presence::Presence;
use super::super::scalar::{is_placeholder, number};
use super::super::step::Step;
use super::super::walk::{At, Walk};
use super::{among, holds, lists, report};

/// Reports the violations of a clause. `why` has the facts because of which it applies.
pub(super) fn clause(walk: &mut Walk<'_>, clause: &Clause, at: At, why: &mut Vec<String>) {
    let tree = walk.tree;
    if walk.is_nothing(at.node) {
        return;
    }
    if let View::Call(Function::Known(Known::If), argument) = tree.view(at.node) {
        for &node in tree.items(argument).iter().skip(1) {
            self::clause(walk, clause, At { node, key: at.key }, why);
        }
        return;
    }
    for keyword in &clause.keywords {
        one(walk, keyword, at, why);
    }
}

fn one(walk: &mut Walk<'_>, keyword: &Keyword, at: At, why: &mut Vec<String>) {
    match keyword {
        Keyword::All(parts) => parts.iter().for_each(|part| clause(walk, part, at, why)),
        Keyword::Any(parts) | Keyword::One(parts) => {
            let fails = |part: &Clause| holds::clause(walk, part, at.node) == Some(false);
            if !parts.is_empty() && parts.iter().all(fails) {
                report::alternatives(walk, parts, at, why);
            }
        }
        Keyword::Not(inner) if holds::clause(walk, inner, at.node) == Some(true) => {
            report::excluded(walk, inner, at, why);
        }
        Keyword::If(condition) => {
            let branch = match holds::clause(walk, &condition.holds, at.node) {
                Some(true) => &condition.then,
                Some(false) => &condition.otherwise,
                None => return,
            };
            let before = why.len();
            report::reasons(walk, &condition.holds, at.node, why);
            clause(walk, branch, at, why);
            why.truncate(before);
        }
        Keyword::Pattern(pattern) if !pattern.is_excluded() && is_open_call(walk, at) => {
            if let Some(pieces) = pieces_of(walk.tree, at.node) {
                walk.pattern_of_parts(pattern.text(), at, &pieces);
            }
        }
        Keyword::Format(format) if is_open_call(walk, at) => {
            if let Some(pieces) = pieces_of(walk.tree, at.node) {
                walk.format_of_parts(format, at, &pieces);
            }
        }
        _ => match walk.tree.view(at.node) {
            View::Call(..) if walk.assumed(at.node).is_some() => of_scalar(walk, keyword, at, why),
            View::Null | View::Call(..) => {}
            View::Map if !walk.is_plain_object(at.node) => {}
            View::Map => of_object(walk, keyword, at, why),
            View::List(items) => lists::judge(walk, keyword, (at, items), why),
            View::String(text) if is_placeholder(text) => {}
            View::Bool(_) | View::Number(_) | View::String(_) if walk.is_reported(at.node) => {}
            _ => of_scalar(walk, keyword, at, why),
        },
    }
}

fn of_object(walk: &mut Walk<'_>, keyword: &Keyword, at: At, why: &mut Vec<String>) {
    let tree = walk.tree;
    match keyword {
        Keyword::Required(names) => {
            for name in names {
                if walk.presence(at.node, name) == Presence::Absent {
                    report::missing(walk, name, at, why);
                }
            }
        }
        Keyword::Properties(properties) => {
            for (name, inner) in properties {
                let Some(entry) = tree.entries(at.node).find(|entry| tree.text(entry.key) == name) else { continue };
                if walk.is_nothing(entry.value) {
                    continue;
                }
                let below = At { node: entry.value, key: Some(entry.key) };
                let is_never = matches!(inner.keywords.as_slice(), [Keyword::Never]);
                if is_never && walk.presence(at.node, name) == Presence::Present {
                    report::forbidden(walk, name, below, why);
                } else if !is_never {
                    walk.path.push(Step::Key(tree.text(entry.key)));
                    walk.in_context(entry.value, |walk| clause(walk, inner, below, why));
                    walk.path.pop();
                }
            }
        }
        Keyword::Dependent(pairs) => {
            for (name, other, is_needed) in pairs {
                let [first, second] = [name, other].map(|name| walk.presence(at.node, name));
                match (first, second) {
                    (Presence::Present, Presence::Absent) if *is_needed => {
                        why.push(format!("it has {name}"));
                        report::missing(walk, other, at, why);
                        why.pop();
                    }
                    (Presence::Present, Presence::Present) if !*is_needed => {
                        let entry = tree.entries(at.node).find(|entry| tree.text(entry.key) == other);
                        let Some(entry) = entry else { continue };
                        why.push(format!("it has {name}"));
                        report::forbidden(walk, other, At { node: entry.value, key: Some(entry.key) }, why);
                        why.pop();
                    }
                    _ => {}
                }
            }
        }
        Keyword::Names(inner) => {
            for entry in tree.entries(at.node) {
                if holds::text(inner, tree.text(entry.key)) == Some(false) {
                    report::name(walk, inner, entry.key, why);
                }
            }
        }
        Keyword::Ordered(names) => ordered(walk, names, at),
        Keyword::Among(from, to) => among::judge(walk, from, to, at),
        _ => {}
    }
}

/// Compares each number with the one before it.
fn ordered<'w>(walk: &mut Walk<'w>, names: &[String], at: At) {
    let tree = walk.tree;
    let value = |walk: &Walk<'w>, name: &str| {
        let node: NodeId =
            tree.get_text(at.node, name).filter(|&node| tree.is_scalar(node) && !walk.is_nothing(node))?;
        number(tree.text_form(node)).map(|value| (value, node))
    };
    let known: Vec<(&String, f64, NodeId)> =
        names.iter().filter_map(|name| value(walk, name).map(|(value, node)| (name, value, node))).collect();
    for pair in known.windows(2) {
        if let [(less, least, _), (more, most, node)] = pair
            && least > most
        {
            report::less(walk, (less, more), *node);
        }
    }
}

/// Returns `true` for a call whose value is not assumed either.
fn is_open_call(walk: &Walk<'_>, at: At) -> bool {
    matches!(walk.tree.view(at.node), View::Call(..)) && walk.assumed(at.node).is_none()
}

fn of_scalar(walk: &mut Walk<'_>, keyword: &Keyword, at: At, why: &[String]) {
    let text = walk.text_of(at.node);
    let value = || number(text);
    match keyword {
        Keyword::Values(values) if !holds::is_one_of(values, text) => {
            report::value(walk, &values.iter().map(String::as_str).collect::<Vec<_>>(), at, why);
        }
        Keyword::Listed(catalog) => report::listed(walk, catalog, at, text),
        Keyword::Pattern(pattern) if pattern.allows(text) == Some(false) => report::pattern(walk, pattern, at, why),
        Keyword::Format(format) => walk.format(format, at, text),
        Keyword::Minimum(bound) if value().is_some_and(|value| value < bound.value()) => {
            report::bound(walk, &format!("less than {bound}"), &format!("at least {bound}"), at, why);
        }
        Keyword::Above(bound) if value().is_some_and(|value| value <= bound.value()) => {
            report::bound(walk, &format!("not more than {bound}"), &format!("more than {bound}"), at, why);
        }
        Keyword::Maximum(bound) if value().is_some_and(|value| value > bound.value()) => {
            report::bound(walk, &format!("more than {bound}"), &format!("at most {bound}"), at, why);
        }
        Keyword::MultipleOf(of) if value().is_some_and(|value| (value / of.value()).fract() != 0.0) => {
            report::bound(walk, &format!("not a multiple of {of}"), &format!("a multiple of {of}"), at, why);
        }
        _ => {}
    }
}
