//! Loops whose items depend on values that are not given: an error, or not checked
//! (reference/command-line.md#checks).

use formwork_base::{Code, Diagnostic, Severity};
use formwork_evaluate::Evaluator;
use formwork_evaluate::blocker::{self, Blocker};
use formwork_syntax::document::shown;
use formwork_syntax::function::{self, Known};
use formwork_syntax::{Kind, NodeId};
use formwork_template::NamePattern;

use super::Expander;
use super::parts::MapParts;

/// What is reported of a loop that is not checked, when the missing values may be given later. `what` names
/// the loop.
pub(super) fn not_checked(ev: &Evaluator<'_>, code: Code, what: &str, causes: &[Blocker]) -> Option<Diagnostic> {
    if ev.settings.value_missing == Severity::Error || causes.is_empty() || !causes.iter().all(Blocker::may_be_given) {
        return None;
    }
    let behind = behind_conditions(ev, causes);
    let (give, help) = causes.iter().chain(&behind).find_map(|cause| how_to_give(ev, cause)).unwrap_or_else(|| {
        let give = "--parameter-overrides".to_owned();
        (give, "give values to the parameters that the condition compares".to_owned())
    });
    let needs: Vec<String> = causes.iter().map(|cause| shown(&cause.text(ev.tree))).collect();
    let has = if needs.len() == 1 { "has" } else { "have" };
    Some(
        Diagnostic::new(code, format!("{what} is not checked: give a value with {give}"))
            .severity(Severity::Warning)
            .note(format!("it depends on {}, which {has} no value", needs.join(", ")))
            .help(help),
    )
}

/// What keeps conditions from being decided.
fn behind_conditions(ev: &Evaluator<'_>, causes: &[Blocker]) -> Vec<Blocker> {
    let mut found: Vec<Blocker> = Vec::new();
    let mut open: Vec<Blocker> = causes.to_vec();
    while let Some(Blocker::Condition(name)) = open.pop() {
        let Some((_, node)) = ev.condition_node(ev.tree.name(name)) else { continue };
        for cause in blocker::blockers(ev.tree, &ev.parameters, node) {
            let is_known = match &cause {
                Blocker::Parameter(name) | Blocker::Pseudo(name) => {
                    ev.parameters.get(*name).is_some_and(|bound| bound.value.is_some())
                }
                _ => false,
            };
            if !is_known && !found.contains(&cause) {
                found.push(cause.clone());
                open.push(cause);
            }
        }
    }
    found
}

/// The option that gives a missing value, and the advice with it.
fn how_to_give(ev: &Evaluator<'_>, cause: &Blocker) -> Option<(String, String)> {
    let Blocker::Parameter(name) = cause else {
        let option = cause.option(ev.tree)?;
        let help = format!("give it with `{option}`");
        return Some((option, help));
    };
    let kind = &ev.template.parameter(*name)?.kind;
    let name = shown(ev.tree.name(*name));
    if kind.is_ssm_value {
        let help = "give account data that has the stored value: `--account FILE` with `SsmParameters`, or `--live`";
        return Some(("--account FILE".to_owned(), help.to_owned()));
    }
    let value = if kind.is_list { "a,b" } else { "VALUE" };
    let option = format!("--parameter-overrides {name}={value}");
    let help = format!("give it with `{option}`, or give the parameter a Default");
    Some((option, help))
}

impl Expander<'_, '_> {
    /// Notes the names that an `Fn::ForEach` may generate, where it is not checked.
    pub(super) fn leave_unchecked(&mut self, collection: NodeId, fragment: NodeId) {
        if self.unchecked.contains(&collection) {
            let mut found = Vec::new();
            self.patterns(fragment, &mut found);
            self.add_patterns(found);
        }
    }

    /// The same for an `Fn::Map`.
    pub(super) fn leave_map_unchecked(&mut self, parts: &MapParts) {
        let missed = std::mem::take(&mut self.ev.has_missed_value);
        if missed || self.unchecked.contains(&parts.collection) {
            let mut found = vec![self.map_pattern(parts)];
            self.patterns(parts.fragment, &mut found);
            self.add_patterns(found);
        }
    }

    fn add_patterns(&mut self, found: Vec<NamePattern>) {
        for pattern in found {
            if !self.ev.unchecked.contains(&pattern) {
                self.ev.unchecked.push(pattern);
            }
        }
    }

    fn map_pattern(&self, parts: &MapParts) -> NamePattern {
        let text = parts.key.and_then(|key| {
            let argument = self.ev.tree.argument_of(key, Known::Sub).unwrap_or(key);
            self.ev.tree.string(argument)
        });
        text.map_or_else(NamePattern::any, NamePattern::of_key)
    }

    /// The keys of a fragment, those of nested loops included.
    fn patterns(&self, fragment: NodeId, found: &mut Vec<NamePattern>) {
        if self.ev.tree.kind(fragment) != Kind::Map {
            return;
        }
        for entry in self.ev.tree.entries(fragment) {
            let name = self.ev.tree.text(entry.key);
            if function::loop_name(name).is_none() {
                found.push(NamePattern::of_key(name));
            } else if let &[_, _, inner] = self.ev.tree.items(entry.value) {
                self.patterns(inner, found);
            }
        }
    }
}
