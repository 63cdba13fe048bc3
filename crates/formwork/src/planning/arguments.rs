//! Parameters whose value differs.

use formwork_base::Goal;
use formwork_base::display::MASK;
use formwork_plan::{Action, Outside};
use formwork_syntax::{Kind, symbol};

use crate::compilation::Compilation;

/// The parameters that both sides declare and that have other values: name, old and new value. That of `NoEcho` is
/// `****`.
pub fn changed_arguments(old: &Compilation, new: &Compilation) -> Vec<(String, String, String)> {
    let before = values(old);
    let changed = values(new).into_iter().filter_map(|(name, value, is_secret)| {
        let (_, was, was_secret) = before.iter().find(|(known, ..)| *known == name)?;
        if *was == value {
            return None;
        }
        let shown = |value: Option<String>| match value {
            _ if is_secret || *was_secret => MASK.to_owned(),
            value => value.unwrap_or_else(|| "(no value)".to_owned()),
        };
        Some((name, shown(was.clone()), shown(value)))
    });
    changed.collect()
}

/// The secret parameters that both sides have values of, which differ. Their references stay in the output, so that only
/// this shows that a property gets another value.
pub(super) fn changed_secrets(old: &Compilation, new: &Compilation) -> Vec<String> {
    let before = values(old);
    let changed = values(new).into_iter().filter(|(name, value, is_secret)| {
        let was = before.iter().find(|(known, ..)| known == name);
        was.is_some_and(|(_, was, was_secret)| {
            (*is_secret || *was_secret) && was.is_some() && value.is_some() && was != value
        })
    });
    changed.map(|(name, ..)| name).collect()
}

/// The parameters whose Default is used as a value: name and value. Those of `NoEcho` are left out.
pub fn used_defaults(compilation: &Compilation) -> Vec<(String, String)> {
    if compilation.goal != Goal::Resolve {
        return Vec::new();
    }
    let passed: Vec<String> = compilation
        .declared_parameters()
        .into_iter()
        .filter(|parameter| parameter.given.is_some() || parameter.no_echo)
        .map(|parameter| parameter.name)
        .collect();
    let all = values(compilation).into_iter().filter(|(name, ..)| !passed.contains(name));
    all.filter_map(|(name, value, _)| Some((name, value?))).collect()
}

/// The names that both sides declare and that have values nobody knows, which differ: SSM parameters of another name or
/// type, and in what `expand` prints, Defaults.
pub(super) fn changed_names(old: &Compilation, new: &Compilation) -> Vec<Outside> {
    let (before, after) = (open_values(old), open_values(new));
    let differs = |(name, value): (String, Option<String>)| {
        let (_, was) = before.iter().find(|(known, _)| *known == name)?;
        let because = format!("argument {name}");
        (*was != value).then_some(Outside { name, action: Action::MayReplace, because })
    };
    after.into_iter().filter_map(differs).collect()
}

/// What the value of each parameter comes from, where it is not known: its type, with the name in the SSM store or the
/// Default.
fn open_values(compilation: &Compilation) -> Vec<(String, Option<String>)> {
    let tree = &compilation.tree;
    let Some(replay) = &compilation.replay else { return Vec::new() };
    let is_any = compilation.goal != Goal::Resolve;
    let of_parameter = |parameter: &formwork_template::template::Parameter| {
        let bound = replay.parameters.get(parameter.name)?;
        if bound.value.is_some() && !is_any {
            return None;
        }
        let kind = tree.get(parameter.node, symbol::TYPE).map_or("", |kind| tree.text_form(kind));
        let source = bound.stored.or(parameter.default.filter(|_| is_any)).map(|node| match tree.kind(node) {
            Kind::List => tree.items(node).iter().map(|&item| tree.text_form(item)).collect::<Vec<_>>().join(","),
            _ => tree.text_form(node).to_owned(),
        });
        Some((tree.name(parameter.name).to_owned(), Some(format!("{kind} {}", source.unwrap_or_default()))))
    };
    compilation.template.parameters.iter().filter_map(of_parameter).collect()
}

/// Name, value or Default, and whether it is never shown.
fn values(compilation: &Compilation) -> Vec<(String, Option<String>, bool)> {
    let tree = &compilation.tree;
    let default = |name: &str| {
        let parameter = compilation.template.parameters.iter().find(|parameter| tree.name(parameter.name) == name)?;
        let node = tree.get(parameter.node, symbol::DEFAULT)?;
        Some(match tree.kind(node) {
            Kind::List => tree.items(node).iter().map(|&item| tree.text_form(item)).collect::<Vec<_>>().join(","),
            _ => tree.text_form(node).to_owned(),
        })
    };
    let declared = compilation.declared_parameters().into_iter();
    declared
        .map(|parameter| {
            let value = parameter.given.or_else(|| default(&parameter.name));
            (parameter.name, value, parameter.no_echo)
        })
        .collect()
}
