//! Parses source maps (reference/provenance.md#source-map).

use std::fmt;

use serde::Deserialize;
use serde_json::Value;

use crate::site::{Site, SiteFrame, SiteSource};

/// A parsed source map.
#[derive(Debug, Deserialize)]
pub struct SourceMap {
    /// The output that the map describes.
    pub output: Output,
    /// The files that the output came from, the root template first.
    pub files: Vec<MapFile>,
    strings: Vec<String>,
    frames: Vec<[i64; 12]>,
    sources: Vec<Vec<Vec<Value>>>,
    segments: Vec<Vec<[i64; 7]>>,
    uses: Vec<[i64; 6]>,
    entries: Vec<(String, String, u32, u32)>,
}

/// The output of a source map.
#[derive(Debug, Deserialize)]
pub struct Output {
    /// The path, relative to the directory of the root template.
    pub path: String,
    /// SHA-256 of the output, in hexadecimal.
    pub sha256: String,
}

/// An authored file of a source map.
#[derive(Debug, Deserialize)]
pub struct MapFile {
    /// The path, relative to the directory of the root template.
    pub path: String,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

/// An entry of a section of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The section.
    pub section: String,
    /// The key of the entry.
    pub name: String,
    /// The first line, from 1.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

/// The reason why a source map cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MapError {
    /// The file is not the JSON of a source map.
    Malformed(String),
    /// The map has another version.
    Version(u64),
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapError::Malformed(why) => write!(f, "not a source map: {why}"),
            MapError::Version(version) => write!(f, "a source map of version {version}, which is not 1"),
        }
    }
}

struct Row {
    line: i64,
    column: i64,
    is_key: bool,
    site_line: i64,
    site_column: i64,
    rule: i64,
    sources: i64,
    file: i64,
    frame: i64,
}

impl SourceMap {
    /// Parses a source map.
    ///
    /// # Errors
    ///
    /// [`MapError`] when it is not a source map of version 1.
    pub fn parse(text: &str) -> Result<SourceMap, MapError> {
        let malformed = |error: serde_json::Error| {
            MapError::Malformed(match () {
                () if error.is_eof() => "the file ends too early".to_owned(),
                () if error.is_syntax() => format!("it is not JSON (line {}, column {})", error.line(), error.column()),
                () => "a key is missing, or has another form".to_owned(),
            })
        };
        let value: Value = serde_json::from_str(text).map_err(malformed)?;
        match value.get("formwork_source_map").and_then(Value::as_u64) {
            None => return Err(MapError::Malformed("it does not have the key `formwork_source_map`".to_owned())),
            Some(1) => {}
            Some(version) => return Err(MapError::Version(version)),
        }
        serde_json::from_value(value).map_err(malformed)
    }

    /// Returns the rows of a use, in the order of the output.
    fn rows(&self, number: usize) -> impl Iterator<Item = Row> + '_ {
        let one = self.uses.get(number).copied().unwrap_or_default();
        let segment = self.segments.get(index(one[2]).unwrap_or(usize::MAX)).map(Vec::as_slice).unwrap_or_default();
        segment.iter().map(move |&[lines, column, part, below, site_column, rule, sources]| Row {
            line: one[0] + lines,
            column,
            is_key: part == 1,
            site_line: one[5] + below,
            site_column,
            rule,
            sources,
            file: one[4],
            frame: one[3],
        })
    }

    /// Returns the number of the last use that begins at a position or in front of it.
    fn use_at(&self, line: i64, column: i64) -> Option<usize> {
        self.uses.partition_point(|one| (one[0], one[1]) <= (line, column)).checked_sub(1)
    }

    /// Returns the site of the node at a position in the output: of the last one that begins there or in front of it.
    pub fn site(&self, line: u32, column: u32) -> Option<Site> {
        let (line, column) = (i64::from(line), i64::from(column));
        let row =
            self.rows(self.use_at(line, column)?).take_while(|row| (row.line, row.column) <= (line, column)).last()?;
        self.site_of(&row)
    }

    /// Returns the site of the node that begins nearest to a column of a line of the output; of the one in front of the
    /// line when none begins in it.
    pub fn nearest_site(&self, line: u32, column: u32) -> Option<Site> {
        let (wanted, hint) = (i64::from(line), i64::from(column));
        let nearest = self.rows_of(line, line).min_by_key(|row| (row.column - hint).abs());
        match nearest {
            Some(row) => self.site_of(&row),
            None => self.site(u32::try_from(wanted).ok()?, u32::MAX),
        }
    }

    fn rows_of(&self, first: u32, last: u32) -> impl Iterator<Item = Row> + '_ {
        let (first, last) = (i64::from(first), i64::from(last));
        let start = self.use_at(first, 0).unwrap_or(0);
        let end = self.uses.partition_point(|one| one[0] <= last);
        let numbers = start..end.max(start);
        numbers.flat_map(|number| self.rows(number)).filter(move |row| (first..=last).contains(&row.line))
    }

    /// Returns the entries of all sections.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.entries.iter().map(|(section, name, first, last)| Entry {
            section: section.clone(),
            name: name.clone(),
            first: *first,
            last: *last,
        })
    }

    /// Returns the smallest entry that contains a range of lines.
    pub fn entry_around(&self, first: u32, last: u32) -> Option<Entry> {
        let holds = |entry: &Entry| entry.first <= first && last <= entry.last;
        let around = self.entries().filter(holds).min_by_key(|entry| entry.last - entry.first);
        // A tool may report the line behind the last one.
        around.or_else(|| self.entries().find(|entry| (entry.first..=entry.last).contains(&first)))
    }

    /// Returns the entry of a section by its name; with `None` a resource, else an entry of any section.
    pub fn entry(&self, section: Option<&str>, name: &str) -> Option<Entry> {
        let is_it = |entry: &Entry, section: &str| entry.section == section && entry.name == name;
        match section {
            Some(section) => self.entries().find(|entry| is_it(entry, section)),
            None => self.entries().find(|entry| is_it(entry, "Resources")),
        }
    }

    /// Returns the site of an entry's key, and the first and last authored line of the entry in that file.
    pub fn site_of_entry(&self, entry: &Entry) -> Option<(Site, u32, u32)> {
        let rows = || self.rows_of(entry.first, entry.last);
        let key = rows().find(|row| row.is_key && row.line == i64::from(entry.first))?;
        let lines =
            rows().filter(|row| row.file == key.file && row.site_line >= key.site_line).map(|row| row.site_line);
        let last = lines.max().unwrap_or(key.site_line);
        let site = self.site_of(&key)?;
        let first = site.line;
        Some((site, first, u32::try_from(last).unwrap_or(first)))
    }

    fn string(&self, number: i64) -> Option<String> {
        self.strings.get(index(number)?).cloned()
    }

    fn file(&self, number: i64) -> Option<String> {
        Some(self.files.get(index(number)?)?.path.clone())
    }

    fn site_of(&self, row: &Row) -> Option<Site> {
        let chain = self.chain(row.frame);
        Some(Site {
            file: self.file(row.file)?,
            line: u32::try_from(row.site_line).ok()?,
            column: u32::try_from(row.site_column).ok()?,
            rule: u8::try_from(row.rule).unwrap_or_default(),
            is_key: row.is_key,
            sources: self.sources_of(row.sources, &chain),
            frames: chain.into_iter().rev().collect(),
        })
    }

    /// Returns a frame and those around it, innermost first.
    fn chain(&self, frame: i64) -> Vec<SiteFrame> {
        let (mut chain, mut next) = (Vec::new(), frame);
        // A source map from elsewhere may have a cycle.
        while let Some(&frame) = index(next).and_then(|number| self.frames.get(number)) {
            if chain.len() > self.frames.len() {
                break;
            }
            let [parent, kind, name, value, at, loop_name, file, line, column, ..] = frame;
            chain.push(SiteFrame {
                kind: u8::try_from(kind).unwrap_or(u8::MAX),
                name: self.string(name).unwrap_or_default(),
                value: self.string(value),
                index: u32::try_from(at).ok(),
                loop_name: self.string(loop_name),
                file: self.file(file),
                line: u32::try_from(line).unwrap_or_default(),
                column: u32::try_from(column).unwrap_or_default(),
            });
            next = parent;
        }
        chain
    }

    fn sources_of(&self, number: i64, chain: &[SiteFrame]) -> Vec<SiteSource> {
        let list = index(number).and_then(|number| self.sources.get(number)).map(Vec::as_slice).unwrap_or_default();
        list.iter().filter_map(|source| self.source(source, chain)).collect()
    }

    fn source(&self, source: &[Value], chain: &[SiteFrame]) -> Option<SiteSource> {
        let number = |at: usize| source.get(at).and_then(Value::as_i64).unwrap_or(-1);
        let kind = source.first()?.as_str()?.to_owned();
        if source.len() == 2 {
            let frame = chain.iter().filter(|frame| frame.kind == 0).nth(index(number(1))?)?;
            let name = frame.name.clone();
            return Some(SiteSource { kind, name, file: frame.file.clone(), line: frame.line, column: frame.column });
        }
        Some(SiteSource {
            kind,
            name: self.string(number(1)).unwrap_or_default(),
            file: self.file(number(3)),
            line: u32::try_from(number(4)).unwrap_or_default(),
            column: u32::try_from(number(5)).unwrap_or_default(),
        })
    }
}

fn index(number: i64) -> Option<usize> {
    usize::try_from(number).ok()
}
