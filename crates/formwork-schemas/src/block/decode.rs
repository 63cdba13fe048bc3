//! Reading a block. The columns and their order are those of [`super::encode`].

use super::{
    Block, Facet, Facts, Lifecycle, NodeData, PathData, Policy, PropertyData, ReplacementStrategy, Rows, RuntimeData,
    Stage, Stateful, StrId, Strings, TypeData,
};
use crate::bytes::Reader;
use crate::{Date, Kinds, Number};

/// Number of columns of a block; [`decode`] lists them.
pub(super) const COLUMNS: usize = 13;

/// Bits of a node's mask. Those of facets follow, see [`FACETS`].
pub(super) const CLOSED: u32 = 1;
pub(super) const UNIQUE: u32 = 2;
pub(super) const ANY_CASE: u32 = 4;
pub(super) const PROPERTIES: u32 = 8;
pub(super) const FIRST_FACET: u32 = 4;
pub(super) const FACETS: u32 = 23;
/// Facets that a node may have several of: their number is in the column of counts.
pub(super) const SEVERAL: u32 = 0b111_1111_0000_0000_0001_1100;

/// Reads a block; `None` if the bytes are not one. Every index in the result is valid.
pub(crate) fn decode(bytes: &[u8]) -> Option<Block> {
    let mut reader = Reader::new(bytes);
    let mut lengths = [0_usize; COLUMNS];
    for length in &mut lengths {
        *length = usize::try_from(reader.varint()?).ok()?;
    }
    let mut columns: [Reader<'_>; COLUMNS] = std::array::from_fn(|_| Reader::new(&[]));
    for (column, length) in columns.iter_mut().zip(lengths) {
        *column = Reader::new(reader.take(length)?);
    }
    let [texts, masks, kinds, counts, names, children, required, values, strings, numbers, links, types, runtimes] =
        columns;
    let texts = read_strings(texts)?;
    let nodes = masks.left().min(kinds.left());
    let mut nodes = Nodes {
        block: Block { strings: texts, nodes: Vec::with_capacity(nodes), ..Block::default() },
        total: kinds.left() as u32,
        counts,
        names,
        children,
        required,
        values,
        strings,
        numbers,
        links,
    };
    let (mut masks, mut kinds) = (masks, kinds);
    for own in 0..nodes.total {
        let (mask, kinds) = (masks.varint32()?, Kinds::of_bits(kinds.byte()?)?);
        nodes.node(own, mask, kinds)?;
    }
    let mut block = nodes.block;
    block.types = read_types(types, &block)?;
    block.runtimes = read_runtimes(runtimes, &block)?;
    Some(block)
}

/// Reads strings that each end with a NUL.
fn read_strings(mut reader: Reader<'_>) -> Option<Strings> {
    let left = reader.left();
    let bytes = std::str::from_utf8(reader.take(left)?).ok()?;
    let mut strings = Strings { text: String::with_capacity(left), ends: Vec::new() };
    for text in bytes.split_terminator('\0') {
        strings.push(text);
    }
    Some(strings)
}

struct Nodes<'a> {
    block: Block,
    total: u32,
    counts: Reader<'a>,
    names: Reader<'a>,
    children: Reader<'a>,
    required: Reader<'a>,
    values: Reader<'a>,
    strings: Reader<'a>,
    numbers: Reader<'a>,
    links: Reader<'a>,
}

impl Nodes<'_> {
    fn node(&mut self, own: u32, mask: u32, kinds: Kinds) -> Option<()> {
        let properties = if mask & PROPERTIES == 0 { Rows::default() } else { self.properties(own)? };
        let start = self.block.facets.len() as u32;
        for class in 0..FACETS {
            if mask >> (class + FIRST_FACET) & 1 == 1 {
                self.facets(own, class)?;
            }
        }
        let facets = Rows { start, end: self.block.facets.len() as u32 };
        self.block.nodes.push(NodeData {
            kinds,
            closed: mask & CLOSED != 0,
            unique: mask & UNIQUE != 0,
            any_case: mask & ANY_CASE != 0,
            properties,
            facets,
        });
        Some(())
    }

    fn properties(&mut self, own: u32) -> Option<Rows> {
        let count = self.counts.varint32()?;
        if count as usize > self.children.left() {
            return None;
        }
        let start = self.block.properties.len() as u32;
        let mut name = 0_u32;
        let mut bits = 0_u8;
        for number in 0..count {
            let gap = self.names.varint32()?;
            name = if number == 0 { gap } else { name.checked_add(gap)? };
            let name = self.checked(name)?;
            if number % 8 == 0 {
                bits = self.required.byte()?;
            }
            let required = bits >> (number % 8) & 1 == 1;
            let node = self.child(own)?;
            self.block.properties.push(PropertyData { name, node, required });
        }
        Some(Rows { start, end: self.block.properties.len() as u32 })
    }

    fn facets(&mut self, own: u32, class: u32) -> Option<()> {
        let count = if SEVERAL >> class & 1 == 1 { self.counts.varint32()? } else { 1 };
        let mut last = 0_i64;
        for _ in 0..count {
            let facet = match class {
                0 => Facet::Additional(self.child(own)?),
                1 => Facet::Items(self.child(own)?),
                2 => Facet::NamePattern(self.string()?, self.child(own)?),
                3 => Facet::Required(self.link()?),
                4 => {
                    last = last.checked_add(self.values.signed()?)?;
                    Facet::Value(self.checked(u32::try_from(last).ok()?)?)
                }
                5 => Facet::Pattern(self.string()?),
                6 => Facet::Format(self.string()?),
                7 => Facet::MinLength(self.numbers.varint()?),
                8 => Facet::MaxLength(self.numbers.varint()?),
                9 => Facet::Minimum(self.number()?),
                10 => Facet::Maximum(self.number()?),
                11 => Facet::MinItems(self.numbers.varint()?),
                12 => Facet::MaxItems(self.numbers.varint()?),
                13 => Facet::MinProperties(self.numbers.varint()?),
                14 => Facet::MaxProperties(self.numbers.varint()?),
                15 => Facet::MultipleOf(self.number()?),
                16 => Facet::OneOf(self.child(own)?),
                17 => Facet::AnyOf(self.child(own)?),
                18 => Facet::AllOf(self.child(own)?),
                19 => Facet::RequiredXor(self.link()?),
                20 => Facet::RequiredOr(self.link()?),
                21 => Facet::DependentRequired(self.link()?, self.link()?),
                22 => Facet::DependentExcluded(self.link()?, self.link()?),
                _ => return None,
            };
            self.block.facets.push(facet);
        }
        Some(())
    }

    fn child(&mut self, own: u32) -> Option<u32> {
        let child = i64::from(own).checked_add(self.children.signed()?)?;
        u32::try_from(child).ok().filter(|child| *child < self.total)
    }

    fn checked(&self, string: u32) -> Option<StrId> {
        ((string as usize) < self.block.strings.len()).then_some(string)
    }

    fn string(&mut self) -> Option<StrId> {
        let string = self.strings.varint32()?;
        self.checked(string)
    }

    fn link(&mut self) -> Option<StrId> {
        let string = self.links.varint32()?;
        self.checked(string)
    }

    /// Reads a whole number, doubled, or an odd marker and the bits of the number.
    fn number(&mut self) -> Option<Number> {
        let value = self.numbers.signed()?;
        match value {
            1 => Some(Number::Decimal(f64::from_bits(self.numbers.u64()?))),
            3 => Some(Number::Integer(self.numbers.u64()?.cast_signed())),
            value => (value % 2 == 0).then_some(Number::Integer(value / 2)),
        }
    }
}

/// Reads rows of types; names are numbers of strings of `block`.
struct Types<'a> {
    reader: Reader<'a>,
    block: &'a Block,
}

fn read_types(reader: Reader<'_>, block: &Block) -> Option<Vec<TypeData>> {
    let mut types = Types { reader, block };
    let count = types.reader.count()?;
    (0..count).map(|_| types.row()).collect()
}

impl Types<'_> {
    fn row(&mut self) -> Option<TypeData> {
        let name = self.string()?;
        let root = self.reader.varint32()?;
        if root as usize >= self.block.nodes.len() {
            return None;
        }
        let flags = self.reader.byte()?;
        let replacement_strategy = match flags >> 4 & 3 {
            0 => None,
            1 => Some(ReplacementStrategy::CreateThenDelete),
            2 => Some(ReplacementStrategy::DeleteThenCreate),
            _ => return None,
        };
        let tag_property = if flags & 64 == 0 { None } else { Some(self.string()?) };
        let regions = self.reader.varint32()?.checked_sub(1);
        let lifecycle = match self.reader.byte()? {
            0 => None,
            stage => Some(self.lifecycle(stage)?),
        };
        Some(TypeData {
            name,
            root,
            has_handlers: flags & 1 != 0,
            has_update: flags & 2 != 0,
            taggable: flags & 4 != 0,
            tag_updatable: flags & 8 != 0,
            replacement_strategy,
            tag_property,
            lifecycle,
            regions,
            create_only: self.paths()?,
            conditional: self.paths()?,
            read_only: self.paths()?,
            write_only: self.paths()?,
            deprecated: self.paths()?,
            identifier: self.paths()?,
            facts: self.facts()?,
        })
    }

    fn lifecycle(&mut self, number: u8) -> Option<Lifecycle> {
        let stage = match number {
            1 => Stage::Maintenance,
            2 => Stage::Sunset,
            3 => Stage::Shutdown,
            _ => return None,
        };
        Some(Lifecycle { stage, date: self.reader.varint32().map(date)? })
    }

    fn facts(&mut self) -> Option<Facts<StrId>> {
        let reference = self.list(Types::string)?;
        let attributes = self.list(Types::string)?;
        let older = self.list(|types| Some((types.string()?, types.reader.byte()? == 1)))?;
        let stateful = match self.reader.byte()? {
            0 => None,
            flags => Some(Stateful {
                listed: flags & 2 != 0,
                snapshot: flags & 4 != 0,
                deleted_only_when_empty: flags & 8 != 0,
                default_policy: match flags >> 4 & 3 {
                    0 => None,
                    1 => Some(Policy::Snapshot),
                    2 => Some(Policy::SnapshotWithoutCluster),
                    _ => return None,
                },
            }),
        };
        let policies = self.list(|types| Some((types.string()?, types.string()?)))?;
        let rules = self.list(|types| Some((types.string()?, types.string()?)))?;
        Some(Facts { reference, attributes, older, stateful, policies, rules })
    }

    fn paths(&mut self) -> Option<Box<[PathData]>> {
        self.list(|types| types.list(Types::string))
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Box<[T]>> {
        let count = self.reader.count()?;
        (0..count).map(|_| read(self)).collect()
    }

    fn string(&mut self) -> Option<StrId> {
        let string = self.reader.varint32()?;
        ((string as usize) < self.block.strings.len()).then_some(string)
    }
}

fn date(number: u32) -> Option<Date> {
    (number != 0).then_some(Date(number))
}

fn read_runtimes(mut reader: Reader<'_>, block: &Block) -> Option<Vec<RuntimeData>> {
    let count = reader.count()?;
    let checked = |string: u32| ((string as usize) < block.strings.len()).then_some(string);
    (0..count)
        .map(|_| {
            Some(RuntimeData {
                name: checked(reader.varint32()?)?,
                deprecated: reader.varint32().map(date)?,
                create_block: reader.varint32().map(date)?,
                update_block: reader.varint32().map(date)?,
                successor: match reader.varint32()? {
                    0 => None,
                    string => Some(checked(string - 1)?),
                },
            })
        })
        .collect()
}
