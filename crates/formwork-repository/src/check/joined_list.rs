//! FW1513: a joined list that is imported as one item of a list.

use formwork_base::{Diagnostic, codes};

use super::{Found, place, quoted};
use crate::link::Certainty;
use crate::links::Links;

pub(super) fn check(links: &Links<'_>, found: &mut Vec<Found>) {
    for link in links.links().iter().filter(|link| link.certainty == Certainty::Same) {
        let Some((import, export)) = links.ends(link).filter(|(import, export)| import.is_item && export.is_joined)
        else {
            continue;
        };
        let message = format!("{} is a list joined with commas, and is imported as one item", quoted(&import.name));
        let diagnostic = Diagnostic::new(codes::LINK_KIND, message)
            .at(import.span)
            .note(format!("{} joins and exports it", place(&export.file, export.line)))
            .help("split it, in place of the list: `!Split [\",\", !ImportValue ...]`");
        found.push((link.from, diagnostic));
    }
}
