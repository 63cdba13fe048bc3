//! `Fn::Base64`: the standard alphabet with padding, of UTF-8 (reference/functions.md#base64).

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use formwork_syntax::NodeId;
use formwork_syntax::function::Known;

use crate::evaluator::Evaluator;
use crate::outcome::Outcome;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let outcome = ev.resolve(argument);
    match outcome {
        Outcome::Known(text) | Outcome::Secret { value: text, .. } => {
            // A returned value counts by its string, as the value of a Number parameter does.
            let is_literal = text == argument && !ev.tree.is_generated(argument);
            let is_text = if is_literal { ev.tree.string(text).is_some() } else { ev.tree.is_scalar(text) };
            if !is_text {
                let diagnostic = ev.layout(call, Known::Base64, "Fn::Base64 takes a string");
                // A list or object may be the value of a branch that is never evaluated.
                let is_wrong = is_literal && ev.tree.is_scalar(text);
                return if is_wrong { ev.wrong(diagnostic) } else { ev.fail(call, diagnostic) };
            }
            let encoded = BASE64_STANDARD.encode(ev.tree.text_form(text));
            match (ev.text_in_place(&encoded, call), outcome) {
                (Outcome::Known(value), Outcome::Secret { kept, .. }) => {
                    Outcome::Secret { value, kept: ev.kept(call, kept) }
                }
                (made, _) => made,
            }
        }
        Outcome::Residual(text) => Outcome::Residual(ev.kept(call, text)),
        Outcome::Omit(_) => {
            let diagnostic = ev.layout(call, Known::Base64, "the string of Fn::Base64 is AWS::NoValue");
            ev.fail(call, diagnostic)
        }
        Outcome::Poison => Outcome::Poison,
    }
}
