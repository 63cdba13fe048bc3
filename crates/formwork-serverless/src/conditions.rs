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

/// Adds a condition for any of several under a name; without a section it adds nothing.
pub(crate) fn add_or(cx: &mut Context, name: &str, conditions: &[&str]) {
    if !cx.has_conditions {
        return;
    }
    let any =
        |conditions: &[&str]| make::call("Fn::Or", conditions.iter().map(|one| named(one)).collect::<Vec<Value>>());
    if conditions.len() <= MOST {
        cx.conditions.set(name, any(conditions));
        return;
    }
    let mut parts = Vec::new();
    for (number, part) in conditions.chunks(MOST).enumerate() {
        let part_name = format!("{name}{number}");
        match part {
            [one] => parts.push((*one).to_owned()),
            part => {
                cx.conditions.set(&part_name, any(part));
                parts.push(part_name);
            }
        }
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    cx.conditions.set(name, any(&parts));
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
