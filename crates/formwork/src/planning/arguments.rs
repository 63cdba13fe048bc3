//! Parameters whose values differ.

use formwork_base::Goal;
use formwork_base::display::MASK;
use formwork_plan::{Action, Outside};
use formwork_syntax::symbol;
use formwork_template::PseudoParameter;

use crate::compilation::Compilation;
use crate::deployment::argument_text;

/// Returns the parameters that both sides declare with different values: name, old and new value. The value of `NoEcho`
/// is `****`.
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

/// Returns the secret parameters with different values on both sides. Their references stay in the output, so that only
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

/// Returns the parameters whose Default is used as a value: name and value. `NoEcho` parameters are left out.
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

/// Returns the names with different values whose references stay in the output: SSM parameters of another name or type,
/// the output of `expand`, conditions that something else keeps undecided, and `Globals`.
pub(super) fn changed_names(old: &Compilation, new: &Compilation) -> Vec<Outside> {
    let (before, after) = (sources(old), sources(new));
    let differs = |(name, value): (String, String)| {
        let (_, was) = before.iter().find(|(known, _)| *known == name)?;
        let because = format!("argument {name}");
        (*was != value).then_some(Outside { name, action: Action::MayReplace, because })
    };
    after.into_iter().filter_map(differs).collect()
}

/// Returns the value of each name or its source: the value, the type with the name in the SSM store or, in the output
/// of `expand`, the Default. Secrets are compared elsewhere.
fn sources(compilation: &Compilation) -> Vec<(String, String)> {
    let tree = &compilation.tree;
    let Some(replay) = &compilation.replay else { return Vec::new() };
    let is_any = compilation.goal != Goal::Resolve;
    let text = |node| argument_text(tree, node);
    let of_parameter = |parameter: &formwork_template::template::Parameter| {
        let bound = replay.parameters.get(parameter.name).filter(|bound| !bound.secret)?;
        let kind = tree.get(parameter.node, symbol::TYPE).map_or("", |kind| tree.text_form(kind));
        let default = parameter.default.filter(|_| is_any);
        let source = bound.value.filter(|_| !is_any).or(bound.stored).or(default).map(text);
        let kind = if bound.value.is_some() && !is_any { "" } else { kind };
        Some((tree.name(parameter.name).to_owned(), format!("{kind} {}", source.unwrap_or_default())))
    };
    let of_pseudo = |pseudo: &PseudoParameter| {
        let bound = tree.symbols().get(pseudo.name()).and_then(|name| replay.parameters.get(name))?;
        Some((pseudo.name().to_owned(), bound.value.map(text).unwrap_or_default()))
    };
    let parameters = compilation.template.parameters.iter().filter_map(of_parameter);
    parameters.chain(PseudoParameter::ALL.iter().filter_map(of_pseudo)).collect()
}

/// Name, value or Default, and whether it is `NoEcho`.
fn values(compilation: &Compilation) -> Vec<(String, Option<String>, bool)> {
    let tree = &compilation.tree;
    let default = |name: &str| {
        let parameter = compilation.template.parameters.iter().find(|parameter| tree.name(parameter.name) == name)?;
        Some(argument_text(tree, tree.get(parameter.node, symbol::DEFAULT)?))
    };
    let declared = compilation.declared_parameters().into_iter();
    declared
        .map(|parameter| {
            let value = parameter.given.or_else(|| default(&parameter.name));
            (parameter.name, value, parameter.no_echo)
        })
        .collect()
}
