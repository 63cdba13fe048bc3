//! FW1511: stacks that import from each other.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};

use super::{Found, place, quoted};
use crate::links::Links;
use crate::template::Template;

/// The most steps of a way that are in the note.
const SHOWN: usize = 10;

pub(super) fn check(templates: &[Template], links: &Links<'_>, found: &mut Vec<Found>) {
    for way in links.cycles() {
        let Some(first) = way.first() else { continue };
        let Some((import, _)) = links.ends(first) else { continue };
        let names: Vec<String> = way.iter().filter_map(|link| Some(shown(&templates.get(link.from)?.path))).collect();
        let message = format!("{} import from each other in a cycle", list(&names));
        let mut diagnostic = Diagnostic::new(codes::LINK_CYCLE, message).at(import.span);
        for link in way.iter().take(SHOWN) {
            let Some((import, export)) = links.ends(link) else { continue };
            diagnostic = diagnostic.note(format!(
                "{} imports {}, which {} exports",
                place(&import.file, import.line),
                quoted(&import.name),
                place(&export.file, export.line)
            ));
        }
        let diagnostic = diagnostic
            .note("an export is there only when its stack is: none of these stacks can be created first")
            .help("move what they need from each other into one of them, or pass one of the values as a parameter");
        found.push((first.from, diagnostic));
    }
}

fn list(names: &[String]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
