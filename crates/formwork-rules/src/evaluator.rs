//! Three-valued evaluation of expressions (reference/rules.md#comparison,
//! reference/rules.md#evaluation).

use std::cell::RefCell;
use std::rc::Rc;

use formwork_syntax::NodeId;

use super::account::single;
use super::environment::Environment;
use super::expression::{Expression, ExpressionKind};
use super::functions;
use super::reader::boolean;
use super::value::{Member, Reasons, Value, Verdict};

#[derive(Clone, Debug)]
pub(crate) enum Finding {
    /// The sentence about a value of the wrong kind.
    Error(NodeId, String),
    ListAgainstText(NodeId),
}

pub(crate) struct Evaluator<'e, 'f> {
    pub(crate) environment: &'f Environment<'e>,
    pub(crate) findings: RefCell<Vec<Finding>>,
}

impl<'e: 'f, 'f> Evaluator<'e, 'f> {
    pub(crate) fn new(environment: &'f Environment<'e>) -> Evaluator<'e, 'f> {
        Evaluator { environment, findings: RefCell::default() }
    }

    /// Returns `None` after an error.
    pub(crate) fn value(&self, expression: &'f Expression) -> Option<Value<'f>> {
        match &expression.kind {
            ExpressionKind::Truth(truth) => Some(Value::Truth(*truth)),
            ExpressionKind::Text(text) => Some(Value::Text(text)),
            ExpressionKind::List(members) => self.list(members),
            ExpressionKind::And(operands) => {
                functions::junction::evaluate(self, "Fn::And", operands, false).map(Value::from)
            }
            ExpressionKind::Or(operands) => {
                functions::junction::evaluate(self, "Fn::Or", operands, true).map(Value::from)
            }
            ExpressionKind::Not(operand) => functions::not::evaluate(self, operand).map(Value::from),
            ExpressionKind::Equals(operands) => {
                functions::equals::evaluate(self, expression, operands).map(Value::from)
            }
            ExpressionKind::Contains(operands) => functions::contains::evaluate(self, operands).map(Value::from),
            ExpressionKind::EachMemberEquals(operands) => {
                functions::each_member_equals::evaluate(self, operands).map(Value::from)
            }
            ExpressionKind::EachMemberIn(operands) => {
                functions::each_member_in::evaluate(self, operands).map(Value::from)
            }
            ExpressionKind::RefAll(kind) => Some(self.environment.account.all(kind)),
            ExpressionKind::ValueOf(parameter, attribute) => {
                Some(functions::value_of::evaluate(self.environment, *parameter, attribute))
            }
            ExpressionKind::ValueOfAll(kind, attribute) => {
                Some(functions::value_of_all::evaluate(self.environment, kind, attribute))
            }
            ExpressionKind::Ref(name) => Some(self.environment.get(*name)),
        }
    }

    /// Returns the value of an operand. `sentence` is the error for an element that is a list.
    pub(crate) fn value_for(&self, expression: &'f Expression, sentence: impl Fn() -> String) -> Option<Value<'f>> {
        let value = self.value(expression);
        if value.is_none() {
            for finding in self.findings.borrow_mut().iter_mut() {
                if let Finding::Error(_, text) = finding
                    && text.is_empty()
                {
                    *text = sentence();
                }
            }
        }
        value
    }

    fn list(&self, members: &'f [Expression]) -> Option<Value<'f>> {
        let mut found = Vec::with_capacity(members.len());
        for member in members {
            match self.value(member)? {
                Value::Text(text) => found.push(Member::Text(text)),
                Value::Truth(truth) => found.push(Member::Text(truth_text(truth))),
                Value::Absent => found.push(Member::Absent),
                Value::Unknown(reasons) => found.push(Member::Unknown(reasons)),
                Value::List(_) => {
                    // The caller reports the error.
                    self.error(member.node, String::new());
                    return None;
                }
            }
        }
        Some(Value::List(found.into()))
    }

    /// Returns the truth of an operand of a function, of `Assert` or of `RuleCondition`.
    pub(crate) fn verdict(&self, expression: &'f Expression, of: &str) -> Option<Verdict> {
        match self.value_for(expression, || boolean(of))? {
            Value::Truth(truth) => Some(Verdict::of(truth)),
            // Names return strings and lists, known or not.
            Value::Unknown(reasons) if expression.is_boolean() => Some(Verdict::Unknown(reasons)),
            _ => {
                self.error(expression.node, boolean(of));
                None
            }
        }
    }

    /// Returns the elements of a list; a single string of a function counts as a list of one.
    pub(crate) fn members(
        &self,
        expression: &'f Expression,
        function: &str,
        which: &str,
    ) -> Option<Result<Rc<[Member<'f>]>, Reasons>> {
        let sentence = || format!("Template error: {function} requires a list of strings as its {which} parameter");
        match self.value_for(expression, sentence)? {
            Value::List(members) => Some(Ok(members)),
            Value::Unknown(reasons) => Some(Err(reasons)),
            Value::Text(text) if expression.is_function() => Some(Ok(single(Member::Text(text)))),
            Value::Absent => Some(Ok(single(Member::Absent))),
            _ => {
                self.error(expression.node, sentence());
                None
            }
        }
    }

    /// Returns a string, which may be absent or unknown.
    pub(crate) fn member(&self, expression: &'f Expression, function: &str) -> Option<Member<'f>> {
        let sentence = || format!("Template error: {function} requires a string as its second parameter");
        match self.value_for(expression, sentence)? {
            Value::Text(text) => Some(Member::Text(text)),
            Value::Truth(truth) if !expression.is_function() => Some(Member::Text(truth_text(truth))),
            Value::Absent => Some(Member::Absent),
            Value::Unknown(reasons) => Some(Member::Unknown(reasons)),
            _ => {
                self.error(expression.node, sentence());
                None
            }
        }
    }

    pub(crate) fn error(&self, node: NodeId, sentence: String) {
        self.findings.borrow_mut().push(Finding::Error(node, sentence));
    }
}

pub(crate) fn truth_text(truth: bool) -> &'static str {
    if truth { "true" } else { "false" }
}
