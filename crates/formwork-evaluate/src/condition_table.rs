//! Conditions as they are written, and what is known of them.

use formwork_base::IdMap;
use formwork_syntax::function::Known;
use formwork_syntax::{NodeId, Symbol, Tree};
use formwork_template::dependency_graph;

use crate::looks::Looks;

/// What is known of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// What it depends on is not known.
    Unknown,
    /// It is wrong, and that was reported.
    Poison,
}

impl Truth {
    pub(crate) fn of(value: bool) -> Truth {
        if value { Truth::True } else { Truth::False }
    }

    pub(crate) fn not(self) -> Truth {
        match self {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            other => other,
        }
    }

    /// Returns the truth of `Fn::And`, `Fn::Or` or `Fn::Not` over its operands, of which no more are asked for than
    /// decide it (reference/conditions.md#section).
    pub fn combined(function: Known, operands: impl IntoIterator<Item = Truth>) -> Truth {
        let decides = if function == Known::Or { Truth::True } else { Truth::False };
        let mut result = decides.not();
        for truth in operands {
            match truth {
                Truth::Poison => return Truth::Poison,
                truth if truth == decides => {
                    result = decides;
                    break;
                }
                Truth::Unknown => result = Truth::Unknown,
                _ => {}
            }
        }
        if function == Known::Not { result.not() } else { result }
    }
}

/// A condition as it is written.
#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) key: NodeId,
    pub(crate) node: NodeId,
    /// Result and the names that decided it.
    pub(crate) state: Option<(Truth, Looks)>,
}

/// The conditions of a template, after their loops are expanded.
#[derive(Debug, Default)]
pub(crate) struct ConditionTable {
    pub(crate) conditions: Vec<Condition>,
    pub(crate) index: IdMap<Symbol, u32>,
    /// Other conditions that each one names, by number.
    pub(crate) needs: dependency_graph::Edges,
    /// Whether a macro or an include may add others.
    pub(crate) is_open: bool,
}

impl ConditionTable {
    /// The number of the condition that is declared with this name.
    pub(crate) fn number(&self, tree: &Tree, name: &str) -> Option<u32> {
        self.index.get(&tree.symbols().get(name)?).copied()
    }

    /// Whether a condition is declared with this name.
    pub(crate) fn has(&self, tree: &Tree, name: &str) -> bool {
        self.number(tree, name).is_some()
    }
}
