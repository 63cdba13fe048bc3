//! `Auth` of an event: what a method requires.

use super::Route;
use crate::events::Event;
use crate::events::event::Owner;
use crate::hash;
use crate::openapi;
use crate::parameters::Parameters;
use crate::refusal::Refusal;
use crate::value::{Map, Value};

/// The authorizer that is the caller's identity.
pub(crate) const IAM: &str = "AWS_IAM";
/// The requirement that marks a method without an API key.
pub(crate) const NO_KEY: &str = "api_key_false";
const NONE: &str = "NONE";
const KEY: &str = "api_key";

/// Returns the role with which API Gateway invokes the function.
pub(super) fn credentials(event: &Event<'_>, api: &Map, partition: &str) -> Option<Value> {
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
    match role {
        Some(role) if !role.is_true() || role.text() == Some(NONE) => None,
        Some(role) if role.text() != Some("CALLER_CREDENTIALS") => Some(role.clone()),
        _ => Some(format!("arn:{partition}:iam::*:user/*").into()),
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
    check_kinds(auth)?;
    if let (Some(scopes), None) = (auth.get_true("AuthorizationScopes"), auth.get_true("Authorizer")) {
        let sentence = "AuthorizationScopes works only when Authorizer is set";
        return Err(Refusal::new(sentence).at(scopes.origin()));
    }
    let is_key_required = auth.get("ApiKeyRequired");
    let is_refused = is_key_required.is_some_and(|required| !required.is_null() && !required.is_true());
    if is_refused && !api.get("ApiKeyRequired").is_some_and(Value::is_true) {
        let sentence = format!(
            "Unable to set ApiKeyRequired [False] on API method [{}] for path [{}] because the related API does not specify any ApiKeyRequired.",
            route.shown, route.path
        );
        return Err(Refusal::new(sentence).at(is_key_required.and_then(Value::origin)));
    }
    let is_required = is_key_required.is_some_and(Value::is_true);
    let overrides = event.target.owner == Owner::Function && auth.get_true("OverrideApiAuth").is_some();
    let times = if overrides { 2 } else { 1 };
    for operation in openapi::methods_mut(body, route.path, route.method) {
        // The translator adds all again when it replaces those of the API.
        for _ in 0..times {
            if let Some(authorizer) = auth.get_true("Authorizer") {
                require(operation, authorizer, scopes(auth, api, authorizer));
            }
            if is_required || is_refused {
                let name = if is_required { KEY } else { NO_KEY };
                require(operation, &name.into(), Vec::new().into());
            }
        }
    }
    if let Some(policy) = auth.get_true("ResourcePolicy") {
        let Some(policy) = policy.map() else {
            let sentence = "Property 'Auth.ResourcePolicy' should be a map.";
            return Err(Refusal::new(sentence).at(policy.origin()).of_resource(event.name));
        };
        let stage = stage.cloned().unwrap_or_default();
        for _ in 0..times {
            openapi::policy::add_for(body, policy, route.path, &stage)?;
        }
    }
    Ok(())
}

/// Returns the scopes of an authorizer of an event.
fn scopes(auth: &Map, api: &Map, authorizer: &Value) -> Value {
    let declared = || {
        let declared = api.get("Authorizers")?.get(authorizer.text()?)?;
        declared.get_true("AuthorizationScopes").cloned()
    };
    let is_built_in = [IAM, NONE].contains(&authorizer.text().unwrap_or_default());
    let own = auth.get_true("AuthorizationScopes").cloned();
    own.or_else(declared).filter(|_| !is_built_in).unwrap_or_else(|| Vec::new().into())
}

/// Compares the kinds of values with what the translator expects.
fn check_kinds(auth: &Map) -> Result<(), Refusal> {
    let is_wrong = |value: &&Value| value.is_true() && value.list().is_none();
    if let Some(scopes) = auth.get("AuthorizationScopes").filter(is_wrong) {
        let sentence = "Property 'Auth.AuthorizationScopes' should be a list.";
        return Err(Refusal::new(sentence).at(scopes.origin()));
    }
    Ok(())
}

/// Refuses the replacement of the API's requirements by none.
pub(super) fn check_override(event: &Event<'_>) -> Result<(), Refusal> {
    let Some(auth) = event.get("Auth").and_then(Value::map) else { return Ok(()) };
    let is_set = |name: &str| auth.get(name).is_some_and(Value::is_true);
    let overrides =
        auth.get("OverrideApiAuth").filter(|value| value.is_true() && event.target.owner == Owner::Function);
    if let Some(overrides) = overrides
        && !["Authorizer", "ApiKeyRequired", "ResourcePolicy"].into_iter().any(is_set)
    {
        let sentence =
            "Must define one of: Authorizer, ApiKeyRequired or ResourcePolicy when using the OverrideApiAuth property.";
        return Err(Refusal::new(sentence).at(overrides.origin()));
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
            definitions.note_merge(1);
            definitions.set(name, definition);
        }
    }
}

fn check(authorizer: &Value, api: &Map, route: &Route<'_>) -> Result<(), Refusal> {
    let shown = hash::python_str(&authorizer.into());
    let name = shown.as_str();
    let of = format!("on API method [{}] for path [{}]", route.shown, route.path);
    let refuse = |sentence: String| Err(Refusal::new(sentence).at(authorizer.origin()).about(name));
    match name {
        IAM => Ok(()),
        NONE if api.get("DefaultAuthorizer").is_some_and(Value::is_true) => Ok(()),
        NONE => refuse(format!(
            "Unable to set Authorizer {of} because 'NONE' is only a valid value when a DefaultAuthorizer on the API is specified."
        )),
        _ => {
            let declared = api.get_true("Authorizers");
            if declared.is_some_and(|all| all.map().is_none()) {
                return Ok(());
            }
            let Some(declared) = declared.and_then(Value::map) else {
                return refuse(format!(
                    "Unable to set Authorizer [{name}] {of} because the related API does not define any Authorizers."
                ));
            };
            if authorizer.text().is_none() {
                return refuse(format!(
                    "Unable to set Authorizer [{name}] {of}. The method authorizer must be a string with a corresponding dict entry in the api authorizer."
                ));
            }
            if declared.has(name) {
                return Ok(());
            }
            let sentence =
                format!("Unable to set Authorizer [{name}] {of} because it wasn't defined in the API's Authorizers.");
            refuse(sentence).map_err(|refusal| refusal.among(declared.keys()))
        }
    }
}
