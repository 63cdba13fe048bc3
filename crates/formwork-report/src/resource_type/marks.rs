//! Remarks about a property.

use formwork_schemas::ResourceType;

pub(super) fn marks(resource: &ResourceType<'_>, path: &[&str], is_required: bool) -> Vec<&'static str> {
    use formwork_schemas::{Effect, Reason};
    let mut marks = Vec::new();
    if is_required {
        marks.push("required");
    }
    let is_at = |mut facts: Box<dyn Iterator<Item = formwork_schemas::FactPath<'_>> + '_>| {
        facts.any(|fact| fact.names().eq(path.iter().copied()))
    };
    let is_read_only = is_at(Box::new(resource.read_only()));
    if is_read_only {
        marks.push("read-only");
    }
    if is_at(Box::new(resource.write_only())) {
        marks.push("write-only");
    }
    if is_at(Box::new(resource.deprecated())) {
        marks.push("deprecated");
    }
    // A remark that applies to the whole type is printed once.
    match resource.effect(path) {
        Effect::Replace(Reason::ImmutableType) => {}
        Effect::Replace(_) if !is_read_only => marks.push("replaces"),
        Effect::MayReplace(_) if !is_read_only => marks.push("may replace"),
        _ => {}
    }
    marks
}
