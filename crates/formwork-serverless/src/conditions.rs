//! Conditions that are made of those of the template.

use crate::context::Context;
use crate::make;
use crate::refusal::Refusal;
use crate::value::{Map, Value};

/// Most conditions of one `Fn::Or`.
const MOST: usize = 10;

fn named(condition: &str) -> Value {
    make::map([("Condition", condition.into())])
}

/// Returns the section for additions.
fn section(cx: &mut Context) -> Result<&mut Map, Refusal> {
    if cx.has_conditions {
        return Ok(&mut cx.conditions);
    }
    Err(Refusal::of_template("'Conditions' section is required"))
}

/// Adds the negation of a condition under a name.
pub(crate) fn add_not(cx: &mut Context, name: &str, condition: &str) -> Result<(), Refusal> {
    section(cx)?.set(name, make::call("Fn::Not", make::list([named(condition)])));
    Ok(())
}

/// Adds a condition for both under a name. The names are mappings, as the translator writes them.
pub(crate) fn add_and(cx: &mut Context, name: &str, one: &str, other: &str) -> Result<(), Refusal> {
    let both = [one, other].map(|condition| make::map([("Condition", named(condition))]));
    section(cx)?.set(name, make::call("Fn::And", make::list(both)));
    Ok(())
}

/// Adds a condition for any of several under a name; without a section it adds nothing. Of more than ten, the last ten
/// become a condition of their own, with a number behind the name, until no more are left.
pub(crate) fn add_or(cx: &mut Context, name: &str, conditions: &[&str]) {
    if cx.has_conditions {
        add_any(&mut cx.conditions, name, conditions);
    }
}

/// Adds a condition for any of several to the section, as [`add_or`] does.
pub(crate) fn add_any(section: &mut Map, name: &str, conditions: &[&str]) {
    let mut left: Vec<String> = conditions.iter().map(|&one| one.to_owned()).collect();
    let mut number = left.len().saturating_sub(1).div_ceil(MOST - 1);
    while left.len() > 1 {
        number = number.saturating_sub(1);
        let own = if number == 0 { name.to_owned() } else { format!("{name}{number}") };
        let last = left.split_off(left.len().saturating_sub(MOST));
        let any: Vec<Value> = last.iter().map(|one| named(one)).collect();
        section.set(&own, make::call("Fn::Or", any));
        left.push(own);
    }
}

/// Returns a Boolean that may be a parameter or an entry of a mapping.
pub(crate) fn boolean(cx: &Context, value: &Value, name: &str) -> Result<bool, Refusal> {
    let resolved = cx.parameters.look_up(&cx.parameters.resolve(value)?);
    let refuse = |sentence: String| Err(Refusal::new(sentence).at(value.origin()));
    if resolved.is_call() {
        return refuse(format!(
            "Unsupported intrinsic: the only intrinsic functions supported for property {name} are FindInMap and parameter Refs."
        ));
    }
    match (resolved.truth(), resolved.text()) {
        (Some(truth), _) => Ok(truth),
        (None, Some("true" | "True")) => Ok(true),
        (None, Some("false" | "False")) => Ok(false),
        _ => refuse(format!("Invalid value for property {name}.")),
    }
}
