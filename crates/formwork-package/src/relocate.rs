//! Moves the expanded template to another directory: its relative paths refer to the same files from there
//! (reference/command-line.md#relocated).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, Span, codes};
use formwork_syntax::{Kind, NodeId, Tree};
use formwork_template::artifact::Treatment;

use crate::artifact_property;
use crate::includes;
use crate::plan::{ArtifactRef, ArtifactSite, Content, Plan};
use crate::rewrite::Rewritten;
use crate::value_path::{Edits, new_text};

/// Returns `true` if [`relocate`] has anything to check in an expanded template: an artifact property, or an include.
pub fn names_files(tree: &Tree, expanded: NodeId) -> bool {
    !artifact_property::find(tree, expanded, false).is_empty() || !includes::find(tree, expanded).is_empty()
}

/// Rewrites the relative paths of a plan of the expanded template. `path` returns the path from the directory of the
/// output, which is shown as `directory`; `None` if the path is kept. A path that depends on parameters is kept, with a
/// warning unless `is_there` returns that it is written in a file of that directory.
pub fn relocate(
    tree: &mut Tree,
    plan: &Plan,
    directory: &str,
    path: &dyn Fn(&ArtifactRef) -> Option<String>,
    is_there: &dyn Fn(Span) -> bool,
) -> Rewritten {
    let (mut edits, mut diagnostics) = (Edits::default(), Vec::new());
    let Some(root) = plan.root else { return Rewritten { root: None, diagnostics } };
    for slot in &plan.slots {
        let found = &slot.found;
        let is_computed = found.value.is_some_and(|node| tree.kind(node) == Kind::Call);
        for instance in &slot.instances {
            match &instance.content {
                Content::ArtifactRef(need) => {
                    let need = &plan.needs[*need];
                    let Some(moved) = path(need).filter(|moved| *moved != need.path || need.is_folder_of_template)
                    else {
                        continue;
                    };
                    if is_computed && !need.is_constant {
                        diagnostics.push(not_rewritten(tree, slot, directory));
                    } else {
                        let node = new_text(tree, &moved, found.value);
                        edits.put(&found.place, node);
                    }
                }
                // The image of a parameter is nearly always in a registry.
                Content::Unknown if found.artifact.treatment != Treatment::Image && !is_there(instance.written) => {
                    diagnostics.push(not_rewritten(tree, slot, directory));
                }
                Content::Unknown | Content::Remote { .. } | Content::Nothing => {}
            }
        }
    }
    for (include, need) in &plan.includes {
        if let Some(moved) = path(&plan.needs[*need]) {
            let node = new_text(tree, &moved, Some(include.value));
            edits.put(&include.place, node);
        }
    }
    let root = Some(edits.apply(tree, root));
    Rewritten { root, diagnostics }
}

fn not_rewritten(tree: &Tree, slot: &ArtifactSite, directory: &str) -> Diagnostic {
    let found = &slot.found;
    let (property, id) = (found.property(tree), shown(tree.text(found.resource)));
    let message = format!("{property} of {id} is resolved at deployment and is not rewritten for {}", shown(directory));
    Diagnostic::new(codes::ARTIFACT_UNKNOWN, message)
        .severity(Severity::Warning)
        .at(tree.span(found.value.unwrap_or(found.resource)))
        .frames(tree.frame_chain(tree.frame_of(found.resource)))
        .note(format!("a relative path in it is relative to {} from now on", shown(directory)))
        .help("write the path literally, or write the output next to the file that contains it")
}
