//! The constructs that generated the entries of an object, and duplicate keys among them
//! (reference/map-and-merge.md#merge-order).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, NodeId};

use crate::merge;

use super::map_check::error;
use super::{Expander, Level};

#[derive(Debug, Default)]
pub(super) struct GeneratedEntries {
    pub(super) entries: Vec<Entry>,
    /// Runs of entries that a loop or a merge generated; inner ones first.
    segments: Vec<Segment>,
    /// Number of merges around the next entry.
    pub(super) merges: u32,
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    from: usize,
    to: usize,
    maker: Maker,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Maker {
    ForEach,
    Map(NodeId),
    Merge(NodeId),
}

impl GeneratedEntries {
    pub(super) fn with_room(entries: usize) -> GeneratedEntries {
        GeneratedEntries { entries: Vec::with_capacity(entries), ..GeneratedEntries::default() }
    }

    pub(super) fn close(&mut self, from: usize, maker: Maker) {
        self.segments.push(Segment { from, to: self.entries.len(), maker });
    }
}

struct Runs<'m> {
    segments: &'m [Segment],
    innermost: Vec<Option<usize>>,
    around: Vec<Option<usize>>,
}

impl<'m> Runs<'m> {
    fn of(members: &'m GeneratedEntries) -> Runs<'m> {
        let segments = &members.segments[..];
        let mut runs =
            Runs { segments, innermost: vec![None; members.entries.len()], around: vec![None; segments.len()] };
        // Runs without a surrounding run so far, by their starts.
        let mut outermost: Vec<usize> = Vec::new();
        for (number, segment) in segments.iter().enumerate().filter(|(_, segment)| segment.from < segment.to) {
            let mut end = segment.to;
            while let Some(inner) = outermost.pop_if(|inner| segments[*inner].from >= segment.from) {
                runs.around[inner] = Some(number);
                runs.innermost[segments[inner].to..end].fill(Some(number));
                end = segments[inner].from;
            }
            runs.innermost[segment.from..end].fill(Some(number));
            outermost.push(number);
        }
        runs
    }

    /// Returns the runs that contain an entry, inner ones first.
    fn holding(&self, entry: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.innermost[entry], |&run| self.around[run])
    }

    /// Returns the construct that generated both entries with the same key, or else one of them.
    fn maker(&self, first: usize, second: usize) -> Maker {
        let common =
            self.holding(first).find(|&run| (self.segments[run].from..self.segments[run].to).contains(&second));
        let either = || {
            let mut runs: Vec<usize> = self.holding(first).chain(self.holding(second)).collect();
            runs.sort_unstable();
            let is_merge = |run: &usize| matches!(self.segments[*run].maker, Maker::Merge(_));
            runs.iter().copied().find(is_merge).or(runs.first().copied())
        };
        common.or_else(either).map_or(Maker::ForEach, |run| self.segments[run].maker)
    }
}

impl Expander<'_, '_> {
    pub(super) fn check_duplicates(&mut self, members: &GeneratedEntries, level: Level) {
        if members.segments.is_empty() {
            return;
        }
        let mut runs = None;
        for (first, at) in merge::duplicates(self.ev.tree, &members.entries) {
            let (one, other) = (members.entries[first].key, members.entries[at].key);
            match runs.get_or_insert_with(|| Runs::of(members)).maker(first, at) {
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
            error(codes::MAP_DUPLICATE_KEY, &format!("two items of Fn::Map generate the key {key}"), &sentence)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn by_search(segments: &[Segment], first: usize, second: usize) -> Maker {
        let holds = |segment: &Segment, at: usize| (segment.from..segment.to).contains(&at);
        let common = segments.iter().find(|segment| holds(segment, first) && holds(segment, second));
        let around: Vec<_> = segments.iter().filter(|run| holds(run, first) || holds(run, second)).collect();
        let merge = around.iter().copied().find(|segment| matches!(segment.maker, Maker::Merge(_)));
        common.or(merge).or(around.first().copied()).map_or(Maker::ForEach, |segment| segment.maker)
    }

    #[test]
    fn makers_are_those_that_a_search_of_all_runs_finds() {
        let mut tree = formwork_syntax::Tree::new();
        let ids: Vec<NodeId> =
            (0..12).map(|_| tree.computed("", formwork_syntax::Origin::Authored(formwork_base::Span::NONE))).collect();
        let id = |number: usize| ids[number];
        let maker = |number: usize| match number % 3 {
            0 => Maker::ForEach,
            1 => Maker::Map(id(number)),
            _ => Maker::Merge(id(number)),
        };
        // Runs in runs, next to each other, empty ones, and entries in none.
        let runs = [(1, 3), (3, 3), (3, 4), (1, 4), (5, 6), (5, 7), (0, 8), (9, 10), (10, 12), (9, 12), (12, 12)];
        for count in 0..=runs.len() {
            let segments = runs[..count].iter().enumerate();
            let segments = segments.map(|(number, &(from, to))| Segment { from, to, maker: maker(number) }).collect();
            let entry = Entry { key: id(0), value: id(0) };
            let members = GeneratedEntries { entries: vec![entry; 14], segments, merges: 0 };
            let all = Runs::of(&members);
            for first in 0..14 {
                for second in 0..14 {
                    let want = by_search(&members.segments, first, second);
                    assert_eq!(all.maker(first, second), want, "{first}, {second} of {count} runs");
                }
            }
        }
    }
}
