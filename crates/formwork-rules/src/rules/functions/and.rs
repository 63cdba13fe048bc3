//! `Fn::And`: of two to ten Booleans.

use formwork_syntax::NodeId;

use crate::rules::evaluator::Evaluator;
use crate::rules::expression::{Expression, ExpressionKind};
use crate::rules::reader::Reader;
use crate::rules::value::{Reasons, Verdict};

const NAME: &str = "Fn::And";

pub(crate) fn read(reader: &mut Reader<'_>, call: NodeId, argument: NodeId) -> Option<ExpressionKind> {
    let operands = reader.operands(argument).filter(|operands| (2..=10).contains(&operands.len()));
    let Some(operands) = operands else {
        return reader.layout(call, NAME, "requires a list of at least 2 and at most 10 boolean parameters");
    };
    reader.within_boolean(NAME, |reader| reader.expressions(&operands)).map(ExpressionKind::And)
}

/// Evaluates all operands, so that errors in any of them are reported.
pub(crate) fn evaluate<'e: 'f, 'f>(ev: &Evaluator<'e, 'f>, operands: &'f [Expression]) -> Option<Verdict> {
    let verdicts: Vec<Option<Verdict>> = operands.iter().map(|operand| ev.verdict(operand, NAME)).collect();
    let verdicts: Vec<Verdict> = verdicts.into_iter().collect::<Option<_>>()?;
    if verdicts.contains(&Verdict::False) {
        return Some(Verdict::False);
    }
    let mut unknown = Reasons::default();
    for verdict in &verdicts {
        if let Verdict::Unknown(reasons) = verdict {
            unknown.add(reasons);
        }
    }
    Some(Verdict::unless(unknown, true))
}
