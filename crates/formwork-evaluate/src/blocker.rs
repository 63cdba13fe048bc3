//! Reasons why an expression is not known.

use formwork_base::display::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Symbol, Tree, View, flags};
use formwork_template::reference::sub_parts;
use formwork_template::sub_string::{self, Part};
use formwork_template::{PseudoParameter, parameter_option};
use rustc_hash::FxHashSet;

use crate::parameters::ParameterTable;

/// A name or function that keeps an expression from being known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Blocker {
    /// A parameter without value, or out of visibility.
    Parameter(Symbol),
    /// A pseudo parameter without value, or out of visibility.
    Pseudo(Symbol),
    /// A parameter whose value is never written.
    NoEcho(Symbol),
    /// A condition that is undecided, or out of visibility.
    Condition(Symbol),
    /// A resource, or a name that exists nowhere.
    Resource(String),
    /// An attribute of a resource.
    Attribute(String),
    /// A function that the language keeps: an import, zones, a macro.
    Function(String),
}

impl Blocker {
    /// Returns `true` if the blocker is settled before deployment: a value passed now would remove it.
    pub fn is_value(&self) -> bool {
        matches!(self, Blocker::Parameter(_) | Blocker::Pseudo(_) | Blocker::NoEcho(_) | Blocker::Condition(_))
    }

    /// Returns `true` if a value passed on the command line would remove the blocker.
    pub fn can_be_passed(&self) -> bool {
        matches!(self, Blocker::Parameter(_) | Blocker::Pseudo(_) | Blocker::Condition(_))
    }

    /// Returns the option that sets the value, for messages.
    pub fn option(&self, tree: &Tree) -> Option<String> {
        match self {
            Blocker::Parameter(name) => Some(parameter_option(&shown(tree.name(*name)), false)),
            Blocker::Pseudo(name) => PseudoParameter::from_name(tree.name(*name)).map(PseudoParameter::option),
            _ => None,
        }
    }

    /// Describes the blocker, for messages.
    pub fn text(&self, tree: &Tree) -> String {
        match self {
            Blocker::Parameter(name) | Blocker::NoEcho(name) => format!("parameter {}", tree.name(*name)),
            Blocker::Pseudo(name) => format!("pseudo parameter {}", tree.name(*name)),
            Blocker::Condition(name) => format!("condition {}", tree.name(*name)),
            Blocker::Resource(name) => format!("resource {name}"),
            Blocker::Attribute(name) => format!("attribute {name}"),
            Blocker::Function(name) => name.clone(),
        }
    }
}

/// Returns the blockers of `node`, a result of evaluation, in order and without duplicates.
pub fn blockers(tree: &Tree, parameters: &ParameterTable, node: NodeId) -> Vec<Blocker> {
    blockers_at(tree, parameters, node).into_iter().map(|(blocker, _)| blocker).collect()
}

/// Returns the blockers of `node`, each with the first call that refers to it.
pub fn blockers_at(tree: &Tree, parameters: &ParameterTable, node: NodeId) -> Vec<(Blocker, NodeId)> {
    let mut found = BlockerSet::default();
    collect(tree, parameters, node, &mut found);
    found.list
}

#[derive(Default)]
struct BlockerSet {
    list: Vec<(Blocker, NodeId)>,
    seen: FxHashSet<Blocker>,
}

fn add(found: &mut BlockerSet, blocker: Blocker, at: NodeId) {
    if found.seen.insert(blocker.clone()) {
        found.list.push((blocker, at));
    }
}

fn name(tree: &Tree, parameters: &ParameterTable, text: &str) -> Option<Blocker> {
    if text == "AWS::NoValue" {
        return None;
    }
    let symbol = tree.symbols().get(text);
    Some(match symbol.and_then(|symbol| parameters.get(symbol).map(|bound| (symbol, bound))) {
        Some((symbol, bound)) if bound.pseudo => Blocker::Pseudo(symbol),
        Some((symbol, bound)) if bound.secret => Blocker::NoEcho(symbol),
        Some((symbol, bound)) if bound.declared => Blocker::Parameter(symbol),
        _ => Blocker::Resource(text.to_owned()),
    })
}

fn collect(tree: &Tree, parameters: &ParameterTable, node: NodeId, found: &mut BlockerSet) {
    if !tree.has(node, flags::HAS_CALL) {
        return;
    }
    match tree.view(node) {
        View::List(items) => items.iter().for_each(|&item| collect(tree, parameters, item, found)),
        View::Map => tree.entries(node).for_each(|entry| collect(tree, parameters, entry.value, found)),
        View::Call(..) => call(tree, parameters, node, found),
        _ => {}
    }
}

fn call(tree: &Tree, parameters: &ParameterTable, node: NodeId, found: &mut BlockerSet) {
    let (function, argument) = tree.call(node);
    match function {
        Function::Known(Known::Ref) if tree.kind(argument) == Kind::String => {
            if let Some(blocker) = name(tree, parameters, tree.text(argument)) {
                add(found, blocker, node);
            }
        }
        Function::Known(Known::GetAtt) if !tree.has(argument, flags::HAS_CALL) => {
            let text = match tree.items(argument) {
                [] => tree.text(argument).to_owned(),
                parts => parts.iter().map(|&part| tree.text_form(part)).collect::<Vec<_>>().join("."),
            };
            add(found, Blocker::Attribute(text), node);
        }
        Function::Known(Known::Sub) => {
            let (text, map) = sub_parts(tree, argument);
            let own: FxHashSet<&str> =
                map.into_iter().flat_map(|map| tree.entries(map)).map(|entry| tree.text(entry.key)).collect();
            for variable in sub_string::parts(tree.text(text)).filter_map(Part::variable) {
                if own.contains(variable) {
                    continue;
                }
                if variable.contains('.') {
                    add(found, Blocker::Attribute(variable.to_owned()), node);
                } else if let Some(blocker) = name(tree, parameters, variable) {
                    add(found, blocker, node);
                }
            }
            if let Some(map) = map {
                collect(tree, parameters, map, found);
            }
        }
        Function::Known(Known::If) => {
            if let Some(symbol) = tree.items(argument).first().and_then(|&name| tree.symbols().get(tree.text(name))) {
                add(found, Blocker::Condition(symbol), node);
            }
            collect(tree, parameters, argument, found);
        }
        Function::Known(Known::Condition) => {
            if let Some(symbol) = tree.symbols().get(tree.text(argument)) {
                add(found, Blocker::Condition(symbol), node);
            }
        }
        Function::Known(
            Known::ImportValue | Known::GetStackOutput | Known::GetAZs | Known::Transform | Known::Cidr,
        ) => {
            add(found, Blocker::Function(tree.function_name(function).to_owned()), node);
            collect(tree, parameters, argument, found);
        }
        Function::Other(symbol) => add(found, Blocker::Function(tree.name(symbol).to_owned()), node),
        Function::Known(_) => collect(tree, parameters, argument, found),
    }
}
