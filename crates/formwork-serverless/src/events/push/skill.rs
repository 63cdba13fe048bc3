//! `AlexaSkill`: a permission for skills.

use crate::context::{Context, Translated};
use crate::events::event::Event;
use crate::iam::Role;

/// Translates an event.
#[allow(clippy::unnecessary_wraps, reason = "all sources have this signature")]
pub(super) fn translate(_: &mut Context, event: &Event<'_>, _: Option<&mut Role>) -> Translated {
    let mut permission = event.permission("Permission", "alexa-appkit.amazon.com");
    permission.set_some("EventSourceToken", event.written("SkillId"));
    Ok(vec![permission])
}
