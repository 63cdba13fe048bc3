//! The table file: a header in plain bytes, then a deflated block per service.
//!
//! ```text
//! "FWST" · u8 version · u32 date YYYYMMDD · u16 services · u16 Region names · u16 Region sets ·
//! u32 length of the plain part
//! plain part: Region names; Region sets; per service: name, offset, deflated length, raw length, number of types
//! blocks
//! ```

#[cfg(feature = "write")]
pub(crate) mod write;

use std::borrow::Cow;
use std::io::Read;
use std::sync::OnceLock;

use flate2::read::DeflateDecoder;

use crate::Date;
use crate::block::{Block, decode};
use crate::bytes::Reader;

pub(crate) const MAGIC: &[u8; 4] = b"FWST";
pub(crate) const VERSION: u8 = 2;
/// Limit of the size of a block; a larger one is rejected before it is inflated.
const LARGEST: u32 = 8 << 20;

/// A table of facts. A block is read on the first access, once for all callers.
#[derive(Debug)]
pub struct Table {
    bytes: Cow<'static, [u8]>,
    pub(crate) date: Date,
    pub(crate) regions: Vec<String>,
    /// Bits of Regions, eight per byte, the first Region lowest.
    pub(crate) sets: Vec<Vec<u8>>,
    pub(crate) services: Vec<Service>,
}

#[derive(Debug)]
pub(crate) struct Service {
    /// Such as `AWS::SQS`.
    pub(crate) name: String,
    start: usize,
    deflated: usize,
    raw: usize,
    pub(crate) types: usize,
    block: OnceLock<Block>,
}

/// The reason why bytes are not a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableError(&'static str);

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for TableError {}

impl Table {
    /// Reads the header of a table. The blocks are not read here: one that cannot be read has no types.
    ///
    /// # Errors
    ///
    /// If the bytes do not begin with a whole header, or have another version.
    pub fn read(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Table, TableError> {
        let bytes = bytes.into();
        let mut reader = Reader::new(&bytes);
        if reader.take(4) != Some(MAGIC) {
            return Err(TableError("it does not begin with FWST"));
        }
        if reader.byte() != Some(VERSION) {
            return Err(TableError("it has another version"));
        }
        let (date, regions, sets, services) = header(&mut reader, bytes.len()).ok_or(TableError("it is cut off"))?;
        Ok(Table { bytes, date, regions, sets, services })
    }

    #[cfg(feature = "embedded")]
    pub(crate) fn embedded() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| {
            let bytes: &'static [u8] = include_bytes!("../../data/table.bin");
            // A test reads every block, so that the fallback is never used.
            Table::read(bytes).unwrap_or_else(|_| Table {
                bytes: Cow::Borrowed(&[]),
                date: Date(0),
                regions: Vec::new(),
                sets: Vec::new(),
                services: Vec::new(),
            })
        })
    }

    /// Returns the size of the file in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn service(&self, name: &str) -> Option<&Block> {
        let number = self.services.binary_search_by(|service| service.name.as_str().cmp(name)).ok()?;
        self.services.get(number).map(|service| self.block(service))
    }

    /// Returns the facts of a service. A block that cannot be read has none.
    pub(crate) fn block<'a>(&self, service: &'a Service) -> &'a Block {
        service.block.get_or_init(|| self.inflate(service).unwrap_or_default())
    }

    fn inflate(&self, service: &Service) -> Option<Block> {
        let end = service.start.checked_add(service.deflated)?;
        let bytes = self.bytes.get(service.start..end)?;
        let mut raw = Vec::with_capacity(service.raw);
        let limit = service.raw as u64 + 1;
        DeflateDecoder::new(bytes).take(limit).read_to_end(&mut raw).ok()?;
        if raw.len() == service.raw { decode(&raw) } else { None }
    }

    /// Checks that every block can be read.
    ///
    /// # Errors
    ///
    /// The name of the first service whose block cannot be read.
    pub fn verify(&self) -> Result<(), &str> {
        for service in &self.services {
            if self.inflate(service).is_none_or(|block| block.types.len() != service.types) {
                return Err(&service.name);
            }
        }
        Ok(())
    }
}

type Header = (Date, Vec<String>, Vec<Vec<u8>>, Vec<Service>);

fn header(reader: &mut Reader<'_>, length: usize) -> Option<Header> {
    let date = Date(reader.u32()?);
    let (services, regions, sets) = (reader.u16()?, reader.u16()?, reader.u16()?);
    let plain = reader.u32()? as usize;
    let mut reader = Reader::new(reader.take(plain)?);
    let first = length.checked_sub(reader_end(length, plain)?)?;
    let region_names: Vec<String> = (0..regions).map(|_| reader.text().map(str::to_owned)).collect::<Option<_>>()?;
    let width = usize::from(regions).div_ceil(8);
    let sets: Vec<Vec<u8>> = (0..sets).map(|_| reader.take(width).map(<[u8]>::to_vec)).collect::<Option<_>>()?;
    let services = (0..services)
        .map(|_| {
            let name = reader.text()?.to_owned();
            let offset = reader.varint32()? as usize;
            let (deflated, raw) = (reader.varint32()?, reader.varint32()?);
            let types = reader.varint32()? as usize;
            (raw <= LARGEST).then_some(Service {
                name,
                start: first.checked_add(offset)?,
                deflated: deflated as usize,
                raw: raw as usize,
                types,
                block: OnceLock::new(),
            })
        })
        .collect::<Option<Vec<_>>>()?;
    services.is_sorted_by(|one, next| one.name < next.name).then_some((date, region_names, sets, services))
}

/// Returns the number of bytes after the plain part.
fn reader_end(length: usize, plain: usize) -> Option<usize> {
    // Magic, version, date, three counts, length of the plain part.
    length.checked_sub(4 + 1 + 4 + 6 + 4)?.checked_sub(plain)
}
