//! Keys of `DynamoDB` tables and their attributes, which must be the same (reference/schemas.md#rules).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::{Kind, NodeId};

use super::walk::{At, Walk};
use super::words::quoted;

const TABLES: [&str; 2] = ["AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable"];

impl<'w> Walk<'w> {
    /// Compares the attributes of the keys of a table and its indexes with those that it defines.
    pub(super) fn attributes_of_tables(&mut self, properties: At) {
        if !self.resource.is_some_and(|resource| TABLES.contains(&resource.name())) {
            return;
        }
        let tree = self.tree;
        let Some(defined) = self.names_of(tree.get_text(properties.node, "AttributeDefinitions")) else { return };
        let Some(keys) = self.keys_of_table(properties.node) else { return };
        let texts = |names: &[NodeId]| -> Vec<&'w str> { names.iter().map(|&name| tree.text(name)).collect() };
        let (known, used) = (texts(&defined), texts(&keys));
        for &key in &keys {
            if !known.contains(&tree.text(key)) {
                let help = match formwork_base::suggest::slip(tree.text(key), known.iter().copied()) {
                    Some(near) => format!("write {near}"),
                    None => format!("add {} to AttributeDefinitions", shown(tree.text(key))),
                };
                self.attribute(key, "is a key that AttributeDefinitions do not have", &help);
            }
        }
        for &name in &defined {
            if !used.contains(&tree.text(name)) {
                let help = format!("remove {} from AttributeDefinitions", shown(tree.text(name)));
                self.attribute(name, "is defined and not a key of the table or of an index", &help);
            }
        }
    }

    /// Returns the attributes of all keys; `None` if not all of them are literal.
    fn keys_of_table(&self, properties: NodeId) -> Option<Vec<NodeId>> {
        let tree = self.tree;
        let mut keys = self.names_of(tree.get_text(properties, "KeySchema"))?;
        for name in ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"] {
            let Some(indexes) = tree.get_text(properties, name) else { continue };
            if tree.kind(indexes) != Kind::List {
                return None;
            }
            for &index in tree.items(indexes) {
                keys.extend(self.names_of(tree.get_text(index, "KeySchema"))?);
            }
        }
        Some(keys)
    }

    /// Returns the names of a list of objects with an `AttributeName`.
    fn names_of(&self, list: Option<NodeId>) -> Option<Vec<NodeId>> {
        let tree = self.tree;
        let list = list.filter(|&list| tree.kind(list) == Kind::List)?;
        let name = |&item: &NodeId| {
            let is_plain = tree.kind(item) == Kind::Map && self.is_plain_object(item);
            tree.get_text(item, "AttributeName").filter(|&name| is_plain && tree.string(name).is_some())
        };
        tree.items(list).iter().map(name).collect()
    }

    fn attribute(&mut self, node: NodeId, message: &str, help: &str) {
        let Some(severity) = self.severity_of(codes::COMBINATION) else { return };
        let tree = self.tree;
        let title = format!("{} of {} {message}", quoted(tree.text(node)), shown(tree.text(self.id)));
        let diagnostic = Diagnostic::titled(codes::COMBINATION, title)
            .at(tree.span(node))
            .note("the keys of a table and of its indexes have exactly the attributes that it defines")
            .help(help);
        self.push(diagnostic, severity, tree.text(node));
    }
}
