//! Diagnostics without credentials of addresses.

use std::borrow::Cow;

use formwork_base::display::{credentials, mask_credentials};
use formwork_base::{Diagnostic, FileId};

use crate::Context;

/// A diagnostic in whose words no address has credentials. Edits of a fix stay as they are: they have to
/// fit the source.
pub(crate) fn masked(diagnostic: &Diagnostic) -> Cow<'_, Diagnostic> {
    let has_some = texts(diagnostic).any(|text| !credentials(text).is_empty());
    if !has_some {
        return Cow::Borrowed(diagnostic);
    }
    let mut masked = diagnostic.clone();
    let labels = masked.primary.iter_mut().chain(&mut masked.related).map(|label| &mut label.text);
    let frames = masked.frames.iter_mut().flat_map(|frame| {
        [Some(&mut frame.name), frame.value.as_mut(), frame.loop_name.as_mut()].into_iter().flatten()
    });
    let texts = [&mut masked.message].into_iter().chain(labels).chain(frames);
    for text in texts.chain(&mut masked.notes).chain(&mut masked.help).chain(&mut masked.path) {
        *text = mask_credentials(text).into_owned();
    }
    Cow::Owned(masked)
}

fn texts(diagnostic: &Diagnostic) -> impl Iterator<Item = &str> {
    let labels = diagnostic.primary.iter().chain(&diagnostic.related).map(|label| label.text.as_str());
    let frames = diagnostic
        .frames
        .iter()
        .flat_map(|frame| [Some(&frame.name), frame.value.as_ref(), frame.loop_name.as_ref()].into_iter().flatten());
    let texts = [&diagnostic.message].into_iter().chain(frames).chain(&diagnostic.notes);
    texts.chain(&diagnostic.help).chain(&diagnostic.path).map(String::as_str).chain(labels)
}

/// A file's path as reports show it: the address of a remote module has no credentials there.
pub(crate) fn path<'c>(file: FileId, context: &Context<'c>) -> Cow<'c, str> {
    mask_credentials(context.sources.display(file))
}
