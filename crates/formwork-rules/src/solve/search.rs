//! The search: one parameter after the other, with the rest unknown.

use super::{Found, Problem, Variable, domain, shown_value};
use crate::environment::Environment;
use crate::evaluator::Evaluator;
use crate::model::Rule;
use crate::outcome::{Outcome, outcome};
use crate::report::RuleResult;
use crate::value::{Member, Reason, Reasons, Value};

/// Limit of elements of lists that all evaluations of one search may look at together.
const WORK: usize = 40_000_000;
/// Limit per search.
const EVALUATIONS: usize = 100_000;
/// Limit of expressions per search.
const STEPS: usize = 8_000_000;
/// Limit of expressions for all searches of a run.
const ALL_STEPS: usize = 16_000_000;

#[derive(Clone, Copy)]
enum Goal<'r> {
    AllHold(&'r [&'r Rule]),
    Is(&'r Rule, RuleResult),
}

impl<'r> Goal<'r> {
    fn rules<'g>(&'g self) -> &'g [&'r Rule] {
        match self {
            Goal::AllHold(rules) => rules,
            Goal::Is(rule, _) => std::slice::from_ref(rule),
        }
    }
}

enum Reached {
    Yes(RuleResult),
    No,
    Open(Reasons),
}

pub(super) struct Search<'s, 'e> {
    problem: &'s Problem<'e>,
    environment: &'s Environment<'e>,
    variables: &'e [Variable],
    relevant: Vec<&'e Variable>,
    /// Evaluations left to this search.
    evaluations: usize,
    /// Expressions that are left to all searches; one takes at most half of them.
    steps: usize,
    reasons: Reasons,
}

impl<'s, 'e> Search<'s, 'e> {
    pub(super) fn new(
        problem: &'s Problem<'e>,
        environment: &'s Environment<'e>,
        variables: &'e [Variable],
    ) -> Search<'s, 'e> {
        Search {
            problem,
            environment,
            variables,
            relevant: Vec::new(),
            evaluations: 0,
            steps: ALL_STEPS,
            reasons: Reasons::default(),
        }
    }

    pub(super) fn all_hold(&mut self, rules: &[&Rule]) -> Found {
        self.look_for(Goal::AllHold(rules))
    }

    /// Searches values for which a rule passes, or else is skipped.
    pub(super) fn satisfying(&mut self, rule: &Rule) -> Found {
        match self.look_for(Goal::Is(rule, RuleResult::Pass)) {
            Found::Nothing => self.look_for(Goal::Is(rule, RuleResult::Skipped)),
            Found::Unknown(reasons) => match self.look_for(Goal::Is(rule, RuleResult::Skipped)) {
                found @ Found::Values(..) => found,
                _ => Found::Unknown(reasons),
            },
            found => found,
        }
    }

    pub(super) fn violating(&mut self, rule: &Rule) -> Found {
        self.look_for(Goal::Is(rule, RuleResult::Fail))
    }

    fn look_for(&mut self, goal: Goal<'_>) -> Found {
        let rules = goal.rules();
        let cost = 1 + rules.iter().map(|rule| rule.size()).sum::<usize>();
        let affordable = (STEPS.min(self.steps / 2) / cost).min(WORK / (1 + longest_list(self.environment, rules)));
        let most = EVALUATIONS.min(affordable);
        self.evaluations = most;
        self.reasons = Reasons::default();
        let names = domain::names(self.problem, rules);
        self.relevant = self.variables.iter().filter(|variable| names.contains(&variable.symbol)).collect();
        let mut environment = self.environment.clone();
        for variable in &self.relevant {
            environment.set(variable.symbol, unknown(variable));
        }
        let mut chosen = Vec::new();
        let result = self.descend(goal, &mut environment, &mut chosen);
        self.steps -= (most - self.evaluations) * cost;
        match result {
            Some(result) => {
                // Variables that do not matter take their first value.
                let chosen_for = |symbol| self.relevant.iter().position(|variable| variable.symbol == symbol);
                let values = self.variables.iter().filter(|variable| !variable.domain.values.is_empty());
                let values = values.map(|variable| {
                    let at = chosen_for(variable.symbol).and_then(|place| chosen.get(place)).copied().unwrap_or(0);
                    (variable.domain.name.clone(), shown_value(variable, at))
                });
                Found::Values(values.collect(), result)
            }
            None if self.evaluations == 0 => Found::GivenUp,
            None if self.reasons.is_empty() => Found::Nothing,
            None => Found::Unknown(std::mem::take(&mut self.reasons)),
        }
    }

    /// Returns the result, once values in `chosen` reach the goal.
    fn descend(
        &mut self,
        goal: Goal<'_>,
        environment: &mut Environment<'e>,
        chosen: &mut Vec<usize>,
    ) -> Option<RuleResult> {
        if self.evaluations == 0 || self.problem.cancellation.is_cancelled() {
            return None;
        }
        self.evaluations -= 1;
        let reasons = match reached(goal, environment, chosen.len() == self.relevant.len()) {
            Reached::Yes(result) => return Some(result),
            Reached::No => return None,
            Reached::Open(reasons) => reasons,
        };
        let Some(&variable) = self.relevant.get(chosen.len()) else {
            self.reasons.add(&reasons);
            return None;
        };
        let parameter = environment.template.parameter(variable.symbol)?;
        if variable.domain.values.is_empty() {
            chosen.push(0);
            let found = self.descend(goal, environment, chosen);
            if found.is_none() {
                chosen.pop();
            }
            return found;
        }
        for (at, value) in variable.domain.values.iter().enumerate() {
            environment.set(variable.symbol, environment.account.value_of_text(&parameter.kind, value));
            chosen.push(at);
            if let Some(found) = self.descend(goal, environment, chosen) {
                return Some(found);
            }
            chosen.pop();
        }
        environment.set(variable.symbol, unknown(variable));
        None
    }
}

/// Returns the value of an unassigned variable. The reason matters only for one without any values: collecting many
/// names at every step would be wasted.
fn unknown<'e>(variable: &Variable) -> Value<'e> {
    let name = if variable.domain.values.is_empty() { variable.domain.name.clone() } else { String::new() };
    Value::Unknown(Reasons::one(Reason::NoValue(name)))
}

/// Returns how far a goal is reached. `is_whole` is set when every variable has a value.
fn reached(goal: Goal<'_>, environment: &Environment<'_>, is_whole: bool) -> Reached {
    match goal {
        Goal::Is(rule, wanted) => match evaluated(rule, environment) {
            None => Reached::No,
            // All assertions are true: with other values the rule may be skipped.
            Some(outcome) if outcome.result == RuleResult::Pass && outcome.condition.is_none() && !is_whole => {
                Reached::Open(outcome.reasons)
            }
            Some(outcome) if outcome.result == wanted => Reached::Yes(wanted),
            Some(outcome) if outcome.result == RuleResult::Unknown && may_become(&outcome, wanted) => {
                Reached::Open(outcome.reasons)
            }
            Some(_) => Reached::No,
        },
        Goal::AllHold(rules) => {
            let mut open = Reasons::default();
            for rule in rules {
                match evaluated(rule, environment) {
                    None => return Reached::No,
                    Some(outcome) => match outcome.result {
                        RuleResult::Fail => return Reached::No,
                        RuleResult::Unknown => open.add(&outcome.reasons),
                        RuleResult::Pass | RuleResult::Skipped => {}
                    },
                }
            }
            if open.is_empty() { Reached::Yes(RuleResult::Pass) } else { Reached::Open(open) }
        }
    }
}

fn may_become(outcome: &Outcome, wanted: RuleResult) -> bool {
    use crate::value::Verdict;
    match wanted {
        RuleResult::Pass => !outcome.assertions.contains(&Verdict::False),
        RuleResult::Skipped => outcome.condition.is_none(),
        RuleResult::Fail | RuleResult::Unknown => true,
    }
}

fn evaluated(rule: &Rule, environment: &Environment<'_>) -> Option<Outcome> {
    outcome(rule, &Evaluator::new(environment))
}

fn longest_list(environment: &Environment<'_>, rules: &[&Rule]) -> usize {
    use crate::expression::ExpressionKind;
    let mut longest = 0;
    for expression in rules.iter().flat_map(|rule| rule.expressions()) {
        expression.walk(&mut |expression| {
            let value = match &expression.kind {
                ExpressionKind::RefAll(kind) => environment.account.all(kind),
                ExpressionKind::ValueOfAll(kind, attribute) => environment.account.attribute_of_all(kind, attribute),
                _ => return,
            };
            if let Value::List(members) = value {
                longest = longest.max(members.iter().filter(|member| matches!(member, Member::Text(_))).count());
            }
        });
    }
    longest
}
