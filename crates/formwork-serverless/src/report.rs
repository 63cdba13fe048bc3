//! Diagnostics of the transform.

use formwork_base::{Code, Diagnostic, Diagnostics, codes};
use formwork_syntax::{NodeId, Tree};

use crate::refusal::Refusal;

/// What the service writes before the sentence of the translator.
const BEGINNING: &str = "Transform AWS::Serverless-2016-10-31 failed with: Invalid Serverless Application Specification document. Number of errors found: 1.";

/// Reports a refusal of the resource with this ID, whose node is `around`.
pub(crate) fn refusal(tree: &Tree, id: &str, around: NodeId, refusal: &Refusal, diagnostics: &mut Diagnostics) {
    let node = refusal.at.unwrap_or(around);
    if refusal.is_limit {
        let diagnostic = Diagnostic::new(codes::LIMIT, &*refusal.sentence)
            .at(tree.span(node))
            .label("the result is too large here")
            .frames(tree.frame_chain(tree.frame_of(node)))
            .note("a template has at most 1 MB; the limit prevents hostile input from exhausting memory")
            .help("write fewer events, or smaller values of `Globals` and of properties that are handed on");
        return diagnostics.push(diagnostic);
    }
    let code = if refusal.is_clash { codes::SERVERLESS_CLASH } else { codes::SERVERLESS_REFUSED };
    let title = match (&refusal.title, &refusal.name) {
        (Some(title), _) => title.replace('@', id),
        (None, Some(name)) if refusal.is_clash => {
            format!("{id} becomes {name}, and the template has a resource of that name")
        }
        (None, Some(name)) => format!("{name} is not known to the serverless transform"),
        (None, None) if id.is_empty() => "the serverless transform refuses the template".to_owned(),
        (None, None) => format!("the serverless transform refuses {id}"),
    };
    let own = refusal.full_sentence(id);
    let sentence = format!("{BEGINNING} {own}");
    let mut diagnostic = Diagnostic::new(code, title).at(tree.span(node)).quoting(&sentence).subject(own);
    if let Some(other) = refusal.other {
        diagnostic = diagnostic.related(tree.span(other), "the other resource");
    }
    diagnostic = diagnostic.help(match (&refusal.near, &refusal.name) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, Some(name)) if refusal.is_clash => format!("rename one of them: {id} makes {name}"),
        (None, _) => "correct the value: the sentence of the transform has the reason".to_owned(),
    });
    diagnostics.push(diagnostic.frames(tree.frame_chain(tree.frame_of(node))));
}

/// A report about a translation that is not an error.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub(crate) code: Code,
    pub(crate) title: String,
    pub(crate) at: Option<NodeId>,
    pub(crate) note: Option<String>,
    pub(crate) help: Option<String>,
}

impl Remark {
    pub(crate) fn new(code: Code, title: impl Into<String>, at: Option<NodeId>) -> Remark {
        Remark { code, title: title.into(), at, note: None, help: None }
    }
}

/// Reports a remark; without a place of its own it is at `around`.
pub(crate) fn remark(tree: &Tree, around: NodeId, remark: &Remark, diagnostics: &mut Diagnostics) {
    let node = remark.at.unwrap_or(around);
    let mut diagnostic = Diagnostic::new(remark.code, &remark.title).at(tree.span(node)).subject(&remark.title);
    if let Some(note) = &remark.note {
        diagnostic = diagnostic.note(note);
    }
    if let Some(help) = &remark.help {
        diagnostic = diagnostic.help(help.as_str());
    }
    diagnostics.push(diagnostic.frames(tree.frame_chain(tree.frame_of(node))));
}
