//! Diagnostics of the transform.

use formwork_base::{Diagnostic, Diagnostics, codes};
use formwork_syntax::{NodeId, Tree};

use crate::refusal::Refusal;

/// What the service writes before the sentence of the translator.
const BEGINNING: &str = "Transform AWS::Serverless-2016-10-31 failed with: Invalid Serverless Application Specification document. Number of errors found: 1.";

/// Reports a refusal of the resource with this ID, whose node is `around`.
pub(crate) fn refusal(tree: &Tree, id: &str, around: NodeId, refusal: &Refusal, diagnostics: &mut Diagnostics) {
    let node = refusal.at.unwrap_or(around);
    let code = if refusal.is_clash { codes::SERVERLESS_CLASH } else { codes::SERVERLESS_REFUSED };
    let title = match &refusal.name {
        Some(name) if refusal.is_clash => format!("{id} becomes {name}, and the template has a resource of that name"),
        Some(name) if id.is_empty() => format!("{name} is not known to the serverless transform"),
        Some(name) => format!("{name} of {id} is not known to the serverless transform"),
        None if id.is_empty() => "the serverless transform refuses the template".to_owned(),
        None => format!("the serverless transform refuses {id}"),
    };
    let own = refusal.full_sentence(id);
    let sentence = format!("{BEGINNING} {own}");
    let mut diagnostic = Diagnostic::new(code, title).at(tree.span(node)).quoting(&sentence).subject(own);
    if let Some(other) = refusal.other {
        diagnostic = diagnostic.related(tree.span(other), "the other resource");
    }
    diagnostics.push(diagnostic.frames(tree.frame_chain(tree.frame_of(node))));
}
