//! Functions that the language always keeps: macros, unknown ones. Their arguments are computed
//! (reference/functions.md#residual).

use formwork_syntax::NodeId;

use crate::evaluator::Evaluator;
use crate::outcome::Outcome;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let outcome = ev.resolve(argument);
    if outcome == Outcome::Poison {
        return Outcome::Poison;
    }
    let argument = outcome.as_argument(argument);
    Outcome::Residual(ev.kept(call, argument))
}
