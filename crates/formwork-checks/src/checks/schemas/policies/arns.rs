//! Resources of statements: `*`, or strings that begin as an ARN.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View, symbol};
use formwork_template::sub_string;

use super::super::partial::{Piece, pieces_of};
use super::super::scalar::is_placeholder;
use super::super::walk::{At, Walk};
use super::super::words;
use super::words::quoted;
use super::{Certain, Class};

impl Walk<'_> {
    pub(super) fn resource_arn(&mut self, at: At, class: Class) {
        let tree = self.tree;
        match tree.view(at.node) {
            View::String(text) if !is_placeholder(text) && !may_begin_arn(text, true) => {
                let message = format!("is {}, which is neither `*` nor an ARN", quoted(text));
                self.not_an_arn(at, class, &message, "`*`, or an ARN such as `arn:aws:s3:::NAME/*`");
            }
            View::Call(Function::Known(Known::Ref), argument) => {
                if let Some(id) = tree.string(argument).filter(|id| self.has_other_ref(id)) {
                    let message = format!("is what `Ref` of {} returns, which is not an ARN", shown(id));
                    self.not_an_arn(at, class, &message, &format!("`!GetAtt {}.Arn`", shown(id)));
                }
            }
            View::Call(Function::Known(Known::Sub | Known::Join), argument) => {
                let pieces = pieces_of(tree, at.node).unwrap_or_default();
                if let Some(id) = self.first_reference(at.node, argument).filter(|id| self.has_other_ref(id)) {
                    let message = format!("begins with what `Ref` of {} returns, which is not an ARN", shown(&id));
                    self.not_an_arn(at, class, &message, &format!("`${{{}.Arn}}` at its start", shown(&id)));
                } else if let Some(Piece::Text(text)) = pieces.first()
                    && !may_begin_arn(text, pieces.len() == 1)
                {
                    let message = format!("begins with {}, and an ARN with \"arn:\"", quoted(text));
                    self.not_an_arn(at, class, &message, "a string that begins with `arn:`");
                }
            }
            _ => {}
        }
    }

    fn not_an_arn(&mut self, at: At, class: Class, message: &str, help: &str) {
        let certain = if class == Class::Identity { Certain::Yes } else { Certain::No };
        let Some(severity) = self.policy_severity(certain) else { return };
        let subject = words::subject(&self.path, self.tree.text(self.id));
        let diagnostic = Diagnostic::titled(codes::VALUE_NOT_ALLOWED, format!("{subject} {message}"))
            .at(self.tree.span(at.node))
            .note("IAM: `Resource must be in ARN format or \"*\".`")
            .help(self.advice(at.node, help));
        self.push(diagnostic, severity, "arn");
    }

    /// Returns `true` if `Ref` of a resource returns another value than its ARN, which is an attribute.
    fn has_other_ref(&self, id: &str) -> bool {
        let resource = self.resources.and_then(|section| self.tree.get_text(section, id));
        let kind = resource.and_then(|resource| self.tree.string(self.tree.get(resource, symbol::TYPE)?));
        let known = kind.and_then(|kind| self.schemas.resource_type(kind)).filter(|known| !known.is_serverless());
        known.is_some_and(|known| {
            let of_ref = known.reference();
            known.attribute("Arn").is_some() && !of_ref.is_empty() && of_ref.iter().all(|name| is_name(name))
        })
    }

    /// Returns the logical ID that a string begins with.
    fn first_reference(&self, node: NodeId, argument: NodeId) -> Option<String> {
        let tree = self.tree;
        match (tree.view(node), tree.view(argument)) {
            (View::Call(Function::Known(Known::Join), _), View::List(&[_, list])) => {
                let first = tree.items(list).first().copied()?;
                let View::Call(Function::Known(Known::Ref), name) = tree.view(first) else { return None };
                tree.string(name).map(str::to_owned)
            }
            (View::Call(Function::Known(Known::Sub), _), View::String(text)) => {
                let first = sub_string::parts(text).next()?.variable()?;
                (!first.contains('.')).then(|| first.to_owned())
            }
            _ => None,
        }
    }
}

/// Returns `true` for an identifier that certainly is not an ARN.
fn is_name(name: &str) -> bool {
    ["Name", "Url", "KeyId"].iter().any(|end| name.ends_with(end)) && !name.ends_with("Arn")
}

/// Returns `true` if a string is, or begins, an ARN. IAM takes wildcards in it.
fn may_begin_arn(text: &str, is_whole: bool) -> bool {
    const START: &str = "arn:";
    if text.starts_with(['*', '?']) || text.starts_with(START) {
        return true;
    }
    // A short start may be continued.
    !is_whole && START.starts_with(text)
}
