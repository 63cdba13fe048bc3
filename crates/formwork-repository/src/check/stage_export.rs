//! FW1516: a stage without an export that it imports, and that other stages have.

use std::collections::BTreeSet;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use rustc_hash::FxHashMap;

use super::{Found, broken, may_be_of, place, quoted};
use crate::links::Links;
use crate::template::{Export, Import, Kind, Template};

/// The authored place of an import: the same in all stages of a template.
type Place<'t> = (&'t str, &'t str, u32);

/// Returns the imports that were reported, as number of the template and of the import.
pub(super) fn check<'t>(
    templates: &'t [Template],
    links: &Links<'t>,
    found: &mut Vec<Found>,
) -> BTreeSet<(usize, usize)> {
    let mut others: FxHashMap<Place<'t>, (&'t str, usize, &'t Export)> = FxHashMap::default();
    for link in links.links() {
        let (Some(from), Some((import, export))) = (templates.get(link.from), links.ends(link)) else { continue };
        if let Some(stage) = from.stage.as_deref().filter(|_| import.kind == Kind::Export) {
            others.entry(place_of(from, import)).or_insert((stage, link.to, export));
        }
    }
    let (mut lacking, broken) = (BTreeSet::new(), broken(templates));
    for &(number, at) in links.outside() {
        let Some(template) = templates.get(number) else { continue };
        let (Some(stage), Some(import)) = (template.stage.as_deref(), template.imports.get(at)) else { continue };
        let Some((other, exporter, export)) = others.get(&place_of(template, import)) else { continue };
        if *other == stage || import.name.text().is_none() || may_be_of(&broken, template) {
            continue;
        }
        let Some(exporter) = templates.get(*exporter) else { continue };
        found.push((number, diagnostic((stage, import), (other, export), why(templates, exporter, template))));
        lacking.insert((number, at));
    }
    lacking
}

fn place_of<'t>(template: &'t Template, import: &'t Import) -> Place<'t> {
    (&template.path, &import.file, import.line)
}

fn diagnostic((stage, import): (&str, &Import), (other, export): (&str, &Export), why: String) -> Diagnostic {
    let message = format!("stage `{}` imports {}, which nothing exports in it", shown(stage), quoted(&import.name));
    Diagnostic::new(codes::STAGE_EXPORT, message)
        .at(import.span)
        .note(format!(
            "in stage `{}` {} exports {}",
            shown(other),
            place(&export.file, export.line),
            quoted(&export.name)
        ))
        .note(why)
        .help("deploy the export in this stage, too, or import it under a condition")
}

/// Returns why an export of another template is missing in the stage of a template.
fn why(templates: &[Template], exporter: &Template, template: &Template) -> String {
    let path = shown(&exporter.path);
    let is_here = |other: &&Template| other.path == exporter.path && other.may_be_beside(template);
    match templates.iter().find(is_here) {
        Some(_) => format!("with the values of this stage {path} exports it under another name, or not at all"),
        None => format!("{path} has no stack in this stage"),
    }
}
