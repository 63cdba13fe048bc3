//! Names: of parameters, resources, loops, conditions.

use formwork::query::{SymbolKind, VisibleName};

use super::{Collector, ProposalKind};
use crate::context::Step;
use crate::hover::type_of_generated;
use crate::nested::{members, template_of};
use crate::schema::{kinds, schemas};
use crate::sections::PSEUDO;

/// Adds names in `${}`: those for `Fn::Sub`, or loop variables elsewhere.
pub(super) fn in_placeholder(collector: &mut Collector<'_, '_>) {
    let is_sub =
        collector.context.call().is_some_and(|(function, at)| function == "Fn::Sub" && at.is_none_or(|at| at == 0));
    if !is_sub {
        return of_kinds(collector, &[SymbolKind::LoopVariable], 0);
    }
    if attribute(collector) {
        return;
    }
    of_kinds(collector, &[SymbolKind::SubVariable], 0);
    values(collector);
}

pub(super) fn values(collector: &mut Collector<'_, '_>) {
    of_kinds(collector, &[SymbolKind::LoopVariable], 0);
    of_kinds(collector, &[SymbolKind::Parameter], 1);
    resources(collector, 2);
    let pseudo = PSEUDO.map(|(name, words)| (name.to_owned(), words));
    for (name, words) in pseudo {
        let kind = ProposalKind::Name(SymbolKind::PseudoParameter);
        collector.add_documented(&name, name.clone(), kind, (None, Some(words.to_owned())), 5);
    }
}

/// Adds logical IDs, including those of loops and imports, without the one around the cursor if it must not be used.
pub(super) fn resources(collector: &mut Collector<'_, '_>, group: u8) {
    let (section, own) = collector.member();
    let own = own.filter(|_| section.as_deref() == Some("Resources"));
    let project = collector.ide.project();
    let declared = project.names_of_kinds(collector.file, collector.offset, &[SymbolKind::Resource]);
    let generated: Vec<_> = project.generated_names().collect();
    for (names, group) in [(declared, group), (generated, group + 1)] {
        for name in names.into_iter().filter(|name| Some(&name.name) != own.as_ref()) {
            let detail = name.detail.map(|detail| detail.replace('=', " = "));
            collector.add_value(&name.name, ProposalKind::Name(name.kind), detail, group);
        }
    }
}

pub(super) fn of_kinds(collector: &mut Collector<'_, '_>, kinds: &[SymbolKind], group: u8) {
    let (section, own) = collector.member();
    let is_own_condition = kinds == [SymbolKind::Condition] && section.as_deref() == Some("Conditions");
    let mut names = collector.ide.project().names_of_kinds(collector.file, collector.offset, kinds);
    if kinds.contains(&SymbolKind::LoopVariable) {
        variables(collector, &mut names);
    }
    for name in names.into_iter().filter(|name| !is_own_condition || Some(&name.name) != own.as_ref()) {
        if collector.context.is_placeholder {
            collector.add(&name.name, name.name.clone(), ProposalKind::Name(name.kind), name.detail, group);
        } else {
            collector.add_value(&name.name, ProposalKind::Name(name.kind), name.detail, group);
        }
    }
}

/// Adds the variables of the loops around the cursor, innermost first. They are also visible after the end of a
/// fragment, once something is written there.
fn variables(collector: &Collector<'_, '_>, names: &mut Vec<VisibleName>) {
    let mut path = collector.context.path.windows(2).rev();
    let names_of = |name: &str| {
        let loops = collector.ide.project().loops(collector.file);
        loops.into_iter().find(|one| one.name.as_deref() == Some(name)).map_or_else(Vec::new, |one| one.variables)
    };
    while let Some([key, index]) = path.next() {
        let (Step::Key(key), Step::Index(2)) = (key, index) else { continue };
        let Some(name) = key.strip_prefix("Fn::ForEach::") else { continue };
        for variable in names_of(name) {
            if !names.iter().any(|known| known.name == variable) {
                names.push(VisibleName::variable(&variable));
            }
        }
    }
}

/// Adds attributes after `Id.` in the token: whole names, as the token is replaced. Returns `true` if the token has
/// this form.
pub(super) fn attribute(collector: &mut Collector<'_, '_>) -> bool {
    let token = collector.token();
    let before = collector.offset as usize - collector.context.start;
    let Some(at) = token.get(..before).and_then(|before| before.find('.')) else { return false };
    let id = token.get(..at).unwrap_or_default().to_owned();
    for (name, detail, kind) in attributes_of(collector, &id) {
        let label = format!("{id}.{name}");
        collector.add_value(&label, kind, detail, 0);
    }
    true
}

/// The attributes of a resource, or the outputs of an import.
pub(super) fn attributes_of(collector: &Collector<'_, '_>, id: &str) -> Vec<(String, Option<String>, ProposalKind)> {
    let mut found = Vec::new();
    for import in collector.ide.project().imports(collector.file).into_iter().filter(|import| import.name == id) {
        let output = |name| (name, import.source.clone(), ProposalKind::Name(SymbolKind::Output));
        found.extend(import.outputs.into_iter().map(output));
    }
    if let Some(child) = template_of(collector.ide, collector.file, id) {
        let output = |name| (format!("Outputs.{name}"), None, ProposalKind::Name(SymbolKind::Output));
        found.extend(members(&child, "Outputs").into_iter().map(output));
    }
    let project = collector.ide.project();
    let declared = project.names_of_kinds(collector.file, collector.offset, &[SymbolKind::Resource]);
    let kind = declared.into_iter().find(|name| name.name == id).and_then(|name| name.detail);
    let kind = kind.or_else(|| type_of_generated(collector.ide, id));
    if let Some(resource) = kind.as_deref().and_then(|kind| schemas().resource_type(kind)) {
        let attributes = resource.attributes().into_iter();
        found.extend(attributes.map(|attribute| {
            let what = attribute.node.map(|node| kinds(node.kinds())).filter(|what| !what.is_empty());
            (attribute.name, what, ProposalKind::Property)
        }));
    }
    found
}

/// Adds the values for `Fn::GetAtt`: names with their attributes, and imports with their outputs.
pub(super) fn get_att(collector: &mut Collector<'_, '_>) {
    if attribute(collector) {
        return;
    }
    resources(collector, 1);
    of_kinds(collector, &[SymbolKind::Import], 0);
}
