//! Resources that need the permission of a connector when they are created.

use super::end::{End, referred};
use super::{Dependency, Resources};
use crate::value::{Map, Value};

/// Adds the resources that wait for the resources `on` of a connection.
pub(super) fn find(
    resources: Resources<'_>,
    waiting: Option<&str>,
    source: &End<'_>,
    destination: &End<'_>,
    on: &[String],
    dependencies: &mut Vec<Dependency>,
) {
    let of = match (waiting, source.id, destination.id) {
        (Some("SOURCE"), Some(source), _) => Some(source),
        (Some("DESTINATION_EVENT_SOURCE_MAPPING"), Some(source), Some(destination)) => {
            mapping(resources.current, source, destination)
        }
        _ => None,
    };
    let Some(of) = of else { return };
    dependencies.extend(on.iter().map(|on| Dependency { of: of.to_owned(), on: on.clone() }));
}

/// Returns the event source mapping between two resources, if there is one alone.
fn mapping<'a>(resources: &'a Map, source: &str, destination: &str) -> Option<&'a str> {
    let mut found = resources.iter().filter(|(_, resource)| {
        let refers = |property: &str, id: &str| {
            let value = resource.get("Properties").and_then(|properties| properties.get(property));
            value.is_some_and(|value| referred(value) == Some(id))
        };
        resource.get("Type").and_then(Value::text) == Some("AWS::Lambda::EventSourceMapping")
            && refers("FunctionName", destination)
            && refers("EventSourceArn", source)
    });
    let (id, _) = found.next()?;
    found.next().is_none().then_some(id)
}

/// Adds names to the `DependsOn` of resources.
pub(super) fn add(resources: &mut Map, dependencies: &[Dependency]) {
    for Dependency { of, on } in dependencies {
        let Some(resource) = resources.get_mut(of) else { continue };
        let old = resource.get("DependsOn").cloned().filter(Value::is_true);
        let mut names = match &old {
            None => Vec::new(),
            Some(old) => old.list().map_or_else(|| vec![old.clone()], <[Value]>::to_vec),
        };
        if !names.iter().any(|name| name.text() == Some(on)) {
            names.push(on.as_str().into());
        }
        let origin = old.and_then(|old| old.origin());
        resource.as_map().set("DependsOn", Value::from(names).at(origin));
    }
}
