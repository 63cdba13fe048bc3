//! The line of `explain` about a property when schemas are passed: its kind and the effect of a change.

use formwork::{Answer, Compilation, Step};
use formwork_schemas::{Effect, Schemas};

/// A line about the property at the path of an answer; `None` for other places and unknown types.
pub(super) fn line(known: &Schemas, result: &Compilation, answer: &Answer) -> Option<String> {
    let names: Vec<String> = answer
        .path
        .iter()
        .map(|step| match step {
            Step::Name(name) => name.clone(),
            Step::Index(number) => number.to_string(),
        })
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let ["Resources", id, "Properties", path @ ..] = names.as_slice() else { return None };
    let resource = result.resource_type(id)?;
    let known = known.resource_type(resource)?;
    let node = known.properties().at(path).filter(|_| !path.is_empty())?;
    let effect = match known.effect_within(path) {
        Effect::None => "read-only".to_owned(),
        Effect::Update => "a change updates the resource".to_owned(),
        Effect::Unknown => "what a change does is not known".to_owned(),
        Effect::MayReplace(reason) => format!("a change may replace the resource ({})", reason.name()),
        Effect::Replace(reason) => format!("a change replaces the resource ({})", reason.name()),
    };
    let kind = if node.kinds().is_any() { String::new() } else { format!("{}; ", node.kinds()) };
    Some(format!("  property of {resource}: {kind}{effect}\n"))
}
