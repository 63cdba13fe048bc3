//! What an artifact property names in one iteration.

use formwork_evaluate::{Evaluator, Given, Outcome, Sight};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, View, flags};
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
        /// The parameter whose given value it is.
        parameter: Option<String>,
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
        _ => text(artifact, ev.tree.text_form(node), true, None),
    }
}

fn text(artifact: &Artifact, value: &str, is_constant: bool, parameter: Option<String>) -> Named {
    if value.is_empty() {
        Named::Absent
    } else if location::is_remote(artifact, value) {
        Named::Remote { value: value.to_owned(), is_constant }
    } else {
        Named::Local { path: value.to_owned(), parameter }
    }
}

fn computed(ev: &mut Evaluator<'_>, artifact: &Artifact, node: NodeId) -> Named {
    let constant = ev.with_sight(Sight::Constant, |ev| ev.strictly(|ev| ev.resolve_silently(node)));
    let (outcome, is_constant) = match constant {
        Outcome::Known(_) => (constant, true),
        _ => (ev.with_sight(Sight::Full, |ev| ev.strictly(|ev| ev.resolve_silently(node))), false),
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

/// The parameter that a reference names, when its value was given from outside: a path in it is seen
/// from the folder of whoever gave it (spec packaging.md, section 3).
pub(crate) fn given_parameter(ev: &Evaluator<'_>, node: NodeId) -> Option<String> {
    let name = ev.tree.string(ev.tree.argument_of(node, Known::Ref)?)?;
    let bound = ev.parameters.get(ev.tree.symbols().get(name)?)?;
    (bound.declared && !bound.pseudo && bound.given == Given::CommandLine).then(|| name.to_owned())
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

/// The values that a parent gives a nested stack, as text; what is not known is left out (spec
/// packaging.md, section 3).
pub(crate) fn passed(ev: &mut Evaluator<'_>, body: NodeId) -> Vec<Passed> {
    let properties = ev.tree.get(body, formwork_syntax::symbol::PROPERTIES);
    let Some(given) = properties.and_then(|node| ev.tree.get(node, formwork_syntax::symbol::PARAMETERS)) else {
        return Vec::new();
    };
    let entries: Vec<_> = ev.tree.entries(given).collect();
    let mut passed = Vec::with_capacity(entries.len());
    for entry in entries {
        let value = if ev.tree.has(entry.value, flags::HAS_CALL | flags::HAS_NULL) {
            match ev.with_sight(Sight::Full, |ev| ev.strictly(|ev| ev.resolve_silently(entry.value))) {
                Outcome::Known(value) => value,
                _ => continue,
            }
        } else {
            entry.value
        };
        let tree = &*ev.tree;
        let text = match tree.kind(value) {
            Kind::List if tree.items(value).iter().all(|&item| tree.is_scalar(item)) => {
                tree.items(value).iter().map(|&item| tree.text_form(item)).collect::<Vec<_>>().join(",")
            }
            _ if tree.is_scalar(value) => tree.text_form(value).to_owned(),
            _ => continue,
        };
        let name = tree.text(entry.key).to_owned();
        let parameter = given_parameter(ev, entry.value);
        passed.push(Passed { name, value: text, parameter });
    }
    passed
}

/// A value that a parent gives a nested stack.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Passed {
    /// Name of the child's parameter.
    pub name: String,
    /// Its value; the items of a list are separated by commas.
    pub value: String,
    /// The parameter of the parent that was passed on as it was given.
    pub parameter: Option<String>,
}
