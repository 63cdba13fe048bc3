//! Reading YAML 1.1 as CloudFormation does, with a span for every node, key and tag.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::RangeInclusive;

use formwork_base::{Diagnostic, Diagnostics, Limits, LineIndex};

use super::adapter::Gap;
use super::build::{Broken, Builder, Forgiven};
use super::cause::Cause;
use super::marks::{self, Marks};
use super::quoted::Quoted;
use super::recovery::Omission;
use super::resume::{self, End, Feed, Kept, Start};
use super::scan;
use crate::tree::{NodeId, Tree};

/// Most errors of well-formedness that are looked for in one file.
const MOST_ERRORS: usize = 10;

/// Most bytes that are read once more because of something that granit rejects and others read.
const MOST_AGAIN: usize = 16 << 20;

/// Reads `source`, whose first byte has the position `base`, into `tree`. There is always a root.
pub(crate) fn read(tree: &mut Tree, source: &str, base: u32, limits: &Limits, diagnostics: &mut Diagnostics) -> NodeId {
    // What has nodes grows by as many as it has.
    if tree.node_count() == 0 {
        tree.reserve(source.len());
    }
    match common(tree, source, base, limits, diagnostics.of_same_run()) {
        Some(root) => root,
        None => read_general(tree, source, base, limits, diagnostics),
    }
}

/// Reads text of the kind that people write. `None`, and an unchanged tree, for everything else and wherever
/// there is something to report.
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

/// Reads any text, with the same result for text that [`read_common`] reads.
///
/// Where the text is not well-formed, the offending line or brackets are left out (`recovery`), so that further errors
/// are found and most of the template is still seen. The reading is taken up near that line (`resume`), or from the
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

/// The same; `can_resume` is whether readings are taken up again.
pub(super) fn read_broken(
    tree: &mut Tree,
    source: &str,
    base: u32,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
    can_resume: bool,
) -> NodeId {
    let mut text = Cow::Borrowed(source);
    let mut feed: Option<Feed> = None;
    let lines = OnceCell::new();
    let marks = marks::find(source);
    let mut quoted: Vec<Quoted> = Vec::new();
    // What granit reports for the quoted strings that are read here, should they be something else.
    let mut held: Vec<Diagnostic> = Vec::new();
    // The lines from what was left out to the error.
    let mut lost: Vec<RangeInclusive<u32>> = Vec::new();
    let mut errors = 0;
    let mut again = 0;
    let mut found = diagnostics.of_same_run();
    let mut kept: Option<Kept> = None;
    while errors < MOST_ERRORS {
        let resumed = kept.take().and_then(|kept| Some((feed.as_mut()?.show_from(&text, &kept)?, kept)));
        let is_resumed = resumed.is_some();
        if !is_resumed {
            found = diagnostics.of_same_run();
            if let Some(feed) = &mut feed {
                feed.show_all(&text);
            }
        }
        let mut builder = Builder::new(tree, source, &text, &lines, base, limits, &mut found);
        (builder.quoted, builder.marks) = (&quoted, Marks::new(&marks));
        let mut start = Start::OF_TEXT;
        if let Some((from, kept)) = resumed {
            builder.take_up(kept);
            start = from;
        }
        let from = start.line;
        let broken = match builder.run(feed.as_ref().map_or(source, Feed::text), start, can_resume) {
            End::Lost => continue,
            End::Whole => {
                let root = builder.end();
                let seen = builder.seen;
                diagnostics.append(found);
                if seen < quoted.len() {
                    for diagnostic in held {
                        diagnostics.push(diagnostic);
                    }
                }
                return root;
            }
            End::Broken(broken) => *broken,
        };
        let Broken { offset, diagnostic, cause, forgiven } = broken;
        again += offset - from;
        let forgiven = forgiven.filter(|_| again <= MOST_AGAIN);
        let lines = lines.get_or_init(|| LineIndex::new(source));
        let line = lines.line(offset as u32);
        let (range, with) = match &forgiven {
            Some(Forgiven::Comment) => (offset..Gap { text: source }.line_end(offset), " "),
            Some(Forgiven::Quoted(one)) => (one.range.start + 1..one.range.end - 1, "x"),
            Some(Forgiven::Dash(one)) => (one.range.clone(), "x"),
            None => {
                errors += 1;
                let omission = cause.and_then(|cause| builder.omission(offset, cause));
                // An error further up would be one of our own making, but for a comma that is missing elsewhere.
                let is_near = |lines: &RangeInclusive<u32>| {
                    lines.contains(&line) || line < *lines.start() && cause != Some(Cause::Comma)
                };
                if !lost.iter().any(is_near) {
                    let begun = omission.as_ref().and_then(|omission| omission.begun);
                    diagnostics.push(builder.explained(diagnostic.clone(), begun));
                }
                let Some(Omission { range, with, .. }) = omission else {
                    let root = builder.end();
                    diagnostics.append(found);
                    return root;
                };
                let start = lines.line(range.start as u32);
                lost.push(start.min(line)..=line);
                (range, with)
            }
        };
        let is_error = forgiven.is_none();
        let line = lines.line_start(lines.line(range.start as u32)) as usize;
        kept = builder.keep(if is_error { line } else { range.start }, is_error);
        if let Some(Forgiven::Quoted(one) | Forgiven::Dash(one)) = forgiven {
            let at = quoted.partition_point(|known| known.range.start < one.range.start);
            quoted.insert(at, one);
            held.insert(at, diagnostic);
        }
        let feed = feed.get_or_insert_with(|| Feed::new(&text));
        if is_error {
            // A string that ends too late is none.
            let first = quoted.partition_point(|known| known.range.start < range.start);
            let last = quoted.partition_point(|known| known.range.start < range.end);
            for Quoted { range, .. } in quoted.drain(first..last) {
                let written = &source[range.clone()];
                feed.replace(range.clone(), written);
                text.to_mut().replace_range(range, written);
            }
            held.drain(first..last);
        }
        let with = with.repeat(range.len());
        feed.replace(range.clone(), &with);
        text.to_mut().replace_range(range, &with);
    }
    Builder::new(tree, "", "", &OnceCell::new(), base, limits, &mut Diagnostics::new()).end()
}
