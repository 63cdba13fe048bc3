//! The limit of white space in the written output. Each node of a result is written with the white space around it in
//! its file, which the budget does not count: a loop would multiply an indentation of 100,000 columns.

use formwork_base::{Diagnostic, Diagnostics, Limits, SourceMap, Span, codes};
use formwork_syntax::{NodeId, Tree};

/// Runs of white space that fill a block of this many bytes are counted; no template needs one.
const LONG: usize = 128;

/// Returns `true` when the white space that may be written for the tree below `root` is within its limit: the longest
/// run of the files for each node and each byte. Reports an exceeded limit.
pub fn is_within_white_space(
    tree: &mut Tree,
    root: NodeId,
    sources: &SourceMap,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> bool {
    let runs = sources.files().filter_map(|file| longest(sources.text(file), sources.base(file)));
    let Some(longest) = runs.max_by_key(|run| run.len()) else { return true };
    let size = tree.measure(root);
    let bytes = size.nodes.saturating_add(size.bytes).saturating_mul(longest.len().into());
    if bytes <= limits.output_white_space {
        return true;
    }
    let limit = limits.output_white_space;
    let message = format!("the output may have {bytes} bytes of white space, more than the limit of {limit}");
    let diagnostic = Diagnostic::new(codes::LIMIT, message)
        .at(longest)
        .label("the longest white space of the files")
        .note("what is written again, such as the body of a loop, keeps the white space of its source")
        .help("make it shorter");
    diagnostics.push(diagnostic);
    false
}

/// Returns the longest run of white space in a text whose first byte has the position `base`, if it has a long one.
fn longest(text: &str, base: u32) -> Option<Span> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    let (blocks, _) = text.as_bytes().as_chunks::<LONG>();
    // Most blocks do not begin and end with white space, let alone consist of it.
    let is_long = |block: &[u8; LONG]| is_blank(&block[0]) && is_blank(&block[LONG - 1]) && block.iter().all(is_blank);
    if !blocks.iter().any(is_long) {
        return None;
    }
    let runs = text.as_bytes().split(|byte| !is_blank(byte));
    let longest = runs.max_by_key(|run| run.len())?;
    let start = base + (longest.as_ptr() as usize - text.as_ptr() as usize) as u32;
    Some(Span::new(start, start + longest.len() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_run_is_found_where_there_is_a_long_one() {
        assert_eq!(longest(&format!("a: 1{}b: 2", " ".repeat(LONG - 1)), 1), None);
        let text = format!("a{}b{}c", " ".repeat(2 * LONG), "\n\t \r".repeat(LONG));
        assert_eq!(longest(&text, 10), Some(Span::new(12 + 2 * LONG as u32, 12 + 6 * LONG as u32)));
        assert_eq!(longest("", 1), None);
    }
}
