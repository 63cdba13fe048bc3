//! Writes source maps as JSON.

use std::fmt::Write as _;

use formwork_base::{FileId, FrameKind, IdMap, Span};
use formwork_syntax::{FrameId, Kind, NodeId};
use rustc_hash::FxHashMap;

use super::recorder::Recorded;
use super::rows::Row;
use super::{Output, sha256};
use crate::origin::{Rule, Source};
use crate::session::Session;

impl Session<'_, '_> {
    /// Returns the source map of a recorded output (reference/provenance.md#source-map): JSON, one line per key, ending
    /// in a line break.
    pub fn source_map(&mut self, mut recorded: Recorded, output: &Output) -> String {
        *self.replay.evaluator().tree.frames_mut() = std::mem::take(&mut recorded.frames);
        let mut builder = Builder {
            session: self,
            strings: Table::default(),
            sources: Table::default(),
            files: Vec::new(),
            places: IdMap::default(),
        };
        builder.files.push(builder.session.sources.files().next());
        let mut segments = String::from("[");
        let mut first_frames: Vec<Option<FrameId>> = vec![None; recorded.segments.len()];
        for one in &recorded.uses {
            first_frames[one.segment as usize].get_or_insert(one.frame);
        }
        let mut origins: Vec<(u32, u32)> = Vec::with_capacity(recorded.segments.len());
        let mut start = 0;
        for (number, &end) in recorded.segments.iter().enumerate() {
            let rows = &recorded.rows[start..end as usize];
            start = end as usize;
            if number > 0 {
                segments.push_str(", ");
            }
            origins.push(builder.segment(rows, first_frames[number].unwrap_or_default(), &mut segments));
        }
        segments.push(']');
        let frames = builder.frames(&recorded);
        let uses = uses(&recorded, &origins, &frames.numbers);
        let entries = builder.entries(&recorded);
        builder.document(output, &frames.text, &segments, &uses, &entries)
    }
}

/// Distinct strings, numbered in the order in which they were added.
#[derive(Default)]
struct Table {
    numbers: FxHashMap<String, usize>,
    texts: Vec<String>,
}

impl Table {
    fn number(&mut self, text: &str) -> usize {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let number = self.texts.len();
        self.numbers.insert(text.to_owned(), number);
        self.texts.push(text.to_owned());
        number
    }
}

struct FrameTable {
    numbers: IdMap<FrameId, usize>,
    text: String,
}

struct Builder<'b, 'x, 'e> {
    session: &'b mut Session<'x, 'e>,
    strings: Table,
    /// Lists of sources, in JSON.
    sources: Table,
    files: Vec<Option<FileId>>,
    places: IdMap<u32, (i32, u32, u32)>,
}

impl Builder<'_, '_, '_> {
    fn file(&mut self, file: FileId) -> i32 {
        let known = self.files.iter().position(|&known| known == Some(file));
        known.unwrap_or_else(|| {
            self.files.push(Some(file));
            self.files.len() - 1
        }) as i32
    }

    /// Returns file, line and column of a span, from 1; -1 and zeros without a span.
    fn place(&mut self, span: Span) -> (i32, u32, u32) {
        match self.session.sources.place(span) {
            Some(place) => (self.file(place.file), place.line, place.column),
            None => (-1, 0, 0),
        }
    }

    fn node_place(&mut self, node: NodeId) -> (i32, u32, u32) {
        let number = node.index() as u32;
        if let Some(&known) = self.places.get(&number) {
            return known;
        }
        let span = self.session.span(node);
        let place = self.place(span);
        self.places.insert(number, place);
        place
    }

    /// Writes the rows of a segment; returns file and line of its origin.
    fn segment(&mut self, rows: &[Row], frame: FrameId, out: &mut String) -> (u32, u32) {
        let mut origin = (0, 0);
        out.push('[');
        for (at, row) in rows.iter().enumerate() {
            let node = self.session.node(row.place);
            let (file, line, column) = self.node_place(node);
            if at == 0 {
                origin = (file.max(0) as u32, line);
            } else {
                out.push(',');
            }
            let sources = self.row_sources(row, node, frame);
            let below = i64::from(line) - i64::from(origin.1);
            let (lines, part) = (row.lines, u8::from(row.is_key()));
            let _ = write!(out, "[{lines},{},{part},{below},{column},{},{sources}]", row.column() + 1, row.rule());
        }
        out.push(']');
        origin
    }

    /// Returns the number of the list of sources of a row; -1 if it has none.
    fn row_sources(&mut self, row: &Row, place: NodeId, frame: FrameId) -> i64 {
        if Rule::WITHOUT_SOURCES.into_iter().any(|rule| row.is(rule)) {
            return -1;
        }
        let node = if row.node == 0 { place } else { self.session.node(row.node) };
        let sources = self.session.recorded_sources(row, node, frame);
        if sources.is_empty() {
            return -1;
        }
        let list: Vec<String> = sources.iter().map(|source| self.source(source, frame)).collect();
        self.sources.number(&format!("[{}]", list.join(","))) as i64
    }

    fn source(&mut self, source: &Source, frame: FrameId) -> String {
        if source.kind == FrameKind::Loop {
            let tree = self.session.tree();
            let loops = tree.frames().chain(frame).filter(|(_, record)| record.kind == FrameKind::Loop);
            if let Some(number) = loops.map(|(frame, _)| frame).position(|frame| frame == source.frame) {
                return format!("[\"loop\",{number}]");
            }
        }
        let name = self.strings.number(&source.name);
        let value = source.value.as_ref().map_or(-1, |value| self.strings.number(value) as i64);
        let (file, line, column) = self.place(source.span);
        format!("[\"{}\",{name},{value},{file},{line},{column}]", source.kind.name())
    }

    /// Returns the contexts in use, each after the one around it.
    fn frames(&mut self, recorded: &Recorded) -> FrameTable {
        let mut table = FrameTable { numbers: IdMap::default(), text: String::from("[") };
        for one in &recorded.uses {
            self.frame(one.frame, &mut table);
        }
        table.text.push(']');
        table
    }

    fn frame(&mut self, frame: FrameId, table: &mut FrameTable) -> i64 {
        if let Some(&known) = table.numbers.get(&frame) {
            return known as i64;
        }
        let tree = self.session.tree();
        let Some(record) = tree.frames().get(frame) else { return -1 };
        let shown = tree.frame(&record);
        let parent = self.frame(record.parent, table);
        let name = self.strings.number(&shown.name);
        let value = shown.value.as_ref().map_or(-1, |value| self.strings.number(value) as i64);
        let index = shown.index.map_or(-1, i64::from);
        let loop_name = shown.loop_name.as_ref().map_or(-1, |name| self.strings.number(name) as i64);
        let (file, line, column) = self.place(record.site);
        let (item_file, item_line, item_column) = self.place(record.item);
        if !table.numbers.is_empty() {
            table.text.push_str(", ");
        }
        let _ = write!(
            table.text,
            "[{parent},{},{name},{value},{index},{loop_name},{file},{line},{column},{item_file},{item_line},{item_column}]",
            record.kind as u8
        );
        let number = table.numbers.len();
        table.numbers.insert(frame, number);
        number as i64
    }

    fn entries(&mut self, recorded: &Recorded) -> String {
        let tree = self.session.tree();
        let mut text = String::from("[");
        for (at, member) in recorded.members.iter().enumerate() {
            if at > 0 {
                text.push_str(", ");
            }
            let (section, name) = (quoted(tree.text(member.section)), quoted(tree.text(member.key)));
            let _ = write!(text, "[{section},{name},{},{}]", member.first + 1, member.last + 1);
        }
        text.push(']');
        text
    }

    fn document(&self, output: &Output, frames: &str, segments: &str, uses: &str, entries: &str) -> String {
        let sources = self.session.sources;
        let files: Vec<String> = self
            .files
            .iter()
            .flatten()
            .map(|&file| {
                let given = output.files.iter().find(|(known, _)| *known == file).map(|(_, digest)| digest.clone());
                let digest = given.unwrap_or_else(|| sha256(sources.text(file).as_bytes()));
                format!("{{\"path\": {}, \"sha256\": \"{digest}\"}}", quoted(sources.path(file).as_str()))
            })
            .collect();
        let strings: Vec<String> = self.strings.texts.iter().map(|text| quoted(text)).collect();
        let mut text = String::with_capacity(segments.len() + uses.len() + entries.len() + frames.len() + 4096);
        let _ = writeln!(text, "{{\"formwork_source_map\": 1, \"stage\": \"{}\",", output.stage);
        let _ = writeln!(
            text,
            " \"output\": {{\"path\": {}, \"format\": \"{}\", \"sha256\": \"{}\"}},",
            quoted(&output.path),
            output.format,
            output.sha256
        );
        if let Some(by) = output.by {
            let provisional: Vec<String> = output.provisional.iter().map(|id| quoted(id)).collect();
            let _ = writeln!(text, " \"by\": {}, \"provisional\": [{}],", quoted(by), provisional.join(", "));
        }
        let _ = writeln!(text, " \"files\": [{}],", files.join(", "));
        let _ = writeln!(text, " \"strings\": [{}],", strings.join(", "));
        let _ = writeln!(text, " \"frames\": {frames},");
        let _ = writeln!(text, " \"sources\": [{}],", self.sources.texts.join(", "));
        let _ = writeln!(text, " \"segments\": {segments},");
        let _ = writeln!(text, " \"uses\": {uses},");
        let _ = writeln!(text, " \"entries\": {entries},");
        text.push_str(" \"children\": {}}\n");
        text
    }
}

fn uses(recorded: &Recorded, origins: &[(u32, u32)], frames: &IdMap<FrameId, usize>) -> String {
    let mut text = String::from("[");
    for (at, one) in recorded.uses.iter().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        let (file, line) = origins[one.segment as usize];
        let frame = frames.get(&one.frame).map_or(-1, |&number| number as i64);
        let _ = write!(text, "[{},{},{},{frame},{file},{line}]", one.line + 1, one.column + 1, one.segment);
    }
    text.push(']');
    text
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

impl Session<'_, '_> {
    /// Returns the sources of a recorded row, in one of its contexts.
    fn recorded_sources(&mut self, row: &Row, node: NodeId, frame: FrameId) -> Vec<Source> {
        let mut sources = Vec::new();
        let site = self.tree().authored(node);
        if row.is_key() {
            self.key_sources(site, frame, &mut sources);
            return sources;
        }
        if !self.authored.contains(site) && !self.tree().is_generated(node) {
            let tree = self.tree();
            let name = tree.frames().get(frame).map(|record| record.name);
            sources.extend(name.and_then(|name| self.argument(name)));
            return sources;
        }
        if !row.is(Rule::Chosen) || self.tree().kind(site) == Kind::Call {
            let visibility = if row.has_full_sight() {
                formwork_evaluate::Visibility::Full
            } else {
                formwork_evaluate::Visibility::Constant
            };
            self.sources(site, frame, visibility, &mut sources);
        }
        let mut at = site;
        for _ in 0..row.times_chosen() {
            let Some(chooser) = self.authored.chooser(self.tree(), at) else { break };
            self.choice_sources(chooser, at, frame, &mut sources);
            at = chooser;
        }
        sources
    }

    fn node(&self, number: u32) -> NodeId {
        self.tree().node(number).unwrap_or(self.roots.result)
    }
}
