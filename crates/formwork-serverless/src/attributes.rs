//! Attributes of a serverless resource that are handed on to the resources that it becomes.

use crate::value::Map;

/// Handed on to the resource with the ID of the serverless one.
pub(crate) const OF_MAIN: [&str; 6] =
    ["DependsOn", "DeletionPolicy", "Condition", "UpdatePolicy", "UpdateReplacePolicy", "Metadata"];

/// Handed on to all other resources.
const OF_ALL: [&str; 3] = ["Condition", "DeletionPolicy", "UpdateReplacePolicy"];

/// Handed on to nested stacks and layer versions.
const OF_STACK: [&str; 4] = ["DependsOn", "Condition", "DeletionPolicy", "UpdateReplacePolicy"];

fn some(resource: &Map, names: &[&str]) -> Map {
    let written = |name: &&str| resource.get(name).is_some_and(|value| value.is_true() || *name != "DependsOn");
    names.iter().copied().filter(written).filter_map(|name| Some((name, resource.get(name)?.clone()))).collect()
}

/// Returns the attributes for the resource that keeps the ID.
pub(crate) fn of_main(resource: &Map) -> Map {
    some(resource, &OF_MAIN)
}

/// Returns the attributes for every other resource.
pub(crate) fn of_all(resource: &Map) -> Map {
    some(resource, &OF_ALL)
}

/// Returns the attributes for a nested stack or a layer version.
pub(crate) fn of_stack(resource: &Map) -> Map {
    some(resource, &OF_STACK)
}
