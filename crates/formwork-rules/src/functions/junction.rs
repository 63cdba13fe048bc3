//! `Fn::And` and `Fn::Or`: of two to ten Booleans.

use formwork_syntax::NodeId;

use crate::evaluator::Evaluator;
use crate::expression::{Expression, ExpressionKind};
use crate::reader::Reader;
use crate::value::{Reasons, Verdict};

pub(crate) fn read(
    reader: &mut Reader<'_>,
    call: NodeId,
    argument: NodeId,
    (name, kind): (&str, fn(Vec<Expression>) -> ExpressionKind),
) -> Option<ExpressionKind> {
    let operands = reader.operands(argument).filter(|operands| (2..=10).contains(&operands.len()));
    let Some(operands) = operands else {
        return reader.layout(call, name, "requires a list of at least 2 and at most 10 boolean parameters");
    };
    reader.within_boolean(name, |reader| reader.expressions(&operands)).map(kind)
}

/// Evaluates all operands, so that errors in any of them are reported. One that is `decisive` decides: `false` for
/// `Fn::And`, `true` for `Fn::Or`.
pub(crate) fn evaluate<'e: 'f, 'f>(
    ev: &Evaluator<'e, 'f>,
    name: &str,
    operands: &'f [Expression],
    decisive: bool,
) -> Option<Verdict> {
    let verdicts: Vec<Option<Verdict>> = operands.iter().map(|operand| ev.verdict(operand, name)).collect();
    let verdicts: Vec<Verdict> = verdicts.into_iter().collect::<Option<_>>()?;
    let decision = if decisive { Verdict::True } else { Verdict::False };
    if verdicts.contains(&decision) {
        return Some(decision);
    }
    let mut unknown = Reasons::default();
    for verdict in &verdicts {
        if let Verdict::Unknown(reasons) = verdict {
            unknown.add(reasons);
        }
    }
    Some(Verdict::unless(unknown, !decisive))
}
