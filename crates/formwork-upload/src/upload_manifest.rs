//! Creates the upload manifest: the objects that would be uploaded, as JSON (reference/packaging.md#plan).

use serde_json::{Value, json};

use crate::Destination;
use crate::assets::Storage;
use crate::prepare::{Prepared, Resolution, Unit};

/// Returns one entry for each path in the templates, nested stacks first.
pub fn upload_manifest(prepared: &Prepared, destination: &Destination) -> Value {
    let units = prepared.units.iter().enumerate();
    let entries = units.flat_map(|(number, unit)| of_unit(prepared, number, unit, destination));
    json!({ "artifacts": entries.collect::<Vec<Value>>() })
}

fn of_unit<'p>(
    prepared: &'p Prepared,
    number: usize,
    unit: &'p Unit,
    destination: &'p Destination,
) -> impl Iterator<Item = Value> + 'p {
    unit.packaging.plan().needs.iter().zip(&unit.found).enumerate().map(move |(at, (need, found))| {
        let (kind, object, bytes) = match found {
            Resolution::UnbuiltImage | Resolution::Missing => (Value::Null, None, 0),
            Resolution::Image(image) => {
                let name = prepared.named.names.get(&(number, at)).cloned();
                ("image".into(), name, prepared.images[*image].bytes)
            }
            Resolution::Nested(number) => {
                let nested = &prepared.units[*number];
                let object = nested.key.as_ref().map(|key| destination.key(key, Some("template")));
                ("template".into(), object, nested.bytes)
            }
            Resolution::Asset(number) => {
                let asset = &prepared.assets[*number];
                let kind = if asset.storage == Storage::AsIs { "file" } else { "zip" };
                (kind.into(), asset.key.as_ref().map(|key| destination.key(key, None)), asset.bytes())
            }
        };
        json!({
            "template": unit.path.as_str(),
            "resource": need.resource,
            "property": need.property,
            "path": need.path,
            "kind": kind,
            "object": object,
            "bytes": bytes,
        })
    })
}
