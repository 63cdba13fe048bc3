//! Possible values of parameters and pseudo parameters, as far as conditions depend on them.

use formwork_syntax::{Kind, Tree, symbol};
use formwork_template::parameter_type::Base;
use formwork_template::template::Parameter;
use formwork_template::{PseudoParameter, Template};

use formwork_evaluate::constraints::surely_keeps;

#[derive(Default)]
pub(super) struct Domain<'t> {
    /// All possible values; if `is_open`, those that conditions compare it with.
    pub(super) values: Vec<&'t str>,
    pub(super) is_open: bool,
}

impl<'t> Domain<'t> {
    /// Returns the `AllowedValues` of a parameter; any value without them.
    pub(super) fn of(tree: &'t Tree, template: &Template, name: &str) -> Domain<'t> {
        let allowed = parameter(tree, template, name)
            .and_then(|parameter| tree.get(parameter.node, symbol::ALLOWED_VALUES))
            .filter(|&list| tree.kind(list) == Kind::List && !tree.is_empty(list));
        let values: Option<Vec<&str>> = allowed.and_then(|list| {
            tree.items(list).iter().map(|&item| tree.is_scalar(item).then(|| tree.text_form(item))).collect()
        });
        match values {
            Some(values) => Domain { values, is_open: false },
            None => Domain { values: Vec::new(), is_open: true },
        }
    }

    /// Returns the values that are certainly possible, the `Default` first; `None` is any value that it is not compared
    /// with.
    pub(super) fn certain(&self, tree: &'t Tree, template: &Template, name: &str) -> Vec<Option<&'t str>> {
        if let Some(pseudo) = PseudoParameter::from_name(name) {
            let values = self.values.iter().filter(|value| is_plausible(pseudo, value));
            return std::iter::once(None).chain(values.map(|value| Some(*value))).collect();
        }
        let Some(parameter) = parameter(tree, template, name) else { return Vec::new() };
        let default = parameter.default.filter(|&node| tree.is_scalar(node)).map(|node| tree.text_form(node));
        let others = self.values.iter().copied().filter(|value| Some(*value) != default);
        let values = default.into_iter().chain(others);
        let mut certain: Vec<Option<&str>> =
            values.filter(|value| surely_keeps(tree, parameter, value)).map(Some).collect();
        if self.is_open && takes_any(tree, parameter) {
            certain.push(None);
        }
        certain
    }
}

fn parameter<'p>(tree: &Tree, template: &'p Template, name: &str) -> Option<&'p Parameter> {
    tree.symbols().get(name).and_then(|name| template.parameter(name))
}

/// Returns `true` if a string parameter takes more strings than any template compares it with: it has no pattern, and
/// room for them.
fn takes_any(tree: &Tree, parameter: &Parameter) -> bool {
    let longest = tree.get(parameter.node, symbol::MAX_LENGTH).map(|node| tree.text_form(node).parse::<u32>());
    tree.get(parameter.node, symbol::ALLOWED_PATTERN).is_none() && longest.is_none_or(|most| most.is_ok_and(|n| n > 1))
}

fn is_plausible(pseudo: PseudoParameter, value: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match pseudo {
        PseudoParameter::Region => {
            value.rsplit_once('-').is_some_and(|(area, number)| digits(number) && area.contains('-'))
        }
        PseudoParameter::AccountId => value.len() == 12 && digits(value),
        PseudoParameter::Partition => value == "aws" || value.starts_with("aws-"),
        PseudoParameter::UrlSuffix => value.starts_with("amazonaws.com"),
        _ => false,
    }
}

/// Returns `true` for a pseudo parameter that is a string, and for a parameter whose value is the passed one.
pub(super) fn is_variable(tree: &Tree, template: &Template, name: &str) -> bool {
    match PseudoParameter::from_name(name) {
        Some(pseudo) => !matches!(pseudo, PseudoParameter::NoValue | PseudoParameter::NotificationArns),
        None => tree.symbols().get(name).and_then(|name| template.parameter(name)).is_some_and(|parameter| {
            let kind = &parameter.kind;
            !kind.is_list && !kind.is_ssm_value && kind.base == Base::String && !parameter.no_echo
        }),
    }
}
