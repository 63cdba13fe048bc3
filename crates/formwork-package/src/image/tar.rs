//! The index of a tar archive: nothing is unpacked. Formats are ustar, GNU and pax.

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Seek, SeekFrom};

use super::error::ImageError;

const BLOCK: u64 = 512;
const ENTRIES: usize = 20_000;
/// Maximum size of the header of an entry, in bytes: its long name, or its attributes.
const HEADER: u64 = 1 << 20;
/// Maximum number of links that lead from one to the next.
const LINKS: usize = 16;

/// The position of a file's content in an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The offset of the first byte.
    pub offset: u64,
    /// Number of bytes.
    pub size: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Entry {
    File(Extent),
    Link(String),
    /// A directory, a device, or a file with holes.
    Other,
}

#[derive(Debug, Default)]
pub(super) struct Index(HashMap<String, Entry>);

impl Index {
    /// Reads the headers of an archive.
    ///
    /// # Errors
    /// When it is not a tar archive, is damaged, too large, or has a name that leads out of it.
    pub(super) fn read(archive: &mut (impl Read + Seek)) -> Result<Index, ImageError> {
        let end = archive.seek(SeekFrom::End(0))?;
        let mut index = Index::default();
        let mut next = Next::default();
        let (mut at, mut count) = (0, 0);
        while let Some(header) = header(archive, at, end)? {
            count += 1;
            if count > ENTRIES {
                return Err(ImageError::TooMany(format!("{ENTRIES} entries")));
            }
            let size = match next.size {
                Some(size) if !header.is_about_next() => size,
                _ => header.size,
            };
            let extent = Extent { offset: at + BLOCK, size };
            // Links and directories have no content, whatever their size field contains.
            let length = if matches!(header.kind, b'1'..=b'6') { 0 } else { size };
            let content = extent.offset.checked_add(length).filter(|&content| content <= end);
            let content = content.ok_or_else(|| ImageError::Damaged("it ends early".to_owned()))?;
            match header.kind {
                b'L' => next.name = Some(long(archive, extent)?),
                b'K' => next.target = Some(long(archive, extent)?),
                b'x' => next.read(&attributes(archive, extent)?)?,
                b'g' => {}
                kind => {
                    let next = std::mem::take(&mut next);
                    let name = inner(&next.name.unwrap_or(header.name))?;
                    let target = next.target.unwrap_or(header.target);
                    let entry = match kind {
                        b'0' | 0 | b'7' if !next.has_holes => Entry::File(extent),
                        b'1' => Entry::Link(inner(&target)?),
                        b'2' => Entry::Link(beside(&name, &target)),
                        _ => Entry::Other,
                    };
                    index.0.insert(name, entry);
                }
            }
            at = content.div_ceil(BLOCK) * BLOCK;
        }
        Ok(index)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns the position of a file's content, links followed.
    pub(super) fn file(&self, name: &str) -> Result<Extent, ImageError> {
        let mut at = inner(name)?;
        for _ in 0..LINKS {
            match self.0.get(&at) {
                Some(Entry::File(extent)) => return Ok(*extent),
                Some(Entry::Link(target)) => at = inner(target)?,
                Some(Entry::Other) => return Err(ImageError::unfit(name, "it is not a file")),
                None => return Err(ImageError::Missing(name.to_owned())),
            }
        }
        Err(ImageError::LinkLoop(name.to_owned()))
    }
}

#[derive(Default)]
struct Next {
    name: Option<String>,
    target: Option<String>,
    size: Option<u64>,
    has_holes: bool,
}

impl Next {
    /// Reads the records of pax: `LENGTH KEY=VALUE` and a line break.
    fn read(&mut self, mut records: &[u8]) -> Result<(), ImageError> {
        let damaged = || ImageError::Damaged("the attributes of an entry cannot be read".to_owned());
        while !records.is_empty() {
            let blank = records.iter().position(|&byte| byte == b' ').ok_or_else(damaged)?;
            let length = std::str::from_utf8(&records[..blank]).ok().and_then(|text| text.parse::<usize>().ok());
            let length = length.filter(|&length| length > blank + 1 && length <= records.len()).ok_or_else(damaged)?;
            let record = std::str::from_utf8(&records[blank + 1..length - 1]).map_err(|_| damaged())?;
            let (key, value) = record.split_once('=').ok_or_else(damaged)?;
            match key {
                "path" => self.name = Some(value.to_owned()),
                "linkpath" => self.target = Some(value.to_owned()),
                "size" => self.size = Some(value.parse().map_err(|_| damaged())?),
                _ => self.has_holes |= key.starts_with("GNU.sparse."),
            }
            records = &records[length..];
        }
        Ok(())
    }
}

struct Header {
    name: String,
    target: String,
    size: u64,
    kind: u8,
}

impl Header {
    fn is_about_next(&self) -> bool {
        matches!(self.kind, b'L' | b'K' | b'x' | b'g')
    }
}

/// Returns the header at an offset; `None` at the end of the archive.
fn header(archive: &mut (impl Read + Seek), at: u64, end: u64) -> Result<Option<Header>, ImageError> {
    if at >= end {
        return if at == 0 { Err(ImageError::NotAnArchive) } else { Ok(None) };
    }
    let mut block = [0; BLOCK as usize];
    archive.seek(SeekFrom::Start(at))?;
    let is_first = at == 0;
    archive.read_exact(&mut block).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof if is_first => ImageError::NotAnArchive,
        ErrorKind::UnexpectedEof => ImageError::Damaged("it ends early".to_owned()),
        _ => error.into(),
    })?;
    if is_first && block.starts_with(&[0x1f, 0x8b]) {
        return Err(ImageError::Compressed);
    }
    if block.iter().all(|&byte| byte == 0) {
        return if is_first { Err(ImageError::NotAnArchive) } else { Ok(None) };
    }
    let damaged = || {
        if is_first { ImageError::NotAnArchive } else { ImageError::Damaged("a header cannot be read".to_owned()) }
    };
    // The sum counts its own field as spaces.
    let sum: u64 =
        block.iter().enumerate().map(|(at, &byte)| if (148..156).contains(&at) { 32 } else { byte.into() }).sum();
    if number(&block[148..156]) != Some(sum) {
        return Err(damaged());
    }
    let name = text(&block[..100]).ok_or_else(damaged)?;
    let prefix =
        if &block[257..263] == b"ustar\0" { text(&block[345..500]).ok_or_else(damaged)? } else { String::new() };
    Ok(Some(Header {
        name: if prefix.is_empty() { name } else { format!("{prefix}/{name}") },
        target: text(&block[157..257]).ok_or_else(damaged)?,
        size: number(&block[124..136]).ok_or_else(damaged)?,
        kind: block[156],
    }))
}

/// Parses a number in octal digits, or, if the first bit is set, in binary.
fn number(field: &[u8]) -> Option<u64> {
    if let [0x80, rest @ ..] = field {
        let (high, low) = rest.split_at(rest.len().saturating_sub(8));
        let value = low.iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
        return high.iter().all(|&byte| byte == 0).then_some(value);
    }
    let digits = std::str::from_utf8(field).ok()?.trim_matches(['\0', ' ']);
    if digits.is_empty() { Some(0) } else { u64::from_str_radix(digits, 8).ok() }
}

fn text(field: &[u8]) -> Option<String> {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    std::str::from_utf8(&field[..end]).ok().map(str::to_owned)
}

fn attributes(archive: &mut (impl Read + Seek), extent: Extent) -> Result<Vec<u8>, ImageError> {
    if extent.size > HEADER {
        return Err(ImageError::TooMany(format!("{HEADER} bytes in the name of an entry")));
    }
    content(archive, extent)
}

fn long(archive: &mut (impl Read + Seek), extent: Extent) -> Result<String, ImageError> {
    let bytes = attributes(archive, extent)?;
    text(&bytes).ok_or_else(|| ImageError::Damaged("a name is not UTF-8".to_owned()))
}

/// Reads the content of a file, whose size must have been checked.
pub(super) fn content(archive: &mut (impl Read + Seek), extent: Extent) -> Result<Vec<u8>, ImageError> {
    archive.seek(SeekFrom::Start(extent.offset))?;
    let mut bytes = Vec::with_capacity(extent.size as usize);
    archive.take(extent.size).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == extent.size { Ok(bytes) } else { Err(ImageError::Damaged("it ends early".to_owned())) }
}

/// Returns the name of an entry relative to the root of the archive.
fn inner(name: &str) -> Result<String, ImageError> {
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => return Err(ImageError::Outside(name.to_owned())),
            ".." => {}
            _ => parts.push(part),
        }
    }
    if name.starts_with('/') { Err(ImageError::Outside(name.to_owned())) } else { Ok(parts.join("/")) }
}

/// Returns the target of a symbolic link, relative to the root of the archive. A target outside is an error only when
/// the link is followed.
fn beside(name: &str, target: &str) -> String {
    match name.rsplit_once('/') {
        Some((directory, _)) if !target.starts_with('/') => format!("{directory}/{target}"),
        _ => target.to_owned(),
    }
}
