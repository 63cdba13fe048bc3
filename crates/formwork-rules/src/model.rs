//! The model of rules.

use formwork_base::{FileId, Span};
use formwork_syntax::{NodeId, Tree};
use formwork_template::PseudoParameter;

use super::expression::{Expression, ExpressionKind};

/// The rules of a template and of its constraint documents, in the order in which they are evaluated
/// (reference/rules.md#structure, reference/rules.md#evaluation, reference/rules.md#constraints).
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    pub(crate) rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) key: NodeId,
    /// The template or a constraint document.
    pub(crate) file: FileId,
    pub(crate) condition: Option<Expression>,
    pub(crate) assertions: Vec<Assertion>,
}

#[derive(Clone, Debug)]
pub(crate) struct Assertion {
    pub(crate) assert: Expression,
    pub(crate) description: Option<String>,
    /// Place of the value of `Assert`.
    pub(crate) span: Span,
}

impl RuleSet {
    /// Returns the names of the rules, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|rule| rule.name.as_str())
    }

    /// Returns the AWS-specific types of which the rules use all values.
    pub fn listed_types(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for expression in self.rules.iter().flat_map(Rule::expressions) {
            expression.walk(&mut |expression| {
                if let ExpressionKind::RefAll(kind) | ExpressionKind::ValueOfAll(kind, _) = &expression.kind
                    && !found.contains(&kind.as_str())
                {
                    found.push(kind);
                }
            });
        }
        found
    }

    /// Returns `true` if a rule refers to a pseudo parameter.
    pub fn refers_to(&self, tree: &Tree, pseudo: PseudoParameter) -> bool {
        let mut found = false;
        for expression in self.rules.iter().flat_map(Rule::expressions) {
            expression.walk(&mut |expression| {
                found |= matches!(&expression.kind, ExpressionKind::Ref(name) if tree.name(*name) == pseudo.name());
            });
        }
        found
    }

    /// Returns `true` for an empty set of rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

impl Rule {
    /// Returns the condition of the rule, if it has one, and its assertions.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.condition.iter().chain(self.assertions.iter().map(|assertion| &assertion.assert))
    }

    /// Returns the number of expressions to evaluate.
    pub(crate) fn size(&self) -> usize {
        let mut count = 0;
        self.expressions().for_each(|expression| expression.walk(&mut |_| count += 1));
        count
    }
}
