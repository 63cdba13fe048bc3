//! The table with the schemas that the user passed.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::block::{Block, TypeData};
use crate::registry;
use crate::{Date, Runtime, SchemaError, Table};

/// Facts about resource types: the table, and schemas of private types, which take precedence.
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    table: Option<TableSource>,
    own: BTreeMap<String, Arc<Block>>,
}

/// Compares tables and schemas by identity, not by content.
impl PartialEq for Schemas {
    fn eq(&self, other: &Schemas) -> bool {
        let is_same_table = match (&self.table, &other.table) {
            (None, None) => true,
            #[cfg(feature = "embedded")]
            (Some(TableSource::Embedded), Some(TableSource::Embedded)) => true,
            (Some(TableSource::Loaded(one)), Some(TableSource::Loaded(other))) => Arc::ptr_eq(one, other),
            _ => false,
        };
        is_same_table
            && self.own.len() == other.own.len()
            && self
                .own
                .iter()
                .zip(&other.own)
                .all(|((name, one), (other_name, other))| name == other_name && Arc::ptr_eq(one, other))
    }
}

#[derive(Clone, Debug)]
enum TableSource {
    #[cfg(feature = "embedded")]
    Embedded,
    Loaded(Arc<Table>),
}

impl Schemas {
    /// Limit of the bytes of schemas of private types that a run reads (reference/schemas.md#own).
    pub const MOST_OWN_BYTES: u64 = 64 << 20;

    /// Returns a set without facts.
    pub fn none() -> Schemas {
        Schemas::default()
    }

    /// Returns the table of this program, of which nothing is read before the first access.
    #[cfg(feature = "embedded")]
    pub fn embedded() -> Schemas {
        Schemas { table: Some(TableSource::Embedded), own: BTreeMap::new() }
    }

    /// Returns a table that the host read.
    pub fn of_table(table: Table) -> Schemas {
        Schemas { table: Some(TableSource::Loaded(Arc::new(table))), own: BTreeMap::new() }
    }

    /// Adds the schemas of a file: a registry schema, or a response of `DescribeType`. They replace earlier ones.
    /// Returns the names of the types.
    ///
    /// # Errors
    ///
    /// If the file is not such a document (reference/schemas.md#own).
    pub fn add(&mut self, text: &str) -> Result<Vec<String>, SchemaError> {
        let (name, block) = registry::read(text)?;
        self.own.insert(name.clone(), Arc::new(block));
        Ok(vec![name])
    }

    /// Returns the block and the row of a type, and `true` if the user passed its schema.
    pub(crate) fn find(&self, name: &str) -> Option<(&Block, &TypeData, bool)> {
        if let Some(block) = self.own.get(name) {
            return block.types.first().map(|row| (&**block, row, true));
        }
        self.row(name).map(|(block, row)| (block, row, false))
    }

    pub(crate) fn row(&self, name: &str) -> Option<(&Block, &TypeData)> {
        let block = self.table()?.service(service_of(name)?)?;
        let number = block.types.binary_search_by(|row| block.str(row.name).cmp(name)).ok()?;
        block.types.get(number).map(|row| (block, row))
    }

    pub(crate) fn table(&self) -> Option<&Table> {
        match self.table.as_ref()? {
            #[cfg(feature = "embedded")]
            TableSource::Embedded => Some(Table::embedded()),
            TableSource::Loaded(table) => Some(table),
        }
    }

    /// Returns the facts of a service in the table, such as `AWS::SQS`.
    #[cfg(feature = "write")]
    pub fn table_block(&self, service: &str) -> Option<&Block> {
        self.table()?.service(service)
    }

    /// Returns the day of the table's schemas.
    pub fn date(&self) -> Option<Date> {
        self.table().map(|table| table.date)
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.table().map_or(0, Table::bytes)
    }

    /// Returns the real Regions that the table knows, sorted.
    pub fn regions(&self) -> impl Iterator<Item = &str> {
        self.table().into_iter().flat_map(|table| table.regions.iter().map(String::as_str))
    }

    /// Returns the names of the table's services, such as `AWS::SQS`, sorted.
    pub fn services(&self) -> impl Iterator<Item = &str> {
        self.blocks().filter(|name| !name.starts_with(Self::ACTIONS))
    }

    fn blocks(&self) -> impl Iterator<Item = &str> {
        self.table().into_iter().flat_map(|table| table.services.iter().map(|service| service.name.as_str()))
    }

    /// Start of the names of blocks with the actions of a service of IAM.
    pub const ACTIONS: &str = "iam:";

    /// Returns the services of IAM, such as `s3`, sorted; empty if they are not known.
    pub fn action_services(&self) -> impl Iterator<Item = &str> {
        self.blocks().filter_map(|name| name.strip_prefix(Self::ACTIONS))
    }

    /// Returns the actions of a service of IAM in lower case, sorted; `None` if the service is not known.
    pub fn actions(&self, service: &str) -> Option<impl Iterator<Item = &str>> {
        let block = self.table()?.service(&format!("{}{service}", Self::ACTIONS))?;
        Some((0..block.strings.len() as u32).map(|id| block.str(id)))
    }

    /// Returns the number of types.
    pub fn len(&self) -> usize {
        let of_table = |name: &String| self.row(name).is_some();
        let added = self.own.keys().filter(|name| !of_table(name)).count();
        added + self.table().map_or(0, |table| table.services.iter().map(|service| service.types).sum())
    }

    /// Returns `true` if no type is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the names of the types that begin with `prefix`, sorted. Reads only the services that it needs.
    pub fn type_names(&self, prefix: &str) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        if let Some(table) = self.table() {
            for service in &table.services {
                if service.name.starts_with(prefix) || prefix.starts_with(&service.name) {
                    let block = table.block(service);
                    names.extend(block.types.iter().map(|row| block.str(row.name)));
                }
            }
        }
        names.extend(self.own.keys().map(String::as_str));
        names.retain(|name| name.starts_with(prefix));
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns the candidates for a search of names near an unknown one, sorted: private types, all types of its
    /// service, and the types with its last part in services with a similar name.
    pub fn candidates(&self, name: &str) -> Vec<String> {
        let mut names: Vec<String> = self.own.keys().cloned().collect();
        if let Some(service) = service_of(name) {
            names.extend(self.type_names(service).into_iter().map(str::to_owned));
            let last = name.get(service.len()..).unwrap_or_default();
            let in_other_case =
                self.services().filter(|other| *other != service && other.eq_ignore_ascii_case(service));
            for service in in_other_case {
                names.extend(self.type_names(service).into_iter().map(str::to_owned));
            }
            let near = self.services().filter(|other| *other != service && is_near(other, service));
            let named = near.map(|service| format!("{service}{last}"));
            names.extend(named.filter(|name| self.row(name).is_some()));
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns a Lambda runtime that has, or will have, an end.
    pub fn runtime(&self, name: &str) -> Option<Runtime<'_>> {
        let block = self.table()?.service("AWS::Lambda")?;
        let data = block.runtimes.iter().find(|runtime| block.str(runtime.name) == name)?;
        Some(Runtime {
            name: block.str(data.name),
            deprecated: data.deprecated,
            create_block: data.create_block,
            update_block: data.update_block,
            successor: data.successor.map(|name| block.str(name)),
        })
    }
}

/// Returns `true` if two names differ in a few letters in the middle, so that a comparison is worthwhile.
fn is_near(one: &str, other: &str) -> bool {
    const MOST: usize = 3;
    let before = one.bytes().zip(other.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    let behind = one.bytes().rev().zip(other.bytes().rev()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    before + behind + MOST >= one.len().max(other.len())
}

/// Returns `AWS::SQS` for `AWS::SQS::Queue`.
fn service_of(name: &str) -> Option<&str> {
    let (vendor, rest) = name.split_once("::")?;
    let (service, _) = rest.split_once("::")?;
    name.get(..vendor.len() + 2 + service.len())
}
