//! Outcomes of conditions over all values of the parameters (reference/conditions.md#constant).

mod domain;
mod reach;
mod witness;

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};

use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Tree, View, has_placeholder};
use formwork_template::{Template, reference};
use rustc_hash::FxHashMap;

use domain::Domain;
use reach::{Reach, Variables, reaches};
pub(super) use witness::{Search, Witness};

/// Limit per condition.
const MOST_COMBINATIONS: usize = 4096;

/// Limit of evaluated functions for all conditions of a template.
const MOST_STEPS: usize = 1_000_000;

const MOST_DEPTH: usize = 64;

pub(super) struct Outcomes<'t> {
    tree: &'t Tree,
    template: &'t Template,
    definitions: BTreeMap<&'t str, Expression<'t>>,
    domains: BTreeMap<&'t str, Domain<'t>>,
    reaches: FxHashMap<&'t str, Option<Reach<'t>>>,
    /// Functions that may still be evaluated.
    steps: Cell<usize>,
}

pub(super) struct Constant {
    pub(super) is_true: bool,
    /// The parameters whose `AllowedValues` are the reason.
    pub(super) allowed: Vec<(String, Vec<String>)>,
}

enum Expression<'t> {
    Equals(Operand<'t>, Operand<'t>),
    Not(Box<Expression<'t>>),
    All(Vec<Expression<'t>>),
    Any(Vec<Expression<'t>>),
    Condition(&'t str),
    Unknown,
}

#[derive(Clone, Copy)]
enum Operand<'t> {
    Literal(&'t str),
    Variable(&'t str),
    Unknown,
}

/// Values of variables; `None` is another value than all that it is compared with.
type Assignment<'t> = BTreeMap<&'t str, Option<&'t str>>;

/// Outcomes of conditions under one assignment.
type Evaluated<'t> = FxHashMap<&'t str, Option<bool>>;

impl<'t> Outcomes<'t> {
    pub(super) fn new(tree: &'t Tree, section: NodeId, template: &'t Template) -> Outcomes<'t> {
        let definitions: BTreeMap<&str, Expression<'_>> = tree
            .entries(section)
            .map(|entry| (tree.text(entry.key), expression(tree, template, entry.value)))
            .collect();
        let mut domains: BTreeMap<&str, Domain<'_>> = BTreeMap::new();
        let mut known: HashSet<(&str, &str)> = HashSet::new();
        for definition in definitions.values() {
            definition.visit(&mut |left, right| {
                for (one, other) in [(left, right), (right, left)] {
                    let Operand::Variable(name) = one else { continue };
                    let domain = domains.entry(name).or_insert_with(|| Domain::of(tree, template, name));
                    if let Operand::Literal(value) = other
                        && domain.is_open
                        && known.insert((name, value))
                    {
                        domain.values.push(value);
                    }
                }
            });
        }
        let reaches = reaches(&definitions);
        Outcomes { tree, template, definitions, domains, reaches, steps: Cell::new(MOST_STEPS) }
    }

    /// Returns the outcome of a condition that has only one.
    pub(super) fn constant(&self, name: &str) -> Option<Constant> {
        let definition = self.definitions.get(name)?;
        let variables = self.variables(name)?;
        let mut count: usize = 1;
        for variable in variables.iter() {
            let domain = &self.domains[variable];
            count = count.checked_mul(domain.values.len() + usize::from(domain.is_open))?;
            if count == 0 || count > MOST_COMBINATIONS {
                return None;
            }
        }
        let mut outcome = None;
        for number in 0..count {
            let assignment = self.assignment(variables, number);
            let found = self.evaluate(definition, &assignment, MOST_DEPTH, &mut Evaluated::default())?;
            if outcome.is_some_and(|known| known != found) {
                return None;
            }
            outcome = Some(found);
        }
        let allowed = variables.iter().map(|name| (name, &self.domains[name])).filter(|(_, domain)| !domain.is_open);
        let text = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        let allowed = allowed.map(|(name, domain)| (name.to_owned(), text(&domain.values))).collect();
        outcome.map(|is_true| Constant { is_true, allowed })
    }

    fn variables(&self, name: &str) -> Option<&Variables<'t>> {
        self.reaches.get(name)?.as_ref().map(|reach| &reach.variables)
    }

    fn assignment(&self, variables: &Variables<'t>, mut number: usize) -> Assignment<'t> {
        let mut assignment = Assignment::new();
        for variable in variables.iter() {
            let domain = &self.domains[variable];
            let size = domain.values.len() + usize::from(domain.is_open);
            assignment.insert(variable, domain.values.get(number % size).copied());
            number /= size;
        }
        assignment
    }

    fn evaluate(
        &self,
        expression: &Expression<'t>,
        values: &Assignment<'t>,
        depth: usize,
        known: &mut Evaluated<'t>,
    ) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        self.steps.set(self.steps.get().checked_sub(1)?);
        match expression {
            Expression::Equals(left, right) => Outcomes::equals(*left, *right, values),
            Expression::Not(inner) => self.evaluate(inner, values, depth, known).map(|outcome| !outcome),
            Expression::All(all) => self.joined(all, (values, false), depth, known),
            Expression::Any(all) => self.joined(all, (values, true), depth, known),
            Expression::Condition(name) => {
                if let Some(outcome) = known.get(name) {
                    return *outcome;
                }
                let outcome = self.evaluate(self.definitions.get(name)?, values, depth, known);
                known.insert(name, outcome);
                outcome
            }
            Expression::Unknown => None,
        }
    }

    /// Evaluates `And` and `Or`: one operand that is `decisive` decides.
    fn joined(
        &self,
        all: &[Expression<'t>],
        (values, decisive): (&Assignment<'t>, bool),
        depth: usize,
        known: &mut Evaluated<'t>,
    ) -> Option<bool> {
        let mut is_known = true;
        for one in all {
            match self.evaluate(one, values, depth, known) {
                Some(outcome) if outcome == decisive => return Some(decisive),
                Some(_) => {}
                None => is_known = false,
            }
        }
        is_known.then_some(!decisive)
    }

    fn equals(left: Operand<'t>, right: Operand<'t>, values: &Assignment<'t>) -> Option<bool> {
        let value = |operand| match operand {
            Operand::Literal(text) => Some(Some(text)),
            Operand::Variable(name) => values.get(name).copied(),
            Operand::Unknown => None,
        };
        if let (Operand::Variable(one), Operand::Variable(other)) = (left, right)
            && one == other
        {
            return Some(true);
        }
        match (value(left)?, value(right)?) {
            (Some(left), Some(right)) => Some(left == right),
            // Another value than those of the literals; two parameters may be equal or not.
            (None, Some(_)) if matches!(right, Operand::Literal(_)) => Some(false),
            (Some(_), None) if matches!(left, Operand::Literal(_)) => Some(false),
            _ => None,
        }
    }
}

impl<'t> Expression<'t> {
    fn conditions(&self, visit: &mut impl FnMut(&'t str)) {
        match self {
            Expression::Condition(name) => visit(name),
            Expression::Not(inner) => inner.conditions(visit),
            Expression::All(all) | Expression::Any(all) => all.iter().for_each(|one| one.conditions(visit)),
            Expression::Equals(..) | Expression::Unknown => {}
        }
    }

    fn visit(&self, visit: &mut impl FnMut(Operand<'t>, Operand<'t>)) {
        match self {
            Expression::Equals(left, right) => visit(*left, *right),
            Expression::Not(inner) => inner.visit(visit),
            Expression::All(all) | Expression::Any(all) => all.iter().for_each(|one| one.visit(visit)),
            Expression::Condition(_) | Expression::Unknown => {}
        }
    }
}

fn expression<'t>(tree: &'t Tree, template: &Template, node: NodeId) -> Expression<'t> {
    if let Some(name) = reference::condition_named(tree, node) {
        return tree.string(name).map_or(Expression::Unknown, Expression::Condition);
    }
    let View::Call(Function::Known(function), argument) = tree.view(node) else { return Expression::Unknown };
    let all = || tree.items(argument).iter().map(|&item| expression(tree, template, item)).collect();
    match function {
        Known::Equals => match *tree.items(argument) {
            [left, right] => Expression::Equals(operand(tree, template, left), operand(tree, template, right)),
            _ => Expression::Unknown,
        },
        Known::Not => match *tree.items(argument) {
            [inner] => Expression::Not(Box::new(expression(tree, template, inner))),
            _ => Expression::Unknown,
        },
        Known::And | Known::Or if tree.kind(argument) != Kind::List => Expression::Unknown,
        Known::And => Expression::All(all()),
        Known::Or => Expression::Any(all()),
        _ => Expression::Unknown,
    }
}

fn operand<'t>(tree: &'t Tree, template: &Template, node: NodeId) -> Operand<'t> {
    match tree.view(node) {
        // A loop may fill in a placeholder.
        View::String(text) if has_placeholder(text) => Operand::Unknown,
        View::String(text) => Operand::Literal(text),
        View::Number(_) | View::Bool(_) => Operand::Literal(tree.text_form(node)),
        View::Call(Function::Known(Known::Ref), name) => match tree.string(name) {
            Some(name) if domain::is_variable(tree, template, name) => Operand::Variable(name),
            _ => Operand::Unknown,
        },
        _ => Operand::Unknown,
    }
}
