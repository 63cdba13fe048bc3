//! Writing a table file.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::{MAGIC, VERSION};
use crate::Date;
use crate::block::{Block, encode};
use crate::bytes::Writer;

/// The content of a table.
#[derive(Debug)]
pub struct Contents {
    /// Day of the schemas.
    pub date: Date,
    /// Names of Regions, sorted.
    pub regions: Vec<String>,
    /// Sets of Regions as bits, eight per byte, the first Region lowest.
    pub sets: Vec<Vec<u8>>,
    /// Names of services, sorted, with their facts, minimized.
    pub services: Vec<(String, Block)>,
}

/// Returns the bytes of a table. The same contents result in the same bytes.
///
/// # Errors
///
/// If a string contains NUL, which ends strings; or deflating fails, which it does not in memory.
pub fn write(contents: &Contents) -> std::io::Result<Vec<u8>> {
    let mut plain = Writer::default();
    for region in &contents.regions {
        plain.text(region);
    }
    for set in &contents.sets {
        plain.bytes.extend_from_slice(set);
    }
    let mut blocks = Vec::new();
    for (name, block) in &contents.services {
        if block.strings.text.contains('\0') {
            return Err(std::io::Error::other(format!("a string of {name} contains NUL")));
        }
        let raw = encode(block);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&raw)?;
        let deflated = encoder.finish()?;
        plain.text(name);
        for number in [blocks.len(), deflated.len(), raw.len(), block.types.len()] {
            plain.count(number);
        }
        blocks.extend_from_slice(&deflated);
    }
    let mut out = MAGIC.to_vec();
    out.push(VERSION);
    out.extend_from_slice(&contents.date.0.to_le_bytes());
    for count in [contents.services.len(), contents.regions.len(), contents.sets.len()] {
        out.extend_from_slice(&(count as u16).to_le_bytes());
    }
    out.extend_from_slice(&(plain.bytes.len() as u32).to_le_bytes());
    out.extend_from_slice(&plain.bytes);
    out.extend_from_slice(&blocks);
    Ok(out)
}
