//! What generated the entries of an object, and duplicate keys among them (reference/map-and-merge.md#merge-order).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, NodeId};

use crate::merge;

use super::map_check::fault;
use super::{Expander, Level};

/// What an object is made of.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) entries: Vec<Entry>,
    /// Runs of entries that a loop or a merge generated; inner ones first.
    segments: Vec<Segment>,
    /// Number of merges around the entry that comes next.
    pub(super) merges: u32,
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    from: usize,
    to: usize,
    maker: Maker,
}

/// What generated a run of entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Maker {
    /// An `Fn::ForEach`.
    ForEach,
    /// The `Fn::Map` with this name.
    Map(NodeId),
    /// The `Fn::Merge` with this name.
    Merge(NodeId),
}

impl Members {
    /// An object without entries that has room for some.
    pub(super) fn with_room(entries: usize) -> Members {
        Members { entries: Vec::with_capacity(entries), ..Members::default() }
    }

    /// The entries from `from` on are those of `maker`.
    pub(super) fn close(&mut self, from: usize, maker: Maker) {
        self.segments.push(Segment { from, to: self.entries.len(), maker });
    }

    /// What two entries with the same key have in common, or else what generated one of them.
    fn maker(&self, first: usize, second: usize) -> Maker {
        let holds = |segment: &Segment, at: usize| (segment.from..segment.to).contains(&at);
        let common = self.segments.iter().find(|segment| holds(segment, first) && holds(segment, second));
        let either = || {
            let mut around = self.segments.iter().filter(|segment| holds(segment, first) || holds(segment, second));
            around.clone().find(|segment| matches!(segment.maker, Maker::Merge(_))).or_else(|| around.next())
        };
        common.or_else(either).map_or(Maker::ForEach, |segment| segment.maker)
    }
}

impl Expander<'_, '_> {
    pub(super) fn check_duplicates(&mut self, members: &Members, level: Level) {
        if members.segments.is_empty() {
            return;
        }
        for (first, at) in merge::duplicates(self.ev.tree, &members.entries) {
            let (one, other) = (members.entries[first].key, members.entries[at].key);
            match members.maker(first, at) {
                Maker::ForEach => self.report_duplicate(one, other, level),
                Maker::Map(name) => self.report_map_duplicate(one, other, name),
                Maker::Merge(name) => {
                    let diagnostic = merge::duplicate(self.ev.tree, one, other, name);
                    self.ev.diagnostics.push(diagnostic);
                }
            }
        }
    }

    fn report_map_duplicate(&mut self, first: NodeId, second: NodeId, call: NodeId) {
        let tree = &*self.ev.tree;
        let key = shown(tree.text(second));
        let sentence = format!("Fn::Map generates the duplicate key [{key}]");
        let mut diagnostic =
            fault(codes::MAP_DUPLICATE_KEY, &format!("two items of Fn::Map generate the key {key}"), &sentence)
                .at(tree.span(second))
                .label(format!("resolves to {key}"))
                .related(tree.span(call), "the loop");
        for node in [first, second] {
            if let Some(record) = tree.frames().get(tree.frame_of(node)) {
                diagnostic = diagnostic.related(record.item, format!("item {}", record.index + 1));
            }
        }
        let diagnostic = diagnostic
            .help("put `${Value}` into the key, or `${Index}` if items repeat")
            .frames(tree.frame_chain(tree.frame_of(second)));
        self.ev.diagnostics.push(diagnostic);
    }

    fn report_duplicate(&mut self, first: NodeId, second: NodeId, level: Level) {
        let tree = &*self.ev.tree;
        let key = shown(tree.text(second));
        let (a, b) = (tree.frame_of(first), tree.frame_of(second));
        let innermost = |frame: FrameId| tree.frames().get(frame).map(|record| tree.frame(&record));
        let made = if b.is_none() { first } else { second };
        let loop_name = innermost(tree.frame_of(made)).and_then(|frame| frame.loop_name).unwrap_or_default();
        let loop_name = shown(&loop_name);
        let item = |frame: FrameId| {
            innermost(frame)
                .map(|frame| format!("{} = \"{}\"", shown(&frame.name), shown(&frame.value.unwrap_or_default())))
        };
        let what = match (item(a), item(b)) {
            (Some(_), Some(_)) if tree.span(first) == tree.span(second) => {
                format!("two items of loop {loop_name} generate the key {key}")
            }
            (Some(_), Some(_)) => format!("two loops generate the key {key}"),
            _ => format!("loop {loop_name} generates the key {key}, which already exists"),
        };
        let sentence = format!("Duplicate key '{key}' when merging keys to parent object in Fn::ForEach");
        let mut diagnostic = Diagnostic::new(codes::DUPLICATE_PRODUCED_KEY, format!("{what}: `{sentence}`"))
            .at(tree.span(made))
            .label(format!("resolves to {key}"))
            .quoting(&formwork_evaluate::transform_sentence(&sentence));
        for frame in [a, b] {
            if let (Some(record), Some(text)) = (tree.frames().get(frame), item(frame)) {
                diagnostic = diagnostic.related(record.item, text);
            }
        }
        let other = if made == second { first } else { second };
        if tree.frame_of(other).is_none() || tree.span(first) != tree.span(second) {
            diagnostic = diagnostic.related(tree.span(other), format!("{key} also appears here"));
        }
        let written = tree.text(tree.authored(made));
        let is_function = Known::from_long(written).is_some();
        diagnostic = if is_function || self.in_list > 0 && level == Level::Inner {
            diagnostic
                .note("Fn::ForEach generates keys of an object, not elements of a list")
                .help("generate list elements with `Fn::Map: {Collection: [a, b], Fragment: ...}`")
                .help("or add `Formwork` to Transform and write a list as the third element: `[Item, [a, b], [...]]`")
        } else if written.contains("&{") {
            diagnostic
                .note("&{} removes every character outside A-Z, a-z, 0-9")
                .help("make the items differ in letters or digits, or remove one")
        } else {
            let is_one_loop = item(a).is_some() && item(b).is_some() && tree.span(first) == tree.span(second);
            let variable = innermost(b).map(|frame| shown(&frame.name)).filter(|_| is_one_loop);
            match variable {
                Some(_) if item(a) == item(b) => diagnostic.help("remove the duplicate item, or loop over other items"),
                Some(name) => {
                    diagnostic.help(format!("put the loop's variable into the key: `{}${{{name}}}`", shown(written)))
                }
                None => diagnostic.help("rename one of the two keys"),
            }
        };
        let frames = tree.frame_chain(tree.frame_of(made));
        self.ev.diagnostics.push(diagnostic.frames(frames));
    }
}
