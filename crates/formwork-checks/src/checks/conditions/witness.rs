//! Values for which conditions have wanted outcomes.

use std::collections::BTreeMap;

use formwork_base::display::shown;
use formwork_template::PseudoParameter;
use rustc_hash::FxHashMap;

use super::{Assignment, Evaluated, MOST_DEPTH, Outcomes, Variables};

/// Limit of assignments per question.
const MOST_STEPS: usize = 4096;

/// Limit of assignments per template. Past it every question stays open.
const MOST_STEPS_OF_ALL: usize = 100_000;

/// Limit of values that are listed in the description of another one.
const MOST_NAMED: usize = 3;

type Wanted = BTreeMap<String, bool>;

/// Searches values and caches the answer to each question.
pub(in crate::checks) struct Search<'o, 't> {
    outcomes: &'o Outcomes<'t>,
    answers: FxHashMap<Vec<(String, bool)>, Option<Witness>>,
    /// Combinations of outcomes, with `true` for impossible ones.
    excluded: FxHashMap<Vec<(String, bool)>, bool>,
    steps: usize,
}

/// Values of parameters, in words: `Stage is "dev"`. The values of all others do not matter.
#[derive(Clone, Debug)]
pub(in crate::checks) struct Witness {
    pub(in crate::checks) values: Vec<String>,
}

impl<'o, 't> Search<'o, 't> {
    pub(in crate::checks) fn new(outcomes: &'o Outcomes<'t>) -> Search<'o, 't> {
        Search { outcomes, answers: FxHashMap::default(), excluded: FxHashMap::default(), steps: MOST_STEPS_OF_ALL }
    }

    /// Returns values for which all conditions have the wanted outcomes: only certainly possible values, and `None`
    /// when the search takes too long. Conditions that do not depend on parameters have no witness.
    pub(in crate::checks) fn witness(&mut self, wanted: &Wanted) -> Option<Witness> {
        let key: Vec<(String, bool)> = wanted.iter().map(|(name, outcome)| (name.clone(), *outcome)).collect();
        if let Some(answer) = self.answers.get(&key) {
            return answer.clone();
        }
        let answer = self.look(wanted);
        self.answers.insert(key, answer.clone());
        answer
    }

    /// Returns the outcome that a condition always has where others have those of `given`; `None` if both are possible,
    /// if it is constant anyway, or if that is not known.
    pub(in crate::checks) fn implied(&mut self, given: &[(&str, bool)], name: &str) -> Option<bool> {
        if given.is_empty() {
            return None;
        }
        let outcomes = self.outcomes;
        let (definition, values) = (outcomes.definitions.get(name)?, Assignment::new());
        if outcomes.evaluate(definition, &values, MOST_DEPTH, &mut Evaluated::default()).is_some() {
            return None;
        }
        let known = |&(name, outcome): &(&str, bool)| {
            outcomes.definitions.get_key_value(name).map(|(name, _)| (*name, Some(outcome)))
        };
        let mut known: Evaluated<'_> = given.iter().filter_map(known).collect();
        if let Some(outcome) = outcomes.evaluate(definition, &values, MOST_DEPTH, &mut known) {
            return Some(outcome);
        }
        let given: Wanted = given.iter().map(|&(name, outcome)| (name.to_owned(), outcome)).collect();
        for outcome in [true, false] {
            let mut wanted = given.clone();
            wanted.insert(name.to_owned(), outcome);
            if self.is_excluded(&wanted) {
                let alone = Wanted::from([(name.to_owned(), outcome)]);
                return (!self.is_excluded(&alone) && !self.is_excluded(&given)).then_some(!outcome);
            }
        }
        None
    }

    /// Returns `true` if the conditions never have these outcomes together.
    fn is_excluded(&mut self, wanted: &Wanted) -> bool {
        let key: Vec<(String, bool)> = wanted.iter().map(|(name, outcome)| (name.clone(), *outcome)).collect();
        if let Some(answer) = self.excluded.get(&key) {
            return *answer;
        }
        let outcomes = self.outcomes;
        let mut variables = Variables::default();
        let are_known =
            wanted.keys().all(|name| outcomes.variables(name).is_some_and(|own| variables.add_all(own).is_some()));
        let answer = are_known && {
            let all = |name: &'t str| -> Vec<Option<&'t str>> {
                let domain = &outcomes.domains[name];
                let values = domain.values.iter().copied().map(Some);
                values.chain(domain.is_open.then_some(None)).collect()
            };
            let order: Vec<(&str, Vec<Option<&str>>)> = variables.iter().map(|name| (name, all(name))).collect();
            let mut steps = self.steps.min(MOST_STEPS);
            let before = steps;
            let may_be = self.assign(wanted, &order, &mut Assignment::new(), (&mut steps, true));
            self.steps -= before - steps;
            !may_be
        };
        self.excluded.insert(key, answer);
        answer
    }

    fn look(&mut self, wanted: &Wanted) -> Option<Witness> {
        let outcomes = self.outcomes;
        let mut variables = Variables::default();
        for name in wanted.keys() {
            variables.add_all(outcomes.variables(name)?)?;
        }
        if are_related(&variables) {
            return None;
        }
        let order: Vec<(&str, Vec<Option<&str>>)> = variables
            .iter()
            .map(|name| (name, outcomes.domains[name].certain(outcomes.tree, outcomes.template, name)))
            .collect();
        let mut assignment = Assignment::new();
        let mut steps = self.steps.min(MOST_STEPS);
        let before = steps;
        let is_found = self.assign(wanted, &order, &mut assignment, (&mut steps, false));
        self.steps -= before - steps;
        if !is_found {
            return None;
        }
        // Leave out variables that do not matter.
        for (name, _) in &order {
            if let Some(value) = assignment.remove(name)
                && self.holds(wanted, &assignment) != Some(true)
            {
                assignment.insert(name, value);
            }
        }
        let values: Vec<String> = assignment.iter().map(|(name, value)| self.words(name, *value)).collect();
        (!values.is_empty()).then_some(Witness { values })
    }

    /// Assigns values to the variables in `order` until all conditions are as wanted whatever the rest are. Returns
    /// `undecided` where that is not known, or not reached in so many steps.
    fn assign(
        &self,
        wanted: &Wanted,
        order: &[(&'t str, Vec<Option<&'t str>>)],
        assignment: &mut Assignment<'t>,
        (steps, undecided): (&mut usize, bool),
    ) -> bool {
        let Some(left) = steps.checked_sub(1) else { return undecided };
        *steps = left;
        if let Some(holds) = self.holds(wanted, assignment) {
            return holds;
        }
        let Some(((name, values), rest)) = order.split_first() else { return undecided };
        for value in values {
            assignment.insert(name, *value);
            if self.assign(wanted, rest, assignment, (&mut *steps, undecided)) {
                return true;
            }
        }
        assignment.remove(name);
        false
    }

    /// Returns `true` if all conditions are as wanted; `None` when other variables decide that.
    fn holds(&self, wanted: &Wanted, assignment: &Assignment<'t>) -> Option<bool> {
        let (mut is_known, mut known) = (true, Evaluated::default());
        for (name, outcome) in wanted {
            let definition = self.outcomes.definitions.get(name.as_str())?;
            match self.outcomes.evaluate(definition, assignment, MOST_DEPTH, &mut known) {
                Some(found) if found != *outcome => return Some(false),
                Some(_) => {}
                None => is_known = false,
            }
        }
        is_known.then_some(true)
    }

    fn words(&self, name: &str, value: Option<&str>) -> String {
        let name_shown = shown(name);
        if let Some(value) = value {
            return format!("{name_shown} is \"{}\"", shown(value));
        }
        let values = self.outcomes.domains.get(name).map_or(&[][..], |domain| &domain.values);
        let mut named: Vec<String> =
            values.iter().take(MOST_NAMED).map(|value| format!("\"{}\"", shown(value))).collect();
        if values.len() > MOST_NAMED {
            named.push(format!("{} other values", values.len() - MOST_NAMED));
        }
        format!("{name_shown} is not {}", named.join(" or "))
    }
}

/// Returns `true` if the values of two of the variables follow from one another.
fn are_related(variables: &Variables<'_>) -> bool {
    use PseudoParameter::{Partition, Region, StackId, StackName, UrlSuffix};
    let count = |group: &[PseudoParameter]| {
        let pseudo = variables.iter().filter_map(PseudoParameter::from_name);
        pseudo.filter(|pseudo| group.contains(pseudo)).count()
    };
    count(&[Region, Partition, UrlSuffix]) > 1 || count(&[StackId, StackName]) > 1
}
