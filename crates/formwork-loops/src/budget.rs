//! The budget of the written output, checked before a stage walks a tree with shared parts.

use formwork_base::{Diagnostic, Diagnostics, Limits, codes};
use formwork_syntax::{NodeId, Tree};

/// Returns `true` when the tree below `root` may be walked and written: aliases, map entries and constants count
/// wherever they are used. Reports an exceeded limit.
pub fn is_within_budget(tree: &mut Tree, root: NodeId, limits: &Limits, diagnostics: &mut Diagnostics) -> bool {
    let (size, node, frame) = match tree.fits(root, limits.output_nodes, limits.output_bytes) {
        Ok(()) => return true,
        Err(beyond) => beyond,
    };
    let (count, unit, limit) = if size.nodes > limits.output_nodes {
        (size.nodes, "nodes", limits.output_nodes)
    } else {
        (size.bytes, "bytes", limits.output_bytes)
    };
    let message = match count {
        u64::MAX => format!("the output exceeds the limit of {limit} {unit} by far"),
        count => format!("the output has {count} {unit}, more than the limit of {limit}"),
    };
    let diagnostic = Diagnostic::new(codes::LIMIT, message)
        .at(tree.site(node))
        .label("this value exceeds the limit")
        .frames(tree.frame_chain(frame))
        .note("a value that is used in several places is written in each of them")
        .note("a template has at most 1 MB; the limit prevents hostile input from exhausting memory")
        .help("use the value in fewer places, or make it smaller");
    diagnostics.push(diagnostic);
    false
}
