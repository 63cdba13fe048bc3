//! One line a diagnostic: `template.yaml:7:7: error[FW0303]: two items ... [Name=Logs]`.

use formwork_base::Diagnostic;

use crate::credentials::{self, masked};
use crate::{Context, SENTENCE, cut, frame_words, printable};

/// A diagnostic on one line, which ends in a line break.
pub fn render(diagnostic: &Diagnostic, context: &Context<'_>) -> String {
    let diagnostic = &*masked(diagnostic);
    let place = diagnostic.primary.as_ref().and_then(|label| context.sources.place(label.span));
    let place = place.map_or_else(String::new, |place| {
        format!("{}:{}:{}: ", credentials::path(place.file, context), place.line, place.column)
    });
    let frames = frame_words(diagnostic);
    let frames = if frames.is_empty() { frames } else { format!(" [{frames}]") };
    let count = if diagnostic.count > 1 { format!(" ({} times)", diagnostic.count) } else { String::new() };
    let line = format!(
        "{place}{}[{}]: {}{frames}{count}",
        diagnostic.severity.name(),
        diagnostic.code,
        cut(&diagnostic.message, SENTENCE)
    );
    printable(&line).into_owned() + "\n"
}
