//! Nulls, which CloudFormation rejects and the transform removes (reference/structure.md#nulls).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::{Entry, Kind, NodeId, Tree, flags, function, symbol};
use formwork_template::Section;

use super::{equals_sign, resources};
use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    let root = cx.template.root;
    if !cx.tree.has(root, flags::HAS_NULL) {
        return;
    }
    let mut path = Vec::new();
    walk(cx, root, &mut path);
}

fn walk(cx: &mut Context<'_>, node: NodeId, path: &mut Vec<String>) {
    if !cx.tree.has(node, flags::HAS_NULL) {
        return;
    }
    match cx.tree.kind(node) {
        Kind::Null => report(cx, node, path),
        Kind::List => {
            for (at, item) in cx.tree.items(node).to_vec().into_iter().enumerate() {
                path.push(at.to_string());
                walk(cx, item, path);
                path.pop();
            }
        }
        Kind::Map => {
            for entry in cx.tree.entries(node).collect::<Vec<_>>() {
                if cx.is_cancelled() {
                    return;
                }
                // Reported as such.
                if matches!(path.as_slice(), [section, _] if section == "Parameters")
                    && equals_sign::parts(cx.tree, entry).is_some()
                {
                    continue;
                }
                if let Some(id) = resource_at(path)
                    && is_empty_properties(cx.tree, entry)
                    && not_indented(cx, id, node)
                {
                    continue;
                }
                path.push(shown(cx.tree.text(entry.key)));
                walk(cx, entry.value, path);
                path.pop();
            }
        }
        Kind::Call => {
            let (function, argument) = cx.tree.call(node);
            path.push(cx.tree.function_name(function).to_owned());
            walk(cx, argument, path);
            path.pop();
        }
        _ => {}
    }
}

/// Returns the key of the resource that a path leads to, which loops may be around.
fn resource_at(path: &[String]) -> Option<&str> {
    let (section, mut rest) = path.split_first()?;
    while let [name, number, inner @ ..] = rest
        && function::loop_name(name).is_some()
        && number == "2"
    {
        rest = inner;
    }
    match rest {
        [id] if section == "Resources" => Some(id),
        _ => None,
    }
}

fn subject(path: &[String]) -> String {
    match path {
        [.., list, number] if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("an element of {list}"),
        [.., name] => name.clone(),
        [] => "the document".to_owned(),
    }
}

fn report(cx: &mut Context<'_>, node: NodeId, path: &[String]) {
    let section = path.first().map_or("", String::as_str);
    let is_member = path.len() == 2;
    let pointer = format!("/{}", path.join("/"));
    // The resources check reports a null resource.
    if section == "Resources" && path.len() <= 2 {
        return;
    }
    // A loop reports those of its items.
    if matches!(path, [.., function, collection, _] if function == "Fn::Map" && collection == "Collection") {
        return;
    }
    let processed = Section::ALL.iter().any(|known| known.is_processed() && known.name() == section);
    let sentence = format!("[{pointer}] 'null' values are not allowed in templates");
    let severity = if path.len() == 1 || section == "Outputs" && is_member {
        Severity::Error
    } else if cx.language_extensions && processed {
        // Removed by the transform.
        return;
    } else {
        cx.as_written()
    };
    let diagnostic = Diagnostic::new(codes::NULL_VALUE, format!("{} is null: `{sentence}`", subject(path)))
        .at(cx.tree.span(node))
        .path(path.join("."))
        .help("set a value, or remove it");
    cx.push(diagnostic, severity);
}

fn is_empty_properties(tree: &Tree, entry: Entry) -> bool {
    tree.symbol(entry.key) == symbol::PROPERTIES && tree.kind(entry.value) == Kind::Null
}

/// Reports properties in the column of `Properties`, in the resource with the body `resource`. Returns `true` if it
/// did.
fn not_indented(cx: &mut Context<'_>, id: &str, resource: NodeId) -> bool {
    let Some((properties, first)) = resources::unindented(cx.tree, resource) else { return false };
    let title = format!("Properties of {id} is empty: {} is in its own column", shown(cx.tree.text(first)));
    let diagnostic = Diagnostic::titled(codes::NULL_VALUE, title)
        .at(cx.tree.span(properties))
        .quoting(&format!("[/Resources/{id}/Properties] 'null' values are not allowed in templates"))
        .help("indent the lines of the properties by two more spaces");
    cx.push(diagnostic, Severity::Error);
    true
}
