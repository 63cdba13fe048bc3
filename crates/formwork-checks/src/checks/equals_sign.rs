//! Keys that are written with `=` in the place of the colon: `Default = dev` (reference/structure.md#nulls).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::{Entry, Kind, Tree};

use crate::Context;

/// Returns key and value of an entry such as `Default = dev`, which YAML reads as one key without a value.
pub(super) fn parts(tree: &Tree, entry: Entry) -> Option<(&str, &str)> {
    let (key, value) = tree.text(entry.key).split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    let is_name = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (tree.kind(entry.value) == Kind::Null && is_name && !value.is_empty()).then_some((key, value))
}

/// Reports an entry that is written so; returns `true` if it is.
pub(super) fn report(cx: &mut Context<'_>, entry: Entry) -> bool {
    let tree = cx.tree;
    let Some((key, value)) = parts(tree, entry) else { return false };
    let code = format!("{}: {}", shown(key), shown(value));
    let title = format!("`{}` has no `:`", shown(tree.text(entry.key)));
    let diagnostic = Diagnostic::titled(codes::UNKNOWN_ATTRIBUTE, title)
        .at(tree.span(entry.key))
        .frames(tree.frame_chain(tree.frame_of(entry.key)))
        .help(format!("write `{code}`"))
        .unsafe_fix("write a colon", tree.span(entry.key), code);
    cx.push(diagnostic, cx.as_written());
    true
}
