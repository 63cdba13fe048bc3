//! The attribute `Connectors`: connectors of which the resource is the source.

use super::KIND;
use crate::refusal::Refusal;
use crate::value::{Map, Value};

/// The `Connectors` of all resources.
#[derive(Clone, Debug, Default)]
pub(crate) struct Embedded {
    /// Connectors with the ID of the resource and their own ID.
    pub(crate) connectors: Vec<(String, String, Value)>,
    /// Refusals with the ID that they are about.
    pub(crate) refused: Vec<(String, Refusal)>,
}

/// Removes the attribute from the resources, and returns the connectors.
pub(crate) fn extract(resources: &mut Map) -> Embedded {
    let mut found = Embedded::default();
    let owners: Vec<String> = resources
        .iter()
        .filter(|(_, resource)| resource.map().is_some_and(|resource| resource.has("Connectors")))
        .map(|(id, _)| id.to_owned())
        .collect();
    for owner in owners {
        let Some(section) = resources.get_mut(&owner).and_then(|resource| resource.as_map().remove("Connectors"))
        else {
            continue;
        };
        let Some(connectors) = section.map() else {
            let sentence = format!("Attribute '{owner}.Connectors' should be a map.");
            found.refused.push((owner, Refusal::new(sentence).at(section.origin())));
            continue;
        };
        for (name, connector) in connectors.iter() {
            match standalone(resources, &owner, name, connector) {
                Ok(connector) => {
                    let id = format!("{owner}{name}");
                    found.connectors.retain(|(_, other, _)| *other != id);
                    found.connectors.push((owner.clone(), id, connector));
                }
                Err((id, refusal)) => found.refused.push((id, refusal.at(connector.origin()))),
            }
        }
    }
    found
}

/// Returns the resource that an entry of the attribute represents.
fn standalone(resources: &Map, owner: &str, name: &str, connector: &Value) -> Result<Value, (String, Refusal)> {
    let id = format!("{owner}{name}");
    let Some(attributes) = connector.map() else {
        return Err((id.clone(), Refusal::new(format!("{owner}.{id} should be a map."))));
    };
    if let Some(other) = resources.get(&id) {
        let sentence = format!(
            "Transforming resource with id [{owner}] attempts to create a new resource with id [{id}] and type \"{KIND}\". A resource with that id already exists within this template. Please use a different id for that resource."
        );
        let place = resources.key(&id).or(other.origin());
        return Err((owner.to_owned(), Refusal::clash(sentence, &id).other(place)));
    }
    let Some(own) = attributes.get("Properties").and_then(Value::map) else {
        let sentence = format!("Attribute 'Connectors.{name}.Properties' should be a map.");
        return Err((owner.to_owned(), Refusal::new(sentence)));
    };
    let mut own = own.clone();
    let mut source = match own.remove("SourceReference") {
        None => Map::new(),
        Some(reference) => {
            let at = reference.origin();
            reference.into_map().ok_or_else(|| {
                let sentence = format!("Property 'Connectors.{name}.Properties.SourceReference' should be a map.");
                (owner.to_owned(), Refusal::new(sentence).at(at))
            })?
        }
    };
    if let Some(wrong) = source.get("Id") {
        let refusal = Refusal::new("'Id' shouldn't be defined in 'SourceReference'.").at(wrong.origin());
        return Err((name.to_owned(), refusal));
    }
    source.set("Id", owner);
    own.set("Source", source);
    let mut attributes = attributes.clone();
    attributes.set("Type", KIND);
    let origin = attributes.get("Properties").and_then(Value::origin);
    attributes.set("Properties", Value::from(own).at(origin));
    Ok(Value::from(attributes).at(connector.origin()))
}
