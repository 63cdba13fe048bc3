//! Editing flow style and JSON: entries and elements between commas.

use formwork_base::Span;

use super::super::json_string;
use super::repeated::Piece;
use super::segments::{Groups, Segment};
use super::{Context, Editor};
use crate::tree::{Entry, Kind, NodeId, Style};
use crate::write::out::{Part, Recorder};
use crate::write::yaml::Host;

impl<R: Recorder> Editor<'_, '_, R> {
    pub(super) fn flow(&mut self, old: NodeId, new: NodeId, context: Context) {
        self.mark(new, Part::Value);
        let span = self.tree.span(old);
        let units = self.units_of(old);
        let groups = self.groups(&units, new);
        let (Some(first), Some(last)) = (units.first(), units.last()) else {
            return self.copy_node(old, context);
        };
        self.gap(Span::new(span.start(), first.start), context);
        self.flow_units(&units, &groups, context);
        self.gap(Span::new(last.end, span.end()), context);
    }

    /// Writes units with the separators between them. Each kept unit is preceded by the separator before it in the
    /// source, so that a removed one is removed with its comma.
    fn flow_units(&mut self, units: &[Segment], groups: &Groups, context: Context) {
        let mut started = false;
        let mut rest = groups.iter();
        let mut at = 0;
        while at < units.len() {
            self.out.drain();
            let (unit, Some(group)) = (&units[at], rest.next()) else { break };
            let may_copy = self.repeats_members(context) && (started || at == 0);
            if may_copy && self.is_unchanged(unit, &group) {
                let end = at + 1 + self.unchanged(&units[at + 1..], &mut rest);
                let piece =
                    Span::new(units[..at].last().map_or(units[at].start, |before| before.end), units[end - 1].end);
                self.repeated(Piece::Members(piece), context, |editor| {
                    for at in at..end {
                        if at > 0 {
                            editor.gap(Span::new(units[at - 1].end, units[at].start), context);
                        }
                        editor.flow_member(&units[at], units[at].entry(), context);
                    }
                });
                started = true;
                at = end;
                continue;
            }
            if !group.members.is_empty() {
                if started {
                    self.gap(Span::new(units[at - 1].end, unit.start), context);
                }
                started = true;
                if self.is_in_place(unit, group.members[0]) {
                    for (number, member) in group.members.iter().enumerate() {
                        if number > 0 {
                            self.separator(unit, context);
                        }
                        self.flow_member(unit, *member, context);
                    }
                } else {
                    self.flow_copies(unit, group.members, context);
                }
            }
            for member in group.foreign {
                if started {
                    self.separator(unit, context);
                    self.out.drain();
                }
                started = true;
                self.new_flow_member(*member, unit, context);
            }
            at += 1;
        }
    }

    /// Writes the separator between copies: a line break when the loop's key begins a line.
    fn separator(&mut self, unit: &Segment, context: Context) {
        if !self.begins_line(unit.start) {
            return self.out.push(", ");
        }
        self.out.push_char(',');
        self.out.push(self.layout.newline);
        self.push_indent(self.line_before(unit.start), context.shift);
    }

    fn flow_member(&mut self, unit: &Segment, member: Entry, context: Context) {
        let Some(key) = unit.key else {
            return self.flow_value(unit.start, unit.value, member.value, context);
        };
        let outer = self.enter(member.key);
        let span = self.tree.span(key);
        let is_new = member.key != key && self.tree.text(member.key) != self.tree.text(key);
        if is_new && unit.is_call {
            // Both formats read a quoted key.
            json_string::string(self.tree.text(member.key), self.out.text_mut());
        } else if is_new && self.is_json {
            self.json_key(member.key);
        } else if is_new {
            self.writer().key(member.key, true);
        } else {
            if !unit.is_call {
                self.mark(member.key, Part::Key);
            }
            self.out.push(self.slice(span));
        }
        let site = self.tree.site(unit.value);
        let lead = Span::new(span.end(), site.start().max(span.end()));
        let text = self.slice(lead);
        if self.keeps_shape(unit.value, member.value) {
            self.gap(lead, context);
            if is_new && !self.is_json && text.ends_with(':') && !site.is_empty() {
                self.out.push_char(' ');
            }
        } else if text.contains(['\n', '\r']) || text.trim().is_empty() {
            // A scalar moves up to the line of its key.
            self.out.push(": ");
        } else {
            self.out.push(text);
            if text.ends_with(':') {
                self.out.push_char(' ');
            }
        }
        self.flow_value(unit.start, unit.value, member.value, context);
        self.out.end(member.key);
        self.frame = outer;
    }

    fn flow_value(&mut self, start: u32, old: NodeId, new: NodeId, context: Context) {
        if self.keeps_shape(old, new) {
            let end = self.tree.site(old).end();
            return self.node_in_flow(old, new, context, Span::new(end, end));
        }
        let outer = self.enter(new);
        if self.is_json {
            self.json_value(new, old, start, context);
        } else {
            self.writer().inline(new, true);
        }
        self.frame = outer;
    }

    fn node_in_flow(&mut self, old: NodeId, new: NodeId, context: Context, tail: Span) {
        use crate::tree::Style;
        if new == old || self.tree.style(old) != Style::Tag {
            return self.node(old, new, context, tail, Host::Key(0));
        }
        let outer = self.enter(new);
        self.mark(new, Part::Value);
        let name = self.tree.span(self.tree.call_name(old));
        self.out.push(self.slice(name));
        let (before, after) = (self.tree.call(old).1, self.tree.call(new).1);
        let lead = Span::new(name.end(), self.tree.site(before).start().max(name.end()));
        if self.keeps_shape(before, after) {
            self.gap(lead, context);
        } else {
            self.out.push_char(' ');
        }
        if !self.keeps_shape(before, after) && self.writer().is_tagged(after) {
            self.writer().inline_untagged(after);
        } else {
            self.flow_value(name.start(), before, after, context);
        }
        self.frame = outer;
    }

    fn new_flow_member(&mut self, member: Entry, unit: &Segment, context: Context) {
        match (self.is_json, unit.key.is_none()) {
            (true, true) => self.json_value(member.value, unit.value, unit.start, context),
            (true, false) => {
                let outer = self.json_key(member.key);
                self.out.push(": ");
                self.json_value(member.value, unit.value, unit.start, context);
                self.out.end(member.key);
                self.frame = outer;
            }
            (false, true) => self.writer().inline(member.value, true),
            (false, false) => {
                let mut writer = self.writer();
                writer.key(member.key, true);
                writer.out.push(": ");
                writer.inline(member.value, true);
            }
        }
    }

    fn flow_copies(&mut self, unit: &Segment, members: &[Entry], context: Context) {
        if self.is_spliced(unit) {
            return self.spliced_in_flow(unit, members, context);
        }
        let &[_, _, fragment] = self.tree.items(unit.value) else {
            return self.flow_merged(unit, members, context);
        };
        if self.tree.kind(fragment) == Kind::List {
            return;
        }
        let outer = self.repeat(members.len());
        let units = self.units_of(fragment);
        let Some(first) = units.first() else {
            self.repeats = outer;
            return;
        };
        let shift = self.indent(unit.start) + context.shift - self.indent(first.start);
        let mut from = 0;
        while from < members.len() {
            let end = from + self.first_iteration(unit, &members[from..]);
            if from > 0 {
                self.separator(unit, context);
                self.out.drain();
            }
            let groups = self.assign(&units, &members[from..end]);
            self.flow_units(&units, &groups, Context { shift, comments: context.comments && from == 0 });
            from = end;
        }
        self.repeats = outer;
    }

    fn flow_merged(&mut self, unit: &Segment, members: &[Entry], context: Context) {
        for (at, member) in members.iter().enumerate() {
            if at > 0 {
                self.separator(unit, context);
            }
            self.new_flow_member(*member, unit, context);
        }
    }

    fn spliced_in_flow(&mut self, unit: &Segment, members: &[Entry], context: Context) {
        let mut last = None;
        let repeated = self.repeat(members.len());
        for (at, member) in members.iter().enumerate() {
            if at > 0 {
                self.separator(unit, context);
                self.out.drain();
            }
            let old = self.tree.authored(member.value);
            let comments = context.comments && last != Some(old);
            last = Some(old);
            let outer = if self.is_json {
                self.json_key(member.key)
            } else {
                let outer = self.enter(member.key);
                self.writer().key(member.key, true);
                outer
            };
            self.out.push(": ");
            let shift = self.indent(unit.start) + context.shift - self.indent(self.tree.span(old).start());
            let is_flow = self.is_flow(old) && self.tree.style(old) != Style::Tag;
            if is_flow && self.keeps_shape(old, member.value) {
                self.flow_value(unit.start, old, member.value, Context { shift, comments });
            } else if self.is_json {
                self.json_value(member.value, unit.value, unit.start, context);
            } else {
                self.writer().inline(member.value, true);
            }
            self.out.end(member.key);
            self.frame = outer;
        }
        self.repeats = repeated;
    }
}
