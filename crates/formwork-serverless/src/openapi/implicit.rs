//! Implicit APIs: events without an API get one, and its paths.

use std::collections::BTreeMap;

use formwork_syntax::NodeId;
use indexmap::IndexMap;

use super::{Flavor, HTTP, MANAGED, REST, method_key, named};
use crate::make;
use crate::refusal::Refusal;
use crate::value::{Map, Value};

/// Types with events.
const OWNERS: [&str; 2] = ["AWS::Serverless::Function", "AWS::Serverless::StateMachine"];

/// The owners of the events of an API.
#[derive(Default)]
struct Users {
    /// Conditions of the owners; none of one without.
    conditions: Vec<Option<Value>>,
    /// Conditions of the owners by path.
    by_path: IndexMap<String, Vec<Option<Value>>>,
    deletion: Vec<Option<String>>,
    replacement: Vec<Option<String>>,
    /// Tags of owners that propagate them.
    tags: Option<Map>,
}

/// The most events of APIs in a template. Each has a permission or a role of its own, and a stack has at most 500
/// resources; the digests of an API take the square of their number.
const MOST_ROUTES: usize = 5_000;

/// Refuses a template with too many events of APIs.
pub(crate) fn check_routes(resources: &Map) -> Result<(), Refusal> {
    let owners = resources.iter().filter(|(_, resource)| is_owner(resource));
    let events = owners.filter_map(|(_, owner)| owner.get("Properties")?.get("Events")?.map());
    let kinds = events.flat_map(Map::iter).filter_map(|(_, event)| event.get("Type")?.text());
    let count = kinds.filter(|kind| [REST.event, HTTP.event].contains(kind)).count();
    if count <= MOST_ROUTES {
        return Ok(());
    }
    Err(Refusal::limit(format!("the template has {count} events of APIs, more than the limit of {MOST_ROUTES}")))
}

/// Adds the implicit APIs to the resources, the paths of events to the bodies that the transform makes, and the
/// conditions that both need.
pub(crate) fn add(resources: &mut Map, conditions: &mut Option<Map>) -> Result<(), Vec<(String, Refusal)>> {
    let has_rest = resources.iter().any(|(_, resource)| is_of(resource, &REST));
    resources.history_from(0).is_plain = !has_rest;
    for (_, owner) in resources.iter_mut().filter(|(_, owner)| is_owner(owner)) {
        if let Some(events) = events_of(owner) {
            events.history_from(0).is_plain = !has_rest;
        }
    }
    for flavor in [&REST, &HTTP] {
        add_bodies(resources, flavor);
    }
    for flavor in [&REST, &HTTP] {
        add_api(resources, conditions, flavor)?;
    }
    Ok(())
}

/// Returns `true` for an API, and for an owner of an event of one.
fn is_of(resource: &Value, flavor: &Flavor) -> bool {
    let kind = resource.get("Type").and_then(Value::text);
    let events = resource.get("Properties").and_then(|own| own.get("Events")).and_then(Value::map);
    let mut events = events.filter(|_| is_owner(resource)).into_iter().flat_map(Map::iter);
    kind == Some(flavor.kind) || events.any(|(_, event)| event.get("Type").and_then(Value::text) == Some(flavor.event))
}

/// Returns the events of an owner for changes.
fn events_of(owner: &mut Value) -> Option<&mut Map> {
    owner.stamped("Properties")?.stamped("Events")?.map_for_history()
}

/// Sets a body in every API that has none.
fn add_bodies(resources: &mut Map, flavor: &Flavor) {
    for (_, resource) in resources.iter_mut() {
        let is_it = resource.get("Type").and_then(Value::text) == Some(flavor.kind);
        let properties = resource.get("Properties");
        let is_set = |name: &str| properties.and_then(|own| own.get(name)).is_some_and(Value::is_true);
        let is_wrong = properties.is_some_and(|own| own.map().is_none());
        if !is_it || is_wrong || is_set("DefinitionBody") || is_set("DefinitionUri") {
            continue;
        }
        let own = resource.as_map().entry("Properties", Map::new()).as_map();
        own.set("DefinitionBody", flavor.new_body());
        own.set(MANAGED, true);
    }
}

fn add_api(resources: &mut Map, conditions: &mut Option<Map>, flavor: &Flavor) -> Result<(), Vec<(String, Refusal)>> {
    let key = resources.key(flavor.implicit);
    let old = resources.get(flavor.implicit).cloned();
    let mut own = Map::new();
    own.set_some("StageName", flavor.stage);
    own.set("DefinitionBody", flavor.new_body());
    own.set(MANAGED, true);
    let mut api = make::map([("Type", flavor.kind.into()), ("Properties", own.into())]);
    if let Some(old) = &old {
        api = api.at(old.origin());
    }
    resources.set_with_key(flavor.implicit, key, api);
    let mut users: IndexMap<String, Users> = IndexMap::new();
    let mut refused = Vec::new();
    let ids = super::ordered(resources);
    for id in ids {
        let Some(mut owner) = resources.get(&id).filter(|owner| is_owner(owner)).cloned() else { continue };
        if let Err(refusal) = add_events(resources, &id, &mut owner, flavor, &mut users) {
            refused.push((id.clone(), refusal));
        }
        let key = resources.key(&id);
        resources.set_with_key(&id, key, owner);
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    for (id, users) in &users {
        set_attributes(resources, conditions, id, users, flavor);
    }
    if !users.contains_key(flavor.implicit) {
        match old {
            Some(old) => resources.set_with_key(flavor.implicit, key, old),
            None => {
                resources.remove(flavor.implicit);
            }
        }
    }
    Ok(())
}

fn is_owner(owner: &Value) -> bool {
    let is_it = owner.get("Type").and_then(Value::text).is_some_and(|kind| OWNERS.contains(&kind));
    let events = owner.get("Properties").and_then(|own| own.get("Events")).and_then(Value::map);
    is_it && events.is_some_and(|events| !events.is_empty())
}

/// A path and a method of an event.
struct Route {
    path: String,
    path_origin: Option<NodeId>,
    method: String,
    method_origin: Option<NodeId>,
}

fn add_events(
    resources: &mut Map,
    id: &str,
    owner: &mut Value,
    flavor: &Flavor,
    users: &mut IndexMap<String, Users>,
) -> Result<(), Refusal> {
    let attribute = |name: &str| owner.get(name).and_then(Value::text).map(str::to_owned);
    let condition =
        owner.get("Condition").filter(|condition| condition.text().is_some_and(|text| !text.is_empty())).cloned();
    let (deletion, replacement) = (attribute("DeletionPolicy"), attribute("UpdateReplacePolicy"));
    let propagates = owner.get("Properties").and_then(|own| own.get("PropagateTags")).is_some_and(Value::is_true);
    let tags = owner.get("Properties").and_then(|own| own.get("Tags")).and_then(Value::map);
    let tags = tags.filter(|_| propagates).cloned();
    let events = owner.map_mut().and_then(|owner| owner.get_mut("Properties")).and_then(Value::map_mut);
    let Some(events) = events.and_then(|own| own.get_mut("Events")).and_then(Value::map_mut) else { return Ok(()) };
    let mut count = 0;
    for name in &super::ordered(events) {
        let Some(event) = events.get_mut(name) else { continue };
        if event.get("Type").and_then(Value::text) != Some(flavor.event) {
            continue;
        }
        count += 1;
        let origin = event.origin();
        let own = event.as_map().entry("Properties", Map::new());
        let Some(own) = own.map_mut() else {
            let sentence = "Properties of a resource must be an object.";
            return Err(Refusal::new(sentence).at(origin).of_resource(&format!("{id}{name}")));
        };
        let api = api_of(resources, own, flavor).map_err(|refusal| refusal.of_event(name).at(origin))?;
        let route = route(own, flavor).map_err(|refusal| refusal.of_event(name).at(origin))?;
        if api.is_empty() {
            continue;
        }
        let users = users.entry(api.clone()).or_default();
        users.conditions.push(condition.clone());
        users.deletion.push(deletion.clone());
        users.replacement.push(replacement.clone());
        if let Some(tags) = &tags {
            let all = users.tags.get_or_insert_with(Map::new);
            for (name, key, value) in tags.members() {
                all.set_with_key(name, key, value.clone());
            }
        }
        users.by_path.entry(route.path.clone()).or_default().push(condition.clone());
        add_path(resources, &api, &route);
    }
    events.note_merge(count);
    Ok(())
}

/// Returns the ID of the API of an event; an empty one for an API that is not known.
fn api_of(resources: &Map, own: &mut Map, flavor: &Flavor) -> Result<String, Refusal> {
    let Some(authored) = own.get(flavor.property).filter(|value| value.is_true()) else {
        own.set(flavor.property, make::reference(flavor.implicit));
        return Ok(flavor.implicit.to_owned());
    };
    let Some(id) = named(authored) else {
        let sentence = format!("Property '{}' should be a string.", flavor.property);
        return Err(Refusal::new(sentence).at(authored.origin()));
    };
    if resources.has(id) {
        return Ok(id.to_owned());
    }
    let sentence =
        format!("{} must be a valid reference to an '{}' resource in same template.", flavor.property, flavor.kind);
    let of_kind = |(id, resource): (&str, &Value)| {
        (resource.get("Type").and_then(Value::text) == Some(flavor.kind)).then(|| id.to_owned())
    };
    let ids: Vec<String> = resources.iter().filter_map(of_kind).collect();
    let refusal = Refusal::new(sentence).at(authored.origin()).about(id);
    Err(refusal.among(ids.iter().map(String::as_str)))
}

fn route(own: &mut Map, flavor: &Flavor) -> Result<Route, Refusal> {
    let is_missing = |name: &str| !own.get(name).is_some_and(Value::is_true);
    if !flavor.is_rest() && is_missing("Path") && is_missing("Method") {
        own.set("Path", "$default");
        own.set("Method", super::ANY);
    }
    let text = |name: &str| {
        let Some(value) = own.get(name).filter(|value| value.is_true()) else {
            return Err(Refusal::new(format!("Property '{name}' is required.")));
        };
        match value.text() {
            Some(text) => Ok((text.to_owned(), value.origin())),
            None => Err(Refusal::new(format!("Property '{name}' should be a string.")).at(value.origin())),
        }
    };
    let (path, path_origin) = text("Path")?;
    let (method, method_origin) = text("Method")?;
    let key = method_key(&method);
    let method_origin = method_origin.filter(|_| !method.eq_ignore_ascii_case("any"));
    Ok(Route { path, path_origin, method: key, method_origin })
}

/// Returns the body of an API that the transform makes.
pub(crate) fn managed_body<'r>(resources: &'r mut Map, api: &str, kind: &str) -> Option<&'r mut Map> {
    let resource = resources.get_mut(api)?;
    if resource.get("Type").and_then(Value::text) != Some(kind) {
        return None;
    }
    let own = resource.map_mut()?.get_mut("Properties")?.map_mut()?;
    if own.get(MANAGED).and_then(Value::truth) != Some(true) {
        return None;
    }
    own.get_mut("DefinitionBody")?.map_mut()
}

/// Returns the body of an API that events add paths to: one that the transform makes, or any of the second version.
fn edited_body<'r>(resources: &'r mut Map, api: &str) -> Option<&'r mut Map> {
    let kind = resources.get(api)?.get("Type")?.text()?;
    if kind != HTTP.kind {
        return managed_body(resources, api, REST.kind);
    }
    resources.get_mut(api)?.map_mut()?.get_mut("Properties")?.map_mut()?.get_mut("DefinitionBody")?.map_mut()
}

fn add_path(resources: &mut Map, api: &str, route: &Route) {
    let Some(body) = edited_body(resources, api) else { return };
    super::edit_path(body, &route.path, |body| {
        let paths = body.entry("paths", Map::new()).as_map();
        if !paths.has(&route.path) {
            paths.set_with_key(&route.path, route.path_origin, Map::new().into());
        }
        let Some(path) = paths.get_mut(&route.path) else { return };
        for path in super::contents_mut(path) {
            if !path.has(&route.method) {
                path.set_with_key(&route.method, route.method_origin, Map::new().into());
            }
        }
    });
}

/// Makes the bodies that the transform makes documents of the version of their API.
pub(crate) fn set_versions(resources: &mut Map) {
    for (_, resource) in resources.iter_mut() {
        if resource.get("Type").and_then(Value::text) != Some(REST.kind) {
            continue;
        }
        let Some(own) = resource.get("Properties").and_then(Value::map) else { continue };
        let version = own.get("OpenApiVersion").filter(|version| super::is_third(version)).cloned();
        let Some(version) = version.filter(|_| own.get(MANAGED).is_some_and(Value::is_true)) else { continue };
        let own = resource.map_mut().and_then(|resource| resource.get_mut("Properties")).and_then(Value::map_mut);
        let body = own.and_then(|own| own.get_mut("DefinitionBody")).and_then(Value::map_mut);
        if let Some(body) = body.filter(|body| body.has("swagger")) {
            super::track(body);
            let time = super::copies(body);
            body.set("openapi", version);
            body.remove("swagger");
            body.history_from(time).stamp(time);
        }
    }
}

/// Removes the bodies that the transform makes: events have their paths.
pub(crate) fn forget_bodies(resources: &mut Map) {
    for (_, resource) in resources.iter_mut() {
        let is_made = |own: &Map| own.get(MANAGED).is_some_and(Value::is_true);
        if !resource.get("Properties").and_then(Value::map).is_some_and(is_made) {
            continue;
        }
        let own = resource.as_map().entry("Properties", Map::new()).as_map();
        own.remove(MANAGED);
        own.remove("DefinitionBody");
    }
}

/// Returns the condition of all owners: a name that the template has, or several that become a new one.
fn condition_of(users: &[Option<Value>]) -> Option<BTreeMap<&str, &Value>> {
    users.iter().map(|user| user.as_ref().and_then(|value| Some((value.text()?, value)))).collect()
}

fn either(conditions: &mut Option<Map>, name: &str, any: &BTreeMap<&str, &Value>) -> Value {
    if let (1, Some((_, first))) = (any.len(), any.first_key_value()) {
        return (*first).clone();
    }
    let any: Vec<&str> = any.keys().copied().collect();
    let section = conditions.get_or_insert_with(Map::new);
    crate::conditions::add_any(section, name, &any);
    name.into()
}

fn set_attributes(resources: &mut Map, conditions: &mut Option<Map>, id: &str, users: &Users, flavor: &Flavor) {
    if id == flavor.implicit
        && let Some(api) = resources.get_mut(id).map(Value::as_map)
    {
        if let Some(any) = condition_of(&users.conditions) {
            api.set("Condition", either(conditions, &format!("{id}Condition"), &any));
        }
        for (name, policies) in [("DeletionPolicy", &users.deletion), ("UpdateReplacePolicy", &users.replacement)] {
            let has = |word: &str| policies.iter().any(|policy| policy.as_deref() == Some(word));
            let policy = ["Retain", "Delete"].into_iter().find(|word| has(word));
            api.set_some(name, policy);
        }
        if let Some(tags) = &users.tags {
            let own = api.entry("Properties", Map::new()).as_map();
            own.set("Tags", tags.clone());
            own.set("PropagateTags", true);
        }
    }
    let paths: Vec<(String, Value)> = users
        .by_path
        .iter()
        .filter_map(|(path, users)| {
            let any = condition_of(users)?;
            Some((path.clone(), either(conditions, &format!("{id}{}PathCondition", words(path)), &any)))
        })
        .collect();
    let Some(body) = edited_body(resources, id) else { return };
    super::edit_path(body, "", |body| {
        let Some(all) = body.get_mut("paths").and_then(Value::map_mut) else { return };
        for (path, condition) in paths {
            let Some(item) = all.get_mut(&path) else { continue };
            let old = std::mem::take(item);
            *item = make::if_else(condition, old, make::no_value());
        }
    });
}

/// Returns a path as a part of the name of a condition.
fn words(path: &str) -> String {
    path.replace('/', "SLASH").replace('{', "OB").replace('}', "CB")
}
