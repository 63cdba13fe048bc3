//! `AutoPublishAlias` of a state machine: a version and an alias.

use crate::context::Input;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::shown;
use crate::value::Value;

/// Compares a property that needs an alias with it.
pub(super) fn check(input: &Input, name: &str) -> Result<(), Refusal> {
    match input.get(name).filter(|_| input.get("AutoPublishAlias").is_none()) {
        Some(value) => {
            let sentence = format!("'{name}' requires 'AutoPublishAlias' property to be specified.");
            Err(Refusal::new(sentence).at(value.origin()))
        }
        None => Ok(()),
    }
}

/// Returns the ID of the alias.
pub(super) fn id(input: &Input, alias: &Value) -> String {
    format!("{}Alias{}", input.id, shown::plain(alias))
}

/// Adds the version and the alias.
pub(super) fn translate(input: &Input, made: &mut Vec<Resource>) -> Result<(), Refusal> {
    let Some(alias) = input.get("AutoPublishAlias") else { return Ok(()) };
    let mut version = input.besides("Version", "AWS::StepFunctions::StateMachineVersion").from(alias.origin());
    for policy in ["DeletionPolicy", "UpdateReplacePolicy"] {
        if !version.attributes.has(policy) {
            version.attributes.set(policy, "Retain");
        }
    }
    version.set("StateMachineArn", make::reference(&input.id));
    version.set("StateMachineRevisionId", make::get_att(&input.id, "StateMachineRevisionId"));
    let mut resource = input.besides("", "AWS::StepFunctions::StateMachineAlias").from(alias.origin());
    resource.id = id(input, alias);
    if !resource.id.chars().all(|c| c.is_ascii_alphanumeric()) {
        let refusal = Refusal::new("Logical ids must be alphanumeric.").at(alias.origin());
        return Err(refusal.of_resource(&resource.id));
    }
    resource.set("Name", alias.clone());
    let mut deployment = match input.get("DeploymentPreference") {
        Some(preference) => preference.clone(),
        None => make::map([("Type", "ALL_AT_ONCE".into())]),
    };
    let Some(members) = deployment.map_mut() else {
        let sentence = "'str' object does not support item assignment";
        return Err(Refusal::new(sentence).at(input.get("DeploymentPreference").and_then(Value::origin)));
    };
    members.set("StateMachineVersionArn", version.reference());
    resource.set("DeploymentPreference", deployment);
    made.extend([version, resource]);
    Ok(())
}
