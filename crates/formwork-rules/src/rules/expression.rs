//! Expressions of the Rules section, read once and evaluated often.

use formwork_syntax::{NodeId, Symbol};

use super::attribute::Attribute;

/// An expression and its place.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) node: NodeId,
    pub(crate) kind: ExpressionKind,
}

/// What an expression is (reference/rules.md#functions).
#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    /// A literal Boolean.
    Truth(bool),
    /// A literal string or number, as a string.
    Text(String),
    /// A literal list.
    List(Vec<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not(Box<Expression>),
    Equals(Box<[Expression; 2]>),
    Contains(Box<[Expression; 2]>),
    EachMemberEquals(Box<[Expression; 2]>),
    EachMemberIn(Box<[Expression; 2]>),
    /// All values of a type.
    RefAll(String),
    /// An attribute of what a parameter names.
    ValueOf(Symbol, Attribute),
    /// An attribute of all values of a type.
    ValueOfAll(String, Attribute),
    /// A parameter or pseudo parameter.
    Ref(Symbol),
}

impl Expression {
    /// Whether a function returns it: then a single string counts as a list of one.
    pub(crate) fn is_function(&self) -> bool {
        !matches!(self.kind, ExpressionKind::Truth(_) | ExpressionKind::Text(_) | ExpressionKind::List(_))
    }

    /// Whether it returns a Boolean.
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

    /// The expressions directly in it.
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

    /// Calls `visit` with it and everything in it, outer before inner.
    pub(crate) fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expression)) {
        visit(self);
        for operand in self.operands() {
            operand.walk(visit);
        }
    }
}
