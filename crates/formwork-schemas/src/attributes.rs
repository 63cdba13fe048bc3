//! Attributes of `Fn::GetAtt` (reference/schemas.md#attributes).

use crate::path::FactPath;
use crate::{Kind, Node, ResourceType};

/// An attribute that `Fn::GetAtt` returns.
#[derive(Clone, Debug)]
pub struct Attribute<'a> {
    /// Name with dots: `Arn`, `Endpoint.Address`.
    pub name: String,
    /// Facts about the value, if the schema has them.
    pub node: Option<Node<'a>>,
}

impl<'a> ResourceType<'a> {
    /// Returns the attribute of a name with dots: a read-only path, a prefix of one, a path below one, or a known
    /// further attribute. Paths through lists are not attributes.
    pub fn attribute(&self, name: &str) -> Option<Attribute<'a>> {
        let names: Vec<&str> = name.split('.').collect();
        let of_schema = self.row.read_only.iter().any(|path| {
            let path = FactPath { block: self.block, names: path };
            let readable = path.names().all(|name| name != "*");
            readable && path.names().zip(&names).all(|(known, asked)| known == *asked)
        });
        let known = of_schema || self.is_further(name, &names);
        // A path below an attribute must exist, as far as the schema knows.
        let node = self.properties().at(&names);
        let is_map = || self.properties().at(names.get(..1).unwrap_or_default()).is_none_or(open);
        (known && (node.is_some() || is_map() || self.is_listed(name)))
            .then(|| Attribute { name: name.to_owned(), node })
    }

    /// Returns all attributes, sorted: read-only paths and the further ones.
    pub fn attributes(&self) -> Vec<Attribute<'a>> {
        let mut names: Vec<String> = Vec::new();
        for path in &self.row.read_only {
            let path = FactPath { block: self.block, names: path };
            if path.names().all(|name| name != "*") {
                names.push(path.to_string());
            }
        }
        for name in self.further() {
            if name == "*" {
                self.every_property(&mut names);
            } else {
                names.push(name.to_owned());
            }
        }
        names.sort();
        names.dedup();
        let node = |name: &str| self.properties().at(&name.split('.').collect::<Vec<_>>());
        names.into_iter().map(|name| Attribute { node: node(&name), name }).collect()
    }

    /// Returns the parts of the value of `Ref`, which are joined by `|`. Empty if they are not known.
    pub fn reference(&self) -> Vec<&'a str> {
        if let Some((block, row)) = self.facts_row()
            && !row.facts.reference.is_empty()
        {
            return row.facts.reference.iter().map(|name| block.str(*name)).collect();
        }
        let paths = self.row.identifier.iter();
        paths.filter_map(|path| path.last()).map(|name| self.block.str(*name)).collect()
    }

    fn is_listed(&self, name: &str) -> bool {
        self.further().any(|known| known == name)
    }

    fn is_further(&self, name: &str, names: &[&str]) -> bool {
        self.further().any(|known| {
            let mut known_names = known.split('.');
            known == name
                || (known == "*" && self.is_property(names))
                || known_names.by_ref().zip(names).all(|(known, asked)| known == *asked)
        })
    }

    /// Returns `true` for a property, and for one of an object that is a property.
    fn is_property(&self, names: &[&str]) -> bool {
        let property = names.first().and_then(|name| self.properties().property(name));
        match (property, names) {
            (Some(_), [_]) => true,
            (Some(property), [_, name]) => property.node.property(name).is_some(),
            _ => false,
        }
    }

    fn every_property(&self, names: &mut Vec<String>) {
        for property in self.properties().properties() {
            names.push(property.name.to_owned());
            for inner in property.node.properties() {
                names.push(format!("{}.{}", property.name, inner.name));
            }
        }
    }

    fn further(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let facts = self.facts_row();
        facts.into_iter().flat_map(|(block, row)| row.facts.attributes.iter().map(|name| block.str(*name)))
    }
}

fn open(node: Node<'_>) -> bool {
    node.kinds().allows(Kind::Object) && !node.is_closed()
}
