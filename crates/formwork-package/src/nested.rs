//! Finds the local nested templates of a template (reference/packaging.md#nested).

use formwork_evaluate::Evaluator;
use formwork_syntax::NodeId;
use formwork_template::artifact::Treatment;

use crate::artifact_property;
use crate::plan::ArtifactRef;
use crate::value::{self, Named};

/// Returns the local nested templates that the template with this root uses. `source` maps a value that was passed to a
/// module to the authored one.
pub fn nested(ev: &mut Evaluator<'_>, root: NodeId, source: &dyn Fn(NodeId) -> NodeId) -> Vec<ArtifactRef> {
    let mut uses = Vec::new();
    for found in artifact_property::find(ev.tree, root, false) {
        if found.artifact.treatment != Treatment::Template {
            continue;
        }
        let Named::Local { path, parameter, .. } = value::named(ev, found.artifact, found.value) else { continue };
        let mut need = ArtifactRef::new(ev, &found, path, parameter);
        need.written = ev.tree.span(source(found.value.unwrap_or(found.resource)));
        uses.push(need);
    }
    uses
}
