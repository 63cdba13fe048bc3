//! The text of a union whose first file is YAML.

use formwork_base::FileId;
use formwork_syntax::{Entry, Format, Kind, NodeId};

use super::Scribe;
use super::copy::is_portable;
use crate::layout::Spacing;
use crate::lines;
use crate::units::Unit;

struct Page<'p> {
    scribe: &'p Scribe<'p>,
    spacing: &'p Spacing,
    newline: &'static str,
    step: usize,
    out: String,
    /// The file of the line that was written last.
    file: Option<FileId>,
    /// The entry that was written last.
    last: Option<Unit>,
}

impl Scribe<'_> {
    pub(super) fn yaml(&self, spacing: &Spacing) -> String {
        let text = self.first_text();
        let first_break = text.find(['\n', '\r']).unwrap_or(text.len());
        let newline = match &text[first_break..] {
            rest if rest.starts_with("\r\n") => "\r\n",
            rest if rest.starts_with('\r') => "\r",
            _ => "\n",
        };
        let step = lines::lines(text)
            .filter(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty())
            .map(lines::indent)
            .find(|indent| *indent > 0)
            .unwrap_or(2);
        let mut page = Page { scribe: self, spacing, newline, step, out: String::new(), file: None, last: None };
        page.sections();
        page.out
    }
}

impl Page<'_> {
    fn sections(&mut self) {
        let scribe = self.scribe;
        let mut before: Option<Unit> = None;
        for section in scribe.tree.entries(scribe.merged.root) {
            let unit = scribe.units.unit(section.key);
            self.last = before;
            self.separate(unit, section.key, true);
            if before.is_none() {
                self.head(unit);
            }
            self.entry(section, 0);
            before = unit;
        }
    }

    /// Writes what is before the first line of the first file's content: directives, and the mark of the start.
    fn head(&mut self, unit: Option<Unit>) {
        let Some(unit) = unit.filter(|unit| unit.at == 0) else { return };
        let end = self.scribe.units.lead_start(unit);
        let head = self.scribe.first_text().get(..end).unwrap_or_default();
        lines::push_shifted(&mut self.out, head, 0, self.newline);
    }

    /// Writes the empty lines before an entry.
    fn separate(&mut self, unit: Option<Unit>, node: NodeId, is_section: bool) {
        let Some(file) = self.scribe.file_of(node) else { return };
        let is_next = |unit: Unit| self.last.is_some_and(|last| last.part == unit.part && last.at + 1 == unit.at);
        let count = match (unit.filter(|unit| self.scribe.units.part(*unit).is_block), self.file) {
            (Some(unit), _) if is_next(unit) => self.empty_lines(unit),
            (_, Some(other)) if self.last.is_some() => usize::from(if is_section {
                self.spacing.of_sections(other, file)
            } else {
                self.spacing.of_members(other, file)
            }),
            _ => 0,
        };
        for _ in 0..count {
            self.out.push_str(self.newline);
        }
    }

    /// Returns the number of empty lines at the start of what is above an entry.
    fn empty_lines(&self, unit: Unit) -> usize {
        lines::lines(self.lead(unit)).take_while(|line| line.trim().is_empty()).count()
    }

    /// Returns what is above an entry, to the line with its key.
    fn lead(&self, unit: Unit) -> &str {
        let units = self.scribe.units;
        let text = units.text(units.part(unit).file);
        let end = lines::line_start(text, units.start(unit));
        text.get(units.lead_start(unit)..end).unwrap_or_default()
    }

    /// Writes the comments above an entry, and those of the section around it that is not written itself.
    fn comments(&mut self, unit: Unit, column: usize, with_section: bool) {
        let units = self.scribe.units;
        let part = units.part(unit);
        if with_section
            && unit.at == 0
            && let Some(key) = units.key_of(unit)
        {
            if let Some(section) = units.unit(key).filter(|section| units.part(*section).is_block) {
                self.comments(section, column, true);
            }
            if let Some(comment) = self.beside(part.file, key) {
                let comment = comment.trim_start().to_owned();
                lines::push_line(&mut self.out, &comment, column as isize);
                self.out.push_str(self.newline);
            }
        }
        if !part.is_block {
            return;
        }
        let shift = column as isize - units.column(unit) as isize;
        let lead = self.lead(unit).to_owned();
        let mut is_begun = false;
        for line in lines::lines(&lead) {
            is_begun |= !line.trim().is_empty();
            if is_begun {
                lines::push_line(&mut self.out, line, shift);
                self.out.push_str(self.newline);
            }
        }
    }

    /// Returns the comment beside a key whose value begins below it.
    fn beside(&self, file: FileId, key: NodeId) -> Option<&str> {
        let units = self.scribe.units;
        let text = units.text(file);
        let end = units.offset(file, self.scribe.tree.span(key).end());
        let rest = text.get(end..lines::line_end(text, end))?.trim_start().strip_prefix(':')?;
        rest.trim_start().starts_with('#').then_some(rest)
    }

    fn entry(&mut self, entry: Entry, column: usize) {
        let scribe = self.scribe;
        let unit = scribe.units.unit(entry.key);
        self.file = scribe.file_of(entry.key);
        if scribe.is_made(entry.value) {
            return self.made(entry, unit, column);
        }
        let copied = unit.filter(|unit| {
            let file = scribe.units.part(*unit).file;
            scribe.file_of(entry.value) == Some(file) && scribe.is_yaml(file) && is_portable(scribe.tree, entry.value)
        });
        match copied {
            Some(unit) if scribe.units.part(unit).is_block => self.copy(unit, column),
            Some(unit) if !scribe.units.key_text(unit).starts_with(['!', '?']) => self.copy_flow(unit, column),
            _ => {
                if let Some(unit) = unit.filter(|unit| scribe.units.part(*unit).is_block) {
                    self.comments(unit, column, false);
                }
                self.format_entry(entry, column);
            }
        }
        self.last = unit;
    }

    /// Copies the lines of an entry.
    fn copy(&mut self, unit: Unit, column: usize) {
        let units = self.scribe.units;
        let (file, shift) = (units.part(unit).file, column as isize - units.column(unit) as isize);
        self.comments(unit, column, false);
        let text = units.text(file);
        let start = lines::line_start(text, units.start(unit));
        let part = text.get(start..units.tail_end(unit)).unwrap_or_default();
        let part = self.scribe.edits.applied(self.scribe.sources, file, part, start);
        lines::push_shifted(&mut self.out, &part, shift, self.newline);
    }

    /// Writes an entry of an object in braces on lines of its own.
    fn copy_flow(&mut self, unit: Unit, column: usize) {
        let units = self.scribe.units;
        let file = units.part(unit).file;
        let (start, end) = units.value(unit);
        let part = units.text(file).get(start..end).unwrap_or_default();
        let part = self.scribe.edits.applied(self.scribe.sources, file, part, start);
        lines::push_line(&mut self.out, units.key_text(unit), column as isize);
        self.out.push(':');
        let (first, rest) = part.split_at(lines::line_end(&part, 0));
        if !first.is_empty() {
            self.out.push(' ');
            self.out.push_str(first);
        }
        self.out.push_str(self.newline);
        let rest = &rest[lines::behind_break(rest, 0)..];
        let least = lines::lines(rest).filter(|line| !line.trim().is_empty()).map(lines::indent).min().unwrap_or(0);
        let shift = (column + self.step) as isize - least as isize;
        lines::push_shifted(&mut self.out, rest, shift, self.newline);
    }

    /// Writes an entry without its authored text.
    fn format_entry(&mut self, entry: Entry, column: usize) {
        let scribe = self.scribe;
        let key = scribe.formatted(entry.key, Format::Yaml);
        lines::push_line(&mut self.out, key.trim_end(), column as isize);
        self.out.push(':');
        self.format_value(entry.value, column + self.step);
    }

    /// Writes a value behind a key or dash: a scalar beside it, lines below it.
    fn format_value(&mut self, value: NodeId, column: usize) {
        let tree = self.scribe.tree;
        let text = self.scribe.formatted(value, Format::Yaml);
        let is_below = match tree.kind(value) {
            Kind::Map | Kind::List => !tree.is_empty(value),
            Kind::Call => true,
            _ => false,
        };
        if is_below {
            self.out.push_str(self.newline);
            lines::push_shifted(&mut self.out, &text, column as isize, self.newline);
        } else {
            self.out.push(' ');
            self.out.push_str(text.trim_end());
            self.out.push_str(self.newline);
        }
    }

    /// Writes a collection that the union created: its key, and the entries of all files.
    fn made(&mut self, entry: Entry, unit: Option<Unit>, column: usize) {
        let (scribe, tree) = (self.scribe, self.scribe.tree);
        if let Some(unit) = unit {
            self.comments(unit, column, false);
        }
        let key = match unit {
            Some(unit) => scribe.units.key_text(unit).to_owned(),
            None => scribe.formatted(entry.key, Format::Yaml).trim_end().to_owned(),
        };
        lines::push_line(&mut self.out, &key, column as isize);
        self.out.push(':');
        if let Some(comment) = self.file.and_then(|file| self.beside(file, entry.key)).map(str::to_owned) {
            self.out.push_str(&comment);
        }
        self.out.push_str(self.newline);
        if tree.is_empty(entry.value) {
            self.out.truncate(self.out.trim_end().len());
            self.out.push_str(if tree.kind(entry.value) == Kind::List { " []" } else { " {}" });
            self.out.push_str(self.newline);
        }
        let inner = self.inner_column(entry, column);
        self.last = None;
        if tree.kind(entry.value) == Kind::List {
            for &item in tree.items(entry.value) {
                self.item(item, inner);
            }
        } else {
            for member in tree.entries(entry.value) {
                self.member(entry.key, member, inner);
            }
        }
        self.last = unit;
    }

    /// Returns the column of entries: that of the first one, where it is in the same file as the key.
    fn inner_column(&self, entry: Entry, column: usize) -> usize {
        let (scribe, tree) = (self.scribe, self.scribe.tree);
        let first = match tree.kind(entry.value) {
            Kind::List => tree.items(entry.value).first().copied(),
            _ => tree.entries(entry.value).next().map(|member| member.key),
        };
        let unit = first.and_then(|first| scribe.units.unit(first));
        let own =
            unit.filter(|unit| scribe.units.part(*unit).is_block && scribe.units.key_of(*unit) == Some(entry.key));
        let key = scribe.units.unit(entry.key).filter(|key| scribe.units.part(*key).is_block);
        match (own, key) {
            (Some(own), Some(key)) => column + scribe.units.column(own).saturating_sub(scribe.units.column(key)),
            _ => column + self.step,
        }
    }

    fn member(&mut self, key: NodeId, member: Entry, column: usize) {
        let units = self.scribe.units;
        let unit = units.unit(member.key);
        self.separate(unit, member.key, false);
        if let Some(unit) = unit
            && unit.at == 0
            && units.key_of(unit) == Some(key)
            && units.part(unit).is_block
        {
            for _ in 0..self.empty_lines(unit) {
                self.out.push_str(self.newline);
            }
        }
        if let Some(unit) = unit.filter(|unit| unit.at == 0 && units.key_of(*unit) != Some(key)) {
            self.comments_of_section(unit, column);
        }
        self.entry(member, column);
    }

    /// Writes the comments of a section that is a part of an earlier one.
    fn comments_of_section(&mut self, unit: Unit, column: usize) {
        let units = self.scribe.units;
        let Some(key) = units.key_of(unit) else { return };
        if let Some(section) = units.unit(key).filter(|section| units.part(*section).is_block) {
            self.comments(section, column, true);
        }
        let file = units.part(unit).file;
        if let Some(comment) = self.beside(file, key).map(|comment| comment.trim_start().to_owned()) {
            lines::push_line(&mut self.out, &comment, column as isize);
            self.out.push_str(self.newline);
        }
    }

    fn item(&mut self, item: NodeId, column: usize) {
        let scribe = self.scribe;
        let unit = scribe.units.unit(item);
        let file = scribe.file_of(item);
        let copied = unit.filter(|unit| {
            let part = scribe.units.part(*unit);
            part.is_block && scribe.is_yaml(part.file) && is_portable(scribe.tree, item) && !scribe.is_made(item)
        });
        self.file = file;
        if let Some(unit) = copied {
            self.copy(unit, column);
        } else if let Some(file) = file.filter(|file| scribe.tree.is_scalar(item) && scribe.is_yaml(*file)) {
            let span = scribe.tree.span(item);
            let text = scribe.sources.slice(span);
            let start = scribe.units.offset(file, span.start());
            let text = scribe.edits.applied(scribe.sources, file, text, start);
            lines::push_line(&mut self.out, "- ", column as isize);
            self.out.push_str(&text);
            self.out.push_str(self.newline);
        } else {
            lines::push_line(&mut self.out, "-", column as isize);
            self.format_value(item, column + self.step.max(2));
        }
        self.last = unit;
    }
}
