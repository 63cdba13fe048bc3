//! Converts between the short tag and the long name of a function.

use formwork::tree::{Function, Kind, Style};

use super::site::innermost;
use crate::Edit;
use crate::actions::{Action, ActionKind, Spot};
use crate::proof::is_same;

pub(super) fn action(spot: &Spot<'_, '_>) -> Option<Action> {
    if spot.is_json() {
        return None;
    }
    let site = innermost(spot, |tree, node| tree.kind(node) == Kind::Call)?;
    let tree = site.tree();
    let (function, argument) = tree.call(site.node);
    let Function::Known(known) = function else { return None };
    let (long, short) = (known.long(), known.short());
    let argument = site.source(argument);
    if short.is_empty() || !site.is_single_line() || argument.is_empty() {
        return None;
    }
    let (title, text) = if tree.style(site.node) == Style::Tag {
        (format!("write {long}"), format!("{{{long}: {argument}}}"))
    } else {
        (format!("write !{short}"), format!("!{short} {argument}"))
    };
    let action = spot.action(title, ActionKind::Rewrite, vec![Edit::new(site.range.start, site.range.end, text)]);
    is_same(&spot.before, &action.edits).then_some(action)
}
