//! Writing a block: the columns that [`super::decode`] reads, after their lengths.

use super::decode::{ANY_CASE, CLOSED, COLUMNS, FACETS, FIRST_FACET, PROPERTIES, SEVERAL, UNIQUE};
use super::{
    Block, Facet, NodeData, PathData, Policy, PropertyData, ReplacementStrategy, RuntimeData, Stage, TypeData,
};
use crate::bytes::Writer;
use crate::{Date, Number};

const TEXTS: usize = 0;
const MASKS: usize = 1;
const KINDS: usize = 2;
const COUNTS: usize = 3;
const NAMES: usize = 4;
const CHILDREN: usize = 5;
const REQUIRED: usize = 6;
const VALUES: usize = 7;
const STRINGS: usize = 8;
const NUMBERS: usize = 9;
const LINKS: usize = 10;
const TYPES: usize = 11;
const RUNTIMES: usize = 12;

/// Returns the bytes of a block, not deflated.
pub(crate) fn encode(block: &Block) -> Vec<u8> {
    let mut columns = Columns { columns: std::array::from_fn(|_| Writer::default()) };
    for id in 0..block.strings.len() {
        columns.of(TEXTS).bytes.extend_from_slice(block.str(id as u32).as_bytes());
        columns.of(TEXTS).byte(0);
    }
    for (own, node) in block.nodes.iter().enumerate() {
        columns.node(own as u32, *node, block);
    }
    columns.of(TYPES).count(block.types.len());
    for row in &block.types {
        columns.row(row);
    }
    columns.of(RUNTIMES).count(block.runtimes.len());
    for runtime in &block.runtimes {
        columns.runtime(*runtime);
    }
    let mut out = Writer::default();
    for column in &columns.columns {
        out.count(column.bytes.len());
    }
    for column in &columns.columns {
        out.bytes.extend_from_slice(&column.bytes);
    }
    out.bytes
}

struct Columns {
    columns: [Writer; COLUMNS],
}

impl Columns {
    fn of(&mut self, column: usize) -> &mut Writer {
        // `column` is one of the constants of `decode`.
        &mut self.columns[column]
    }

    fn node(&mut self, own: u32, node: NodeData, block: &Block) {
        let (properties, facets) = (node.properties.of(&block.properties), node.facets.of(&block.facets));
        let mut mask = 0;
        for (flag, bit) in [
            (node.closed, CLOSED),
            (node.unique, UNIQUE),
            (node.any_case, ANY_CASE),
            (!properties.is_empty(), PROPERTIES),
        ] {
            mask |= if flag { bit } else { 0 };
        }
        for facet in facets {
            mask |= 1 << (class(*facet) + FIRST_FACET);
        }
        self.of(MASKS).varint(u64::from(mask));
        self.of(KINDS).byte(node.kinds.bits());
        if !properties.is_empty() {
            self.properties(own, properties);
        }
        for kind in 0..FACETS {
            let of_kind: Vec<Facet> = facets.iter().copied().filter(|facet| class(*facet) == kind).collect();
            if !of_kind.is_empty() && SEVERAL >> kind & 1 == 1 {
                self.of(COUNTS).count(of_kind.len());
            }
            let mut last = 0;
            for facet in of_kind {
                self.facet(own, facet, &mut last);
            }
        }
    }

    fn properties(&mut self, own: u32, properties: &[PropertyData]) {
        self.of(COUNTS).count(properties.len());
        let mut last = 0;
        for chunk in properties.chunks(8) {
            let mut bits = 0;
            for (number, property) in chunk.iter().enumerate() {
                bits |= u8::from(property.required) << number;
            }
            self.of(REQUIRED).byte(bits);
        }
        for property in properties {
            self.of(NAMES).varint(u64::from(property.name - last));
            last = property.name;
            self.child(own, property.node);
        }
    }

    fn facet(&mut self, own: u32, facet: Facet, last: &mut i64) {
        match facet {
            Facet::Additional(node)
            | Facet::Items(node)
            | Facet::OneOf(node)
            | Facet::AnyOf(node)
            | Facet::AllOf(node) => self.child(own, node),
            Facet::NamePattern(name, node) => {
                self.of(STRINGS).varint(u64::from(name));
                self.child(own, node);
            }
            Facet::Value(value) => {
                self.of(VALUES).signed(i64::from(value) - *last);
                *last = i64::from(value);
            }
            Facet::Pattern(text) | Facet::Format(text) => self.of(STRINGS).varint(u64::from(text)),
            Facet::MinLength(value)
            | Facet::MaxLength(value)
            | Facet::MinItems(value)
            | Facet::MaxItems(value)
            | Facet::MinProperties(value)
            | Facet::MaxProperties(value) => self.of(NUMBERS).varint(value),
            Facet::Minimum(number) | Facet::Maximum(number) | Facet::MultipleOf(number) => self.number(number),
            Facet::Required(name) | Facet::RequiredXor(name) | Facet::RequiredOr(name) => {
                self.of(LINKS).varint(u64::from(name));
            }
            Facet::DependentRequired(name, other) | Facet::DependentExcluded(name, other) => {
                self.of(LINKS).varint(u64::from(name));
                self.of(LINKS).varint(u64::from(other));
            }
        }
    }

    fn child(&mut self, own: u32, node: u32) {
        self.of(CHILDREN).signed(i64::from(node) - i64::from(own));
    }

    fn number(&mut self, number: Number) {
        let column = self.of(NUMBERS);
        match number {
            Number::Integer(value) => {
                if let Some(double) = value.checked_mul(2) {
                    column.signed(double);
                } else {
                    column.signed(3);
                    column.bytes.extend_from_slice(&value.to_le_bytes());
                }
            }
            Number::Decimal(value) => {
                column.signed(1);
                column.bytes.extend_from_slice(&value.to_bits().to_le_bytes());
            }
        }
    }

    fn row(&mut self, row: &TypeData) {
        let column = self.of(TYPES);
        column.varint(u64::from(row.name));
        column.varint(u64::from(row.root));
        let strategy = match row.replacement_strategy {
            None => 0,
            Some(ReplacementStrategy::CreateThenDelete) => 1,
            Some(ReplacementStrategy::DeleteThenCreate) => 2,
        };
        column.byte(
            u8::from(row.has_handlers)
                | u8::from(row.has_update) << 1
                | u8::from(row.taggable) << 2
                | u8::from(row.tag_updatable) << 3
                | strategy << 4
                | u8::from(row.tag_property.is_some()) << 6,
        );
        if let Some(tag) = row.tag_property {
            column.varint(u64::from(tag));
        }
        column.varint(row.regions.map_or(0, |set| u64::from(set) + 1));
        match row.lifecycle {
            None => column.byte(0),
            Some(lifecycle) => {
                column.byte(match lifecycle.stage {
                    Stage::Maintenance => 1,
                    Stage::Sunset => 2,
                    Stage::Shutdown => 3,
                });
                write_date(column, lifecycle.date);
            }
        }
        for paths in
            [&row.create_only, &row.conditional, &row.read_only, &row.write_only, &row.deprecated, &row.identifier]
        {
            write_paths(column, paths);
        }
        let facts = &row.facts;
        write_names(column, &facts.reference);
        write_names(column, &facts.attributes);
        column.count(facts.older.len());
        for (name, is_certain) in &facts.older {
            column.varint(u64::from(*name));
            column.byte(u8::from(*is_certain));
        }
        column.byte(facts.stateful.map_or(0, |stateful| {
            let policy = match stateful.default_policy {
                None => 0,
                Some(Policy::Snapshot) => 1,
                Some(Policy::SnapshotWithoutCluster) => 2,
            };
            1 | u8::from(stateful.listed) << 1
                | u8::from(stateful.snapshot) << 2
                | u8::from(stateful.deleted_only_when_empty) << 3
                | policy << 4
        }));
        for pairs in [&facts.policies, &facts.rules] {
            column.count(pairs.len());
            for (path, fact) in pairs {
                column.varint(u64::from(*path));
                column.varint(u64::from(*fact));
            }
        }
    }

    fn runtime(&mut self, runtime: RuntimeData) {
        let column = self.of(RUNTIMES);
        column.varint(u64::from(runtime.name));
        for date in [runtime.deprecated, runtime.create_block, runtime.update_block] {
            write_date(column, date);
        }
        column.varint(runtime.successor.map_or(0, |name| u64::from(name) + 1));
    }
}

fn write_paths(column: &mut Writer, paths: &[PathData]) {
    column.count(paths.len());
    for path in paths {
        write_names(column, path);
    }
}

fn write_names(column: &mut Writer, names: &[u32]) {
    column.count(names.len());
    for name in names {
        column.varint(u64::from(*name));
    }
}

fn write_date(column: &mut Writer, date: Option<Date>) {
    column.varint(date.map_or(0, |date| u64::from(date.0)));
}

/// Returns the number of a kind of facet, in the order of [`Facet`].
pub(super) fn class(facet: Facet) -> u32 {
    match facet {
        Facet::Additional(_) => 0,
        Facet::Items(_) => 1,
        Facet::NamePattern(..) => 2,
        Facet::Required(_) => 3,
        Facet::Value(_) => 4,
        Facet::Pattern(_) => 5,
        Facet::Format(_) => 6,
        Facet::MinLength(_) => 7,
        Facet::MaxLength(_) => 8,
        Facet::Minimum(_) => 9,
        Facet::Maximum(_) => 10,
        Facet::MinItems(_) => 11,
        Facet::MaxItems(_) => 12,
        Facet::MinProperties(_) => 13,
        Facet::MaxProperties(_) => 14,
        Facet::MultipleOf(_) => 15,
        Facet::OneOf(_) => 16,
        Facet::AnyOf(_) => 17,
        Facet::AllOf(_) => 18,
        Facet::RequiredXor(_) => 19,
        Facet::RequiredOr(_) => 20,
        Facet::DependentRequired(..) => 21,
        Facet::DependentExcluded(..) => 22,
    }
}
