//! Data that is owned, for answers and for other languages.

use formwork_base::Span;

use crate::function::{Function, Known};
use crate::tree::{Kind, NodeId, Tree};

/// A value with everything below it. Calls are maps of one key, by the function's long name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Nothing.
    Null,
    /// A Boolean.
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    /// Text.
    String(String),
    /// Items, in order.
    List(Vec<Value>),
    /// Entries, in order.
    Map(Vec<(String, Value)>),
}

/// What stands for a value that is never shown.
const MASK: &str = "****";

impl Value {
    /// The data below a node.
    pub fn new(tree: &Tree, node: NodeId) -> Value {
        Value::masked(tree, node, &[])
    }

    /// The same, with `****` in the place of scalars whose text lies in one of `secrets`.
    pub fn masked(tree: &Tree, node: NodeId, secrets: &[Span]) -> Value {
        let text = || tree.text(node).to_owned();
        let is_secret = || {
            let span = tree.span(node);
            !span.is_none() && secrets.iter().any(|secret| secret.contains(span) || span.contains(*secret))
        };
        match tree.kind(node) {
            Kind::Null => Value::Null,
            Kind::Bool | Kind::Number | Kind::String | Kind::Key if is_secret() => Value::String(MASK.to_owned()),
            Kind::Bool => Value::Bool(tree.text_form(node) == "true"),
            Kind::Number => Value::Number(text()),
            Kind::String | Kind::Key => Value::String(text()),
            Kind::List => {
                Value::List(tree.items(node).iter().map(|&item| Value::masked(tree, item, secrets)).collect())
            }
            Kind::Map => Value::Map(
                tree.entries(node)
                    .map(|entry| (tree.text(entry.key).to_owned(), Value::masked(tree, entry.value, secrets)))
                    .collect(),
            ),
            Kind::Call => {
                let (function, argument) = tree.call(node);
                let value = match attribute(tree, function, argument) {
                    Some((name, attribute)) => {
                        Value::List(vec![Value::String(name.to_owned()), Value::String(attribute.to_owned())])
                    }
                    None => Value::masked(tree, argument, secrets),
                };
                Value::Map(vec![(tree.function_name(function).to_owned(), value)])
            }
        }
    }
}

/// The parts of the text of `Fn::GetAtt`, which is a list in the long spelling.
pub(crate) fn attribute(tree: &Tree, function: Function, argument: NodeId) -> Option<(&str, &str)> {
    if function != Function::Known(Known::GetAtt) {
        return None;
    }
    tree.string(argument)?.split_once('.')
}
