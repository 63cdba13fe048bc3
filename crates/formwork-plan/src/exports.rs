//! Removed and changed exports: CloudFormation rejects the change while another stack imports them. Who does is added by
//! those who read other templates (reference/plan.md#exports).

use rustc_hash::FxHashSet;

use crate::change::{Change, ChangeKind, Export};
use crate::outside::Outside;
use crate::references;
use formwork_template::Section;
use formwork_template::side::{Member, Side};
use formwork_template::value::Step;

fn name(member: &Member<'_>) -> Option<String> {
    let name = member.value.get("Export")?.get("Name")?;
    Some(name.text().map_or_else(|| name.to_line().into_owned(), str::to_owned))
}

/// Marks the change of an output on both sides whose export is removed or changes.
pub(crate) fn changed<'p, 't>(mut change: Change<'p, 't>, old: &'p Member<'t>, new: &'p Member<'t>) -> Change<'p, 't> {
    if change.section != Section::Outputs {
        return change;
    }
    let Some(exported) = name(old) else { return change };
    let is_at = |key: &str| change.properties.iter().any(|property| property.path.first() == Some(&Step::Name(key)));
    let what = match name(new) {
        None => "removed",
        Some(_) if is_at("Export") => "renamed",
        Some(_) if is_at("Value") => "changed",
        Some(_) => return change,
    };
    change.export = Some(Export { name: exported, change: what, importers: None });
    change
}

pub(crate) fn removed<'p, 't>(mut change: Change<'p, 't>, old: &Member<'t>) -> Change<'p, 't> {
    change.export = name(old).filter(|_| change.section == Section::Outputs).map(|name| Export {
        name,
        change: "removed",
        importers: None,
    });
    change
}

/// Marks exports whose values change because a resource is replaced or for reasons outside of the template.
pub(crate) fn mark<'p, 't>(
    old: &'p Side<'t>,
    outside: &[Outside],
    (changes, unchanged): (&mut Vec<Change<'p, 't>>, &mut usize),
) {
    let replaced = changes
        .iter()
        .filter(|change| change.resource.iter().any(|resource| resource.possible().any(|one| one.action.replaces())));
    let mut names: FxHashSet<String> = replaced.map(|change| change.old_id.unwrap_or(change.id).to_owned()).collect();
    names.extend(outside.iter().map(|one| one.name.clone()));
    if names.is_empty() {
        return;
    }
    for member in old.members(Section::Outputs) {
        let Some((exported, value)) = name(member).zip(member.value.get("Value")) else { continue };
        let mut reason = None;
        references::each(value, &mut |name, attribute| {
            let output = crate::outside::output(name, attribute);
            if reason.is_none() && (names.contains(name) || output.is_some_and(|output| names.contains(&output))) {
                reason = Some(format!("replacement of {name}"));
            }
        });
        let Some(reason) = reason else { continue };
        let is_it = |change: &&mut Change<'_, '_>| change.section == Section::Outputs && change.id == member.id;
        let export = Export { name: exported, change: "changed", importers: None };
        if let Some(change) = changes.iter_mut().find(is_it) {
            change.export.get_or_insert(export);
        } else {
            let mut change = Change::new(ChangeKind::Changed, Section::Outputs, member.id);
            (change.export, change.because) = (Some(export), vec![reason]);
            changes.push(change);
            *unchanged = unchanged.saturating_sub(1);
        }
    }
}
