//! An upper bound of the length of an output, without writing it.

use formwork_base::SourceMap;

use crate::tree::{NodeId, Tree};

/// Bytes of source from which no bound is computed: it would be above every limit.
const SMALL: usize = 16 * 1024;
/// Most bytes of an escaped byte of a scalar.
const ESCAPED: u64 = 6;
/// Least columns by which new blocks are indented.
const STEP: usize = 4;

/// Returns an upper bound of the bytes that [`write`](super::write) writes in either format; `None` for long sources,
/// for which it would be useless.
///
/// Each node repeats at most the whole source text, shifted, and writes itself with its escapes; each line begins with
/// the indentation of its level.
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
