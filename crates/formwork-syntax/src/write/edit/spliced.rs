//! Entries that `Fn::Merge` and `Fn::Map` splice into the surrounding object, in block style: each under its key, its
//! value in the text of the fragment or operand that it came from.

use formwork_base::Span;

use super::segments::Segment;
use super::{Context, Editor};
use crate::tree::{Entry, Kind, NodeId, Style};
use crate::write::out::Recorder;
use crate::write::yaml::Host;

impl<R: Recorder> Editor<'_, '_, R> {
    pub(super) fn spliced(&mut self, unit: &Segment, members: &[Entry], column: usize, context: Context, tail: Span) {
        let mut last = None;
        let outer = self.repeat(members.len());
        for (at, member) in members.iter().enumerate() {
            if at > 0 {
                self.new_line(column);
                self.out.drain();
            }
            let old = self.tree.authored(member.value);
            // Comments of a repeated body are in its first copy.
            let comments = context.comments && last != Some(old);
            last = Some(old);
            self.spliced_member(*member, old, column, Context { shift: 0, comments });
        }
        self.repeats = outer;
        let end = self.line_end(unit.end).max(tail.start());
        self.gap(Span::new(end, tail.end().max(end)), Context { shift: 0, ..context });
    }

    fn spliced_member(&mut self, member: Entry, old: NodeId, column: usize, context: Context) {
        let tree = self.tree;
        let is_collection = matches!(tree.kind(old), Kind::Map | Kind::List) && tree.style(old) != Style::Tag;
        if !is_collection || !self.keeps_shape(old, member.value) {
            return self.writer().member(member, column);
        }
        let span = tree.span(old);
        if context.comments {
            let site = tree.frames().get(tree.frame_of(member.key)).map(|record| record.site);
            for at in site.into_iter().map(Span::start).chain([span.start()]) {
                self.comments_above(at, column);
            }
        }
        let outer = self.enter(member.key);
        self.writer().key(member.key, false);
        self.out.push_char(':');
        let rest = Span::new(span.end(), self.line_end(span.end()));
        let is_alone = self.slice(rest).trim_start().chars().next().is_none_or(|c| c == '#');
        let tail = if is_alone { rest } else { rest.at_start() };
        let shift = if tree.style(old) == Style::Flow {
            self.out.push_char(' ');
            column as i32 - self.indent(span.start())
        } else {
            let inner = column + self.layout.step;
            self.new_line(inner);
            inner as i32 - self.column(span.start())
        };
        self.node(old, member.value, Context { shift, ..context }, tail, Host::Key(column));
        self.out.end(member.key);
        self.frame = outer;
    }

    pub(super) fn comments_above(&mut self, at: u32, column: usize) {
        let before = self.text_before(at);
        let above = before.rsplit('\n').skip(1).map(str::trim);
        let comments: Vec<&str> = above.take_while(|line| line.starts_with('#')).collect();
        for comment in comments.into_iter().rev() {
            self.out.push(comment);
            self.new_line(column);
        }
    }
}
