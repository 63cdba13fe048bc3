//! How long a text can be at most, without writing it.

use formwork_base::SourceMap;

use crate::tree::{NodeId, Tree};

/// Bytes of source from which no bound is computed: it would be above every limit.
const SMALL: usize = 16 * 1024;
/// A byte of a scalar takes no more bytes than this in an escape.
const ESCAPED: u64 = 6;
/// Columns by which new blocks are indented at least.
const STEP: usize = 4;

/// An upper bound of the bytes that [`write`](super::write) writes in either format; `None` where it would be of no use,
/// because the sources are long.
///
/// Each node repeats at most all of the source text, shifted, and writes itself with its escapes; each line begins with the
/// indentation of its level.
pub fn at_most(tree: &Tree, root: NodeId, sources: &SourceMap) -> Option<u64> {
    let (mut bytes, mut lines, mut widest, mut step) = (0, 0, 0, STEP);
    for file in sources.files() {
        let text: &str = sources.text(file);
        bytes += text.len();
        if bytes > SMALL {
            return None;
        }
        step = step.max(super::edit::step(text));
        for (line, _) in super::edit::lines(text) {
            let is_content = |byte: u8| !matches!(byte, b' ' | b'\t' | b'-' | b'?' | b':');
            lines += 1;
            widest = widest.max(line.bytes().position(is_content).unwrap_or(line.len()));
        }
    }
    let size = tree.measure(root);
    let indent = widest as u64 + (u64::from(size.depth) + 2) * step as u64;
    let copied = size.nodes.saturating_mul(bytes as u64 + lines * indent);
    let own = size.nodes.saturating_add(size.bytes).saturating_mul(indent);
    Some(copied.saturating_add(own).saturating_add(size.bytes.saturating_mul(ESCAPED)))
}
