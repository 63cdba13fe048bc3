//! The attributes of a resource.

use std::cell::OnceCell;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes, suggest};
use formwork_syntax::{Entry, Kind, NodeId, Tree, function, symbol};
use formwork_template::attribute;

use crate::Context;
use crate::checks::foreign_names;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AttributeNames {
    All,
    /// A macro may take others: only a name near to a known one is a slip.
    Near,
}

/// Checks the attributes of a resource. Returns `true` if all are known.
pub(super) fn attributes(cx: &mut Context<'_>, member: Entry, severity: Severity, checked: AttributeNames) -> bool {
    let mut is_sound = true;
    let frames = || cx.tree.frame_chain(cx.tree.frame_of(member.key));
    let tree = cx.tree;
    let kind = tree.get(member.value, symbol::TYPE).map_or("", |kind| tree.text(kind));
    let is_unindented = OnceCell::new();
    for entry in tree.entries(member.value) {
        let name = tree.symbol(entry.key);
        if attribute::RESOURCE.contains(&name) {
            continue;
        }
        let text = tree.text(entry.key);
        let is_null = cx.tree.kind(entry.value) == Kind::Null && cx.language_extensions;
        if name == symbol::FN_TRANSFORM
            || function::loop_name(text).is_some()
            || attribute::is_of_type(kind, text)
            || is_null
            || cx.template.is_serverless() && attribute::SERVERLESS.contains(&text)
        {
            continue;
        }
        let (id, text) = (shown(cx.tree.text(member.key)), shown(text));
        let names = attribute::RESOURCE.iter().map(|&name| cx.tree.name(name));
        let near = suggest::nearest(&text, names).map(str::to_owned);
        if near.is_none() && checked == AttributeNames::Near {
            continue;
        }
        is_sound = false;
        // Properties that are not indented are one mistake, which is reported at their key.
        if near.is_none() && *is_unindented.get_or_init(|| unindented(tree, member.value).is_some()) {
            continue;
        }
        let diagnostic =
            Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, format!("resource {id} has the unknown attribute {text}"))
                .at(cx.tree.span(entry.key))
                .frames(frames());
        let is_dropped = near.is_none() && cx.template.is_serverless() && kind.starts_with("AWS::Serverless::");
        let diagnostic = if is_dropped {
            diagnostic.note("the serverless transform leaves it out: it has no effect")
        } else {
            diagnostic.quoting(&format!("Invalid template resource property '{text}'"))
        };
        let diagnostic = match near {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(
                "rename the attribute",
                cx.tree.span(entry.key),
                near,
            ),
            None => diagnostic.help(
                foreign_names::resource_attribute(&text).unwrap_or("write properties of the resource under Properties"),
            ),
        };
        cx.push(diagnostic, if is_dropped { severity.min(Severity::Warning) } else { severity });
    }
    is_sound
}

/// Returns the key `Properties` without a value, and the first key after it in its column: the properties are not
/// indented.
pub(in crate::checks) fn unindented(tree: &Tree, resource: NodeId) -> Option<(NodeId, NodeId)> {
    let mut entries = tree.entries(resource);
    let properties = entries.find(|entry| tree.symbol(entry.key) == symbol::PROPERTIES)?;
    let first = entries.next()?;
    let is_attribute = attribute::RESOURCE.contains(&tree.symbol(first.key));
    let is_empty = tree.kind(properties.value) == Kind::Null;
    (is_empty && !is_attribute && !tree.is_generated(first.key)).then_some((properties.key, first.key))
}

/// Returns `true` if a key is a name with a slip in it, such as `type` or `Tpye`.
pub(in crate::checks) fn is_misspelt(key: &str, name: &str) -> bool {
    key != name && suggest::nearest(key, [name]).is_some()
}
