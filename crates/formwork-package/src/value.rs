//! What an artifact property names in one iteration.

use formwork_evaluate::{Evaluator, Outcome, ValueSource, Visibility};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, View};
use formwork_template::artifact::{Absent, Artifact, Form};

use crate::location;

/// What a property names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    /// Nothing: the property is absent or empty.
    Absent,
    /// A path of this disk.
    Local {
        path: String,
        /// The parameter whose passed value it is.
        parameter: Option<String>,
        /// Whether it is the same for all values of the parameters.
        is_constant: bool,
    },
    /// Something remote.
    Remote {
        value: String,
        /// Whether it is the same for all values of the parameters.
        is_constant: bool,
    },
    /// A list or object, which packaging leaves alone.
    Data,
    /// An expression that is not known before deployment.
    Unknown,
}

/// What the value of an artifact property names.
pub(crate) fn named(ev: &mut Evaluator<'_>, artifact: &Artifact, value: Option<NodeId>) -> Named {
    let Some(node) = value else { return Named::Absent };
    match ev.tree.kind(node) {
        Kind::Null => Named::Absent,
        Kind::List | Kind::Map => Named::Data,
        Kind::Call => computed(ev, artifact, node),
        _ => text(artifact, ev.tree.text_form(node), true, given_parameter(ev, node)),
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
                let parameter = given_parameter(ev, node);
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

/// The parameter that a reference names, when its value was passed from outside: a path in it is relative
/// to the directory of the caller (reference/packaging.md#nested).
pub(crate) fn given_parameter(ev: &Evaluator<'_>, node: NodeId) -> Option<String> {
    // Where references are resolved, the value replaces its reference.
    let reference = [node, ev.tree.authored(node)].into_iter().find_map(|node| ev.tree.argument_of(node, Known::Ref));
    let name = ev.tree.string(reference?)?;
    let bound = ev.parameters.get(ev.tree.symbols().get(name)?)?;
    (bound.declared && !bound.pseudo && bound.given == ValueSource::CommandLine).then(|| name.to_owned())
}

/// Whether an expression is not known and still names something remote, by how its text begins.
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

/// Whether nothing is to be done where a property names nothing.
pub(crate) fn is_left_alone(ev: &Evaluator<'_>, artifact: &Artifact, body: NodeId) -> bool {
    match artifact.absent {
        Absent::LeftAlone => true,
        Absent::ImageMissing => false,
        Absent::TemplateFolder => {
            let tree = &*ev.tree;
            let properties = tree.get(body, formwork_syntax::symbol::PROPERTIES);
            properties.is_some_and(|node| tree.get_text(node, "InlineCode").is_some())
        }
    }
}
