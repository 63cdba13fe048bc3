//! What a condition can be, over all values of the parameters (reference/conditions.md#constant).

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Tree, View, symbol};
use formwork_template::parameter_type::Base;
use formwork_template::{PseudoParameter, Template};

/// Most combinations of values that are looked at for one condition.
const MOST_COMBINATIONS: usize = 4096;

/// Most functions that are evaluated for all conditions of a template.
const MOST_STEPS: usize = 1_000_000;

/// Most conditions that one is made of, one inside the other.
const MOST_DEPTH: usize = 64;

/// The conditions of a template, read.
pub(super) struct Outcomes<'t> {
    definitions: BTreeMap<&'t str, Expression<'t>>,
    domains: BTreeMap<&'t str, Domain<'t>>,
    /// Functions that may still be evaluated.
    steps: Cell<usize>,
}

/// A condition that has one outcome.
pub(super) struct Constant {
    pub(super) is_true: bool,
    /// The parameters whose `AllowedValues` make it so.
    pub(super) allowed: Vec<(String, Vec<String>)>,
}

/// The values that a parameter or pseudo parameter can have.
#[derive(Default)]
struct Domain<'t> {
    /// Those that it can have; those that it is compared with where it may have any.
    values: Vec<&'t str>,
    /// Whether it may have another value.
    is_open: bool,
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

impl<'t> Outcomes<'t> {
    /// Reads the conditions of a section.
    pub(super) fn new(tree: &'t Tree, section: NodeId, template: &Template) -> Outcomes<'t> {
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
                    let domain = domains.entry(name).or_insert_with(|| domain(tree, template, name));
                    if let Operand::Literal(value) = other
                        && domain.is_open
                        && known.insert((name, value))
                    {
                        domain.values.push(value);
                    }
                }
            });
        }
        Outcomes { definitions, domains, steps: Cell::new(MOST_STEPS) }
    }

    /// Returns the outcome of a condition that has only one.
    pub(super) fn constant(&self, name: &str) -> Option<Constant> {
        let definition = self.definitions.get(name)?;
        let mut variables = BTreeSet::new();
        self.variables(definition, MOST_DEPTH, &mut variables)?;
        let mut count: usize = 1;
        for variable in &variables {
            let domain = &self.domains[variable];
            count = count.checked_mul(domain.values.len() + usize::from(domain.is_open))?;
            if count == 0 || count > MOST_COMBINATIONS {
                return None;
            }
        }
        let mut outcome = None;
        for number in 0..count {
            let assignment = self.assignment(&variables, number);
            let found = self.evaluate(definition, &assignment, MOST_DEPTH)?;
            if outcome.is_some_and(|known| known != found) {
                return None;
            }
            outcome = Some(found);
        }
        let allowed = variables.iter().map(|name| (*name, &self.domains[name])).filter(|(_, domain)| !domain.is_open);
        let text = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        let allowed = allowed.map(|(name, domain)| (name.to_owned(), text(&domain.values))).collect();
        outcome.map(|is_true| Constant { is_true, allowed })
    }

    /// Adds the variables of an expression; `None` when its conditions lie too deep or in one another.
    fn variables(&self, expression: &Expression<'t>, depth: usize, found: &mut BTreeSet<&'t str>) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match expression {
            Expression::Equals(left, right) => {
                for operand in [left, right] {
                    if let Operand::Variable(name) = operand {
                        found.insert(name);
                    }
                }
                (found.len() <= 16).then_some(())
            }
            Expression::Not(inner) => self.variables(inner, depth, found),
            Expression::All(all) | Expression::Any(all) => {
                all.iter().try_for_each(|one| self.variables(one, depth, found))
            }
            Expression::Condition(name) => self.variables(self.definitions.get(name)?, depth, found),
            Expression::Unknown => Some(()),
        }
    }

    fn assignment(&self, variables: &BTreeSet<&'t str>, mut number: usize) -> Assignment<'t> {
        let mut assignment = Assignment::new();
        for &variable in variables {
            let domain = &self.domains[variable];
            let size = domain.values.len() + usize::from(domain.is_open);
            assignment.insert(variable, domain.values.get(number % size).copied());
            number /= size;
        }
        assignment
    }

    fn evaluate(&self, expression: &Expression<'t>, values: &Assignment<'t>, depth: usize) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        self.steps.set(self.steps.get().checked_sub(1)?);
        match expression {
            Expression::Equals(left, right) => Outcomes::equals(*left, *right, values),
            Expression::Not(inner) => self.evaluate(inner, values, depth).map(|outcome| !outcome),
            Expression::All(all) => self.joined(all, values, depth, false),
            Expression::Any(all) => self.joined(all, values, depth, true),
            Expression::Condition(name) => self.evaluate(self.definitions.get(name)?, values, depth),
            Expression::Unknown => None,
        }
    }

    /// `And` and `Or`: one operand that is `decisive` decides.
    fn joined(&self, all: &[Expression<'t>], values: &Assignment<'t>, depth: usize, decisive: bool) -> Option<bool> {
        let mut is_known = true;
        for one in all {
            match self.evaluate(one, values, depth) {
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
            // Another value than those of the literals; of two parameters nobody knows.
            (None, Some(_)) if matches!(right, Operand::Literal(_)) => Some(false),
            (Some(_), None) if matches!(left, Operand::Literal(_)) => Some(false),
            _ => None,
        }
    }
}

impl<'t> Expression<'t> {
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
        Known::And => Expression::All(all()),
        Known::Or => Expression::Any(all()),
        Known::Condition => tree.string(argument).map_or(Expression::Unknown, Expression::Condition),
        _ => Expression::Unknown,
    }
}

fn operand<'t>(tree: &'t Tree, template: &Template, node: NodeId) -> Operand<'t> {
    match tree.view(node) {
        // A placeholder may be filled in by a loop.
        View::String(text) if text.contains("${") || text.contains("&{") => Operand::Unknown,
        View::String(text) => Operand::Literal(text),
        View::Number(_) | View::Bool(_) => Operand::Literal(tree.text_form(node)),
        View::Call(Function::Known(Known::Ref), name) => match tree.string(name) {
            Some(name) if is_variable(tree, template, name) => Operand::Variable(name),
            _ => Operand::Unknown,
        },
        _ => Operand::Unknown,
    }
}

/// Whether a name is a pseudo parameter of any text, or a parameter whose value is what is passed.
fn is_variable(tree: &Tree, template: &Template, name: &str) -> bool {
    match PseudoParameter::from_name(name) {
        Some(pseudo) => !matches!(pseudo, PseudoParameter::NoValue | PseudoParameter::NotificationArns),
        None => tree.symbols().get(name).and_then(|name| template.parameter(name)).is_some_and(|parameter| {
            let kind = &parameter.kind;
            !kind.is_list && !kind.is_ssm_value && kind.base == Base::String && !parameter.no_echo
        }),
    }
}

fn domain<'t>(tree: &'t Tree, template: &Template, name: &str) -> Domain<'t> {
    let parameter = tree.symbols().get(name).and_then(|name| template.parameter(name));
    let allowed = parameter.and_then(|parameter| tree.get(parameter.node, symbol::ALLOWED_VALUES));
    let allowed = allowed.filter(|&list| tree.kind(list) == Kind::List && !tree.is_empty(list));
    let values: Option<Vec<&str>> = allowed.and_then(|list| {
        tree.items(list).iter().map(|&item| tree.is_scalar(item).then(|| tree.text_form(item))).collect()
    });
    match values {
        Some(values) => Domain { values, is_open: false },
        None => Domain { values: Vec::new(), is_open: true },
    }
}
