//! `Fn::Select`: zero-based; of a literal list only the selected item needs to be known
//! (reference/functions.md#select).

use formwork_base::codes;
use formwork_base::display::MASK;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId};

use crate::evaluator::Evaluator;
use crate::functions::length::may_be_no_value;
use crate::outcome::Outcome;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let &[index, list] = ev.tree.items(argument) else {
        let diagnostic = ev.layout(call, Known::Select, "Fn::Select takes an index and a list");
        return ev.wrong(diagnostic);
    };
    if !matches!(ev.tree.kind(list), Kind::List | Kind::Call) {
        let diagnostic = ev.layout(call, Known::Select, "the second argument of Fn::Select is not a list");
        return ev.wrong(diagnostic);
    }
    let index_outcome = ev.resolve(index);
    let position = match position(ev, call, index, index_outcome) {
        Ok(position) => position,
        Err(outcome) => return outcome,
    };
    match position {
        Some(position) if ev.tree.kind(list) == Kind::List => {
            from_elements(ev, call, argument, index_outcome, position, list)
        }
        Some(position) => from_call(ev, call, argument, index_outcome, position, list),
        None => {
            let outcome = ev.resolve(list);
            if outcome == Outcome::Poison {
                return Outcome::Poison;
            }
            Outcome::Residual(rebuilt(ev, call, argument, index_outcome, outcome))
        }
    }
}

/// Returns the index; `None` when it is not known. After a reported error, `Err` is the outcome of the call.
fn position(ev: &mut Evaluator<'_>, call: NodeId, index: NodeId, outcome: Outcome) -> Result<Option<i64>, Outcome> {
    match outcome {
        Outcome::Known(value) | Outcome::Secret { value, .. } => {
            if let Some(position) = integer(ev, value) {
                return Ok(Some(position));
            }
            let what = format!("the index is {}, not a whole number", ev.shown(outcome));
            let diagnostic = ev.layout(call, Known::Select, &what);
            let is_computed = ev.tree.kind(index) == Kind::Call;
            Err(if is_computed { ev.fail(call, diagnostic) } else { ev.wrong(diagnostic) })
        }
        Outcome::Residual(_) => Ok(None),
        Outcome::Omit(_) => {
            let diagnostic = ev.layout(call, Known::Select, "the index is AWS::NoValue");
            Err(ev.fail(call, diagnostic))
        }
        Outcome::Poison => Err(Outcome::Poison),
    }
}

fn from_call(
    ev: &mut Evaluator<'_>,
    call: NodeId,
    argument: NodeId,
    index: Outcome,
    position: i64,
    list: NodeId,
) -> Outcome {
    let outcome = ev.resolve(list);
    match outcome {
        Outcome::Known(items) | Outcome::Secret { value: items, .. } => {
            if ev.tree.kind(items) != Kind::List {
                let diagnostic = ev.layout(call, Known::Select, "the function in Fn::Select does not return a list");
                return ev.fail(call, diagnostic);
            }
            let item = usize::try_from(position).ok().and_then(|at| ev.tree.items(items).get(at).copied());
            let Some(item) = item else {
                let kept = rebuilt(ev, call, argument, index, outcome);
                return out_of_range(ev, call, kept, position, ev.tree.len(items), index.is_secret());
            };
            if index.is_secret() || outcome.is_secret() {
                return Outcome::Secret { value: item, kept: rebuilt(ev, call, argument, index, outcome) };
            }
            Outcome::Known(ev.value_in_place(item, call))
        }
        // A list of which only some elements are known.
        Outcome::Residual(elements) if ev.tree.kind(elements) == Kind::List => {
            from_elements(ev, call, argument, index, position, elements)
        }
        Outcome::Residual(_) => Outcome::Residual(rebuilt(ev, call, argument, index, outcome)),
        Outcome::Omit(_) => {
            let diagnostic = ev.layout(call, Known::Select, "the list of Fn::Select is AWS::NoValue");
            ev.fail(call, diagnostic)
        }
        Outcome::Poison => Outcome::Poison,
    }
}

/// Parses an index: digits alone, as a number or as a string. A negative one is out of range.
fn integer(ev: &Evaluator<'_>, value: NodeId) -> Option<i64> {
    if !matches!(ev.tree.kind(value), Kind::Number | Kind::String) {
        return None;
    }
    let text = ev.tree.text(value);
    let digits = text.strip_prefix('-').filter(|digits| !digits.bytes().all(|digit| digit == b'0')).unwrap_or(text);
    let is_index = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if is_index { text.parse().ok() } else { None }
}

/// Selects from a list whose elements are known as nodes: a written one, or one that another call returned. Elements
/// before the index are evaluated only to find out whether they are `AWS::NoValue`.
fn from_elements(
    ev: &mut Evaluator<'_>,
    call: NodeId,
    argument: NodeId,
    index: Outcome,
    position: i64,
    list: NodeId,
) -> Outcome {
    let items = ev.tree.items(list).to_vec();
    let is_computed = ev.tree.kind(ev.tree.authored(list)) == Kind::Call;
    let mut left = position;
    // A null and an `AWS::NoValue` do not count.
    let mut length = 0;
    let mut resolved = vec![None; items.len()];
    for (at, &item) in items.iter().enumerate() {
        if ev.is_dropped_null(item) {
            continue;
        }
        let is_target = left == 0;
        let outcome =
            if is_target || ev.tree.kind(item) == Kind::Call { ev.resolve(item) } else { Outcome::Known(item) };
        resolved[at] = (is_target || ev.tree.kind(item) == Kind::Call).then_some(outcome);
        match outcome {
            Outcome::Omit(_) => {}
            Outcome::Residual(node) if left >= 0 && may_be_no_value(ev, node) => {
                let outcome = ev.resolve_rest(list, &resolved);
                return Outcome::Residual(rebuilt(ev, call, argument, index, outcome));
            }
            Outcome::Poison if is_target => return Outcome::Poison,
            outcome if is_target => {
                for &unused in &items[at + 1..] {
                    ev.look_at_unused(unused);
                }
                return match outcome {
                    // The list was computed before: the item is the call's own value.
                    Outcome::Known(value) if !index.is_secret() && is_computed => {
                        Outcome::Known(ev.value_in_place(value, call))
                    }
                    _ if index.is_secret() => {
                        let value = outcome.value().unwrap_or(item);
                        Outcome::Secret { value, kept: rebuilt(ev, call, argument, index, Outcome::Known(list)) }
                    }
                    outcome => outcome,
                };
            }
            _ => (left, length) = (left - 1, length + 1),
        }
    }
    ev.mode.silent += 1;
    let whole = ev.resolve_rest(list, &resolved);
    ev.mode.silent -= 1;
    let kept = rebuilt(ev, call, argument, index, whole);
    out_of_range(ev, call, kept, position, length, index.is_secret())
}

fn out_of_range(
    ev: &mut Evaluator<'_>,
    call: NodeId,
    kept: NodeId,
    position: i64,
    length: usize,
    secret: bool,
) -> Outcome {
    let shown = if secret { MASK.to_owned() } else { position.to_string() };
    let items = if length == 1 { "item" } else { "items" };
    let what = format!("the index is {shown} and the list has {length} {items}");
    let sentence = if ev.settings.language_extensions {
        format!("Fn::Select cannot select nonexistent value at index {shown}")
    } else {
        "Template error: Fn::Select requires a list argument with two elements: an integer index and a list".to_owned()
    };
    let diagnostic =
        ev.sentence(codes::SELECT_RANGE, call, &what, &sentence).note("the index of the first element is 0");
    let diagnostic = match length {
        0 => diagnostic,
        length => diagnostic.help(format!("write an index from 0 to {}, or add elements to the list", length - 1)),
    };
    ev.fail_as(call, kept, diagnostic)
}

fn rebuilt(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId, index: Outcome, list: Outcome) -> NodeId {
    let arguments = ev.argument_list(argument, &[index, list]);
    ev.kept(call, arguments)
}
