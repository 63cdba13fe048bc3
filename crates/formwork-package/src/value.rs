//! Evaluates an artifact property in one iteration.

use formwork_evaluate::{Evaluator, Outcome, ValueSource, Visibility};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, View};
use formwork_template::artifact::{Absent, Artifact, Form};

use crate::location;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    Absent,
    Local {
        path: String,
        /// The parameter whose passed value it is.
        parameter: Option<String>,
        /// Set if it is the same for all values of the parameters.
        is_constant: bool,
    },
    Remote {
        value: String,
        /// Set if it is the same for all values of the parameters.
        is_constant: bool,
    },
    /// A list or object, which packaging does not change.
    Data,
    /// An expression that is not known before deployment.
    Unknown,
}

pub(crate) fn named(ev: &mut Evaluator<'_>, artifact: &Artifact, value: Option<NodeId>) -> Named {
    let Some(node) = value else { return Named::Absent };
    match ev.tree.kind(node) {
        Kind::Null => Named::Absent,
        Kind::List | Kind::Map => Named::Data,
        Kind::Call => computed(ev, artifact, node),
        _ => text(artifact, ev.tree.text_form(node), true, passed_parameter(ev, node)),
    }
}

fn text(artifact: &Artifact, value: &str, is_constant: bool, parameter: Option<String>) -> Named {
    if value.is_empty() {
        Named::Absent
    } else if location::is_remote(artifact, value) {
        Named::Remote { value: value.to_owned(), is_constant }
    } else {
        Named::Local { path: value.to_owned(), parameter, is_constant }
    }
}

fn computed(ev: &mut Evaluator<'_>, artifact: &Artifact, node: NodeId) -> Named {
    let constant = ev.with_visibility(Visibility::Constant, |ev| ev.strictly(|ev| ev.resolve_silently(node)));
    let (outcome, is_constant) = match constant {
        Outcome::Known(_) => (constant, true),
        _ => (ev.with_visibility(Visibility::Full, |ev| ev.strictly(|ev| ev.resolve_silently(node))), false),
    };
    match outcome {
        Outcome::Known(value) => match ev.tree.kind(value) {
            Kind::Null => Named::Absent,
            Kind::List | Kind::Map | Kind::Call => Named::Data,
            _ => {
                let parameter = passed_parameter(ev, node);
                text(artifact, ev.tree.text_form(value), is_constant, parameter)
            }
        },
        Outcome::Omit(_) => Named::Absent,
        Outcome::Residual(left) if is_surely_remote(ev, artifact, left) => {
            Named::Remote { value: String::new(), is_constant: false }
        }
        Outcome::Residual(_) | Outcome::Secret { .. } | Outcome::Poison => Named::Unknown,
    }
}

/// Returns the parameter of a reference whose value was passed from outside: a path in it is relative to the directory
/// of the caller (reference/packaging.md#nested).
pub(crate) fn passed_parameter(ev: &Evaluator<'_>, node: NodeId) -> Option<String> {
    // In a tree with resolved references, the value replaces its reference.
    let reference = [node, ev.tree.authored(node)].into_iter().find_map(|node| ev.tree.argument_of(node, Known::Ref));
    let name = ev.tree.string(reference?)?;
    let bound = ev.parameters.get(ev.tree.symbols().get(name)?)?;
    (bound.declared && !bound.pseudo && bound.given == ValueSource::CommandLine).then(|| name.to_owned())
}

/// Returns `true` if an unknown expression refers to something remote in any case, by the beginning of its string.
fn is_surely_remote(ev: &Evaluator<'_>, artifact: &Artifact, node: NodeId) -> bool {
    let tree = &*ev.tree;
    let View::Call(_, argument) = tree.view(node) else { return false };
    let first = tree.items(argument).first().copied().unwrap_or(argument);
    let written = tree.string(first).unwrap_or_default();
    match artifact.form {
        Form::Image => written.contains(".dkr.ecr."),
        _ => ["s3://", "https://", "http://"].iter().any(|scheme| written.starts_with(scheme)),
    }
}

/// Returns `true` if an absent property is not changed.
pub(crate) fn is_left_alone(ev: &Evaluator<'_>, artifact: &Artifact, body: NodeId) -> bool {
    match artifact.absent {
        Absent::LeftAlone => true,
        Absent::ImageMissing => false,
        Absent::TemplateDirectory => {
            let tree = &*ev.tree;
            let properties = tree.get(body, formwork_syntax::symbol::PROPERTIES);
            properties.is_some_and(|node| tree.get_text(node, "InlineCode").is_some())
        }
    }
}
