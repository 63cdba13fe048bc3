//! Conditions as they are written, and their truth.

use formwork_base::IdMap;
use formwork_syntax::function::Known;
use formwork_syntax::{NodeId, Symbol, Tree};
use formwork_template::dependency_graph;

use crate::looks::Looks;

/// The result of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// The condition depends on unknown values.
    Unknown,
    /// The condition is an error, which was reported.
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

    /// Returns the truth of `Fn::And`, `Fn::Or` or `Fn::Not` over its operands, which are evaluated until the result is
    /// decided (reference/conditions.md#section).
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

#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) key: NodeId,
    pub(crate) node: NodeId,
    pub(crate) state: Option<(Truth, Looks)>,
}

/// Conditions after their loops are expanded.
#[derive(Debug, Default)]
pub(crate) struct ConditionTable {
    pub(crate) conditions: Vec<Condition>,
    pub(crate) index: IdMap<Symbol, u32>,
    /// Numbers of the conditions that each one refers to.
    pub(crate) needs: dependency_graph::Edges,
    /// Set if a macro or an include may add others.
    pub(crate) is_open: bool,
}

impl ConditionTable {
    pub(crate) fn number(&self, tree: &Tree, name: &str) -> Option<u32> {
        self.index.get(&tree.symbols().get(name)?).copied()
    }

    pub(crate) fn has(&self, tree: &Tree, name: &str) -> bool {
        self.number(tree, name).is_some()
    }
}
