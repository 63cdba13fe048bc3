//! All connectors of a template, one after another.

use rustc_hash::FxHashMap;

use super::{Dependency, Embedded, KIND, Resources, dependency, translate};
use crate::clashes;
use crate::refusal::Refusal;
use crate::value::{Map, Value};

/// A connector that waits for its turn.
struct Connector {
    id: String,
    /// The resource whose attribute it is.
    owner: Option<String>,
    resource: Value,
}

/// Replaces connectors among the translated resources by what they become. Returns the refusals with the IDs that they
/// are about, and the node around.
pub(crate) fn translate_all(authored: &Map, current: &mut Map, embedded: Embedded) -> Vec<(String, Value, Refusal)> {
    let mut refused = Vec::new();
    let mut made: FxHashMap<String, Vec<String>> = FxHashMap::default();
    let mut owned: FxHashMap<String, Vec<String>> = FxHashMap::default();
    let connectors = connectors(current, embedded);
    if connectors.is_empty() {
        return refused;
    }
    let order: Vec<String> = current.keys().map(str::to_owned).collect();
    for Connector { id, owner, resource } in connectors {
        let Some(map) = resource.map() else { continue };
        let mut dependencies: Vec<Dependency> = Vec::new();
        let result = translate(Resources { authored, current }, &id, map, &mut dependencies).and_then(|becomes| {
            becomes.iter().try_for_each(|one| clashes::check(authored, &id, one))?;
            Ok(becomes)
        });
        match result {
            Err(refusal) => refused.push((id, resource, refusal)),
            Ok(becomes) => {
                if owner.is_none() {
                    current.remove(&id);
                }
                let ids = becomes.iter().map(|one| one.id.clone());
                match owner {
                    Some(owner) => owned.entry(owner).or_default().extend(ids),
                    None => made.entry(id).or_default().extend(ids),
                }
                for one in becomes {
                    let id = one.id.clone();
                    current.set(&id, one.into_value());
                }
                dependency::add(current, &dependencies);
            }
        }
    }
    *current = in_order(authored, std::mem::take(current), &order, &made, &owned);
    refused
}

/// Returns the connectors of the template, and then those of `Connectors`.
fn connectors(current: &Map, embedded: Embedded) -> Vec<Connector> {
    let is_connector = |resource: &Value| resource.get("Type").and_then(Value::text) == Some(KIND);
    let own = current.iter().filter(|(_, resource)| is_connector(resource));
    let own = own.map(|(id, resource)| Connector { id: id.to_owned(), owner: None, resource: resource.clone() });
    let embedded = embedded.connectors.into_iter();
    let embedded = embedded.map(|(owner, id, resource)| Connector { id, owner: Some(owner), resource });
    own.chain(embedded).collect()
}

/// Returns the resources in the order of `order`: what a connector becomes is at its place, that of an attribute behind
/// what its resource becomes.
fn in_order(
    authored: &Map,
    current: Map,
    order: &[String],
    made: &FxHashMap<String, Vec<String>>,
    owned: &FxHashMap<String, Vec<String>>,
) -> Map {
    let mut left = current.into_members();
    let mut resources = Map::new();
    let mut behind: &[String] = &[];
    let empty = Vec::new();
    for id in order {
        if authored.has(id) {
            take(&mut left, &mut resources, behind);
            behind = owned.get(id).unwrap_or(&empty);
        }
        take(&mut left, &mut resources, std::slice::from_ref(id));
        take(&mut left, &mut resources, made.get(id).unwrap_or(&empty));
    }
    take(&mut left, &mut resources, behind);
    resources
}

fn take(left: &mut FxHashMap<Box<str>, (Option<formwork_syntax::NodeId>, Value)>, into: &mut Map, ids: &[String]) {
    for id in ids {
        if let Some((key, resource)) = left.remove(id.as_str()) {
            into.set_with_key(id, key, resource);
        }
    }
}
