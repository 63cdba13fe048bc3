//! Names as far as they are known.

use formwork_evaluate::Argument;
use formwork_repository::Name;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, Tree, View};
use formwork_template::PseudoParameter;
use formwork_template::reference::sub_parts;
use formwork_template::sub_string::{self, Part};

use crate::compilation::{Compilation, Replayable};

/// The most calls around each other that are read.
const MOST_DEPTH: u32 = 20;

/// Reads names with the values that were passed.
pub(super) struct Names<'c> {
    compilation: &'c Compilation,
    tree: &'c Tree,
    arguments: &'c [Argument],
    pseudo: &'c [(PseudoParameter, String)],
}

impl<'c> Names<'c> {
    pub(super) fn new(
        compilation: &'c Compilation,
        replay: &'c Replayable,
        pseudo: &'c [(PseudoParameter, String)],
    ) -> Names<'c> {
        Names { compilation, tree: &compilation.tree, arguments: &replay.arguments, pseudo }
    }

    /// Returns the name at a node; `None` for a list or an object.
    pub(super) fn of(&self, node: NodeId) -> Option<Name> {
        self.name(node, 0)
    }

    fn name(&self, node: NodeId, depth: u32) -> Option<Name> {
        let (function, argument) = match self.tree.view(node) {
            View::String(text) | View::Number(text) => return Some(Name::known(text)),
            View::Bool(truth) => return Some(Name::known(if truth { "true" } else { "false" })),
            View::Call(function, argument) => (function, argument),
            View::Null | View::List(_) | View::Map => return None,
        };
        if depth >= MOST_DEPTH {
            return Some(self.unknown(node));
        }
        Some(match function {
            Function::Known(Known::Ref) => match self.tree.string(argument) {
                Some(name) => self.referred(name),
                None => self.unknown(node),
            },
            Function::Known(Known::Sub) => self.filled(argument, depth).unwrap_or_else(|| self.unknown(node)),
            Function::Known(Known::Join) => self.joined(argument, depth).unwrap_or_else(|| self.unknown(node)),
            _ => self.unknown(node),
        })
    }

    /// An expression is the same as another one with the same words.
    fn unknown(&self, node: NodeId) -> Name {
        let mut name = Name::default();
        name.push_unknown(&serde_json::to_string(&formwork_syntax::Value::new(self.tree, node)).unwrap_or_default());
        name
    }

    /// Returns the value of a parameter that was passed.
    pub(super) fn passed(&self, name: &str) -> Option<NodeId> {
        let passed = self.arguments.iter().rev().find(|argument| self.tree.name(argument.name) == name);
        passed.map(|argument| argument.value)
    }

    /// Returns the value of a parameter or pseudo parameter that was passed; that of a `NoEcho` parameter is not read.
    fn referred(&self, name: &str) -> Name {
        let mut result = Name::default();
        let mut declared = self.compilation.template.parameters.iter();
        let is_secret = declared.any(|one| one.no_echo && self.tree.name(one.name) == name);
        let passed = self.passed(name).filter(|_| !is_secret);
        let pseudo = self.pseudo.iter().rev().find(|(known, _)| known.name() == name);
        match passed.map(|value| self.tree.view(value)) {
            Some(View::String(text) | View::Number(text)) => result.push_text(text),
            _ => match pseudo {
                Some((_, value)) => result.push_text(value),
                None => result.push_unknown(name),
            },
        }
        result
    }

    fn filled(&self, argument: NodeId, depth: u32) -> Option<Name> {
        let (text, variables) = sub_parts(self.tree, argument);
        let mut name = Name::default();
        for part in sub_string::parts(self.tree.string(text)?) {
            match part {
                Part::Text(text) => name.push_text(text),
                Part::Literal(text) => name.push_text(&format!("${{{text}}}")),
                Part::Variable(variable) => {
                    let own = variables.and_then(|map| self.tree.get_text(map, variable));
                    name.append(match own {
                        Some(value) => self.name(value, depth + 1)?,
                        None => self.referred(variable),
                    });
                }
            }
        }
        Some(name)
    }

    fn joined(&self, argument: NodeId, depth: u32) -> Option<Name> {
        let [delimiter, items] = self.tree.items(argument) else { return None };
        let delimiter = self.tree.string(*delimiter)?;
        let View::List(items) = self.tree.view(*items) else { return None };
        let mut name = Name::default();
        for (at, &item) in items.iter().enumerate() {
            if at > 0 {
                name.push_text(delimiter);
            }
            name.append(self.name(item, depth + 1)?);
        }
        Some(name)
    }
}
