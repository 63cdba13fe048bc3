//! Expressions of the Rules section, read once and evaluated often.

use formwork_syntax::{NodeId, Symbol};

use super::attribute::Attribute;

#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) node: NodeId,
    pub(crate) kind: ExpressionKind,
}

/// The form of an expression (reference/rules.md#functions).
#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    Truth(bool),
    /// A literal string or number, as a string.
    Text(String),
    List(Vec<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not(Box<Expression>),
    Equals(Box<[Expression; 2]>),
    Contains(Box<[Expression; 2]>),
    EachMemberEquals(Box<[Expression; 2]>),
    EachMemberIn(Box<[Expression; 2]>),
    RefAll(String),
    ValueOf(Symbol, Attribute),
    ValueOfAll(String, Attribute),
    Ref(Symbol),
}

impl Expression {
    /// Returns `true` for a function: then a single string counts as a list of one.
    pub(crate) fn is_function(&self) -> bool {
        !matches!(self.kind, ExpressionKind::Truth(_) | ExpressionKind::Text(_) | ExpressionKind::List(_))
    }

    pub(crate) fn is_boolean(&self) -> bool {
        matches!(
            self.kind,
            ExpressionKind::Truth(_)
                | ExpressionKind::And(_)
                | ExpressionKind::Or(_)
                | ExpressionKind::Not(_)
                | ExpressionKind::Equals(_)
                | ExpressionKind::Contains(_)
                | ExpressionKind::EachMemberEquals(_)
                | ExpressionKind::EachMemberIn(_)
        )
    }

    pub(crate) fn operands(&self) -> &[Expression] {
        match &self.kind {
            ExpressionKind::List(operands) | ExpressionKind::And(operands) | ExpressionKind::Or(operands) => operands,
            ExpressionKind::Not(operand) => std::slice::from_ref(operand),
            ExpressionKind::Equals(operands)
            | ExpressionKind::Contains(operands)
            | ExpressionKind::EachMemberEquals(operands)
            | ExpressionKind::EachMemberIn(operands) => operands.as_slice(),
            _ => &[],
        }
    }

    /// Calls `visit` with the expression and everything in it, outer before inner.
    pub(crate) fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expression)) {
        visit(self);
        for operand in self.operands() {
            operand.walk(visit);
        }
    }
}
