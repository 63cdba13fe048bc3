//! The body that an event changes: that of an API without an authored one, or a new one that is merged with the authored.

use super::Route;
use crate::context::Context;
use crate::events::Event;
use crate::events::event::Owner;
use crate::openapi::{self, MANAGED, REST};
use crate::parameters::Parameters;
use crate::refusal::Refusal;
use crate::value::{Map, Value};

/// An API of an event, with its body apart.
pub(super) struct Api {
    id: String,
    own: Map,
    body: Value,
    is_merged: bool,
}

/// Takes the body out of an API; `None` for an API whose body events do not change.
pub(super) fn take(cx: &mut Context, id: &str, of: Owner) -> Option<Api> {
    let resource = cx.resources.get_mut(id)?;
    if resource.get("Type").and_then(Value::text) != Some(REST.kind) {
        return None;
    }
    let own = resource.map_mut()?.get_mut("Properties")?.map_mut()?;
    let is_managed = own.get(MANAGED).is_some_and(Value::is_true);
    // A state machine does not change an authored body.
    let is_merged =
        of == Owner::Function && !is_managed && own.get("MergeDefinitions").and_then(Value::truth) == Some(true);
    if !is_managed && !is_merged {
        return None;
    }
    let body = std::mem::take(own.get_mut("DefinitionBody").filter(|body| body.map().is_some())?);
    Some(Api { id: id.to_owned(), own: own.clone(), body, is_merged })
}

/// A change of the body, and of properties of the API whose parameters it fixes.
type Change<'c> = &'c mut dyn FnMut(&Parameters, &mut Map, &mut Map) -> Result<(), Refusal>;

impl Api {
    /// Changes the body, and puts it back into the API.
    pub(super) fn change(
        mut self,
        cx: &mut Context,
        event: &Event<'_>,
        route: &Route<'_>,
        change: Change<'_>,
    ) -> Result<(), Refusal> {
        let mut change = |own: &mut Map, body: &mut Map| change(&cx.parameters, own, body);
        let result = if self.is_merged {
            self.merge(event, route, &mut change)
        } else {
            let body = self.body.as_map();
            let old = body.get("paths").and_then(|paths| paths.get(route.path)).cloned();
            let result = openapi::edit_path(body, route.path, |body| change(&mut self.own, body));
            // A refused event leaves the path as it was.
            if let (Err(_), Some(old)) = (&result, old)
                && let Some(paths) = body.get_mut("paths").and_then(Value::map_mut)
            {
                paths.set(route.path, old);
            }
            result
        };
        let own = cx.resources.get_mut(&self.id).and_then(Value::map_mut).and_then(|api| api.get_mut("Properties"));
        if let Some(own) = own.and_then(Value::map_mut) {
            own.set("DefinitionBody", self.body);
            if let Some((place, auth)) = own.get_mut("Auth").zip(self.own.remove("Auth")) {
                *place = auth;
            }
        }
        result
    }

    fn merge(
        &mut self,
        event: &Event<'_>,
        route: &Route<'_>,
        change: &mut dyn FnMut(&mut Map, &mut Map) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let body = self.body.as_map();
        openapi::track(body);
        let copies = openapi::copies(body);
        let mut new = REST.new_body().into_map().unwrap_or_default();
        openapi::track_until(&mut new, copies);
        openapi::edit_path(&mut new, route.path, |new| change(&mut self.own, new))?;
        let operation = new.get_mut("paths").and_then(Value::map_mut).and_then(|paths| paths.remove(route.path));
        let operation = operation.and_then(Value::into_map).and_then(|mut path| path.remove(route.method));
        let operation = operation.and_then(Value::into_map).unwrap_or_default();
        body.note_copy();
        body.history_from(copies).stamp(copies);
        let refuse = |sentence: &str, at: &Value| Err(Refusal::new(sentence).at(at.origin()).of_resource(&self.id));
        let Some(paths) = body.get_mut("paths").filter(|paths| paths.is_true()) else { return Ok(()) };
        if paths.map().is_none() {
            return refuse("Property 'DefinitionBody' is invalid: It should be a map", paths);
        }
        let paths = paths.as_map();
        let (method, key) = (route.shown, event.get("Method").and_then(Value::origin));
        let Some(item) = paths.get_mut(route.path) else {
            let mut item = Map::new();
            item.set_with_key(method, key, in_order(&Map::new(), &operation, copies).into());
            paths.set_with_key(route.path, event.get("Path").and_then(Value::origin), item.into());
            paths.history_from(copies).stamp(copies);
            return Ok(());
        };
        if item.map().is_none() {
            let sentence =
                format!("Property 'DefinitionBody' is invalid: The value of '{}' should be a map", route.path);
            return refuse(&sentence, item);
        }
        let item = item.as_map();
        let none = Map::new();
        let old = match item.get(method).filter(|old| old.is_true()) {
            Some(old) if old.map().is_none() => {
                let sentence = format!("Property 'DefinitionBody.paths.{}.{method}' should be a map.", route.path);
                return refuse(&sentence, old);
            }
            old => old.and_then(Value::map).unwrap_or(&none),
        };
        let merged = in_order(old, &operation, copies);
        if item.has(method) {
            item.set(method, merged);
        } else {
            item.set_with_key(method, key, merged.into());
        }
        item.history_from(copies).stamp(copies);
        Ok(())
    }
}

/// Returns the entries of one mapping with those of another, which keep this order.
fn in_order(old: &Map, new: &Map, copies: i32) -> Map {
    let mut merged = Map::new();
    for map in [old, new] {
        for name in openapi::ordered_at(map, copies) {
            let Some(value) = map.get(name) else { continue };
            if merged.has(name) {
                merged.set(name, value.clone());
            } else {
                merged.set_with_key(name, map.key(name), value.clone());
            }
        }
    }
    merged.history_from(copies).is_plain = true;
    merged
}
