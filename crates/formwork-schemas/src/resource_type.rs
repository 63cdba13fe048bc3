//! Facts about a resource type.

use std::sync::Arc;

use crate::block::{Block, Lifecycle, PathData, ReplacementStrategy, Stateful, TypeData};
use crate::path::FactPath;
use crate::{Node, Rule, Schemas};

/// Facts about a resource type. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct ResourceType<'a> {
    pub(crate) schemas: &'a Schemas,
    pub(crate) block: &'a Block,
    pub(crate) row: &'a TypeData,
    pub(crate) root: Node<'a>,
    pub(crate) own: bool,
}

impl Schemas {
    /// Returns the facts about a type; `None` if it is not known.
    pub fn resource_type(&self, name: &str) -> Option<ResourceType<'_>> {
        let (block, row, own) = self.find(name)?;
        let root = Node::new(block, row.root)?;
        Some(ResourceType { schemas: self, block, row, root, own })
    }
}

impl<'a> ResourceType<'a> {
    /// Returns the name: `AWS::SQS::Queue`.
    pub fn name(&self) -> &'a str {
        self.block.str(self.row.name)
    }

    /// Returns the node of `Properties`.
    pub fn properties(&self) -> Node<'a> {
        self.root
    }

    /// Returns `true` for a type of `AWS::Serverless`, of which less is checked (reference/schemas.md#serverless).
    pub fn is_serverless(&self) -> bool {
        self.name().starts_with("AWS::Serverless::")
    }

    /// Returns `true` if the user passed the schema ([`Schemas::add`]).
    pub fn is_own(&self) -> bool {
        self.own
    }

    /// Returns the paths of properties that only the service sets.
    pub fn read_only(&self) -> impl ExactSizeIterator<Item = FactPath<'a>> + Clone {
        self.paths(&self.row.read_only)
    }

    /// Returns the paths of properties that are never returned.
    pub fn write_only(&self) -> impl ExactSizeIterator<Item = FactPath<'a>> + Clone {
        self.paths(&self.row.write_only)
    }

    /// Returns the paths of deprecated properties.
    pub fn deprecated(&self) -> impl ExactSizeIterator<Item = FactPath<'a>> + Clone {
        self.paths(&self.row.deprecated)
    }

    /// Returns the paths of properties that are set only when the resource is created.
    pub fn create_only(&self) -> impl ExactSizeIterator<Item = FactPath<'a>> + Clone {
        self.paths(&self.row.create_only)
    }

    /// Returns the parts of the primary identifier.
    pub fn identifier(&self) -> impl ExactSizeIterator<Item = FactPath<'a>> + Clone {
        self.paths(&self.row.identifier)
    }

    /// Returns `true` if the schema lists the handlers of the type.
    pub fn has_handlers(&self) -> bool {
        self.row.has_handlers
    }

    /// Returns `true` if a resource can be updated at all.
    pub fn has_update(&self) -> bool {
        self.row.has_update
    }

    /// Returns the property with the tags.
    pub fn tag_property(&self) -> Option<&'a str> {
        self.row.tag_property.map(|name| self.block.str(name))
    }

    /// Returns the order of a replacement, where it is known.
    pub fn replacement_strategy(&self) -> Option<ReplacementStrategy> {
        self.row.replacement_strategy
    }

    /// Returns the end of the type's service, if one is announced.
    pub fn lifecycle(&self) -> Option<Lifecycle> {
        self.row.lifecycle
    }

    /// Returns the data that is lost with a resource; `None` for types that hold none.
    pub fn stateful(&self) -> Option<Stateful> {
        self.facts_row().and_then(|(_, row)| row.facts.stateful)
    }

    /// Returns the properties with permissions: pairs of a path (dots lead inside, empty: the resource itself) and a
    /// class: `identity`, `identities` (a list of named policies), `managed`, `boundary`, `member`, `trust`,
    /// `resource`, `ingress`, `egress`, `ingress-rule`, `egress-rule`, `lambda-permission`, `assignment`,
    /// `public-block`, `acl`, `public`, `auth-none`, `scheme` (`data/schemas/policies.tsv`).
    pub fn policies(&self) -> impl Iterator<Item = (&'a str, &'a str)> + Clone + use<'a> {
        let facts = self.facts_row();
        facts.into_iter().flat_map(|(block, row)| {
            row.facts.policies.iter().map(|(path, class)| (block.str(*path), block.str(*class)))
        })
    }

    /// Returns the rules between properties, which the nodes do not have.
    pub fn rules(&self) -> Arc<[Rule]> {
        let Some((block, row)) = self.facts_row() else { return Arc::default() };
        let texts = row.facts.rules.iter().map(|(path, rule)| (block.str(*path), block.str(*rule)));
        block.rules.of(row.name, texts)
    }

    /// Returns the number of a Region in the table, as [`crate::Catalog::is_in`] takes it.
    pub fn region_number(&self, region: &str) -> Option<usize> {
        self.schemas.table()?.regions.iter().position(|name| name == region)
    }

    /// Returns `true` if the type is recorded in a Region; `None` if the Region or the Regions of the type are not
    /// known.
    pub fn is_in(&self, region: &str) -> Option<bool> {
        let table = self.schemas.table()?;
        let number = table.regions.iter().position(|name| name == region)?;
        let set = table.sets.get(self.row.regions? as usize)?;
        set.get(number / 8).map(|bits| bits >> (number % 8) & 1 == 1)
    }

    /// Returns the real Regions where the type is not recorded, sorted. Empty if its Regions are not known.
    pub fn missing_in(&self) -> Vec<&'a str> {
        let regions = self.schemas.table().map(|table| &table.regions);
        let names = regions.into_iter().flatten().map(String::as_str);
        names.filter(|name| self.is_in(name) == Some(false)).collect()
    }

    /// Returns the row with the facts kept by hand: that of the table, also if the user passed another schema of the
    /// type.
    pub(crate) fn facts_row(&self) -> Option<(&'a Block, &'a TypeData)> {
        if self.own { self.schemas.row(self.name()) } else { Some((self.block, self.row)) }
    }

    fn paths(&self, paths: &'a [PathData]) -> impl ExactSizeIterator<Item = FactPath<'a>> + Clone + use<'a> {
        let block = self.block;
        paths.iter().map(move |names| FactPath { block, names })
    }
}
