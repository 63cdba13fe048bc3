//! Values of a kind that the schema does not take.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_schemas::{Kind, Node};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind as Written, NodeId, View};

use super::walk::{At, Walk};
use super::words;
use crate::checks::written;

impl<'w> Walk<'w> {
    pub(super) fn one_for_a_list(&mut self, schema: Node<'w>, at: At, found: &str, of_service: &str) {
        let Some(severity) = self.warning() else { return };
        let tree = self.tree;
        let subject = words::subject(&self.path, tree.text(self.id));
        let title = format!("{subject} is {found}, not {}", words::wanted(schema));
        let is_scalar = tree.is_scalar(at.node);
        let place =
            if is_scalar || !matches!(tree.view(at.node), View::Map) { tree.span(at.node) } else { self.place(at) };
        let mut diagnostic = Diagnostic::titled(codes::KIND_OF_PROPERTY, title).at(place);
        if !of_service.is_empty() {
            let pointer = words::pointer(&self.path);
            diagnostic = diagnostic.quoting(&format!("{pointer}: expected type: JSONArray, found: {of_service}"));
        }
        diagnostic = diagnostic.note("some types accept a single value, most reject it");
        let pairs = schema.items().and_then(|items| self.as_pairs(items, at.node));
        diagnostic = match written::code(tree, self.sources, at.node) {
            _ if pairs.is_some() => {
                let text = pairs.unwrap_or_default();
                diagnostic.help(format!("write a list: `{text}`")).unsafe_fix("write a list", tree.span(at.node), text)
            }
            Some(own) => {
                let text = format!("[{}]", own.inner);
                diagnostic.help(format!("write a list: `{text}`")).unsafe_fix("write a list", tree.span(at.node), text)
            }
            None if is_scalar && tree.string(at.node).is_some_and(|text| text.starts_with('-')) => {
                diagnostic.help("write a space behind each dash")
            }
            None if matches!(tree.view(at.node), View::Map) => {
                diagnostic.help("write a list: begin each of its objects with `- `")
            }
            None => diagnostic.help("write a list"),
        };
        self.push(diagnostic, severity, "");
    }

    /// Writes an object such as `{Env: dev}` as a list of tags: `[{Key: Env, Value: dev}]`.
    fn as_pairs(&self, items: Node<'w>, node: NodeId) -> Option<String> {
        const MOST: usize = 5;
        let tree = self.tree;
        let wants_pairs = items.property("Key").is_some() && items.property("Value").is_some();
        let entries: Vec<_> = (tree.kind(node) == Written::Map).then(|| tree.entries(node).collect())?;
        let is_tag = |entry: &Entry| tree.is_scalar(entry.value) && !["Key", "Value"].contains(&tree.text(entry.key));
        if !wants_pairs || entries.is_empty() || entries.len() > MOST || !entries.iter().all(is_tag) {
            return None;
        }
        let is_json = self.sources.slice(tree.span(node)).starts_with("{\"");
        let mut pairs = Vec::new();
        for entry in entries {
            let slices = [entry.key, entry.value].map(|node| self.sources.slice(tree.span(node)).trim());
            if slices.iter().any(|slice| slice.is_empty() || slice.contains(['\n', ',', '{', '}', '[', ']', '#', '`']))
            {
                return None;
            }
            let [key, value] = slices;
            pairs.push(if is_json {
                format!("{{\"Key\": {key}, \"Value\": {value}}}")
            } else {
                format!("{{Key: {key}, Value: {value}}}")
            });
        }
        Some(format!("[{}]", pairs.join(", ")))
    }

    pub(super) fn wrong_kind(&mut self, schema: Node<'w>, at: At, found: &str, of_service: &str) {
        let Some(severity) = self.error() else { return };
        let tree = self.tree;
        let subject = words::subject(&self.path, tree.text(self.id));
        let title = format!("{subject} is {found}, not {}", words::wanted(schema));
        let is_collection = matches!(tree.view(at.node), View::Map | View::List(_));
        let place = if is_collection { self.place(at) } else { tree.span(at.node) };
        let mut diagnostic = Diagnostic::titled(codes::KIND_OF_PROPERTY, title).at(place);
        if !of_service.is_empty() {
            let (pointer, wanted) = (words::pointer(&self.path), words::of_service(schema));
            diagnostic = diagnostic.quoting(&format!("{pointer}: expected type: {wanted}, found: {of_service}"));
        }
        let number = number_with_unit(tree.text_form(at.node)).filter(|_| !is_collection && wants_number(schema));
        let help = self.advice(at.node, &number.map_or_else(|| words::wanted(schema), |number| format!("`{number}`")));
        self.push(diagnostic.help(self.selection(schema, at.node).unwrap_or(help)), severity, "");
    }

    /// Returns the code to write for a call that returns a list in the place of a string: one of its elements.
    fn selection(&self, schema: Node<'w>, node: NodeId) -> Option<String> {
        let tree = self.tree;
        let View::Call(Function::Known(Known::GetAZs | Known::Split | Known::Cidr), _) = tree.view(node) else {
            return None;
        };
        let written = self.sources.slice(tree.span(node));
        let is_short = written.starts_with('!') && written.len() < 80 && !written.contains(['\n', '`']);
        let code = if is_short { format!("!Select [0, {}]", shown(written)) } else { "Fn::Select".to_owned() };
        schema.kinds().has(Kind::String).then(|| format!("select one of its elements: `{code}`"))
    }

    /// Reports a call that returns a list of scalars in the place of a list of other elements.
    pub(super) fn wrong_elements(&mut self, schema: Node<'w>, items: Node<'w>, at: At) {
        let Some(severity) = self.error() else { return };
        let tree = self.tree;
        let (function, _) = tree.call(at.node);
        let subject = words::subject(&self.path, tree.text(self.id));
        let wanted = words::wanted(schema);
        let title = format!("{subject} is a list of strings ({}), not {wanted}", tree.function_name(function));
        let pointer = words::pointer(&self.path);
        let diagnostic = Diagnostic::titled(codes::KIND_OF_PROPERTY, title)
            .at(tree.span(at.node))
            .quoting(&format!("{pointer}/0: expected type: {}, found: String", words::of_service(items)))
            .help(format!("write {wanted}"));
        self.push(diagnostic, severity, "");
    }

    pub(super) fn described(&self, node: NodeId, kind: &str) -> String {
        match self.tree.view(node) {
            View::Call(function, _) => format!("a {kind} ({})", self.tree.function_name(function)),
            _ => format!("a {kind}"),
        }
    }
}

/// Returns `30` for `30s`, `128` for `128 MB`.
fn number_with_unit(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let unit = text.get(end..)?.trim_start();
    let is_unit = !unit.is_empty() && unit.len() <= 8 && unit.chars().all(|c| c.is_ascii_alphabetic() || c == '%');
    text.get(..end).filter(|number| is_unit && !number.is_empty() && !text.starts_with("0x"))
}

fn wants_number(schema: Node<'_>) -> bool {
    let kinds = schema.kinds();
    !kinds.has(Kind::String) && (kinds.has(Kind::Integer) || kinds.has(Kind::Number))
}

/// Returns `true` if one of the alternatives takes a kind. Without alternatives every kind is taken.
pub(super) fn alternatives_accept(schema: Node<'_>, kind: Kind) -> bool {
    accepts(schema.one_of(), kind, 4) && accepts(schema.any_of(), kind, 4)
}

/// Returns `true` if one of some alternatives takes a kind. Without alternatives, or nested deeper than `depth`, every
/// kind is taken.
fn accepts<'w>(alternatives: impl Iterator<Item = Node<'w>> + Clone, kind: Kind, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    if alternatives.clone().next().is_none() {
        return true;
    }
    alternatives.into_iter().any(|node| {
        let nested: Vec<Node<'w>> = node.one_of().chain(node.any_of()).collect();
        node.kinds().allows(kind) && (nested.is_empty() || accepts(nested.into_iter(), kind, depth))
    })
}
