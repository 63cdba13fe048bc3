//! FW1515: exports that nothing imports.

use std::collections::BTreeSet;

use formwork_base::{Diagnostic, codes};

use super::{Found, quoted};
use crate::links::Links;
use crate::template::{Kind, Template};

pub(super) fn check(templates: &[Template], links: &Links<'_>, found: &mut Vec<Found>) {
    let used: BTreeSet<(usize, usize)> = links.links().iter().map(|link| (link.to, link.export)).collect();
    for (number, template) in templates.iter().enumerate() {
        let exports = template.exports.iter().enumerate().filter(|(_, export)| export.kind == Kind::Export);
        for (_, export) in exports.filter(|(at, _)| !used.contains(&(number, *at))) {
            let message = format!("no template here imports {}", quoted(&export.name));
            let diagnostic = Diagnostic::new(codes::UNUSED_EXPORT, message)
                .at(export.span)
                .note("templates of other repositories may import it")
                .help("remove the `Export` if none does");
            found.push((number, diagnostic));
        }
    }
}
