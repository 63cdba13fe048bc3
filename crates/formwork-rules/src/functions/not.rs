//! `Fn::Not`: of one Boolean.

use formwork_syntax::NodeId;

use crate::evaluator::Evaluator;
use crate::expression::{Expression, ExpressionKind};
use crate::reader::Reader;
use crate::value::Verdict;

const NAME: &str = "Fn::Not";

pub(crate) fn read(reader: &mut Reader<'_>, call: NodeId, argument: NodeId) -> Option<ExpressionKind> {
    let Some(&[operand]) = reader.operands(argument).as_deref() else {
        return reader.layout(call, NAME, "requires one boolean parameter");
    };
    let operand = reader.within_boolean(NAME, |reader| reader.expression(operand));
    operand.map(|operand| ExpressionKind::Not(Box::new(operand)))
}

pub(crate) fn evaluate<'e: 'f, 'f>(ev: &Evaluator<'e, 'f>, operand: &'f Expression) -> Option<Verdict> {
    ev.verdict(operand, NAME).map(|verdict| match verdict {
        Verdict::True => Verdict::False,
        Verdict::False => Verdict::True,
        unknown @ Verdict::Unknown(_) => unknown,
    })
}
