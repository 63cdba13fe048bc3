//! Attributes of resources: conditions, dependencies and policies take only a string, which the transform may compute
//! (reference/conditions.md#attribute, reference/policies.md#values).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Symbol, View, symbol};
use formwork_template::attribute;
use formwork_template::fill_in::{Around, Spelling, fill_in};
use formwork_template::sub_string::{self, Part};

use super::Work;
use super::pinned::Notes;
use crate::blocker::{self, Blocker};
use crate::evaluator::Evaluator;
use crate::messages::shown_value;
use crate::outcome::Outcome;
use crate::settings::Visibility;

/// An evaluated `Condition` attribute of a resource or output.
#[derive(Clone, Copy, Debug)]
pub(super) enum ConditionAttribute {
    Named(NodeId),
    Open(NodeId),
    /// `AWS::NoValue`: the entry is unconditional.
    Nothing,
}

impl ConditionAttribute {
    pub(super) fn written(self) -> Option<NodeId> {
        match self {
            ConditionAttribute::Named(node) | ConditionAttribute::Open(node) => Some(node),
            ConditionAttribute::Nothing => None,
        }
    }
}

/// Pseudo parameters that policies do not support, even when they are known.
const UNSUPPORTED: [&str; 4] = ["AWS::StackId", "AWS::StackName", "AWS::NotificationARNs", "AWS::URLSuffix"];

impl Evaluator<'_> {
    pub(super) fn condition_of(&mut self, work: Work, member: NodeId, notes: &mut Notes) -> Option<ConditionAttribute> {
        let entry = self.tree.member(member, symbol::CONDITION)?;
        let node = entry.value;
        match self.tree.kind(node) {
            Kind::Null => return None,
            Kind::String => {
                self.check_named(node, node);
                return Some(ConditionAttribute::Named(node));
            }
            Kind::Call => {}
            _ => {
                let diagnostic = self.layout(node, Known::Condition, "the Condition attribute is not a string");
                let only = match self.tree.items(node) {
                    [only] => self.tree.string(*only),
                    _ => None,
                };
                self.report(diagnostic.help(match only {
                    Some(name) => format!("write the name alone: `{}`", shown(name)),
                    None => "write the name of a condition".to_owned(),
                }));
                return Some(ConditionAttribute::Open(node));
            }
        }
        if let Some(argument) = self.tree.argument_of(node, Known::Condition) {
            let name = self.tree.string(argument).map_or_else(|| "Name".into(), shown);
            let diagnostic = self.layout(
                node,
                Known::Condition,
                "the Condition attribute is the name of a condition, not a function",
            );
            self.report(diagnostic.help(format!("write the name alone: `{name}`")));
            return Some(ConditionAttribute::Open(node));
        }
        self.path.push(entry.key);
        let value = self.literal_attribute(work, "Condition", node, notes);
        self.path.pop();
        let Some(value) = value else { return Some(ConditionAttribute::Nothing) };
        if self.tree.kind(value) != Kind::String {
            if self.tree.kind(value) != Kind::Call {
                let what = format!("the Condition attribute resolves to {}", shown_value(self.tree, value));
                let diagnostic = self.layout(node, Known::Condition, &what);
                self.report(diagnostic.help("write the name of a condition"));
            }
            return Some(ConditionAttribute::Open(value));
        }
        self.check_named(value, node);
        Some(ConditionAttribute::Named(value))
    }

    fn check_named(&mut self, name: NodeId, at: NodeId) {
        let text = self.tree.text(name).to_owned();
        if self.has_condition(&text) {
            return;
        }
        let sentence = if self.settings.language_extensions {
            format!("Key {text} is missing in the map.")
        } else {
            format!(
                "Template format error: Unresolved condition dependency {text} in the Resources block of the template"
            )
        };
        let mut diagnostic = self.unknown_condition(at, &text, &sentence);
        if self.settings.language_extensions {
            diagnostic = diagnostic.quoting(&crate::messages::transform_sentence(&sentence));
        }
        if text.contains("${") {
            diagnostic = diagnostic.note("a placeholder in a plain string is not replaced");
            let spelling = Spelling::of(self.tree, self.template.root);
            let advice = fill_in(self.tree, at, Around::Value, spelling, &|_| true)
                .filter(|_| self.settings.language_extensions);
            diagnostic.help.clear();
            diagnostic = match advice {
                Some(advice) => advice.add_to(diagnostic),
                None => diagnostic.help("write the name of the condition literally"),
            };
        }
        self.report(diagnostic);
    }

    pub(super) fn resource_attribute(
        &mut self,
        work: Work,
        name: Symbol,
        node: NodeId,
        notes: &mut Notes,
    ) -> Option<NodeId> {
        match name {
            symbol::TYPE => Some(node),
            symbol::DEPENDS_ON => self.depends_on(work, node, notes),
            symbol::DELETION_POLICY => self.policy(work, "DeletionPolicy", node, notes),
            symbol::UPDATE_REPLACE_POLICY => self.policy(work, "UpdateReplacePolicy", node, notes),
            _ => self.value(work, node, notes),
        }
    }

    fn depends_on(&mut self, work: Work, node: NodeId, notes: &mut Notes) -> Option<NodeId> {
        match self.tree.kind(node) {
            Kind::Call => self.literal_attribute(work, "DependsOn", node, notes),
            Kind::List => {
                let items = self.tree.items(node).to_vec();
                let items: Vec<NodeId> = items
                    .into_iter()
                    .filter_map(|item| match self.tree.kind(item) {
                        Kind::Call => self.literal_attribute(work, "DependsOn", item, notes),
                        Kind::Null if self.settings.language_extensions => None,
                        _ => Some(item),
                    })
                    .collect();
                Some(self.list_like(node, &items))
            }
            _ => Some(node),
        }
    }

    /// Evaluates a function where plain CloudFormation accepts only a string.
    pub(super) fn literal_attribute(
        &mut self,
        work: Work,
        name: &str,
        node: NodeId,
        notes: &mut Notes,
    ) -> Option<NodeId> {
        notes.is_poisoned = false;
        let value = match work {
            Work::Check => {
                self.with_visibility(Visibility::Constant, |ev| ev.resolve(node));
                Some(node)
            }
            Work::Constructs => self.construct(node, name, notes),
            Work::All => {
                let outcome = self.with_visibility(Visibility::Full, |ev| ev.resolve(node));
                notes.is_poisoned = outcome == Outcome::Poison;
                outcome.written(node)
            }
        };
        if let Some(left) = value.filter(|&value| self.tree.kind(value) == Kind::Call) {
            notes.attributes_kept = true;
            if work == Work::Constructs {
                let causes = blocker::blockers(self.tree, &self.parameters, left);
                notes.keep(super::Kept { name: name.to_owned(), node, causes });
            }
        }
        value
    }

    fn policy(&mut self, work: Work, name: &str, node: NodeId, notes: &mut Notes) -> Option<NodeId> {
        if !self.settings.language_extensions {
            return self.value(work, node, notes);
        }
        if let Some(error) = self.policy_error(name, node) {
            self.report(error);
            return Some(node);
        }
        if self.tree.kind(node) != Kind::Call {
            return Some(node);
        }
        let value = self.literal_attribute(work, name, node, notes);
        let Some(value) = value else {
            let diagnostic = self.policy_no_value(name, node);
            self.report(diagnostic);
            return Some(node);
        };
        if notes.is_poisoned {
            return Some(value);
        }
        match self.tree.kind(value) {
            Kind::String => self.check_policy_text(name, node, value),
            Kind::List => {
                let diagnostic = self.policy_list(name, node);
                self.report(diagnostic);
            }
            // A macro returns a literal.
            Kind::Call if self.tree.argument_of(value, Known::Transform).is_some() => {}
            Kind::Call => {
                let causes = blocker::blockers(self.tree, &self.parameters, value);
                let only_values = causes.iter().all(blocker::Blocker::is_value);
                // `keep` needs no value, and `pin` has reported which one it needs.
                let is_checked =
                    self.settings.value_missing == Severity::Error || !causes.iter().all(Blocker::can_be_passed);
                if !is_checked {
                    let diagnostic = self.policy_not_checked(name, node, &causes);
                    self.report(diagnostic);
                } else if work != Work::Constructs || !only_values {
                    let cause = causes.first().map(|cause| cause.text(self.tree)).unwrap_or_default();
                    let mut diagnostic = self.policy_unsupported(name, node, &format!("{name} depends on {cause}"));
                    if only_values {
                        diagnostic = diagnostic.help("use a literal value: the attribute does not support functions");
                    }
                    self.report(diagnostic);
                }
            }
            _ => {
                let what = format!("{name} is {}", shown_value(self.tree, value));
                let diagnostic = self.policy_unsupported(name, node, &what);
                self.report(diagnostic);
            }
        }
        Some(value)
    }

    /// Builds the diagnostic of a policy that needs values which are not passed (reference/command-line.md#checks).
    fn policy_not_checked(&self, name: &str, node: NodeId, causes: &[Blocker]) -> Diagnostic {
        let id = self.resource.id.map_or_else(|| "?".to_owned(), |id| shown(self.tree.text(id)));
        let needs = causes.first().map(|cause| cause.text(self.tree)).unwrap_or_default();
        let option = causes.iter().find_map(|cause| cause.option(self.tree));
        let option = option.unwrap_or_else(|| "--parameter-overrides".to_owned());
        Diagnostic::not_checked(codes::POLICY_VALUE, &format!("{name} of resource {id}"), &option)
            .at(self.tree.span(node))
            .severity(Severity::Warning)
            .note(format!("it depends on {}, which has no value", shown(&needs)))
            .help(format!("write `{name}: Retain`, or pass values for the parameters that it uses"))
    }

    /// Checks the result of a function as a policy.
    fn check_policy_text(&mut self, name: &str, node: NodeId, value: NodeId) {
        let known = attribute::policy_values(name);
        let text = self.tree.text(value);
        if known.contains(&text) || self.template.has_own_macros() {
            return;
        }
        let id = self.resource.id.map_or_else(|| "?".to_owned(), |id| shown(self.tree.text(id)));
        let text = shown(text);
        let sentence = format!("Unrecognized {name} {text} for resource {id}");
        let error = self
            .sentence(codes::POLICY_VALUE, node, &format!("{name} of resource {id} resolves to \"{text}\""), &sentence)
            .note(format!("valid values of {name} are {}", known.join(", ")))
            .help("correct the value that the function returns");
        self.report(error);
    }

    /// Returns the diagnostic of a policy that is invalid whatever the values are.
    fn policy_error(&self, name: &str, node: NodeId) -> Option<Diagnostic> {
        match self.tree.view(node) {
            View::String(_) => None,
            View::List(_) => Some(self.policy_list(name, node)),
            View::Call(..) if self.is_no_value(node) => Some(self.policy_no_value(name, node)),
            View::Call(Function::Known(known), argument) => {
                let names: Vec<String> = match known {
                    Known::Ref => vec![self.tree.text(argument).to_owned()],
                    Known::Sub => {
                        let text = self.tree.items(argument).first().copied().unwrap_or(argument);
                        sub_string::parts(self.tree.text(text))
                            .filter_map(|part| match part {
                                Part::Variable(name) => Some(name.to_owned()),
                                _ => None,
                            })
                            .collect()
                    }
                    _ => Vec::new(),
                };
                let bad = names.iter().find(|name| UNSUPPORTED.contains(&name.as_str()))?;
                let sentence = format!("{bad} is not supported for DeletionPolicy or UpdateReplacePolicy");
                let error = self.sentence(codes::POLICY_VALUE, node, &format!("{name} cannot be {bad}"), &sentence);
                Some(error.help(format!("write `{name}: Retain`")))
            }
            View::Call(..) => None,
            _ => Some(self.policy_unsupported(name, node, &format!("{name} is {}", shown_value(self.tree, node)))),
        }
    }

    fn policy_no_value(&self, name: &str, node: NodeId) -> Diagnostic {
        let sentence = "AWS::NoValue is not supported for DeletionPolicy or UpdateReplacePolicy";
        self.sentence(codes::POLICY_VALUE, node, &format!("{name} resolves to AWS::NoValue"), sentence)
            .help("remove the attribute, or use another value")
    }

    fn policy_list(&self, name: &str, node: NodeId) -> Diagnostic {
        self.sentence(
            codes::POLICY_VALUE,
            node,
            &format!("{name} is a list"),
            &format!("Every {name} member must be a string"),
        )
        .help(format!("write `{name}: Retain`"))
    }

    fn policy_unsupported(&self, name: &str, node: NodeId, what: &str) -> Diagnostic {
        let id = self.resource.id.map_or("?", |id| self.tree.text(id));
        let sentence = format!("Unsupported expression for {name} in resource {id}");
        self.sentence(codes::POLICY_VALUE, node, what, &sentence)
            .note("a policy is a string, or a function of parameters, conditions and mappings that returns a string")
            .help(format!("write `{name}: Retain`, or pass values for the parameters that it uses"))
    }
}
