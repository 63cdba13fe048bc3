//! The intended name of a reference to a missing one.

use formwork_base::{Frame, suggest};
use formwork_syntax::{Kind, Tree, symbol};
use formwork_template::reference::By;
use formwork_template::{PseudoParameter, Section, serverless_names};

use super::missing::Missing;
use crate::Context;

/// Returns the nearest name of those that the place of a reference takes.
pub(super) fn near(cx: &Context<'_>, section: Section, missing: &Missing) -> Option<String> {
    let tree = cx.tree;
    let takes = missing.takes(section);
    if let Some(name) = pseudo_parameter_in(&missing.name) {
        return Some(name.to_owned());
    }
    if missing.name.starts_with("AWS::") {
        let names = PseudoParameter::ALL.iter().map(|pseudo| pseudo.name());
        return suggest::nearest(&missing.name, names).map(str::to_owned);
    }
    let resources = tree.get(cx.result, symbol::RESOURCES).filter(|_| takes.resources);
    let resources = resources.into_iter().flat_map(|node| tree.entries(node)).map(|entry| tree.text(entry.key));
    let parameters = cx.template.parameters.iter().filter(|_| takes.parameters);
    let parameters = parameters.map(|parameter| tree.name(parameter.name));
    const MOST: usize = 2000;
    let frames = tree.frame_chain(tree.frame_of(missing.member));
    let local: Vec<String> = if takes.parameters { local_names(tree, missing, &frames) } else { Vec::new() };
    // Where the result of the transform is not known, its fixed names are.
    let is_unknown = cx.becomes.is_none() && cx.template.is_serverless();
    let fixed = serverless_names::FIXED.into_iter().filter(|_| is_unknown);
    let generated = generated_ids(cx).chain(fixed).filter(|_| takes.resources);
    let others = local.iter().map(String::as_str).chain(generated.take(MOST));
    let names = resources.take(MOST).chain(parameters).chain(others);
    let near = cx.diagnostics.suggester().nearest(&missing.name, names).map(str::to_owned);
    near.or_else(|| takes.resources.then(|| in_import(cx, &missing.name)).flatten()).or_else(|| {
        let mut pseudo = PseudoParameter::ALL.iter().map(|pseudo| pseudo.name());
        let is_meant = |known: &&str| known.strip_prefix("AWS::").is_some_and(|known| known == missing.name);
        pseudo.find(is_meant).filter(|_| missing.by != By::DependsOn).map(str::to_owned)
    })
}

/// Returns the logical ID of a resource of an import, by its name in the module.
fn in_import(cx: &Context<'_>, name: &str) -> Option<String> {
    /// Further imports are not searched, for each missing name.
    const MOST: usize = 100;
    let tree = cx.tree;
    let imports = tree.get_text(cx.document.root, "Modules").filter(|&node| tree.kind(node) == Kind::Map)?;
    let resources = tree.get(cx.result, symbol::RESOURCES)?;
    let ids = tree.entries(imports).take(MOST).map(|import| format!("{}{name}", tree.text(import.key)));
    let mut known = ids.filter(|id| tree.get_text(resources, id).is_some());
    let only = known.next()?;
    known.next().is_none().then_some(only)
}

/// Returns the logical IDs of what the serverless transform makes.
fn generated_ids<'c>(cx: &Context<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    let (tree, made) = (cx.tree, cx.becomes.and_then(|root| cx.tree.get(root, symbol::RESOURCES)));
    made.into_iter().flat_map(|made| tree.entries(made)).map(|entry| tree.text(entry.key))
}

/// Returns the names that are known only at a reference: variables of the loops around it, and those of its `Fn::Sub`.
fn local_names(tree: &Tree, missing: &Missing, frames: &[Frame]) -> Vec<String> {
    let of_loops = frames.iter().filter(|frame| frame.loop_name.is_some()).map(|frame| frame.name.clone());
    let call = missing.call.filter(|_| missing.by == By::Sub);
    let variables = call.map(|call| tree.call(call).1).and_then(|list| tree.items(list).get(1).copied());
    let variables = variables.into_iter().filter(|&node| tree.kind(node) == Kind::Map);
    const MOST: usize = 100;
    let of_call = variables.flat_map(|node| tree.entries(node)).map(|entry| tree.text(entry.key).to_owned()).take(MOST);
    of_loops.chain(of_call).collect()
}

/// Returns the intended pseudo parameter where only the separators are wrong: `AWS.Region`, `AWS:Region`.
pub(super) fn pseudo_parameter_in(name: &str) -> Option<&'static str> {
    let (head, rest) = name.split_once([':', '.', '-', '_', '/'])?;
    let rest = rest.trim_start_matches(':');
    let names = PseudoParameter::ALL.iter().map(|pseudo| pseudo.name());
    let is_meant = |known: &str| known.strip_prefix("AWS::").is_some_and(|known| known.eq_ignore_ascii_case(rest));
    names.filter(|_| head.eq_ignore_ascii_case("AWS")).find(|known| is_meant(known))
}
