//! A YAML 1.1 reader that follows CloudFormation, with a span for every node, key and tag.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::{Range, RangeInclusive};

use formwork_base::{Diagnostic, Diagnostics, Limits, LineIndex, Span, codes};

use super::adapter::Gap;
use super::builder::{Broken, Builder, Forgiven};
use super::cause::Cause;
use super::marks::{self, Marks};
use super::pasted::{self, Pasted};
use super::quoted::Quoted;
use super::recovery::Omission;
use super::resume::{self, End, Feed, Kept, Start};
use super::scan;
use crate::document::MOST_ERRORS;
use crate::tree::{NodeId, Tree};

/// Most bytes that are read again because of constructs that granit rejects and others read.
const MOST_AGAIN: usize = 16 << 20;

/// Reads `source`, whose first byte has the position `base`, into `tree`. Always returns a root.
pub(crate) fn read(tree: &mut Tree, source: &str, base: u32, limits: &Limits, diagnostics: &mut Diagnostics) -> NodeId {
    // A tree with nodes grows by doubling.
    if tree.node_count() == 0 {
        tree.reserve(source.len());
    }
    if let Some(pasted) = pasted::find(source) {
        return read_pasted(tree, source, base, limits, diagnostics, &pasted);
    }
    match common(tree, source, base, limits, diagnostics.of_same_run()) {
        Some(root) => root,
        None => read_general(tree, source, base, limits, diagnostics),
    }
}

/// Reads YAML as people write it. Returns `None`, and leaves the tree unchanged, for everything else and whenever a
/// diagnostic would be reported.
#[doc(hidden)]
pub fn read_common(tree: &mut Tree, source: &str, base: u32, limits: &Limits) -> Option<NodeId> {
    common(tree, source, base, limits, Diagnostics::new())
}

fn common(tree: &mut Tree, source: &str, base: u32, limits: &Limits, found: Diagnostics) -> Option<NodeId> {
    let before = tree.mark();
    let root = scan::read(tree, source, base, limits, found);
    if root.is_none() {
        tree.rewind(&before);
    }
    root
}

/// Reads any YAML, with the same result for files that [`read_common`] reads.
///
/// In a file that is not well-formed, the offending line or brackets are left out (`recovery`), so that further errors
/// are found and most of the template is still read. The reading is resumed near that line (`resume`), or from the
/// start.
#[doc(hidden)]
pub fn read_general(
    tree: &mut Tree,
    source: &str,
    base: u32,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> NodeId {
    read_broken(tree, source, base, limits, diagnostics, !resume::has_directives(source))
}

/// Reads a template without what was copied with it, which is one error.
fn read_pasted(
    tree: &mut Tree,
    source: &str,
    base: u32,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
    pasted: &Pasted,
) -> NodeId {
    let place = Span::new(base + pasted.place.start as u32, base + pasted.place.end as u32);
    let (line, column) = LineIndex::new(source).line_column(source, pasted.place.start as u32);
    let sentence = format!("Template format error: YAML not well-formed. (line {line}, column {column})");
    let diagnostic = Diagnostic::titled(codes::NOT_WELL_FORMED, pasted.what).at(place).quoting(&sentence);
    diagnostics.push(diagnostic.help(pasted.help));
    let text = pasted::without_pasted(source).unwrap_or_default();
    read_general(tree, &text, base, limits, diagnostics)
}

/// Implements [`read_general`]; without `can_resume` the text is read from the start after each error.
pub(super) fn read_broken(
    tree: &mut Tree,
    source: &str,
    base: u32,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
    can_resume: bool,
) -> NodeId {
    let lines = OnceCell::new();
    let marks = marks::find(source);
    let mut repairs = Repairs { source, text: Cow::Borrowed(source), feed: None, quoted: Vec::new(), held: Vec::new() };
    let mut errors = Errors { count: 0, lost: Vec::new() };
    let mut again = 0;
    let mut found = diagnostics.of_same_run();
    let mut kept: Option<Kept> = None;
    while errors.count < MOST_ERRORS {
        let resumed = kept.take().and_then(|kept| repairs.show_from(kept));
        if resumed.is_none() {
            found = diagnostics.of_same_run();
            repairs.show_all();
        }
        let mut builder = Builder::new(tree, source, &repairs.text, &lines, base, limits, &mut found);
        (builder.quoted.all, builder.marks) = (&repairs.quoted, Marks::new(&marks));
        let mut start = Start::OF_TEXT;
        if let Some((from, kept)) = resumed {
            builder.take_up(kept);
            start = from;
        }
        let from = start.line;
        let broken = match builder.run(repairs.feed.as_ref().map_or(source, Feed::text), start, can_resume) {
            End::Lost => continue,
            End::Whole => {
                let root = builder.end();
                let has_met_all = builder.quoted.seen == repairs.quoted.len();
                diagnostics.append(found);
                if !has_met_all {
                    repairs.held.into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
                }
                return root;
            }
            End::Broken(broken) => *broken,
        };
        let Broken { offset, diagnostic, cause, forgiven } = broken;
        again += offset - from;
        let forgiven = forgiven.filter(|_| again <= MOST_AGAIN);
        let lines = lines.get_or_init(|| LineIndex::new(source));
        let left_out = match &forgiven {
            Some(forgiven) => Some(in_place_of(forgiven, source, offset)),
            None => errors.omission(&builder, lines, offset, (cause, &diagnostic), diagnostics),
        };
        let Some((range, with)) = left_out else {
            let root = builder.end();
            diagnostics.append(found);
            return root;
        };
        let is_error = forgiven.is_none();
        let line = lines.line_start(lines.line(range.start as u32)) as usize;
        kept = builder.keep(if is_error { line } else { range.start }, is_error);
        match forgiven {
            Some(Forgiven::Quoted(one) | Forgiven::Dash(one)) => repairs.hold(one, diagnostic),
            Some(Forgiven::Comment) => {}
            None => repairs.restore(&range),
        }
        repairs.replace(range, with);
    }
    Builder::new(tree, "", "", &OnceCell::new(), base, limits, &mut Diagnostics::new()).end()
}

/// Returns the range that granit must not see of a construct that others read, and its replacement.
fn in_place_of(forgiven: &Forgiven, source: &str, offset: usize) -> (Range<usize>, &'static str) {
    match forgiven {
        Forgiven::Comment => (offset..Gap { text: source }.line_end(offset), " "),
        Forgiven::Quoted(one) => (one.range.start + 1..one.range.end - 1, "x"),
        Forgiven::Dash(one) => (one.range.clone(), "x"),
    }
}

struct Errors {
    count: usize,
    lost: Vec<RangeInclusive<u32>>,
}

impl Errors {
    /// Reports an error, and returns the part to leave out because of it; `None` when the reading ends here.
    fn omission(
        &mut self,
        builder: &Builder<'_>,
        lines: &LineIndex,
        offset: usize,
        (cause, diagnostic): (Option<Cause>, &Diagnostic),
        diagnostics: &mut Diagnostics,
    ) -> Option<(Range<usize>, &'static str)> {
        self.count += 1;
        let line = lines.line(offset as u32);
        let omission = cause.and_then(|cause| builder.omission(offset, cause));
        // An error further up would be caused by an earlier omission, unless a comma is missing elsewhere.
        let is_near =
            |lines: &RangeInclusive<u32>| lines.contains(&line) || line < *lines.start() && cause != Some(Cause::Comma);
        if !self.lost.iter().any(is_near) {
            let begun = omission.as_ref().and_then(|omission| omission.begun);
            diagnostics.push(builder.explained(diagnostic.clone(), begun));
        }
        let Omission { range, with, .. } = omission?;
        let start = lines.line(range.start as u32);
        self.lost.push(start.min(line)..=line);
        Some((range, with))
    }
}

/// The text in which parts that `granit-parser` must not see are replaced by others of the same length.
struct Repairs<'s> {
    source: &'s str,
    text: Cow<'s, str>,
    /// The input of the parser; `None` as long as that is the source.
    feed: Option<Feed>,
    quoted: Vec<Quoted>,
    /// For each of `quoted`, the diagnostic of granit if the string turns out to be something else.
    held: Vec<Diagnostic>,
}

impl Repairs<'_> {
    /// Starts the input of the parser at a checkpoint. Returns `None` when the reading is not resumed.
    fn show_from(&mut self, kept: Kept) -> Option<(Start, Kept)> {
        Some((self.feed.as_mut()?.show_from(&self.text, &kept)?, kept))
    }

    fn show_all(&mut self) {
        if let Some(feed) = &mut self.feed {
            feed.show_all(&self.text);
        }
    }

    fn hold(&mut self, one: Quoted, diagnostic: Diagnostic) {
        let at = self.quoted.partition_point(|known| known.range.start < one.range.start);
        self.quoted.insert(at, one);
        self.held.insert(at, diagnostic);
    }

    /// Restores strings in a part that is left out: a string that ends too late is not a string.
    fn restore(&mut self, left_out: &Range<usize>) {
        let first = self.quoted.partition_point(|known| known.range.start < left_out.start);
        let last = self.quoted.partition_point(|known| known.range.start < left_out.end);
        self.held.drain(first..last);
        for Quoted { range, .. } in self.quoted.drain(first..last).collect::<Vec<_>>() {
            let written = &self.source[range.clone()];
            self.show(range, written);
        }
    }

    fn replace(&mut self, range: Range<usize>, with: &str) {
        let with = with.repeat(range.len());
        self.show(range, &with);
    }

    fn show(&mut self, range: Range<usize>, text: &str) {
        let feed = self.feed.get_or_insert_with(|| Feed::new(&self.text));
        feed.replace(range.clone(), text);
        self.text.to_mut().replace_range(range, text);
    }
}
