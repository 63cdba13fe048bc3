//! `Auth` of an API: authorizers, the default, API keys and the resource policy.

use super::authorizers;
use crate::context::{Context, Input};
use crate::make;
use crate::openapi::security::{self, IAM, KEY, NO_KEY};
use crate::openapi::{self, INTEGRATION, policy};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

const DEFINITIONS: &str = "securityDefinitions";
const NONE: &str = "NONE";
const KEYS: [&str; 9] = [
    "DefaultAuthorizer",
    "Authorizers",
    "InvokeRole",
    "AddDefaultAuthorizerToCorsPreflight",
    "AddApiKeyRequiredToCorsPreflight",
    "ApiKeyRequired",
    "ResourcePolicy",
    "UsagePlan",
    "OverrideApiAuth",
];

/// Adds what the API requires to the body.
pub(super) fn add(cx: &Context, input: &Input, body: &mut Map, permissions: &mut Vec<Resource>) -> Result<(), Refusal> {
    let Some(auth) = input.get("Auth") else { return Ok(()) };
    let Some(map) = auth.map() else { return Ok(()) };
    if let Some(unknown) = map.keys().find(|key| !KEYS.contains(key)) {
        let sentence = "Invalid value for 'Auth' property";
        return Err(Refusal::new(sentence).at(map.key(unknown)).about(unknown).among(KEYS));
    }
    check_methods(body)?;
    let found = authorizers::read(cx, input, map)?;
    let old = body.get(DEFINITIONS).and_then(Value::map);
    let mut definitions = old.cloned().unwrap_or_default();
    for authorizer in &found {
        definitions.set_with_key(&authorizer.name, authorizer.origin, authorizer.definition.clone());
    }
    let default = map.get_true("DefaultAuthorizer");
    let is_iam = default.and_then(Value::text) == Some(IAM);
    if is_iam {
        // The key of an event's definition stays.
        match definitions.get_mut(IAM) {
            Some(definition) => *definition = security::iam(),
            None => definitions.set_with_key(IAM, default.and_then(Value::origin), security::iam()),
        }
    }
    if let Some(default) = default.filter(|_| is_iam || !found.is_empty()) {
        set_default(map, body, default, &found)?;
    }
    if map.get("ApiKeyRequired").is_some_and(Value::is_true) {
        if !definitions.has(KEY) {
            definitions.note_merge(1);
        }
        definitions.set(KEY, security::key());
        require_key(map, body);
    }
    if let Some(authored) = map.get_true("ResourcePolicy") {
        let Some(own) = authored.map() else {
            let sentence = "ResourcePolicy must be a map (ResourcePolicyStatement).";
            return Err(Refusal::alone(sentence).at(authored.origin()));
        };
        let stage = input.properties.get("StageName").cloned().unwrap_or_default();
        policy::add(body, own, &stage)?;
    }
    for permission in found.iter().filter_map(|authorizer| authorizer.permission.clone()) {
        if !permission.id.chars().all(|c| c.is_ascii_alphanumeric()) {
            let refusal = Refusal::new("Logical ids must be alphanumeric.").at(permission.origin);
            return Err(refusal.of_resource(&permission.id));
        }
        permissions.push(permission);
    }
    if body.has(DEFINITIONS) || !definitions.is_empty() {
        body.set(DEFINITIONS, definitions);
    }
    Ok(())
}

/// Refuses methods that are not mappings.
fn check_methods(body: &Map) -> Result<(), Refusal> {
    let paths = body.get("paths").and_then(Value::map);
    for (path, item) in paths.into_iter().flat_map(Map::iter) {
        for (method, operation) in openapi::contents(item).into_iter().flat_map(Map::iter) {
            let is_method = METHODS.contains(&method.to_lowercase().as_str());
            if is_method && operation.map().is_none() {
                let sentence = format!("Definition of method '{method}' for path '{path}' should be a map.");
                return Err(Refusal::alone(sentence).at(operation.origin()));
            }
        }
    }
    Ok(())
}

/// Keys of a path that are methods.
const METHODS: [&str; 9] =
    ["get", "put", "post", "delete", "options", "head", "patch", "trace", "x-amazon-apigateway-any-method"];

/// Calls a function with each operation and the name of its method.
pub(crate) fn each_operation(body: &mut Map, change: &mut dyn FnMut(&str, &mut Map)) {
    let Some(paths) = body.get_mut("paths").and_then(Value::map_mut) else { return };
    for (_, path) in paths.iter_mut() {
        for item in openapi::contents_mut(path) {
            for (name, method) in item.iter_mut() {
                for operation in openapi::contents_mut(method) {
                    change(name, operation);
                }
            }
        }
    }
}

fn set_default(auth: &Map, body: &mut Map, default: &Value, found: &[authorizers::Authorizer]) -> Result<(), Refusal> {
    let Some(name) = default.text() else { return Ok(()) };
    let own = found.iter().find(|authorizer| authorizer.name == name);
    if own.is_none() && name != IAM {
        let sentence = format!("Unable to set DefaultAuthorizer because '{name}' was not defined in 'Authorizers'.");
        let names = found.iter().map(|authorizer| authorizer.name.as_str());
        return Err(Refusal::new(sentence).at(default.origin()).about(name).among(names));
    }
    let scopes = own.and_then(|own| own.scopes.clone()).unwrap_or_else(|| Vec::new().into());
    let with_options = auth.get("AddDefaultAuthorizerToCorsPreflight").is_none_or(Value::is_true);
    let is_known = |one: &str| one == NONE || one == IAM || found.iter().any(|authorizer| authorizer.name == one);
    each_operation(body, &mut |method, operation| {
        if (method == "options" && !with_options) || !operation.has(INTEGRATION) {
            return;
        }
        let security = operation.get("security").and_then(Value::list).unwrap_or_default();
        let names = security.iter().filter_map(Value::map).flat_map(Map::keys);
        if names.into_iter().any(is_known) {
            // Authorizers come last; another requirement takes the place of the word for none.
            let security = operation.get_mut("security").and_then(Value::list_mut);
            if let Some(security) = security.filter(|security| security.len() > 1) {
                security.retain(|one| one.get(NONE).is_none());
                security.sort_by_key(|one| one.map().is_some_and(|one| one.keys().any(is_known)));
            }
            return;
        }
        let mut requirement = Map::new();
        requirement.set_with_key(name, default.origin(), scopes.clone());
        operation.entry("security", Vec::new()).as_list().push(requirement.into());
    });
    Ok(())
}

fn require_key(auth: &Map, body: &mut Map) {
    let with_options = auth.get("AddApiKeyRequiredToCorsPreflight").is_none_or(Value::is_true);
    each_operation(body, &mut |method, operation| {
        if (method == "options" && !with_options) || !operation.has(INTEGRATION) {
            return;
        }
        let security = operation.get_mut("security").and_then(Value::list_mut);
        if let Some(security) = security {
            if security.iter().any(|one| one.get(NO_KEY).is_some()) {
                return;
            }
            security.retain(|one| one.get(KEY).is_none());
        }
        let requirement = make::map([(KEY, Vec::new().into())]);
        operation.entry("security", Vec::new()).as_list().push(requirement);
    });
}
