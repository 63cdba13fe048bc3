//! Names that can be referred to.

use formwork_base::{IdMap, IdSet};
use formwork_syntax::{NodeId, Symbol, Tree, symbol};
use formwork_template::reference::{By, Reference};
use formwork_template::{PseudoParameter, Section, attribute};

use crate::Context;
use crate::checks::mistaken_names::DeclaredTypes;
use crate::checks::misused_names::DeclaredLoops;

pub(in crate::checks) struct Names {
    parameters: IdSet<Symbol>,
    /// Resources, each with its position in the section.
    pub(super) resources: IdMap<Symbol, u32>,
    /// Registry modules among the resources.
    pub(super) modules: Vec<String>,
    /// Resources before conditions were decided, and registry modules among them; `None` when they are the same.
    pub(super) written: Option<(IdSet<Symbol>, Vec<String>)>,
    pub(super) loops: DeclaredLoops,
    pub(super) types: DeclaredTypes,
}

impl Names {
    pub(in crate::checks) fn of(cx: &Context<'_>) -> Names {
        let names = |root: NodeId| {
            let section = cx.tree.get(root, symbol::RESOURCES);
            section.into_iter().flat_map(|node| cx.tree.entries(node)).map(|entry| cx.tree.symbol(entry.key))
        };
        let mut resources = IdMap::default();
        resources.reserve(cx.tree.get(cx.result, symbol::RESOURCES).map_or(0, |node| cx.tree.len(node)));
        resources.extend(names(cx.result).zip(0..));
        let modules = |root: NodeId| {
            let section = cx.tree.get(root, symbol::RESOURCES);
            let members = section.into_iter().flat_map(|section| cx.tree.entries(section));
            let is_module = |resource: NodeId| {
                let kind = cx.tree.get(resource, symbol::TYPE).and_then(|kind| cx.tree.string(kind));
                kind.is_some_and(attribute::is_registry_module)
            };
            members.filter(|member| is_module(member.value)).map(|member| cx.tree.text(member.key).to_owned()).collect()
        };
        Names {
            parameters: cx.template.parameters.iter().map(|parameter| parameter.name).collect(),
            resources,
            modules: modules(cx.result),
            written: (cx.tree.get(cx.unrolled, symbol::RESOURCES) != cx.tree.get(cx.result, symbol::RESOURCES))
                .then(|| (names(cx.unrolled).collect(), modules(cx.unrolled))),
            loops: DeclaredLoops::default(),
            types: DeclaredTypes::default(),
        }
    }

    pub(in crate::checks) fn has(&self, tree: &Tree, section: Section, reference: &Reference<'_>) -> bool {
        exists(self, section, tree.symbols().get(reference.name), reference)
    }
}

/// Returns `true` if a name belongs to a resource that a registry module generates: the module's logical ID and that of
/// the resource in it, with or without a dot between them.
pub(super) fn is_in_module(modules: &[String], name: &str) -> bool {
    modules.iter().any(|module| {
        let rest = name.strip_prefix(module.as_str()).map(|rest| rest.strip_prefix('.').unwrap_or(rest));
        rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    })
}

/// `symbol` is the symbol of the name.
pub(super) fn exists(names: &Names, section: Section, symbol: Option<Symbol>, reference: &Reference<'_>) -> bool {
    let is_parameter = || {
        symbol.is_some_and(|name| names.parameters.contains(&name))
            || PseudoParameter::from_name(reference.name).is_some()
    };
    let is_resource = || {
        section != Section::Conditions
            && (symbol.is_some_and(|name| names.resources.contains_key(&name))
                || is_in_module(&names.modules, reference.name))
    };
    match (reference.by, reference.attribute) {
        (By::DependsOn | By::GetAtt, _) => is_resource(),
        (By::Sub, Some(_)) => is_resource(),
        (By::Ref | By::Sub, _) => is_parameter() || is_resource(),
    }
}

/// Returns `true` if a transform such as the serverless one may generate resources with such a name: it begins with the
/// name of a resource.
pub(super) fn looks_made(tree: &Tree, names: &Names, name: &str) -> bool {
    (1..name.len())
        .rev()
        .filter(|&at| name.is_char_boundary(at))
        .any(|at| tree.symbols().get(&name[..at]).is_some_and(|prefix| names.resources.contains_key(&prefix)))
}
