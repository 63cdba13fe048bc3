//! `Fn::Equals`: two values of any kind, compared as strings; lists element by element in order.

use formwork_syntax::NodeId;

use crate::evaluator::{Evaluator, Finding, truth_text};
use crate::expression::{Expression, ExpressionKind};
use crate::reader::Reader;
use crate::value::{Member, Reasons, Value, Verdict};

const NAME: &str = "Fn::Equals";
const REQUIRES: &str = "requires a list of 2 parameters";

pub(crate) fn read(reader: &mut Reader<'_>, call: NodeId, argument: NodeId) -> Option<ExpressionKind> {
    reader.pair(call, argument, NAME, REQUIRES).map(ExpressionKind::Equals)
}

pub(crate) fn evaluate<'e: 'f, 'f>(
    ev: &Evaluator<'e, 'f>,
    call: &'f Expression,
    [left, right]: &'f [Expression; 2],
) -> Option<Verdict> {
    let sentence = || format!("Template error: every {NAME} object {REQUIRES}.");
    let (left, right) = (ev.value_for(left, sentence), ev.value_for(right, sentence));
    let (left, right) = (left?, right?);
    Some(match (&left, &right) {
        (Value::Unknown(left), Value::Unknown(right)) => {
            let mut reasons = left.clone();
            reasons.add(right);
            Verdict::Unknown(reasons)
        }
        // An absent value equals nothing.
        (Value::Absent, _) | (_, Value::Absent) => Verdict::False,
        (Value::Unknown(reasons), _) | (_, Value::Unknown(reasons)) => Verdict::Unknown(reasons.clone()),
        (Value::List(left), Value::List(right)) => same_members(left, right),
        (Value::List(_), _) | (_, Value::List(_)) => {
            ev.findings.borrow_mut().push(Finding::ListAgainstText(call.node));
            Verdict::False
        }
        (left, right) => Verdict::of(text(left) == text(right)),
    })
}

fn text<'v>(value: &Value<'v>) -> Option<&'v str> {
    match value {
        Value::Text(text) => Some(text),
        Value::Truth(truth) => Some(truth_text(*truth)),
        _ => None,
    }
}

fn same_members(left: &[Member<'_>], right: &[Member<'_>]) -> Verdict {
    if left.len() != right.len() {
        return Verdict::False;
    }
    let mut unknown = Reasons::default();
    for pair in left.iter().zip(right) {
        match pair {
            (Member::Text(left), Member::Text(right)) if left == right => {}
            (Member::Unknown(left), Member::Unknown(right)) => {
                unknown.add(left);
                unknown.add(right);
            }
            (Member::Unknown(reasons), Member::Text(_)) | (Member::Text(_), Member::Unknown(reasons)) => {
                unknown.add(reasons);
            }
            _ => return Verdict::False,
        }
    }
    Verdict::unless(unknown, true)
}
