//! Converts `Fn::Join` to `Fn::Sub`, and the other way.

use formwork::NodeId;
use formwork::tree::{Known, Style};

use super::site::{Site, innermost};
use crate::Edit;
use crate::actions::{Action, ActionKind, Spot};
use crate::proof::is_same_resolved;

pub(super) fn actions(spot: &Spot<'_, '_>) -> Vec<Action> {
    let Some(site) = innermost(spot, |tree, node| {
        tree.argument_of(node, Known::Join).is_some() || tree.argument_of(node, Known::Sub).is_some()
    }) else {
        return Vec::new();
    };
    let sub = || Some((to_sub(&site)?, "write Fn::Sub"));
    let join = || Some((to_join(spot, &site)?, "write Fn::Join"));
    let Some((text, title)) = sub().or_else(join) else { return Vec::new() };
    let edit = Edit::new(site.range.start, site.range.end, text);
    let action = spot.action(title, ActionKind::Rewrite, vec![edit]);
    if is_same_resolved(&spot.before, &action.edits, str::to_owned) { vec![action] } else { Vec::new() }
}

fn to_sub(site: &Site<'_>) -> Option<String> {
    let tree = site.tree();
    let argument = site.argument_of(Known::Join)?;
    let &[delimiter, list] = tree.items(argument) else { return None };
    let delimiter = literal(tree.string(delimiter)?);
    let parts: Option<Vec<String>> = tree.items(list).iter().map(|&item| part(site, item)).collect();
    let text = parts?.join(&delimiter);
    Some(call(site, "Sub", &quoted(&text)))
}

/// Converts an element of a join to a part of a string with placeholders.
fn part(site: &Site<'_>, item: NodeId) -> Option<String> {
    let tree = site.tree();
    if let Some(name) = tree.argument_of(item, Known::Ref).and_then(|name| tree.string(name)) {
        return Some(format!("${{{name}}}"));
    }
    if let Some(argument) = tree.argument_of(item, Known::GetAtt) {
        let text = match tree.items(argument) {
            [id, attribute] => format!("{}.{}", tree.string(*id)?, tree.string(*attribute)?),
            _ => tree.string(argument)?.to_owned(),
        };
        return Some(format!("${{{text}}}"));
    }
    tree.is_scalar(item).then(|| literal(tree.text_form(item)))
}

fn literal(text: &str) -> String {
    text.replace("${", "${!")
}

fn to_join(spot: &Spot<'_, '_>, site: &Site<'_>) -> Option<String> {
    let tree = site.tree();
    let text = tree.string(site.argument_of(Known::Sub)?)?;
    let mut parts: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let (before, behind) = (rest.get(..at)?, rest.get(at + 2..)?);
        let close = behind.find('}')?;
        let name = behind.get(..close)?;
        if !before.is_empty() {
            parts.push(quoted(before));
        }
        match name.strip_prefix('!') {
            Some(name) => parts.push(quoted(&format!("${{{name}}}"))),
            None => parts.push(reference(spot, site, name)?),
        }
        rest = behind.get(close + 1..)?;
    }
    if !rest.is_empty() {
        parts.push(quoted(rest));
    }
    (parts.len() > 1).then(|| call(site, "Join", &format!("[\"\", [{}]]", parts.join(", "))))
}

/// A reference for a name in a placeholder.
fn reference(spot: &Spot<'_, '_>, site: &Site<'_>, name: &str) -> Option<String> {
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == ':' || c == '.');
    let is_tag = site.tree().style(site.node) == Style::Tag && !spot.is_json();
    match (is_plain.then_some(name)?.split_once('.'), is_tag) {
        (None, true) => Some(format!("!Ref {name}")),
        (None, false) => Some(format!("{{\"Ref\": \"{name}\"}}")),
        (Some(_), true) => Some(format!("!GetAtt {name}")),
        (Some((id, attribute)), false) => Some(format!("{{\"Fn::GetAtt\": [\"{id}\", \"{attribute}\"]}}")),
    }
}

/// A call in the spelling of the one that it replaces.
fn call(site: &Site<'_>, short: &str, argument: &str) -> String {
    match site.tree().style(site.node) {
        Style::Tag => format!("!{short} {argument}"),
        Style::Plain => format!("Fn::{short}: {argument}"),
        _ => format!("{{\"Fn::{short}\": {argument}}}"),
    }
}

pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
