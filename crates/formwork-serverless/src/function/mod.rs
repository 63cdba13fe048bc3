//! `AWS::Serverless::Function`.

mod alias;
mod code;
mod lambda;
mod role;

use crate::context::{Context, Input, Translated};
use crate::events::{self, Target};
use crate::{make, tags};

/// The tag of everything that a function becomes.
const CREATOR: &str = "lambda:createdBy";

/// Translates a function.
pub(crate) fn translate(cx: &mut Context, input: &Input) -> Translated {
    let mut function = lambda::translate(cx, input)?;
    let mut besides = Vec::new();
    let alias = alias::translate(cx, input, &mut function, &mut besides)?;
    let mut role = None;
    if !function.properties.has("Role") {
        let made = role::translate(cx, input)?;
        function.set("Role", make::get_att(&format!("{}Role", input.id), "Arn"));
        role = Some(made);
    }
    let target = Target {
        name: make::reference(alias.as_deref().unwrap_or(&input.id)),
        arn: alias.as_deref().map_or_else(|| function.get_att("Arn"), make::reference),
    };
    let events = events::of_function(cx, input, &target, role.as_mut())?;
    if let Some(role) = role {
        besides.push(role.into_resource(input, CREATOR)?);
    }
    besides.extend(events);
    besides.insert(0, function);
    tags::propagate(input, &mut besides);
    Ok(besides)
}
