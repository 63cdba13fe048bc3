//! Loops whose items depend on missing values: an error, or not checked (reference/command-line.md#checks).

use formwork_base::display::shown;
use formwork_base::{Advice, Code, Diagnostic, Severity};
use formwork_evaluate::Evaluator;
use formwork_evaluate::blocker::{self, Blocker};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId};
use formwork_template::{NamePattern, parameter_option};

use super::Expander;
use super::parts::Loop;

/// Returns the report of a loop that is not checked, when the missing values may be passed later. `what` is the loop in
/// words.
pub(super) fn not_checked(ev: &Evaluator<'_>, code: Code, what: &str, causes: &[Blocker]) -> Option<Diagnostic> {
    if ev.settings.value_missing == Severity::Error || causes.is_empty() || !causes.iter().all(Blocker::can_be_passed) {
        return None;
    }
    let behind = behind_conditions(ev, causes);
    let given = causes.iter().chain(&behind).filter(|cause| cause.can_be_passed());
    let mut missing = given.map(|cause| Missing::of(ev, Some(cause), false));
    let missing = missing.find(|missing| missing.option.is_some()).unwrap_or_else(|| Missing {
        help: "pass values for the parameters that the condition compares".into(),
        ..Missing::default()
    });
    let option = missing.option.as_deref().unwrap_or("--parameter-overrides");
    let needs: Vec<String> = causes.iter().map(|cause| shown(&cause.text(ev.tree))).collect();
    let has = if needs.len() == 1 { "has" } else { "have" };
    Some(
        Diagnostic::not_checked(code, what, option)
            .severity(Severity::Warning)
            .note(format!("it depends on {}, which {has} no value", needs.join(", ")))
            .help(missing.help),
    )
}

/// Replaces conditions among the causes by the causes of their unknown values.
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

#[derive(Debug, Default)]
pub(super) struct Missing {
    pub(super) name: String,
    pub(super) option: Option<String>,
    pub(super) help: Advice,
}

impl Missing {
    pub(super) fn of(ev: &Evaluator<'_>, cause: Option<&Blocker>, is_list: bool) -> Missing {
        let name = match cause {
            None => Known::Map.long().to_owned(),
            Some(Blocker::Parameter(name) | Blocker::NoEcho(name) | Blocker::Condition(name)) => {
                shown(ev.tree.name(*name))
            }
            Some(Blocker::Pseudo(name)) => ev.tree.name(*name).to_owned(),
            Some(Blocker::Resource(name) | Blocker::Attribute(name) | Blocker::Function(name)) => shown(name),
        };
        let kind = match cause {
            Some(Blocker::Parameter(name) | Blocker::NoEcho(name)) => ev.template.parameter(*name),
            _ => None,
        };
        let kind = kind.map(|parameter| &parameter.kind);
        let (option, help) = match cause {
            Some(Blocker::Parameter(_) | Blocker::NoEcho(_)) if kind.is_some_and(|kind| kind.is_ssm_value) => {
                let help = "pass account data that contains the stored value: `--account FILE` with `SsmParameters`, or `--live`";
                (Some("--account FILE".to_owned()), help.into())
            }
            Some(Blocker::Parameter(_) | Blocker::NoEcho(_)) => {
                let is_list = is_list || kind.is_some_and(|kind| kind.is_list);
                let option = parameter_option(&name, is_list);
                let help = format!("pass it with `{option}`, or add a Default to the parameter");
                (Some(option), Advice::to_pass_value(help))
            }
            Some(cause @ Blocker::Pseudo(_)) => {
                let option = cause.option(ev.tree).unwrap_or_default();
                let help = format!("pass it with `{option}`");
                (Some(option), help.into())
            }
            Some(Blocker::Condition(_)) => (None, "pass values for the parameters that the condition compares".into()),
            _ => (None, "pass the items in a parameter of type CommaDelimitedList".into()),
        };
        Missing { name, option, help }
    }
}

/// Returns the cause to report: preferably one that no value removes.
pub(super) fn reported(causes: &[Blocker]) -> Option<&Blocker> {
    causes.iter().find(|cause| !cause.is_value()).or(causes.first())
}

pub(super) fn is_secret(causes: &[Blocker]) -> bool {
    causes.iter().any(|cause| matches!(cause, Blocker::NoEcho(_)))
}

impl Expander<'_, '_> {
    pub(super) fn leave_unchecked(&mut self, of: &Loop) {
        let missed = of.is_map && std::mem::take(&mut self.ev.has_missed_value);
        if missed || self.collections.unchecked.contains(&of.collection) {
            self.note_names(of);
        }
    }

    pub(super) fn note_names(&mut self, of: &Loop) {
        let mut found = if of.is_map { vec![self.map_pattern(of)] } else { Vec::new() };
        self.patterns(of.fragment, &mut found);
        self.ev.unchecked.extend(found);
    }

    fn map_pattern(&self, of: &Loop) -> NamePattern {
        let text = of.key.and_then(|key| {
            let argument = self.ev.tree.argument_of(key, Known::Sub).unwrap_or(key);
            self.ev.tree.string(argument)
        });
        text.map_or_else(NamePattern::any, NamePattern::of_key)
    }

    fn patterns(&self, fragment: NodeId, found: &mut Vec<NamePattern>) {
        if self.ev.tree.kind(fragment) != Kind::Map {
            return;
        }
        for entry in self.ev.tree.entries(fragment) {
            if self.ev.tree.loop_name(entry.key).is_none() {
                found.push(NamePattern::of_key(self.ev.tree.text(entry.key)));
            } else if let Some(of) = Loop::for_each(self.ev.tree, entry) {
                self.patterns(of.fragment, found);
            }
        }
    }
}
