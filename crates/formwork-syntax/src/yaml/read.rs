//! Reading YAML 1.1 as CloudFormation does, with a span for every node, key and tag.

use std::borrow::Cow;

use formwork_base::{Diagnostic, Diagnostics, Limits, LineIndex};

use super::adapter::Gap;
use super::build::{Broken, Builder, Forgiven};
use super::quoted::Quoted;
use super::scan;
use crate::tree::{NodeId, Tree};

/// Most errors of well-formedness that are looked for in one file.
const MOST_ERRORS: usize = 10;

/// Most bytes that are read once more because of something that granit rejects and others read.
const MOST_AGAIN: usize = 16 << 20;

/// Reads `source`, whose first byte has the position `base`, into `tree`. There is always a root.
pub(crate) fn read(tree: &mut Tree, source: &str, base: u32, limits: &Limits, diagnostics: &mut Diagnostics) -> NodeId {
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
/// Where the text is not well-formed, the offending line is left out and the rest read again, so
/// that further errors are found and most of the template is still seen.
#[doc(hidden)]
pub fn read_general(
    tree: &mut Tree,
    source: &str,
    base: u32,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> NodeId {
    let mut text = Cow::Borrowed(source);
    let mut quoted: Vec<Quoted> = Vec::new();
    // What granit reports for the quoted strings that are read here, should they be something else.
    let mut held: Vec<Diagnostic> = Vec::new();
    let mut last_line = 0;
    let mut errors = 0;
    let mut again = 0;
    while errors < MOST_ERRORS {
        let mut found = diagnostics.of_same_run();
        let mut builder = Builder::new(tree, source, &text, &quoted, base, limits, &mut found);
        let (root, error) = builder.run();
        let seen = builder.seen;
        let Some(Broken { offset, diagnostic, go_on, forgiven }) = error else {
            diagnostics.append(found);
            if seen < quoted.len() {
                for diagnostic in held {
                    diagnostics.push(diagnostic);
                }
            }
            return root;
        };
        again += offset;
        match forgiven.filter(|_| again <= MOST_AGAIN) {
            Some(Forgiven::Comment) => {
                let end = Gap { text: source }.line_end(offset);
                text.to_mut().replace_range(offset..end, &" ".repeat(end - offset));
                continue;
            }
            Some(Forgiven::Quoted(one)) => {
                let inside = one.range.start + 1..one.range.end - 1;
                text.to_mut().replace_range(inside.clone(), &"x".repeat(inside.len()));
                quoted.push(one);
                held.push(diagnostic);
                continue;
            }
            None => errors += 1,
        }
        let lines = LineIndex::new(source);
        let line = lines.line(offset as u32);
        // An error further up would be one of our own making.
        if last_line == 0 || line + 1 > last_line {
            diagnostics.push(diagnostic);
        }
        last_line = last_line.max(line + 1);
        let (start, end) = (lines.line_start(line) as usize, Gap { text: &text }.line_end(offset));
        if !go_on || text[start..end].trim().is_empty() {
            diagnostics.append(found);
            return root;
        }
        let blank = " ".repeat(end - start);
        text.to_mut().replace_range(start..end, &blank);
    }
    Builder::new(tree, "", "", &[], base, limits, &mut Diagnostics::new()).run().0
}
