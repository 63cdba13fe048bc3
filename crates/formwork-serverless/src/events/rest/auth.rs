//! `Auth` of an event: what a method requires.

use super::Route;
use crate::events::Event;
use crate::openapi;
use crate::parameters::Parameters;
use crate::refusal::Refusal;
use crate::shown;
use crate::value::{Map, Value};

/// The authorizer that is the caller's identity.
pub(crate) const IAM: &str = "AWS_IAM";
/// The requirement that marks a method without an API key.
pub(crate) const NO_KEY: &str = "api_key_false";
const NONE: &str = "NONE";
const KEY: &str = "api_key";

/// Returns the role with which API Gateway invokes the function.
pub(super) fn credentials(event: &Event<'_>, api: &Map, _partition: &str) -> Option<Value> {
    let own = event.get("Auth").and_then(Value::map);
    let authorizer = own.and_then(|own| own.get("Authorizer")).filter(|one| one.is_true());
    let is_default = api.get("DefaultAuthorizer").and_then(Value::text) == Some(IAM);
    let is_iam = match authorizer {
        Some(authorizer) => authorizer.text() == Some(IAM),
        None => is_default && own.is_none_or(Map::is_empty),
    };
    if !is_iam {
        return None;
    }
    let role = own.and_then(|own| own.get("InvokeRole")).or_else(|| api.get("InvokeRole"));
    match role.filter(|role| role.is_true()) {
        Some(role) if role.text() == Some(NONE) => None,
        Some(role) if role.text() != Some("CALLER_CREDENTIALS") => Some(role.clone()),
        _ => Some("arn:aws:iam::*:user/*".into()),
    }
}

/// Adds a requirement to a method.
pub(crate) fn require(operation: &mut Map, name: &Value, scopes: Value) {
    let mut requirement = Map::new();
    requirement.set_with_key(name.text().unwrap_or_default(), name.origin(), scopes);
    operation.entry("security", Vec::new()).as_list().push(requirement.into());
}

/// Adds what the event requires to its method.
pub(super) fn add(
    parameters: &Parameters,
    event: &Event<'_>,
    own: &mut Map,
    body: &mut Map,
    route: &Route<'_>,
    stage: Option<&Value>,
) -> Result<(), Refusal> {
    let Some(auth) = event.get("Auth").and_then(Value::map) else { return Ok(()) };
    if let Some(value) = own.get_mut("Auth").filter(|_| !auth.is_empty()) {
        *value = parameters.resolve(value)?;
    }
    let none = Map::new();
    let api = own.get("Auth").and_then(Value::map).unwrap_or(&none);
    if let Some(authorizer) = auth.get_true("Authorizer") {
        check(authorizer, api, route)?;
    }
    if let (Some(scopes), None) = (auth.get_true("AuthorizationScopes"), auth.get_true("Authorizer")) {
        let sentence = "AuthorizationScopes works only when Authorizer is set";
        return Err(Refusal::new(sentence).at(scopes.origin()));
    }
    let is_key_required = auth.get("ApiKeyRequired");
    if is_key_required.and_then(Value::truth) == Some(false) && !api.get("ApiKeyRequired").is_some_and(Value::is_true) {
        let sentence = format!(
            "Unable to set ApiKeyRequired [False] on API method [{}] for path [{}] because the related API does not specify any ApiKeyRequired.",
            route.shown, route.path
        );
        return Err(Refusal::new(sentence).at(is_key_required.and_then(Value::origin)));
    }
    for operation in openapi::methods_mut(body, route.path, route.method) {
        match is_key_required {
            Some(required) if required.is_true() => require(operation, &KEY.into(), Vec::new().into()),
            Some(required) if required.truth() == Some(false) => {
                require(operation, &NO_KEY.into(), Vec::new().into());
            }
            _ => {}
        }
        // A key takes the place of the word for no authorizer.
        let is_none = |one: &&Value| one.text() == Some(NONE) && is_key_required.is_some_and(Value::is_true);
        if let Some(authorizer) = auth.get_true("Authorizer").filter(|one| !is_none(one)) {
            let scopes = auth.get("AuthorizationScopes").filter(|scopes| scopes.is_true()).cloned();
            let scopes = scopes.or_else(|| {
                let declared = api.get("Authorizers")?.get(authorizer.text()?)?;
                declared.get("AuthorizationScopes").filter(|scopes| scopes.is_true()).cloned()
            });
            let scopes = scopes.unwrap_or_else(|| Vec::new().into());
            require(operation, authorizer, scopes.clone());
            // The translator adds it again.
            if auth.get("OverrideApiAuth").is_some_and(Value::is_true) {
                require(operation, authorizer, scopes);
            }
        }
    }
    if let Some(policy) = auth.get_true("ResourcePolicy").and_then(Value::map) {
        let stage = stage.cloned().unwrap_or_default();
        openapi::policy::add_for(body, policy, route.path, route.method, &stage);
    }
    Ok(())
}

/// Adds the definitions of the requirements that the method has.
pub(super) fn define(body: &mut Map, route: &Route<'_>) {
    let methods = openapi::methods(body, route.path, route.method);
    let requirements = methods.iter().filter_map(|one| one.get("security")?.list()).flatten();
    let names: Vec<&str> = requirements.filter_map(Value::map).flat_map(Map::keys).collect();
    let needed = openapi::security::of_events();
    let needed: Vec<(&str, Value)> = needed.into_iter().filter(|(name, _)| names.contains(name)).collect();
    if needed.is_empty() {
        return;
    }
    let definitions = body.entry("securityDefinitions", Map::new()).as_map();
    for (name, definition) in needed {
        if !definitions.has(name) {
            definitions.set(name, definition);
        }
    }
}

fn check(authorizer: &Value, api: &Map, route: &Route<'_>) -> Result<(), Refusal> {
    let Some(name) = authorizer.text() else { return Ok(()) };
    let of = format!("on API method [{}] for path [{}]", route.shown, route.path);
    let refuse = |sentence: String| Err(Refusal::new(sentence).at(authorizer.origin()).about(name));
    match name {
        IAM => Ok(()),
        NONE if api.get("DefaultAuthorizer").is_some_and(Value::is_true) => Ok(()),
        NONE => refuse(format!(
            "Unable to set Authorizer {of} because 'NONE' is only a valid value when a DefaultAuthorizer on the API is specified."
        )),
        _ => {
            let declared = api.get("Authorizers").filter(|all| all.is_true()).and_then(Value::map);
            let Some(declared) = declared else {
                return refuse(format!(
                    "Unable to set Authorizer [{}] {of} because the related API does not define any Authorizers.",
                    shown::plain(authorizer)
                ));
            };
            if declared.has(name) {
                return Ok(());
            }
            let sentence =
                format!("Unable to set Authorizer [{name}] {of} because it wasn't defined in the API's Authorizers.");
            refuse(sentence).map_err(|refusal| refusal.among(declared.keys()))
        }
    }
}
