//! FW1512: one name of two stacks.

use formwork_base::{Diagnostic, codes};
use rustc_hash::FxHashMap;

use super::{Found, place, quoted};
use crate::name::Name;
use crate::template::{Export, Kind, Template};

/// The most templates with one name that are compared with a further one.
const MOST_COMPARED: usize = 20;

pub(super) fn check(templates: &[Template], found: &mut Vec<Found>) {
    let mut known: FxHashMap<&Name, Vec<(usize, &Export)>> = FxHashMap::default();
    for (number, template) in templates.iter().enumerate() {
        for export in &template.exports {
            // A name with an expression has another value in another stack.
            if export.kind != Kind::Export || export.is_conditional || export.name.text().is_none() {
                continue;
            }
            let earlier = known.entry(&export.name).or_default();
            let first = earlier.iter().take(MOST_COMPARED).find_map(|&(other, first)| {
                let other = templates.get(other).filter(|_| other != number)?;
                are_both_deployed(other, template).then_some(first)
            });
            if let Some(first) = first {
                found.push((number, diagnostic(export, first)));
            }
            earlier.push((number, export));
        }
    }
}

/// Templates without the names of their stacks may be alternatives: then most of their resources are the same.
fn are_both_deployed(one: &Template, other: &Template) -> bool {
    let are_named = one.stack.is_some() && other.stack.is_some() && one.stack != other.stack;
    one.may_be_beside(other) && (are_named || !one.is_variant_of(other))
}

fn diagnostic(export: &Export, first: &Export) -> Diagnostic {
    Diagnostic::new(codes::EXPORTED_TWICE, format!("{} is exported by two stacks", quoted(&export.name)))
        .at(export.span)
        .note(format!("{} exports it, too", place(&first.file, first.line)))
        .note("names of exports are unique in an account and Region: the second stack fails")
        .help("export it under another name, such as one that begins with `${AWS::StackName}`")
}
