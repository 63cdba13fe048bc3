//! `AWS::Serverless::Function`.

mod alias;
mod capacity;
mod code;
mod deployment;
mod event_invoke;
mod lambda;
mod role;
mod url;

pub(crate) use deployment::translate_shared;

use crate::context::{Context, Input, Translated};
use crate::events::{self, Target};
use crate::refusal::Refusal;
use crate::{make, tags};

/// Translates a function.
pub(crate) fn translate(cx: &mut Context, input: &Input) -> Translated {
    events::check(input)?;
    let mut function = lambda::translate(cx, input)?;
    let mut besides = Vec::new();
    if let Some(config) = input.get("ProvisionedConcurrencyConfig").filter(|_| input.get("AutoPublishAlias").is_none())
    {
        let sentence = "To set ProvisionedConcurrencyConfig AutoPublishALias must be defined on the function";
        return Err(Refusal::new(sentence).at(config.origin()));
    }
    let alias = alias::translate(cx, input, &mut function, &mut besides)?;
    let alias_id = alias.as_ref().map(|alias| alias.id.clone());
    let target = alias_id.as_deref().unwrap_or(&input.id);
    let mut urls = Vec::new();
    url::translate(input, target, &mut urls)?;
    let update = deployment::add(cx, input, alias.is_some())?;
    let alias_name = alias.as_ref().and_then(|alias| alias.properties.get("Name")?.text().map(str::to_owned));
    if let Some(mut alias) = alias {
        alias.attributes.set_some("UpdatePolicy", update);
        besides.push(alias);
    }
    besides.append(&mut urls);
    let alias = alias_id.as_deref().zip(alias_name.as_deref());
    let policies = event_invoke::translate(cx, input, alias, &mut besides)?;
    let role = role::translate(cx, input, &mut function, policies)?;
    let target = Target {
        name: make::reference(target),
        arn: alias_id.as_deref().map_or_else(|| function.get_att("Arn"), make::reference),
    };
    let (mut role, condition) = role.unzip();
    let events = events::of_function(cx, input, &target, role.as_mut())?;
    if let Some(role) = role {
        let mut role = role.into_resource(input, tags::behind_creator(input, tags::OF_FUNCTIONS));
        role.attributes.set_some("Condition", condition.flatten());
        besides.push(role);
    } else {
        role::check(cx, input)?;
    }
    besides.extend(events);
    besides.insert(0, function);
    tags::propagate(input, &mut besides);
    Ok(besides)
}
