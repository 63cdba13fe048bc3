//! The entries of an object: written ones, those that loops generate, and merged ones in one
//! (reference/map-and-merge.md#merge-order).

use formwork_base::{Diagnostic, codes};
use formwork_evaluate::Compat;
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Function, Kind, NodeId, Origin, Style, View, flags, symbol};
use formwork_template::Section;

use crate::merge;

use super::map_check::fault;
use super::parts::Loop;
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
    /// A map with its loops expanded and its values instantiated.
    pub(super) fn map(&mut self, node: NodeId, level: Level) -> NodeId {
        let entries = Vec::with_capacity(self.ev.tree.len(node));
        let mut members = Members { entries, ..Members::default() };
        self.members(node, level, false, &mut members);
        self.check_duplicates(&members, level);
        let tree = &mut *self.ev.tree;
        if tree.kind(node) == Kind::Map && members.entries.iter().copied().eq(tree.entries(node)) {
            return node;
        }
        self.object(node, &members)
    }

    /// Whether all entries of a map are written in it, with keys that stay as they are.
    pub(super) fn has_plain_members(&self, node: NodeId) -> bool {
        !self.ev.tree.has(node, flags::HAS_LOOP) && self.ev.settings.compat != Compat::Sam
    }

    /// Such a map with its values instantiated.
    pub(super) fn plain_map(&mut self, node: NodeId) -> NodeId {
        let from = self.open.len();
        let mut is_changed = false;
        for at in 0..self.ev.tree.len(node) {
            let Entry { key, value } = self.ev.tree.entry(node, at);
            let made = self.instantiate(value);
            is_changed |= made != Some(value);
            self.open.extend(made.map(|value| Entry { key, value }));
        }
        let style = self.style_of(node);
        let entries = &self.open[from..];
        let made =
            if is_changed { self.ev.tree.map(entries, style, Origin::Generated(node, self.frame)) } else { node };
        self.open.truncate(from);
        made
    }

    /// An object with these entries instead of `node`.
    pub(super) fn object(&mut self, node: NodeId, members: &Members) -> NodeId {
        let style = self.style_of(node);
        self.ev.tree.map(&members.entries, style, Origin::Generated(node, self.frame))
    }

    /// A list with these items in the place of `node`.
    pub(super) fn list_of(&mut self, node: NodeId, items: &[NodeId]) -> NodeId {
        let style = self.style_of(node);
        self.ev.tree.list(items, style, Origin::Generated(node, self.frame))
    }

    /// The style of what takes the place of `node`.
    fn style_of(&self, node: NodeId) -> Style {
        if self.ev.tree.style(node) == Style::Flow { Style::Flow } else { Style::Plain }
    }

    /// Adds the entries that a map, fragment or operand generates. Placeholders in a fragment's keys are replaced;
    /// other keys stay.
    pub(super) fn members(&mut self, node: NodeId, level: Level, is_fragment: bool, out: &mut Members) {
        let single = match self.ev.tree.view(node) {
            View::Call(Function::Known(Known::Map), _) => {
                let of = Loop::map(self.ev.tree, node);
                if let Some((of, key)) = of.and_then(|of| Some((of, of.key?))) {
                    self.map_members(&of, key, level, out);
                }
                return;
            }
            View::Call(Function::Known(Known::Merge), argument) => {
                return self.merge_members(self.ev.tree.call_name(node), argument, level, is_fragment, out);
            }
            // A fragment with one key that looks like a function is read as a call.
            View::Call(_, value) => Some(Entry { key: self.ev.tree.call_name(node), value }),
            _ => None,
        };
        let count = if single.is_some() { 1 } else { self.ev.tree.len(node) };
        for at in 0..count {
            let entry = single.unwrap_or_else(|| self.ev.tree.entry(node, at));
            if self.ev.tree.loop_name(entry.key).is_some() {
                if self.is_waiting_loop(entry) {
                    let value = self.waiting_loop(entry.value);
                    out.entries.push(Entry { value, ..entry });
                } else if self.rules.for_each && !self.left.contains(&entry.key) {
                    let from = out.entries.len();
                    self.for_each(entry, level, out);
                    out.close(from, Maker::ForEach);
                } else {
                    out.entries.push(entry);
                }
                continue;
            }
            match self.ev.tree.symbol(entry.key) {
                symbol::FN_MAP => continue,
                symbol::FN_MERGE => {
                    self.merge_members(entry.key, entry.value, level, is_fragment, out);
                    continue;
                }
                _ => {}
            }
            let key = if is_fragment { self.produced_key(entry, level) } else { Some(self.other_key(entry.key)) };
            let Some(key) = key else { continue };
            let value = self.member(key, entry.value, level);
            out.entries.extend(value.map(|value| Entry { key, value }));
        }
    }

    /// The value of an entry, which belongs to a section for that `level`.
    pub(super) fn member(&mut self, key: NodeId, value: NodeId, level: Level) -> Option<NodeId> {
        let Level::Section(section) = level else { return self.instantiate(value) };
        let (outer, outer_copied) = (self.in_list, self.copied.is_inside);
        if section == Section::Resources {
            self.in_list = 0;
            self.copied.is_inside = self.is_copied(value);
        }
        let worked = self.spent.calls;
        let made = self.instantiate(value);
        if self.spent.calls > worked {
            self.made.insert(key);
        }
        self.in_list = outer;
        self.copied.is_inside = outer_copied;
        made
    }

    fn for_each(&mut self, entry: Entry, level: Level, out: &mut Members) {
        let Some(of) = Loop::for_each(self.ev.tree, entry) else { return };
        if !self.bad.contains(&of.id) && !self.stopped && self.is_left_for_service(entry, &of) {
            out.entries.push(entry);
            return;
        }
        self.iterate(&of, |expander| expander.members(of.fragment, level, true, out));
    }

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
