//! Variables that conditions depend on, found once for all of them.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Expression, MOST_DEPTH, Operand};

/// Limit per condition.
const MOST_VARIABLES: usize = 16;

pub(super) struct Reach<'t> {
    pub(super) variables: Variables<'t>,
    depth: usize,
}

/// Variables, sorted and distinct.
#[derive(Default)]
pub(super) struct Variables<'t>(Vec<&'t str>);

impl<'t> Variables<'t> {
    pub(super) fn iter(&self) -> impl Iterator<Item = &'t str> {
        self.0.iter().copied()
    }

    /// Returns `None` when there are too many.
    fn add(&mut self, name: &'t str) -> Option<()> {
        if let Err(at) = self.0.binary_search(&name) {
            self.0.insert(at, name);
        }
        (self.0.len() <= MOST_VARIABLES).then_some(())
    }

    /// Returns `None` when there are too many.
    pub(super) fn add_all(&mut self, other: &Variables<'t>) -> Option<()> {
        other.iter().try_for_each(|name| self.add(name))
    }
}

/// Returns the reach of each condition; `None` for one that depends on itself, on too many variables or on an
/// undeclared condition, or that is nested too deep.
pub(super) fn reaches<'t>(definitions: &BTreeMap<&'t str, Expression<'t>>) -> FxHashMap<&'t str, Option<Reach<'t>>> {
    let mut known = FxHashMap::default();
    let mut begun = FxHashSet::default();
    for &name in definitions.keys() {
        // Iterative, because a chain of conditions may be as long as the template.
        let mut path = vec![name];
        while let Some(&at) = path.last() {
            if known.contains_key(at) {
                path.pop();
            } else if let Some(expression) = definitions.get(at)
                && begun.insert(at)
            {
                expression.conditions(&mut |inner| {
                    if !begun.contains(inner) {
                        path.push(inner);
                    }
                });
            } else {
                // A condition that is still unknown here depends on this one.
                let reach = definitions.get(at).and_then(|expression| reach(expression, &known));
                known.insert(at, reach);
            }
        }
    }
    known
}

fn reach<'t>(expression: &Expression<'t>, known: &FxHashMap<&'t str, Option<Reach<'t>>>) -> Option<Reach<'t>> {
    let mut variables = Variables::default();
    let depth = add(expression, known, &mut variables)?;
    (depth <= MOST_DEPTH).then_some(Reach { variables, depth })
}

/// Adds the variables of an expression, and returns its depth.
fn add<'t>(
    expression: &Expression<'t>,
    known: &FxHashMap<&'t str, Option<Reach<'t>>>,
    variables: &mut Variables<'t>,
) -> Option<usize> {
    let below = match expression {
        Expression::Equals(left, right) => {
            for operand in [left, right] {
                if let Operand::Variable(name) = operand {
                    variables.add(name)?;
                }
            }
            0
        }
        Expression::Not(inner) => add(inner, known, variables)?,
        Expression::All(all) | Expression::Any(all) => {
            let mut deepest = 0;
            for one in all {
                deepest = add(one, known, variables)?.max(deepest);
            }
            deepest
        }
        Expression::Condition(name) => {
            let inner = known.get(name)?.as_ref()?;
            variables.add_all(&inner.variables)?;
            inner.depth
        }
        Expression::Unknown => 0,
    };
    Some(below + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equals(name: &'static str) -> Expression<'static> {
        Expression::Equals(Operand::Variable(name), Operand::Literal("x"))
    }

    fn found(definitions: Vec<(&'static str, Expression<'static>)>) -> Vec<(&'static str, Option<Vec<&'static str>>)> {
        let reaches = reaches(&definitions.into_iter().collect());
        let mut found: Vec<_> = reaches
            .into_iter()
            .map(|(name, reach)| (name, reach.map(|reach| reach.variables.iter().collect())))
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn variables_of_all_conditions_inside_are_those_of_a_condition() {
        let both = |one, other| Expression::All(vec![Expression::Condition(one), Expression::Condition(other)]);
        let definitions = vec![
            ("A", both("B", "C")),
            ("B", Expression::Not(Box::new(Expression::Condition("C")))),
            ("C", Expression::Any(vec![equals("q"), equals("p"), Expression::Unknown])),
            ("D", both("A", "E")),
            ("E", equals("r")),
        ];
        let pq = || Some(vec!["p", "q"]);
        let all = Some(vec!["p", "q", "r"]);
        assert_eq!(found(definitions), [("A", pq()), ("B", pq()), ("C", pq()), ("D", all), ("E", Some(vec!["r"]))]);
    }

    #[test]
    fn cycles_missing_conditions_and_those_on_them_reach_nothing() {
        let of = Expression::Condition;
        let definitions = vec![
            ("A", of("B")),
            ("B", Expression::All(vec![equals("p"), of("A")])),
            ("C", of("A")),
            ("D", of("Missing")),
            ("E", equals("p")),
        ];
        let expected = [("A", None), ("B", None), ("C", None), ("D", None), ("E", Some(vec!["p"])), ("Missing", None)];
        assert_eq!(found(definitions), expected);
    }
}
