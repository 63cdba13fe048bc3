//! `AutoPublishAlias` of a state machine: a version and an alias.

use crate::context::Input;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::shown;
use crate::value::Value;

/// Compares the alias with the properties that need it.
pub(super) fn check(input: &Input) -> Result<(), Refusal> {
    if input.get("AutoPublishAlias").is_some() {
        return Ok(());
    }
    for name in ["UseAliasAsEventTarget", "DeploymentPreference"] {
        if let Some(value) = input.get(name) {
            let sentence = format!("'{name}' requires 'AutoPublishAlias' property to be specified.");
            return Err(Refusal::new(sentence).at(value.origin()));
        }
    }
    Ok(())
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
    let suffix = format!("Alias{}", shown::plain(alias));
    let mut resource = input.besides(&suffix, "AWS::StepFunctions::StateMachineAlias").from(alias.origin());
    if !suffix.chars().all(|c| c.is_ascii_alphanumeric()) {
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
