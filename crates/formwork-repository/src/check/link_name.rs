//! FW1510: names that nothing exports.

use std::collections::BTreeSet;

use formwork_base::{Diagnostic, Severity, codes};

use super::{Checked, broken, may_be_of, place, quoted};
use crate::links::Links;
use crate::near::is_near;
use crate::template::{Export, Import, Kind, Template};

/// The most pairs of names that are compared for the nearest one.
const MOST_PAIRS: usize = 1_000_000;

/// Checks imports from outside, without those that are missing in the stage: they are reported already.
pub(super) fn check(
    templates: &[Template],
    links: &Links<'_>,
    (is_closed, lacking): (bool, &BTreeSet<(usize, usize)>),
    checked: &mut Checked,
) {
    let mut names = BTreeSet::new();
    let mut left = MOST_PAIRS;
    let broken = broken(templates);
    for &(number, import) in links.outside().iter().filter(|outside| !lacking.contains(outside)) {
        let Some(template) = templates.get(number) else { continue };
        let Some(import) = template.imports.get(import) else { continue };
        if let Some(export) = nearest(templates, template, import, &mut left) {
            let found = Diagnostic::new(
                codes::LINK_NAME,
                format!("no template here {} {}", verb(import.kind), quoted(&import.name)),
            )
            .at(import.span)
            .severity(if is_closed { Severity::Error } else { Severity::Warning })
            .note(format!("{} {} {}", place(&export.file, export.line), verb(export.kind), quoted(&export.name)))
            .help(format!("did you mean {}?", quoted(&export.name)));
            checked.found.push((number, found));
        } else if is_closed && import.name.known_length() > 0 && !may_be_of(&broken, template) {
            let found = Diagnostic::new(
                codes::LINK_NAME,
                format!("no template here {} {}", verb(import.kind), quoted(&import.name)),
            )
            .at(import.span)
            .severity(Severity::Error)
            .note("with `--stacks-closed` the templates that are checked are all there are")
            .help("check the template that has the name, too, or leave out `--stacks-closed`");
            checked.found.push((number, found));
        } else if import.kind == Kind::Export {
            names.insert(import.name.to_string());
        }
    }
    checked.outside = names.len();
}

fn verb(kind: Kind) -> &'static str {
    match kind {
        Kind::Export => "exports",
        Kind::Output => "has the output",
        Kind::Stored => "writes the parameter",
    }
}

/// Returns the first export whose name is near.
fn nearest<'t>(templates: &'t [Template], own: &Template, import: &Import, left: &mut usize) -> Option<&'t Export> {
    for template in templates.iter().filter(|template| template.may_be_beside(own)) {
        *left = left.checked_sub(template.exports.len())?;
        let mut exports = template.exports.iter().filter(|export| export.kind == import.kind);
        if let Some(export) = exports.find(|export| is_near(&import.name, &export.name)) {
            return Some(export);
        }
    }
    None
}
