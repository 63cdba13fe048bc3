//! Renders a resource type as a tree of lines.

use std::fmt::Write as _;

use formwork_schemas::{Kind, Node, ResourceType, Schemas, Stage};

use super::marks::marks;

/// Renders the known facts about a type: its properties, each with kind, allowed values and the effect of a change; its
/// attributes, `Ref`, and the Regions without it.
pub fn render(known: &Schemas, resource: &ResourceType<'_>) -> String {
    let mut text = format!("{}\n", resource.name());
    let mut tree = Tree { resource, text: String::new(), open: Vec::new() };
    tree.properties(resource.properties(), &mut Vec::new());
    text.push_str(&tree.text);
    let attributes: Vec<String> = resource
        .attributes()
        .iter()
        .map(|attribute| match attribute.node.map(Node::kinds).filter(|kinds| !kinds.is_any()) {
            Some(kinds) => format!("{} ({kinds})", attribute.name),
            None => attribute.name.clone(),
        })
        .collect();
    if !attributes.is_empty() {
        let _ = writeln!(text, "attributes: {}", attributes.join(", "));
    }
    let reference = resource.reference();
    if !reference.is_empty() {
        let _ = writeln!(text, "Ref: {}", reference.join("|"));
    }
    if resource.has_handlers() && !resource.has_update() {
        text.push_str("every change replaces the resource\n");
    }
    if let Some(lifecycle) = resource.lifecycle() {
        let stage = match lifecycle.stage {
            Stage::Maintenance => "new customers cannot use its service",
            Stage::Sunset => "its service ends",
            Stage::Shutdown => "its service has ended",
        };
        let date = lifecycle.date.map(|date| format!(" ({date})")).unwrap_or_default();
        let _ = writeln!(text, "{stage}{date}");
    }
    let missing = resource.missing_in();
    if !missing.is_empty() {
        let _ = writeln!(text, "not in {}", missing.join(", "));
    }
    if let Some(date) = known.date().filter(|_| !resource.is_own()) {
        let _ = writeln!(text, "known as of {date}");
    }
    text
}

struct Tree<'t> {
    resource: &'t ResourceType<'t>,
    text: String,
    /// The nodes above the current one: schemas are recursive.
    open: Vec<u32>,
}

impl<'t> Tree<'t> {
    fn properties(&mut self, node: Node<'t>, path: &mut Vec<&'t str>) {
        /// Nobody reads deeper trees.
        const DEEPEST: usize = 12;
        if self.open.contains(&node.key()) || self.open.len() > DEEPEST {
            let indent = "  ".repeat(self.open.len() + 1);
            let _ = writeln!(self.text, "{indent}... as above");
            return;
        }
        self.open.push(node.key());
        for property in node.properties() {
            path.push(property.name);
            self.line(property.name, property.node, path, property.required);
            self.below(property.node, path);
            path.pop();
        }
        for (number, part) in node.one_of().chain(node.any_of()).chain(node.all_of()).enumerate() {
            if part.has_properties() {
                let indent = "  ".repeat(self.open.len());
                let _ = writeln!(self.text, "{indent}alternative {}:", number + 1);
                self.properties(part, path);
            }
        }
        self.open.pop();
    }

    /// Adds the content of a value: the properties of an object, of the elements of a list, of the values of a map.
    fn below(&mut self, node: Node<'t>, path: &mut Vec<&'t str>) {
        let mut inner = node;
        let mut added = 0;
        while let Some(items) = inner.items() {
            path.push("*");
            added += 1;
            inner = items;
            if added > 4 {
                break;
            }
        }
        let map = inner.name_patterns().map(|(_, value)| value).chain(inner.additional()).next();
        if let Some(value) = map.filter(|_| !inner.has_properties()) {
            path.push("*");
            added += 1;
            inner = value;
        }
        let has_alternatives = inner.one_of().chain(inner.any_of()).chain(inner.all_of()).any(Node::has_properties);
        if inner.has_properties() || has_alternatives {
            self.properties(inner, path);
        }
        path.truncate(path.len() - added);
    }

    fn line(&mut self, name: &str, node: Node<'t>, path: &[&str], is_required: bool) {
        let indent = "  ".repeat(self.open.len());
        let _ = write!(self.text, "{indent}{name}  {}", kind(node));
        let marks = marks(self.resource, path, is_required);
        if is_required {
            self.text.push_str("  required");
        }
        if let Some(values) = node.items().unwrap_or(node).values() {
            let _ = write!(self.text, "  {}", values.iter().collect::<Vec<_>>().join(" | "));
        }
        let rest: Vec<&str> = marks.into_iter().filter(|mark| *mark != "required").collect();
        if !rest.is_empty() {
            let _ = write!(self.text, "  [{}]", rest.join(", "));
        }
        self.text.push('\n');
    }
}

/// The kind of a node: `list of strings`, `map`, `string or object`.
pub(super) fn kind(node: Node<'_>) -> String {
    let kinds = node.kinds();
    if kinds.has(Kind::Array)
        && let Some(items) = node.items()
    {
        return format!("list of {}", kind(items));
    }
    if kinds.has(Kind::Object) && !node.has_properties() && node.name_patterns().next().is_some() {
        return "map".to_owned();
    }
    kinds.to_string()
}
