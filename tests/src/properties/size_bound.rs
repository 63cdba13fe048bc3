//! The bound that is found without writing is never below what is written.
//!
//! Holds reference/structure.md#size.

use formwork::{Goal, Options};
use formwork_syntax::write;

use super::compile;

/// The law for one template: returns whether it has a bound.
///
/// # Errors
/// In words.
pub fn size_bound(text: &str) -> Result<bool, String> {
    let mut has_bound = false;
    for goal in [Goal::Check, Goal::Expand, Goal::Resolve] {
        let result = compile(text, &Options::default(), goal);
        if !result.is_well_formed() {
            continue;
        }
        for root in [Some(result.root()), result.expanded_root()].into_iter().flatten() {
            has_bound |= bounded(&result, root, goal)?;
        }
    }
    Ok(has_bound)
}

fn bounded(result: &formwork::Compilation, root: formwork_syntax::NodeId, goal: Goal) -> Result<bool, String> {
    let (tree, document, sources) = (result.tree(), result.document(), result.sources());
    let bound = write::at_most(tree, root, &document, sources, usize::MAX);
    let output = write::to_string(tree, root, &document, sources, document.format);
    match bound {
        Some(bound) if output.len() > bound => {
            Err(format!("{}: {} bytes, and no more than {bound} were expected\n{output}", goal.name(), output.len()))
        }
        bound => Ok(bound.is_some()),
    }
}
