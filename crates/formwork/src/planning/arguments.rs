//! Parameters whose value differs.

use formwork_base::display::MASK;
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
