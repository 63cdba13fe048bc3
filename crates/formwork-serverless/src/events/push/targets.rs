//! References of events to the resources that they change.

use formwork_syntax::NodeId;

use super::{bucket, pool};
use crate::context::Context;
use crate::value::Map;

/// A reference that does not lead to a resource of the template.
#[derive(Debug)]
pub(in crate::events) struct Wrong {
    pub(in crate::events) sentence: &'static str,
    pub(in crate::events) is_by_id: bool,
    pub(in crate::events) at: Option<NodeId>,
}

/// Compares the reference of an event with the resources of the template.
pub(in crate::events) fn check(cx: &Context, source: &str, properties: &Map) -> Result<(), Wrong> {
    let Some(link) = [&bucket::LINK, &pool::LINK].into_iter().find(|link| link.source == source) else {
        return Ok(());
    };
    let Some(value) = properties.get(link.property) else { return Ok(()) };
    let at = value.origin();
    match value.call() {
        Some(("Ref", name)) if name.text().is_none() => {
            Err(Wrong { sentence: link.not_text, is_by_id: link.is_by_id, at })
        }
        Some(("Ref", name)) if name.text().is_some_and(|name| cx.resources.has(name)) => Ok(()),
        _ => Err(Wrong { sentence: link.not_here, is_by_id: false, at }),
    }
}
