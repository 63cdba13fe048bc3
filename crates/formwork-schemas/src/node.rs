//! Facts about a value.

use crate::block::{Block, Facet, NodeData, NodeId, PropertyData};
use crate::{Kind, Kinds, Number, Pattern};

/// Facts about a value: a property of a type, an element of a list, ... Cheap to copy. Schemas may contain themselves:
/// walk only as deep as the value at hand.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    pub(crate) block: &'a Block,
    pub(crate) id: NodeId,
    pub(crate) data: &'a NodeData,
}

/// A property of an object.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// Name of the property.
    pub name: &'a str,
    /// Facts about its value.
    pub node: Node<'a>,
    /// Set if the property is required.
    pub required: bool,
}

/// Allowed values.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    node: Node<'a>,
    /// Set if letter case does not count.
    pub any_case: bool,
}

impl<'a> Values<'a> {
    /// Returns the values as strings, in the order of the schema.
    pub fn iter(self) -> impl Iterator<Item = &'a str> + Clone {
        let block = self.node.block;
        self.node.facets().iter().filter_map(|facet| match facet {
            Facet::Value(value) => Some(block.str(*value)),
            _ => None,
        })
    }

    /// Returns `true` if `text` is an allowed value.
    pub fn allow(self, text: &str) -> bool {
        self.iter().any(|value| if self.any_case { value.eq_ignore_ascii_case(text) } else { value == text })
    }
}

impl<'a> Node<'a> {
    pub(crate) fn new(block: &'a Block, id: NodeId) -> Option<Node<'a>> {
        block.nodes.get(id as usize).map(|data| Node { block, id, data })
    }

    fn facets(self) -> &'a [Facet] {
        self.data.facets.of(&self.block.facets)
    }

    fn rows(self) -> &'a [PropertyData] {
        self.data.properties.of(&self.block.properties)
    }

    /// Returns a number that is unique among the nodes of the type's service, to mark visited nodes.
    pub fn key(self) -> u32 {
        self.id
    }

    /// Returns the kinds that the value may have.
    pub fn kinds(self) -> Kinds {
        self.data.kinds
    }

    /// Returns `true` if only the properties and the names of [`Node::name_patterns`] are allowed.
    pub fn is_closed(self) -> bool {
        self.data.closed
    }

    /// Returns `true` if the object has named properties.
    pub fn has_properties(self) -> bool {
        !self.rows().is_empty()
    }

    /// Returns the properties, sorted by name.
    pub fn properties(self) -> impl ExactSizeIterator<Item = Property<'a>> + Clone {
        self.rows().iter().map(move |row| self.of_row(row))
    }

    /// Returns the property with a name.
    pub fn property(self, name: &str) -> Option<Property<'a>> {
        let rows = self.rows();
        let number = rows.binary_search_by(|row| self.block.str(row.name).cmp(name)).ok()?;
        rows.get(number).map(|row| self.of_row(row))
    }

    fn of_row(self, row: &PropertyData) -> Property<'a> {
        let node = Node::new(self.block, row.node).unwrap_or(self);
        Property { name: self.block.str(row.name), node, required: row.required }
    }

    /// Returns the required names, also those that are not a property of this node.
    pub fn required(self) -> impl Iterator<Item = &'a str> + Clone {
        let block = self.block;
        let own = self.rows().iter().filter(|row| row.required).map(|row| block.str(row.name));
        own.chain(self.names(|facet| match facet {
            Facet::Required(name) => Some(name),
            _ => None,
        }))
    }

    /// Returns the node of names that are not a property.
    pub fn additional(self) -> Option<Node<'a>> {
        self.child(|facet| match facet {
            Facet::Additional(node) => Some(node),
            _ => None,
        })
    }

    /// Returns patterns of names, with the node of the values.
    pub fn name_patterns(self) -> impl Iterator<Item = (Pattern<'a>, Node<'a>)> + Clone {
        let block = self.block;
        self.facets().iter().filter_map(move |facet| match *facet {
            Facet::NamePattern(pattern, node) => Some((Pattern { block, text: pattern }, Node::new(block, node)?)),
            _ => None,
        })
    }

    /// Returns the node of the elements of a list.
    pub fn items(self) -> Option<Node<'a>> {
        self.child(|facet| match facet {
            Facet::Items(node) => Some(node),
            _ => None,
        })
    }

    /// Returns the allowed values, if they are listed.
    pub fn values(self) -> Option<Values<'a>> {
        let values = Values { node: self, any_case: self.data.any_case };
        values.iter().next().map(|_| values)
    }

    /// Returns the pattern that a string has to match, if this program understands it.
    pub fn pattern(self) -> Option<Pattern<'a>> {
        self.facets().iter().find_map(|facet| match facet {
            Facet::Pattern(text) => Some(Pattern { block: self.block, text: *text }),
            _ => None,
        })
    }

    /// Returns the format of a string, such as `AWS::EC2::VPC.Id` or `date-time`. For people: it is not checked.
    pub fn format(self) -> Option<&'a str> {
        self.facets().iter().find_map(|facet| match facet {
            Facet::Format(text) => Some(self.block.str(*text)),
            _ => None,
        })
    }

    /// Returns the minimum length of a string, in characters.
    pub fn min_length(self) -> Option<u64> {
        self.size(|facet| if let Facet::MinLength(size) = facet { Some(size) } else { None })
    }

    /// Returns the maximum length of a string, in characters.
    pub fn max_length(self) -> Option<u64> {
        self.size(|facet| if let Facet::MaxLength(size) = facet { Some(size) } else { None })
    }

    /// Returns the minimum of a number.
    pub fn minimum(self) -> Option<Number> {
        self.number(|facet| if let Facet::Minimum(number) = facet { Some(number) } else { None })
    }

    /// Returns the maximum of a number.
    pub fn maximum(self) -> Option<Number> {
        self.number(|facet| if let Facet::Maximum(number) = facet { Some(number) } else { None })
    }

    /// Returns the number that a value must be a multiple of.
    pub fn multiple_of(self) -> Option<Number> {
        self.number(|facet| if let Facet::MultipleOf(number) = facet { Some(number) } else { None })
    }

    /// Returns the minimum number of elements of a list.
    pub fn min_items(self) -> Option<u64> {
        self.size(|facet| if let Facet::MinItems(size) = facet { Some(size) } else { None })
    }

    /// Returns the maximum number of elements of a list.
    pub fn max_items(self) -> Option<u64> {
        self.size(|facet| if let Facet::MaxItems(size) = facet { Some(size) } else { None })
    }

    /// Returns the minimum number of properties of an object.
    pub fn min_properties(self) -> Option<u64> {
        self.size(|facet| if let Facet::MinProperties(size) = facet { Some(size) } else { None })
    }

    /// Returns the maximum number of properties of an object.
    pub fn max_properties(self) -> Option<u64> {
        self.size(|facet| if let Facet::MaxProperties(size) = facet { Some(size) } else { None })
    }

    /// Returns `true` if the elements of a list must differ.
    pub fn has_unique_items(self) -> bool {
        self.data.unique
    }

    /// Returns the alternatives of which exactly one holds.
    pub fn one_of(self) -> impl Iterator<Item = Node<'a>> + Clone {
        self.children(|facet| if let Facet::OneOf(node) = facet { Some(node) } else { None })
    }

    /// Returns the alternatives of which at least one holds.
    pub fn any_of(self) -> impl Iterator<Item = Node<'a>> + Clone {
        self.children(|facet| if let Facet::AnyOf(node) = facet { Some(node) } else { None })
    }

    /// Returns `true` if there are alternatives of either kind.
    pub fn has_alternatives(self) -> bool {
        self.one_of().chain(self.any_of()).next().is_some()
    }

    /// Returns `true` if names below the node are not checked one by one: it has alternatives or parts, or allows
    /// further names.
    pub fn is_open(self) -> bool {
        self.has_alternatives() || self.all_of().next().is_some() || self.has_properties() && !self.is_closed()
    }

    /// Returns the parts that must all hold.
    pub fn all_of(self) -> impl Iterator<Item = Node<'a>> + Clone {
        self.children(|facet| if let Facet::AllOf(node) = facet { Some(node) } else { None })
    }

    /// Returns the names of which exactly one is required; empty without such a rule.
    pub fn required_xor(self) -> impl Iterator<Item = &'a str> + Clone {
        self.names(|facet| if let Facet::RequiredXor(name) = facet { Some(name) } else { None })
    }

    /// Returns the names of which at least one is required; empty without such a rule.
    pub fn required_or(self) -> impl Iterator<Item = &'a str> + Clone {
        self.names(|facet| if let Facet::RequiredOr(name) = facet { Some(name) } else { None })
    }

    /// Returns pairs of names of which the first needs the second.
    pub fn dependent_required(self) -> impl Iterator<Item = (&'a str, &'a str)> + Clone {
        let block = self.block;
        self.facets().iter().filter_map(|facet| match facet {
            Facet::DependentRequired(name, other) => Some((block.str(*name), block.str(*other))),
            _ => None,
        })
    }

    /// Returns pairs of names of which the first excludes the second.
    pub fn dependent_excluded(self) -> impl Iterator<Item = (&'a str, &'a str)> + Clone {
        let block = self.block;
        self.facets().iter().filter_map(|facet| match facet {
            Facet::DependentExcluded(name, other) => Some((block.str(*name), block.str(*other))),
            _ => None,
        })
    }

    /// Returns the node at a path below this one; elements of lists are `*` or a number. Searches properties, name
    /// patterns, additional properties, elements, and alternatives; the first with the path is returned.
    pub fn at(self, path: &[&str]) -> Option<Node<'a>> {
        // Alternatives within alternatives of a private schema may be endless.
        self.at_depth(path, 8)
    }

    fn at_depth(self, path: &[&str], alternatives: u32) -> Option<Node<'a>> {
        let Some((first, rest)) = path.split_first() else { return Some(self) };
        let own = self.property(first).map(|property| property.node);
        let below = own.or_else(|| self.items().filter(|_| self.kinds().allows(Kind::Array))).or_else(|| {
            let mut patterns = self.name_patterns();
            patterns.find(|(pattern, _)| *first == "*" || pattern.matches(first) == Some(true)).map(|(_, node)| node)
        });
        if let Some(found) = below.or_else(|| self.additional()).and_then(|node| node.at_depth(rest, alternatives)) {
            return Some(found);
        }
        let left = alternatives.checked_sub(1)?;
        self.one_of().chain(self.any_of()).chain(self.all_of()).find_map(|node| node.at_depth(path, left))
    }

    fn child(self, of: impl Fn(Facet) -> Option<NodeId>) -> Option<Node<'a>> {
        self.facets().iter().find_map(|facet| of(*facet)).and_then(|id| Node::new(self.block, id))
    }

    fn children(self, of: impl Fn(Facet) -> Option<NodeId> + Clone) -> impl Iterator<Item = Node<'a>> + Clone {
        let block = self.block;
        self.facets().iter().filter_map(move |facet| of(*facet).and_then(|id| Node::new(block, id)))
    }

    fn names(self, of: impl Fn(Facet) -> Option<u32> + Clone) -> impl Iterator<Item = &'a str> + Clone {
        let block = self.block;
        self.facets().iter().filter_map(move |facet| of(*facet).map(|name| block.str(name)))
    }

    fn size(self, of: impl Fn(Facet) -> Option<u64>) -> Option<u64> {
        self.facets().iter().find_map(|facet| of(*facet))
    }

    fn number(self, of: impl Fn(Facet) -> Option<Number>) -> Option<Number> {
        self.facets().iter().find_map(|facet| of(*facet))
    }
}
