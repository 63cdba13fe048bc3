//! Nested templates: which local ones a template uses (reference/packaging.md#nested).

use formwork_evaluate::Evaluator;
use formwork_syntax::NodeId;
use formwork_template::artifact::Treatment;

use crate::found;
use crate::plan::ArtifactRef;
use crate::value::{self, Named};

/// The local nested templates that the template with this root uses. `source` returns, for a value that was
/// passed to a module, the one that was written.
pub fn nested(ev: &mut Evaluator<'_>, root: NodeId, source: &dyn Fn(NodeId) -> NodeId) -> Vec<ArtifactRef> {
    let mut uses = Vec::new();
    for found in found::find(ev.tree, root, false) {
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
