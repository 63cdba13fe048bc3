//! Values that a template passes to the parameters of a nested stack (reference/packaging.md#nested).

use formwork_base::Span;
use formwork_evaluate::{Evaluator, Outcome, Visibility};
use formwork_syntax::{Kind, NodeId, Tree, flags, function, symbol};
use formwork_template::dynamic_reference;

use crate::value;

/// The values that a template passes to the parameters of a nested stack.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passing {
    /// The values that are known before deployment.
    pub values: Vec<NestedParameter>,
    /// The names of all parameters that are passed, with their spans; `None` when they are not all known.
    pub names: Option<Vec<(String, Span)>>,
    /// Set if an error in a value was reported: then the values are unreliable.
    pub is_broken: bool,
}

/// A value that a template passes to a parameter of a nested stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestedParameter {
    /// The name of the nested template's parameter.
    pub name: String,
    /// The value of the parameter; the elements of a list are separated by commas.
    pub value: String,
    /// Set if the value comes from a `NoEcho` parameter.
    pub is_secret: bool,
    /// The parameter of the parent that is passed on unchanged.
    pub parameter: Option<String>,
    /// The span of the value in the parent.
    pub span: Span,
}

/// Returns the values that the resource `body` passes to its nested stack, without those that are not known before
/// deployment.
pub(crate) fn passing(ev: &mut Evaluator<'_>, body: NodeId) -> Passing {
    let none = Passing { names: Some(Vec::new()), ..Passing::default() };
    let Some(properties) = ev.tree.get(body, symbol::PROPERTIES) else { return none };
    if ev.tree.kind(properties) != Kind::Map {
        return Passing::default();
    }
    let Some(written) = ev.tree.get(properties, symbol::PARAMETERS) else { return none };
    let parameters = match ev.tree.kind(written) {
        Kind::Call => match resolve(ev, written) {
            Outcome::Known(value) => value,
            Outcome::Omit(_) => return none,
            outcome => return Passing { is_broken: outcome == Outcome::Poison, ..Passing::default() },
        },
        _ => written,
    };
    if ev.tree.kind(parameters) != Kind::Map {
        return Passing::default();
    }
    let mut passing = Passing::default();
    let (mut names, mut are_known) = (Vec::new(), true);
    for entry in ev.tree.entries(parameters).collect::<Vec<_>>() {
        let name = ev.tree.text(entry.key).to_owned();
        if function::loop_name(&name).is_some() || name.starts_with("Fn::") {
            are_known = false;
            continue;
        }
        let span = ev.tree.span(entry.value);
        let outcome = if ev.tree.has(entry.value, flags::HAS_CALL | flags::HAS_NULL) {
            resolve(ev, entry.value)
        } else {
            Outcome::Known(entry.value)
        };
        if matches!(outcome, Outcome::Omit(_)) {
            continue;
        }
        passing.is_broken |= outcome == Outcome::Poison;
        names.push((name.clone(), ev.tree.span(entry.key)));
        let Some(value) = outcome.value().and_then(|value| text(ev.tree, value)) else { continue };
        let parameter = value::passed_parameter(ev, entry.value);
        passing.values.push(NestedParameter { name, value, is_secret: outcome.is_secret(), parameter, span });
    }
    passing.names = are_known.then_some(names);
    passing
}

fn resolve(ev: &mut Evaluator<'_>, node: NodeId) -> Outcome {
    ev.with_visibility(Visibility::Full, |ev| ev.strictly(|ev| ev.resolve_silently(node)))
}

/// Converts a value as CloudFormation passes it on; `None` for an object, and for values that only a deployment
/// resolves.
fn text(tree: &Tree, value: NodeId) -> Option<String> {
    let text = match tree.kind(value) {
        Kind::List if tree.items(value).iter().all(|&item| tree.is_scalar(item)) => {
            tree.items(value).iter().map(|&item| tree.text_form(item)).collect::<Vec<_>>().join(",")
        }
        Kind::Null => return None,
        _ if tree.is_scalar(value) => tree.text_form(value).to_owned(),
        _ => return None,
    };
    dynamic_reference::find(&text).is_none().then_some(text)
}
