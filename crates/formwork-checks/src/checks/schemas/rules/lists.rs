//! Keywords about lists.

use formwork_schemas::Keyword;
use formwork_syntax::{Kind, NodeId};

use super::super::step::Step;
use super::super::walk::{At, Walk};
use super::{holds, judge, report};

pub(super) fn judge<'w>(walk: &mut Walk<'w>, keyword: &Keyword, (at, items): (At, &[NodeId]), why: &mut Vec<String>) {
    let mut each = |walk: &mut Walk<'w>, number: usize, item: NodeId, clause| {
        walk.path.push(Step::Element(number));
        walk.in_context(item, |walk| judge::clause(walk, clause, At { node: item, key: None }, why));
        walk.path.pop();
    };
    match keyword {
        Keyword::Items(inner) => {
            items.iter().enumerate().for_each(|(number, &item)| each(walk, number, item, inner));
        }
        Keyword::PrefixItems(parts) => {
            parts.iter().zip(items).enumerate().for_each(|(number, (part, &item))| each(walk, number, item, part));
        }
        Keyword::Contains(inner) => {
            let is_without = items.iter().all(|&item| holds::clause(walk, inner, item) == Some(false));
            if is_without && !items.is_empty() {
                report::contains(walk, inner, at, why);
            }
        }
        Keyword::MinItems(bound) | Keyword::MaxItems(bound) => {
            let is_least = matches!(keyword, Keyword::MinItems(_));
            let (mut least, mut most) = (0, 0);
            for &item in items {
                let (fewest, greatest) = walk.elements(item, 8);
                least += fewest;
                most += greatest;
            }
            if is_least && most < *bound {
                report::count(
                    walk,
                    &format!("{most} elements, fewer than {bound}"),
                    (at, format!("write at least {bound}")),
                    why,
                );
            } else if !is_least && least > *bound {
                report::count(
                    walk,
                    &format!("{least} elements, more than {bound}"),
                    (at, format!("write at most {bound}")),
                    why,
                );
            }
        }
        Keyword::UniqueKeys(names) => {
            unique(walk, &names.iter().map(String::as_str).collect::<Vec<_>>(), items);
        }
        _ => {}
    }
}

/// Compares the keys of the objects of a list.
pub(in super::super) fn unique(walk: &mut Walk<'_>, names: &[&str], items: &[NodeId]) {
    /// Longer lists are not compared.
    const MOST: usize = 1000;
    let tree = walk.tree;
    let mut seen: Vec<Vec<&str>> = Vec::new();
    for (number, &item) in items.iter().enumerate().take(MOST) {
        if tree.kind(item) != Kind::Map || !walk.is_plain_object(item) {
            continue;
        }
        let values: Option<Vec<(NodeId, &str)>> = names
            .iter()
            .map(|name| {
                let value = tree.get_text(item, name).filter(|&value| tree.is_scalar(value))?;
                Some((value, tree.text_form(value)))
            })
            .collect();
        let Some(values) = values else { continue };
        let texts: Vec<&str> = values.iter().map(|(_, text)| *text).collect();
        if seen.contains(&texts) {
            let (Some(name), Some((node, _))) = (names.first(), values.first()) else { continue };
            walk.path.push(Step::Element(number));
            walk.in_context(item, |walk| report::again(walk, name, *node));
            walk.path.pop();
        } else {
            seen.push(texts);
        }
    }
}
