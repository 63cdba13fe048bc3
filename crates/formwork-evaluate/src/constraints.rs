//! The constraints of a parameter that its values have to keep (reference/parameters.md#constraints).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::{Kind, NodeId, Symbol, Tree, symbol};
use formwork_template::parameter_type::Base;
use formwork_template::template::Parameter;
use rustc_hash::FxHashSet;

use crate::{Dialect, Match, Pattern};

/// Steps of backtracking that all matches of one value may take together: a few milliseconds.
const STEPS: usize = 200_000;
/// Limit of steps of one match, whatever their number.
const STEPS_OF_ONE: usize = 2_000;

/// A constraint that a value breaks.
#[derive(Clone, Debug)]
pub struct Failure {
    /// CloudFormation's sentence without a `ConstraintDescription`.
    pub sentence: String,
    /// The constraint; `None` for a value that is not a number.
    pub constraint: Option<NodeId>,
    /// The end of a sentence about the value.
    pub what: &'static str,
}

/// Returns the failure of a value whose items are `members`; `None` when it keeps all constraints. `Err` is the
/// diagnostic of a pattern that cannot be checked, when no other constraint is broken.
pub fn failure(
    tree: &Tree,
    parameter: &Parameter,
    name: &str,
    members: &[String],
) -> Result<Option<Failure>, Box<Diagnostic>> {
    let value = Value { tree, parameter, name, members };
    let is_number = parameter.kind.base == Base::Number && !parameter.kind.is_ssm_value;
    if is_number {
        return Ok(value.number_failure().or_else(|| value.not_allowed()));
    }
    if let Some(failure) = value.not_allowed() {
        return Ok(Some(failure));
    }
    match value.pattern_failure() {
        Ok(Some(failure)) => Ok(Some(failure)),
        checked => value.length_failure().map_or(checked, |failure| Ok(Some(failure))),
    }
}

/// Returns `true` if all items of a value keep the constraints of their parameter. A pattern that cannot be checked
/// counts as matching.
pub fn keeps_constraints(tree: &Tree, parameter: &Parameter, members: &[String]) -> bool {
    !matches!(failure(tree, parameter, tree.name(parameter.name), members), Ok(Some(_)))
}

/// Returns `true` if a value certainly keeps the constraints of its parameter: a pattern that cannot be checked counts
/// as not matching.
pub fn surely_keeps(tree: &Tree, parameter: &Parameter, value: &str) -> bool {
    matches!(failure(tree, parameter, tree.name(parameter.name), &[value.to_owned()]), Ok(None))
}

struct Value<'v> {
    tree: &'v Tree,
    parameter: &'v Parameter,
    name: &'v str,
    members: &'v [String],
}

impl Value<'_> {
    fn attribute(&self, symbol: Symbol) -> Option<NodeId> {
        self.tree.get(self.parameter.node, symbol)
    }

    fn bound(&self, symbol: Symbol) -> Option<(NodeId, f64)> {
        let node = self.attribute(symbol)?;
        Some((node, number(self.tree.text_form(node))?))
    }

    fn number_failure(&self) -> Option<Failure> {
        let name = self.name;
        if self.members.iter().any(|member| number(member).is_none()) {
            let sentence = format!("Parameter '{name}' must be a number.");
            return Some(Failure { sentence, constraint: None, what: "is not a number" });
        }
        for (symbol, below) in [(symbol::MIN_VALUE, true), (symbol::MAX_VALUE, false)] {
            let Some((bound, limit)) = self.bound(symbol) else { continue };
            let breaks = |value: f64| if below { value < limit } else { value > limit };
            if self.members.iter().filter_map(|member| number(member)).any(breaks) {
                let words = if below { "not less than" } else { "not greater than" };
                let bound_text = self.tree.text_form(bound);
                return Some(Failure {
                    sentence: format!("Parameter '{name}' must be a number {words} {bound_text}"),
                    constraint: Some(bound),
                    what: if below { "is too small" } else { "is too large" },
                });
            }
        }
        None
    }

    fn not_allowed(&self) -> Option<Failure> {
        let tree = self.tree;
        let allowed = self.attribute(symbol::ALLOWED_VALUES).filter(|&node| tree.kind(node) == Kind::List)?;
        let texts: FxHashSet<&str> = tree.items(allowed).iter().map(|&item| tree.text_form(item)).collect();
        if self.members.iter().all(|member| texts.contains(member.as_str())) {
            return None;
        }
        let sentence = format!("Parameter '{}' must be one of AllowedValues", self.name);
        Some(Failure { sentence, constraint: Some(allowed), what: "is not allowed" })
    }

    fn pattern_failure(&self) -> Result<Option<Failure>, Box<Diagnostic>> {
        let Some(pattern) = self.attribute(symbol::ALLOWED_PATTERN) else { return Ok(None) };
        let source = self.tree.text_form(pattern);
        let steps = (STEPS / self.members.len().max(1)).max(STEPS_OF_ONE);
        let compiled = Pattern::new(source, Dialect::Java, steps);
        let mut unchecked = None;
        for member in self.members {
            // A pattern that no engine compiles is reported with the declaration.
            match compiled.as_ref().map_or_else(|why| Match::Unknown(why.to_string()), |it| it.matches(member)) {
                Match::Yes => {}
                Match::No => {
                    let sentence = format!("Parameter '{}' must match pattern {source}", self.name);
                    return Ok(Some(Failure {
                        sentence,
                        constraint: Some(pattern),
                        what: "does not match the pattern",
                    }));
                }
                Match::Unknown(why) => unchecked = unchecked.or(Some(why)),
            }
        }
        unchecked.map_or(Ok(None), |why| Err(Box::new(self.unchecked(pattern, &why))))
    }

    fn unchecked(&self, pattern: NodeId, why: &str) -> Diagnostic {
        let message = format!("the pattern of parameter {} cannot be checked locally: {why}", self.name);
        Diagnostic::new(codes::PATTERN_UNCHECKED, message)
            .at(self.tree.span(pattern))
            .note("CloudFormation checks it as a Java regular expression")
            .help("use only character classes, groups and repetitions")
    }

    /// The length of a list is not limited.
    fn length_failure(&self) -> Option<Failure> {
        if self.parameter.kind.is_list && !self.parameter.kind.is_ssm_value {
            return None;
        }
        for (symbol, least) in [(symbol::MIN_LENGTH, true), (symbol::MAX_LENGTH, false)] {
            let Some((bound, limit)) = self.bound(symbol) else { continue };
            let breaks = |length: usize| if least { (length as f64) < limit } else { (length as f64) > limit };
            if self.members.iter().any(|member| breaks(member.chars().count())) {
                let (name, words) = (self.name, if least { "at least" } else { "at most" });
                let bound_text = self.tree.text_form(bound);
                return Some(Failure {
                    sentence: format!("Parameter '{name}' must contain {words} {bound_text} characters"),
                    constraint: Some(bound),
                    what: if least { "is too short" } else { "is too long" },
                });
            }
        }
        None
    }
}

/// Parses a number of a parameter: optional sign, decimal, exponent.
pub fn number(text: &str) -> Option<f64> {
    let digits = text.trim();
    let sound = digits.bytes().any(|byte| byte.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    if sound { digits.parse().ok() } else { None }
}
