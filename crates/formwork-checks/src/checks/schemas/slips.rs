//! Misspelt keys in values for which the schema has several alternatives or takes further names
//! (reference/schemas.md#names). The intended alternative is not known: a key that none of them has, and that is nearly
//! one of theirs, is a slip in each.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes, suggest};
use formwork_schemas::{Node, Values};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, NodeId, View};

use super::step::Step;
use super::walk::{At, Walk};
use super::words;

/// Limit of alternatives that are checked together, because schemas may contain themselves.
const MOST: usize = 200;
/// Deeper values are not checked.
const DEEPEST: usize = 32;

impl<'w> Walk<'w> {
    pub(super) fn slips(&mut self, schema: Node<'w>, at: At) {
        self.slips_in(vec![schema], at.node, DEEPEST);
    }

    fn slips_in(&mut self, nodes: Vec<Node<'w>>, value: NodeId, left: usize) {
        let Some(left) = left.checked_sub(1) else { return };
        let nodes = flattened(nodes);
        let tree = self.tree;
        match tree.view(value) {
            View::List(items) => {
                let of_items: Vec<Node<'w>> = nodes.iter().filter_map(|node| node.items()).collect();
                for (number, &item) in items.iter().enumerate() {
                    self.path.push(Step::Element(number));
                    self.slips_in(of_items.clone(), item, left);
                    self.path.pop();
                }
            }
            View::Call(Function::Known(Known::If), argument) => {
                for &branch in tree.items(argument).iter().skip(1) {
                    self.slips_in(nodes.clone(), branch, left);
                }
            }
            View::Map if self.is_plain_object(value) => self.slips_in_object(&nodes, value, left),
            _ => {}
        }
    }

    fn slips_in_object(&mut self, nodes: &[Node<'w>], value: NodeId, left: usize) {
        let tree = self.tree;
        // A literal `Type` separates alternatives.
        let kind = tree.get_text(value, "Type").and_then(|kind| tree.string(kind));
        let allows = |node: &&Node<'w>| {
            let values = node.property("Type").and_then(|property| property.node.values());
            values.zip(kind).is_none_or(|(values, kind)| values.allow(kind))
        };
        if let Some(kind) = kind {
            self.type_slip(nodes, value, kind);
        }
        let meant: Vec<Node<'w>> = nodes.iter().filter(allows).copied().collect();
        let takes_any = |name: &str| {
            meant.iter().any(|node| {
                let mut patterns = node.name_patterns();
                node.additional().is_some() || patterns.any(|(pattern, _)| pattern.matches(name) != Some(false))
            })
        };
        for entry in tree.entries(value) {
            let name = tree.text(entry.key);
            if self.is_nothing(entry.value) {
                continue;
            }
            let mut below: Vec<Node<'w>> =
                meant.iter().filter_map(|node| node.property(name)).map(|property| property.node).collect();
            if below.is_empty() && !takes_any(name) {
                self.slip(&meant, value, entry);
                continue;
            }
            if below.is_empty() {
                below.extend(meant.iter().filter_map(|node| node.additional()));
                let patterns = meant.iter().flat_map(|node| node.name_patterns());
                below.extend(patterns.filter(|(pattern, _)| pattern.matches(name) == Some(true)).map(|(_, node)| node));
            }
            self.path.push(Step::Key(name));
            self.slips_in(below, entry.value, left);
            self.path.pop();
        }
    }

    fn type_slip(&mut self, nodes: &[Node<'w>], object: NodeId, kind: &str) {
        let types: Vec<Node<'w>> =
            nodes.iter().filter_map(|node| node.property("Type")).map(|property| property.node).collect();
        let values: Option<Vec<Values<'w>>> = types.iter().map(|node| node.values()).collect();
        let (Some(values), Some(entry)) = (values.filter(|values| values.len() > 1), self.entry(object, "Type")) else {
            return;
        };
        if values.iter().any(|values| values.allow(kind)) {
            return;
        }
        let mut known: Vec<&str> = values.into_iter().flat_map(Values::iter).collect();
        known.sort_unstable();
        known.dedup();
        self.path.push(Step::Key("Type"));
        self.misspelt_type(&known, At { node: entry.value, key: Some(entry.key) }, kind);
        self.path.pop();
    }

    fn entry(&self, object: NodeId, name: &str) -> Option<Entry> {
        self.tree.entries(object).find(|entry| self.tree.text(entry.key) == name)
    }

    /// Reports a key that is nearly one of an alternative which the object is: it has another key of it, or the
    /// alternative requires the intended one.
    fn slip(&mut self, nodes: &[Node<'w>], object: NodeId, entry: Entry) {
        let tree = self.tree;
        let name = tree.text(entry.key);
        let names = || nodes.iter().flat_map(|node| node.properties().map(|property| property.name));
        let Some(near) = self.near(name, names()) else { return };
        let is_meant = nodes.iter().any(|node| {
            let mut others = tree.entries(object).filter(|other| other.key != entry.key).peekable();
            let is_alone = others.peek().is_none();
            let has_other = is_alone || others.any(|other| node.property(tree.text(other.key)).is_some());
            node.property(near).is_some() && (has_other || node.required().any(|required| required == near))
        });
        // The serverless transform passes some names on, whatever their letter case.
        let severity = if near.eq_ignore_ascii_case(name) { self.error() } else { self.hard_error() };
        let (Some(resource), Some(severity)) = (self.resource, severity) else { return };
        if !is_meant || tree.get_text(object, near).is_some() || !suggest::has_same_digits(name, near) {
            return;
        }
        let span = tree.span(entry.key);
        if self.unknown.contains(&span) || !self.slipped.insert(span) {
            return;
        }
        let outer = if self.path.is_empty() { String::new() } else { format!("{} of ", words::dotted(&self.path)) };
        let title = format!("{outer}{} does not have a property {}", resource.name(), shown(name));
        let pointer = words::pointer(&self.path);
        let diagnostic = Diagnostic::titled(codes::UNKNOWN_PROPERTY, title)
            .at(span)
            .label(format!("did you mean {near}?"))
            .quoting(&format!("{pointer}: extraneous key [{}] is not permitted", shown(name)))
            .note(self.known_as_of())
            .help(format!("write {near}"));
        let is_written = !tree.is_generated(entry.key) && !tree.is_alias(entry.key);
        let diagnostic = match () {
            () if !is_written => diagnostic,
            () if near.eq_ignore_ascii_case(name) => diagnostic.fix(format!("write {near}"), span, near),
            () => diagnostic.unsafe_fix(format!("write {near}"), span, near),
        };
        self.meant.entry(object).or_default().push(near);
        self.path.push(Step::Key(name));
        self.push(diagnostic, severity, name);
        self.path.pop();
    }
}

fn flattened(nodes: Vec<Node<'_>>) -> Vec<Node<'_>> {
    let (mut found, mut pending): (Vec<Node<'_>>, Vec<Node<'_>>) = (Vec::new(), nodes);
    while let Some(node) = pending.pop() {
        if found.len() >= MOST {
            break;
        }
        if !found.iter().any(|known| known.key() == node.key()) {
            found.push(node);
            pending.extend(node.one_of().chain(node.any_of()).chain(node.all_of()));
        }
    }
    found
}
