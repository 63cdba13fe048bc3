//! IDs that a template already has.

use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// Compares the ID of a resource that is made from `id` with those of the template.
pub(crate) fn check(authored: &Map, id: &str, made: &Resource) -> Result<(), Refusal> {
    let Some(other) = authored.get(&made.id).filter(|_| made.id != id) else { return Ok(()) };
    let sentence = format!(
        "Transforming resource with id [{id}] attempts to create a new resource with id [{}] and type \"{}\". A resource with that id already exists within this template. Please use a different id for that resource.",
        made.id, made.kind
    );
    Err(Refusal::clash(sentence, &made.id).at(made.origin).other(authored.key(&made.id).or(Value::origin(other))))
}
