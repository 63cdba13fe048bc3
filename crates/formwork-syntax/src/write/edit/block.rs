//! Editing block style: entries and elements on their own lines.

use formwork_base::Span;

use super::copy::{explicit_colon, lines};
use super::repeated::Piece;
use super::segments::{Groups, Segment};
use super::{Anchor, Context, Editor};
use crate::tree::{Entry, Kind, NodeId, Style};
use crate::write::out::{Part, Recorder};
use crate::write::yaml::Host;

struct Progress {
    column: usize,
    /// Set when an entry was written, so that the next one needs a new line.
    started: bool,
    /// Set when the first entry was removed: the lines above the next one that is written move to its place.
    pending_first_gap: bool,
}

impl Progress {
    fn begin(column: usize) -> Progress {
        Progress { column, started: false, pending_first_gap: false }
    }
}

struct Units<'u> {
    all: &'u [Segment],
    /// The text behind the last entry.
    tail: Span,
}

impl Units<'_> {
    fn lead(&self, at: usize) -> Option<(Span, i32)> {
        let before = self.all[..at].last()?;
        Some((Span::new(before.line_end, self.all[at].start), self.all[at].column))
    }

    fn tail(&self, at: usize) -> Span {
        match &self.all[at] {
            _ if at + 1 == self.all.len() => self.tail,
            unit => Span::new(unit.end, unit.line_end),
        }
    }

    fn start(&self, at: usize) -> u32 {
        self.lead(at).map_or(self.all[at].start, |(lead, _)| lead.start())
    }
}

impl<R: Recorder> Editor<'_, '_, R> {
    pub(super) fn block(&mut self, old: NodeId, new: NodeId, context: Context, tail: Span) {
        self.mark(new, Part::Value);
        let units = self.units_of(old);
        let groups = self.groups(&units, new);
        let column = (units.first().map_or(0, |unit| unit.column) + context.shift).max(0) as usize;
        self.units(&Units { all: &units, tail }, &groups, &mut Progress::begin(column), context, None);
    }

    /// Writes units in order. `fragment` is the column to which the keys of a loop's fragment move.
    fn units(
        &mut self,
        units: &Units<'_>,
        groups: &Groups,
        progress: &mut Progress,
        context: Context,
        fragment: Option<usize>,
    ) {
        let mut rest = groups.iter();
        let mut at = 0;
        while at < units.all.len() {
            self.out.drain();
            let repeats = fragment.is_none()
                && self.repeats_members(context)
                && (at == 0 || progress.started && !progress.pending_first_gap)
                && context.shift == progress.column as i32 - units.all[at].column;
            let (unit, Some(group)) = (&units.all[at], rest.next()) else { break };
            if repeats && self.is_unchanged(unit, &group) {
                let last = at + self.unchanged(&units.all[at + 1..], &mut rest);
                self.unchanged_units(units, at, last, progress, context);
                at = last + 1;
                continue;
            }
            if repeats && group.members.len() == 1 && group.members[0].key == unit.entry().key && unit.key.is_some() {
                self.with_new_value(units, at, group.members[0], progress, context);
            } else if group.members.is_empty() {
                match units.lead(at) {
                    Some((lead, _)) => self.lead_of_removed(lead, progress, context),
                    None => progress.pending_first_gap = true,
                }
            } else {
                self.lead(units.lead(at), progress, context);
                progress.pending_first_gap = false;
                if self.is_in_place(unit, group.members[0]) {
                    self.in_place(unit, group.members, progress.column, context, fragment, units.tail(at));
                } else {
                    let blank = self.has_blank_line(units.all, at);
                    self.copies(unit, group.members, progress, context, blank, units.tail(at));
                }
                progress.started = true;
            }
            self.foreign(group.foreign, unit.key.is_none(), progress);
            at += 1;
        }
    }

    fn unchanged_units(
        &mut self,
        units: &Units<'_>,
        first: usize,
        last: usize,
        progress: &mut Progress,
        context: Context,
    ) {
        let piece = Piece::Members(Span::new(units.start(first), units.all[last].end));
        self.repeated(piece, context, |editor| {
            for (at, unit) in units.all.iter().enumerate().take(last + 1).skip(first) {
                editor.lead(units.lead(at), progress, context);
                let tail = if at == last { Span::new(unit.end, unit.end) } else { units.tail(at) };
                editor.member(unit, unit.entry(), progress.column, context, None, tail);
                progress.started = true;
            }
        });
        progress.started = true;
        self.gap(units.tail(last), context);
    }

    fn with_new_value(
        &mut self,
        units: &Units<'_>,
        at: usize,
        member: Entry,
        progress: &mut Progress,
        context: Context,
    ) {
        let unit = &units.all[at];
        let key_end = self.tree.span(member.key).end();
        let piece = Piece::Members(Span::new(units.start(at), key_end));
        self.repeated(piece, context, |editor| {
            editor.lead(units.lead(at), progress, context);
            editor.key_of_member(unit, member, context);
        });
        let host = Anchor::Host(Host::Key(progress.column));
        self.attach(key_end, unit.value, member.value, host, context, units.tail(at), false);
        progress.started = true;
    }

    fn in_place(
        &mut self,
        unit: &Segment,
        members: &[Entry],
        column: usize,
        context: Context,
        fragment: Option<usize>,
        tail: Span,
    ) {
        for (number, member) in members.iter().enumerate() {
            if number > 0 {
                self.new_line(column);
            }
            let tail = if number + 1 == members.len() { tail } else { Span::new(unit.end, unit.end) };
            self.member(unit, *member, column, context, fragment, tail);
        }
    }

    fn foreign(&mut self, members: &[Entry], is_item: bool, progress: &mut Progress) {
        for member in members {
            if progress.started {
                self.new_line(progress.column);
            }
            progress.started = true;
            progress.pending_first_gap = false;
            let mut writer = self.writer();
            if is_item {
                writer.item(member.value, progress.column);
            } else {
                writer.member(*member, progress.column);
            }
        }
    }

    /// Writes the lines above an entry: a copy, or before anything was written, without the first line break and the
    /// empty lines at the beginning.
    fn lead(&mut self, lead: Option<(Span, i32)>, progress: &Progress, context: Context) {
        let Some((lead, column)) = lead else { return };
        let context = Context { shift: progress.column as i32 - column, ..context };
        if progress.started && !progress.pending_first_gap {
            return self.gap(lead, context);
        }
        // The first entry was removed: the lines above this one move to its place.
        self.comments_of(lead, progress.column, context);
        if progress.started {
            self.new_line(progress.column);
        }
    }

    fn comments_of(&mut self, gap: Span, column: usize, context: Context) {
        for (line, _) in lines(self.slice(gap)) {
            let content = line.trim_start_matches([' ', '\t']);
            if content.starts_with('#') && context.comments {
                self.out.push(content);
                self.new_line(column);
            }
        }
    }

    /// Writes the lines above a removed entry. It is removed with its lines and the empty lines directly above; comment
    /// lines above are kept.
    fn lead_of_removed(&mut self, lead: Span, progress: &Progress, context: Context) {
        if !progress.started || progress.pending_first_gap {
            // Comments before anything is written stay with the next entry.
            return self.comments_of(lead, progress.column, context);
        }
        let text = self.slice(lead);
        // Up to the line break of the last comment line.
        let Some(last) = lines(text).filter(|(line, _)| line.trim_start_matches([' ', '\t']).starts_with('#')).last()
        else {
            return;
        };
        let end = (last.0.as_ptr() as usize - text.as_ptr() as usize + last.0.len()) as u32;
        let context = Context { shift: progress.column as i32 - self.column(lead.end()), ..context };
        self.gap(Span::new(lead.start(), lead.start() + end), context);
    }

    fn member(
        &mut self,
        unit: &Segment,
        member: Entry,
        column: usize,
        context: Context,
        fragment: Option<usize>,
        tail: Span,
    ) {
        let Some(key) = unit.key else {
            self.out.push("-");
            let outer = self.enter(member.value);
            self.attach(
                unit.start + 1,
                unit.value,
                member.value,
                Anchor::Host(Host::Dash(column)),
                context,
                tail,
                false,
            );
            self.frame = outer;
            return;
        };
        let outer = self.enter(member.key);
        let is_new = self.key_of_member(unit, member, context);
        let context = match fragment {
            Some(_) => Context { shift: self.known_fragment_shift(unit, column), ..context },
            None => context,
        };
        let host = Anchor::Host(Host::Key(column));
        self.attach(self.tree.span(key).end(), unit.value, member.value, host, context, tail, is_new);
        self.out.end(member.key);
        self.frame = outer;
    }

    fn key_of_member(&mut self, unit: &Segment, member: Entry, context: Context) -> bool {
        let Some(key) = unit.key else { return false };
        let key_end = self.tree.span(key).end();
        let key_start = self.tree.span(key).start();
        // The mark `?` of an explicit key.
        self.gap(Span::new(unit.start, key_start.max(unit.start)), context);
        let is_new = member.key != key && self.tree.text(member.key) != self.tree.text(key);
        if is_new && unit.is_call {
            self.out.push(self.tree.text(member.key));
        } else if is_new {
            self.writer().key(member.key, false);
        } else {
            if self.tree.kind(member.key) == Kind::Key && !unit.is_call {
                self.mark(member.key, Part::Key);
            }
            self.push_shifted(self.slice(Span::new(key_start, key_end)), context.shift);
        }
        is_new
    }

    /// Returns [`Editor::fragment_shift`], computed once for all iterations.
    fn known_fragment_shift(&mut self, unit: &Segment, column: usize) -> i32 {
        if !self.repeats {
            return self.fragment_shift(unit, column);
        }
        if let Some(&known) = self.shifts.get(&(unit.value, column)) {
            return known;
        }
        let shift = self.fragment_shift(unit, column);
        self.shifts.insert((unit.value, column), shift);
        shift
    }

    /// Returns the shift of the lines below a fragment's key. Lines of a block mapping or list are shifted together, so
    /// that the first is one step deeper than the key; a dash in the key's column stays in it. Lines of a value that
    /// begins beside the key are shifted like the key.
    fn fragment_shift(&self, unit: &Segment, column: usize) -> i32 {
        let own = unit.column;
        let with_key = column as i32 - own;
        let value = unit.value;
        let is_block = self.tree.style(value) == Style::Plain
            && matches!(self.tree.kind(value), Kind::Map | Kind::List | Kind::Call);
        let start = self.tree.span(value).start();
        if !is_block || self.tree.is_alias(value) || !self.begins_line(start) {
            return with_key;
        }
        // The colon of an explicit key stays in the column of its mark.
        let key_end = unit.key.map_or(start, |key| self.tree.span(key).end());
        if explicit_colon(self.slice(Span::new(key_end.min(start), start))).is_some() {
            return with_key;
        }
        let first = self.column(start);
        if self.tree.kind(value) == Kind::List && first == own {
            return with_key;
        }
        column as i32 + self.layout.step as i32 - first
    }

    /// Returns `true` when an empty line is directly above a loop (above its comment lines) or between it and the next
    /// entry.
    fn has_blank_line(&self, units: &[Segment], at: usize) -> bool {
        let above = self.text_before(units[at].start);
        let mut lines_above = above.rsplit('\n').map(str::trim).skip(1).skip_while(|line| line.starts_with('#'));
        let begins_line = self.begins_line(units[at].start);
        if begins_line && lines_above.next().is_some_and(str::is_empty) {
            return true;
        }
        units.get(at + 1).is_some_and(|next| {
            let between = self.slice(Span::new(self.line_end(units[at].end), next.start));
            let count = lines(between).count();
            lines(between).take(count.saturating_sub(1)).skip(1).any(|(line, _)| line.trim().is_empty())
        })
    }

    fn copies(
        &mut self,
        unit: &Segment,
        members: &[Entry],
        progress: &Progress,
        context: Context,
        blank: bool,
        tail: Span,
    ) {
        if self.is_spliced(unit) {
            return self.spliced(unit, members, progress.column, context, tail);
        }
        let &[_, _, fragment] = self.tree.items(unit.value) else {
            return self.merged(members, progress.column);
        };
        if self.tree.is_alias(members[0].key) && self.tree.kind(unit.value) != Kind::List {
            return self.merged(members, progress.column);
        }
        if context.comments {
            self.fragment_comments(unit.value, fragment, progress.column);
        }
        let outer = self.repeat(members.len());
        let mut from = 0;
        while from < members.len() {
            let end = from + self.first_iteration(unit, &members[from..]);
            if from > 0 {
                // An empty line would become a part of a scalar that keeps its line breaks.
                if blank && !self.out.is_at_kept_breaks() {
                    self.out.push(self.layout.newline);
                }
                self.new_line(progress.column);
                self.out.drain();
            }
            let context = Context { comments: context.comments && from == 0, ..context };
            // Comments after a loop written in flow style are on the lines of its parts.
            let tail = if self.tree.style(unit.value) == Style::Flow { Span::new(unit.end, unit.end) } else { tail };
            self.copy(fragment, &members[from..end], progress.column, context, tail);
            from = end;
        }
        self.repeats = outer;
    }

    fn copy(&mut self, fragment: NodeId, members: &[Entry], column: usize, context: Context, tail: Span) {
        if self.tree.kind(fragment) == Kind::List {
            return;
        }
        let units = self.units_of(fragment);
        let groups = self.assign(&units, members);
        if self.tree.style(fragment) != Style::Flow {
            let units = Units { all: &units, tail };
            return self.units(&units, &groups, &mut Progress::begin(column), context, Some(column));
        }
        // A fragment in flow style: its entries get their own lines.
        let mut progress = Progress::begin(column);
        for (unit, group) in units.iter().zip(groups.iter()) {
            if group.members.is_empty() {
                continue;
            }
            if progress.started {
                self.new_line(column);
            }
            progress.started = true;
            let end = Span::new(unit.end, unit.end);
            if self.is_in_place(unit, group.members[0]) {
                let shift = column as i32 - self.indent(unit.start);
                self.in_place(unit, group.members, column, Context { shift, ..context }, None, end);
            } else {
                self.copies(unit, group.members, &progress, context, false, end);
            }
        }
    }

    fn fragment_comments(&mut self, parts: NodeId, fragment: NodeId, column: usize) {
        if self.tree.style(parts) == Style::Flow {
            return;
        }
        self.comments_above(self.tree.span(fragment).start(), column);
    }

    fn merged(&mut self, members: &[Entry], column: usize) {
        for (at, member) in members.iter().enumerate() {
            if at > 0 {
                self.new_line(column);
            }
            self.writer().member(*member, column);
        }
    }
}
