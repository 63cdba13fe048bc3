//! What is known of a type.

use crate::block::{Block, Lifecycle, PathData, ReplacementStrategy, Stateful, TypeData};
use crate::path::FactPath;
use crate::{Node, Schemas};

/// What is known of a resource type. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct ResourceType<'a> {
    pub(crate) schemas: &'a Schemas,
    pub(crate) block: &'a Block,
    pub(crate) row: &'a TypeData,
    pub(crate) root: Node<'a>,
    /// It is from a schema that the user passed.
    pub(crate) own: bool,
}

impl Schemas {
    /// What is known of a type.
    pub fn resource_type(&self, name: &str) -> Option<ResourceType<'_>> {
        let (block, row, own) = self.find(name)?;
        let root = Node::new(block, row.root)?;
        Some(ResourceType { schemas: self, block, row, root, own })
    }
}

impl<'a> ResourceType<'a> {
    /// `AWS::SQS::Queue`.
    pub fn name(&self) -> &'a str {
        self.block.str(self.row.name)
    }

    /// What `Properties` is.
    pub fn properties(&self) -> Node<'a> {
        self.root
    }

    /// Whether it is one of `AWS::Serverless`, of which less is judged (reference/schemas.md#serverless).
    pub fn is_serverless(&self) -> bool {
        self.name().starts_with("AWS::Serverless::")
    }

    /// Whether its schema was passed by the user ([`Schemas::add`]).
    pub fn is_own(&self) -> bool {
        self.own
    }

    /// Paths of properties that only the service sets.
    pub fn read_only(&self) -> impl ExactSizeIterator<Item = FactPath<'a>> + Clone {
        self.paths(&self.row.read_only)
    }

    /// Paths of properties that are never returned.
    pub fn write_only(&self) -> impl ExactSizeIterator<Item = FactPath<'a>> + Clone {
        self.paths(&self.row.write_only)
    }

    /// Paths of deprecated properties.
    pub fn deprecated(&self) -> impl ExactSizeIterator<Item = FactPath<'a>> + Clone {
        self.paths(&self.row.deprecated)
    }

    /// Paths of properties that are set only when the resource is created.
    pub fn create_only(&self) -> impl ExactSizeIterator<Item = FactPath<'a>> + Clone {
        self.paths(&self.row.create_only)
    }

    /// The parts of the primary identifier.
    pub fn identifier(&self) -> impl ExactSizeIterator<Item = FactPath<'a>> + Clone {
        self.paths(&self.row.identifier)
    }

    /// Whether the schema lists the handlers of the type.
    pub fn has_handlers(&self) -> bool {
        self.row.has_handlers
    }

    /// Whether a resource can be updated at all.
    pub fn has_update(&self) -> bool {
        self.row.has_update
    }

    /// The property with the tags.
    pub fn tag_property(&self) -> Option<&'a str> {
        self.row.tag_property.map(|name| self.block.str(name))
    }

    /// The order of a replacement, where it is known.
    pub fn replacement_strategy(&self) -> Option<ReplacementStrategy> {
        self.row.replacement_strategy
    }

    /// The end of its service, if one is announced.
    pub fn lifecycle(&self) -> Option<Lifecycle> {
        self.row.lifecycle
    }

    /// What is lost with a resource; `None` for types that hold nothing.
    pub fn stateful(&self) -> Option<Stateful> {
        self.facts_row().and_then(|(_, row)| row.facts.stateful)
    }

    /// Where permissions are: pairs of a path (dots lead inside, empty: the resource itself) and a class: `identity`,
    /// `identities` (a list of named policies), `managed`, `boundary`, `member`, `trust`, `resource`, `ingress`,
    /// `egress`, `ingress-rule`, `egress-rule`, `lambda-permission`, `assignment`, `public-block`, `acl`, `public`,
    /// `auth-none`, `scheme` (`data/schemas/policies.tsv`).
    pub fn policies(&self) -> impl Iterator<Item = (&'a str, &'a str)> + Clone + use<'a> {
        let facts = self.facts_row();
        facts.into_iter().flat_map(|(block, row)| {
            row.facts.policies.iter().map(|(path, class)| (block.str(*path), block.str(*class)))
        })
    }

    /// Whether the type is recorded in a Region; `None` if the Region or the Regions of the type are not known.
    pub fn is_in(&self, region: &str) -> Option<bool> {
        let table = self.schemas.table()?;
        let number = table.regions.iter().position(|name| name == region)?;
        let set = table.sets.get(self.row.regions? as usize)?;
        set.get(number / 8).map(|bits| bits >> (number % 8) & 1 == 1)
    }

    /// Real Regions where the type is not recorded, sorted. Empty if its Regions are not known.
    pub fn missing_in(&self) -> Vec<&'a str> {
        let regions = self.schemas.table().map(|table| &table.regions);
        let names = regions.into_iter().flatten().map(String::as_str);
        names.filter(|name| self.is_in(name) == Some(false)).collect()
    }

    /// The row with the facts kept by hand: that of the table, also if the user passed another schema of the type.
    pub(crate) fn facts_row(&self) -> Option<(&'a Block, &'a TypeData)> {
        if self.own { self.schemas.row(self.name()) } else { Some((self.block, self.row)) }
    }

    fn paths(&self, paths: &'a [PathData]) -> impl ExactSizeIterator<Item = FactPath<'a>> + Clone + use<'a> {
        let block = self.block;
        paths.iter().map(move |names| FactPath { block, names })
    }
}
