//! Values that are worth a try.

use formwork_base::{IdMap, IdSet};
use formwork_evaluate::ValueSource;
use formwork_evaluate::constraints::keeps_constraints;
use formwork_syntax::{Kind, NodeId, Symbol, Tree, symbol};
use formwork_template::ParameterType;
use formwork_template::parameter_type::Base;
use formwork_template::template::Parameter;
use rustc_hash::FxHashMap;

use super::{Domain, Problem, Variable, reads_parameters};
use crate::account::Account;
use crate::attribute::Attribute;
use crate::expression::{Expression, ExpressionKind};
use crate::model::Rule;
use crate::value::{Member, Value};

/// Limit of values of one parameter.
const VALUES: usize = 200;
/// Limit of single values of an AWS-specific type; more are taken by the attributes that distinguish them.
const OF_ACCOUNT: usize = 24;
/// Limit of those with the same attributes.
const ALIKE: usize = 2;
/// Limit of items that are paired for lists.
const PAIRED: usize = 8;

/// Returns the parameters that the rules use, in the order of their declaration, each with its values.
pub(super) fn variables(problem: &Problem<'_>, account: &Account<'_>, rules: &[&Rule]) -> Vec<Variable> {
    let used = Used::of(problem, account, rules);
    let mut variables = Vec::new();
    for parameter in &problem.template.parameters {
        if !used.names.contains(&parameter.name) {
            continue;
        }
        let bound = problem.table.get(parameter.name);
        // A passed value is fixed.
        if bound
            .is_some_and(|bound| bound.value.is_some() && bound.given != ValueSource::Default && bound.stored.is_none())
        {
            continue;
        }
        variables.push(Variable { symbol: parameter.name, domain: domain(problem, account, &used, parameter) });
    }
    variables
}

pub(super) fn names(problem: &Problem<'_>, rules: &[&Rule]) -> IdSet<Symbol> {
    let mut names = IdSet::default();
    for expression in rules.iter().flat_map(|rule| rule.expressions()) {
        expression.walk(&mut |expression| match &expression.kind {
            ExpressionKind::Ref(name) | ExpressionKind::ValueOf(name, _) => {
                names.insert(*name);
            }
            ExpressionKind::ValueOfAll(kind, _) if reads_parameters(problem.settings) => {
                let of_type = problem
                    .template
                    .parameters
                    .iter()
                    .filter(|parameter| matches!(&parameter.kind.base, Base::AwsSpecific(own) if own == kind));
                names.extend(of_type.map(|parameter| parameter.name));
            }
            _ => {}
        });
    }
    names
}

struct Used {
    names: IdSet<Symbol>,
    /// Strings and lists that a parameter is compared with.
    literals: IdMap<Symbol, Vec<String>>,
    attributes: IdMap<Symbol, Vec<Attribute>>,
}

impl Used {
    fn of(problem: &Problem<'_>, account: &Account<'_>, rules: &[&Rule]) -> Used {
        let mut used = Used { names: IdSet::default(), literals: IdMap::default(), attributes: IdMap::default() };
        let parameters = &problem.template.parameters;
        for expression in rules.iter().flat_map(|rule| rule.expressions()) {
            expression.walk(&mut |expression| match &expression.kind {
                ExpressionKind::Ref(name) => {
                    used.names.insert(*name);
                }
                ExpressionKind::ValueOf(name, attribute) => {
                    used.names.insert(*name);
                    used.attributes.entry(*name).or_default().push(attribute.clone());
                }
                ExpressionKind::ValueOfAll(kind, attribute) if reads_parameters(problem.settings) => {
                    for parameter in parameters {
                        if matches!(&parameter.kind.base, Base::AwsSpecific(own) if own == kind) {
                            used.names.insert(parameter.name);
                            used.attributes.entry(parameter.name).or_default().push(attribute.clone());
                        }
                    }
                }
                ExpressionKind::Equals(_)
                | ExpressionKind::Contains(_)
                | ExpressionKind::EachMemberEquals(_)
                | ExpressionKind::EachMemberIn(_) => used.compare(problem.tree, account, expression),
                _ => {}
            });
        }
        used.share(rules);
        used
    }

    /// Adds the strings that a comparison compares its parameters with.
    fn compare(&mut self, tree: &Tree, account: &Account<'_>, comparison: &Expression) {
        let mut names = Vec::new();
        let mut texts: Vec<String> = Vec::new();
        comparison.walk(&mut |expression| match &expression.kind {
            ExpressionKind::Ref(name) => names.push(*name),
            ExpressionKind::Text(text) => texts.push(text.clone()),
            ExpressionKind::Truth(truth) => texts.push(truth.to_string()),
            ExpressionKind::List(members) => {
                let literal = |member: &Expression| match &member.kind {
                    ExpressionKind::Text(text) => Some(text.clone()),
                    _ => None,
                };
                texts.extend(members.iter().map(literal).collect::<Option<Vec<_>>>().map(|list| list.join(",")));
            }
            ExpressionKind::RefAll(kind) => texts.extend(some(&account.all(kind))),
            ExpressionKind::ValueOfAll(kind, attribute) => {
                texts.extend(some(&account.attribute_of_all(kind, attribute)));
            }
            _ => {}
        });
        for name in names {
            if tree.name(name).starts_with("AWS::") {
                continue;
            }
            let known = self.literals.entry(name).or_default();
            for text in &texts {
                if !known.contains(text) {
                    known.push(text.clone());
                }
            }
        }
    }

    /// Shares the strings of parameters that are compared with each other.
    fn share(&mut self, rules: &[&Rule]) {
        let mut pairs: Vec<(Symbol, Symbol)> = Vec::new();
        for expression in rules.iter().flat_map(|rule| rule.expressions()) {
            expression.walk(&mut |expression| {
                if let ExpressionKind::Equals(sides)
                | ExpressionKind::Contains(sides)
                | ExpressionKind::EachMemberEquals(sides)
                | ExpressionKind::EachMemberIn(sides) = &expression.kind
                    && let [ExpressionKind::Ref(left), ExpressionKind::Ref(right)] = [&sides[0].kind, &sides[1].kind]
                {
                    pairs.push((*left, *right));
                    pairs.push((*right, *left));
                }
            });
        }
        // Longer chains of comparisons are not followed to their end.
        for _ in 0..4 {
            for &(from, to) in &pairs {
                let texts = self.literals.get(&from).cloned().unwrap_or_default();
                let known = self.literals.entry(to).or_default();
                for text in texts {
                    if !known.contains(&text) && known.len() < VALUES {
                        known.push(text);
                    }
                }
            }
        }
    }
}

fn some(value: &Value<'_>) -> Vec<String> {
    let Value::List(members) = value else { return Vec::new() };
    let mut texts: Vec<String> = Vec::new();
    for member in members.iter() {
        if let Member::Text(text) = member
            && !texts.iter().any(|known| known == text)
        {
            texts.push((*text).to_owned());
            if texts.len() == OF_ACCOUNT {
                break;
            }
        }
    }
    texts
}

fn domain(problem: &Problem<'_>, account: &Account<'_>, used: &Used, parameter: &Parameter) -> Domain {
    let tree = problem.tree;
    let (items, mut is_complete) = items(problem, account, used, parameter);
    let is_list = parameter.kind.is_list && !parameter.kind.is_ssm_value;
    let mut values: Vec<String> = Vec::new();
    // A secret Default must not be revealed by an answer.
    if let Some(default) = parameter.default.filter(|_| !parameter.no_echo) {
        values.push(default_text(tree, default));
    }
    if is_list {
        is_complete = false;
        values.extend(used.literals.get(&parameter.name).into_iter().flatten().cloned());
        values.extend(lists(&items));
    } else {
        values.extend(items);
    }
    let mut seen = IdSet::default();
    values.retain(|value| seen.insert(value.clone()) && is_valid(problem, parameter, value));
    if values.len() > VALUES {
        values.truncate(VALUES);
        is_complete = false;
    }
    Domain { name: tree.name(parameter.name).to_owned(), values, is_complete, is_secret: parameter.no_echo }
}

/// Returns single values of a parameter, or of the items of a list, and `true` if these are all.
fn items(problem: &Problem<'_>, account: &Account<'_>, used: &Used, parameter: &Parameter) -> (Vec<String>, bool) {
    let tree = problem.tree;
    let allowed = tree.get(parameter.node, symbol::ALLOWED_VALUES).filter(|&node| tree.kind(node) == Kind::List);
    if let Some(allowed) = allowed {
        return (tree.items(allowed).iter().map(|&item| tree.text_form(item).to_owned()).collect(), true);
    }
    let literals = used.literals.get(&parameter.name).cloned().unwrap_or_default();
    if parameter.kind.is_ssm_value {
        let mut names: Vec<String> =
            problem.facts.ssm.iter().flatten().map(|(name, _)| tree.name(*name).to_owned()).collect();
        names.sort();
        return (names, false);
    }
    if let Base::AwsSpecific(kind) = &parameter.kind.base
        && let Some((listing, is_known)) = problem.facts.listing(tree, kind)
    {
        let attributes = used.attributes.get(&parameter.name).map_or(&[] as &[_], Vec::as_slice);
        let names: Vec<&str> = listing.values.iter().map(|(name, _)| tree.name(*name)).collect();
        let mut chosen = distinguished(account, kind, &names, attributes);
        let is_all = chosen.len() == names.len() && is_known;
        chosen.extend(literals.into_iter().filter(|literal| names.contains(&literal.as_str())));
        return (chosen, is_all);
    }
    let mut values = literals;
    if parameter.kind.base == Base::Number {
        let bounds = [symbol::MIN_VALUE, symbol::MAX_VALUE];
        values.extend(
            bounds
                .iter()
                .filter_map(|&bound| tree.get(parameter.node, bound))
                .map(|node| tree.text_form(node).to_owned()),
        );
    }
    let own = another(problem, parameter, &values);
    values.extend(own);
    (values, false)
}

/// Orders values of a type by the attributes that distinguish them: first one of each kind, then a second.
fn distinguished(account: &Account<'_>, kind: &str, names: &[&str], attributes: &[Attribute]) -> Vec<String> {
    let mut by_signature: FxHashMap<Vec<Option<&str>>, usize> = FxHashMap::default();
    let mut rounds: Vec<Vec<&str>> = Vec::new();
    for &name in names {
        let signature = attributes
            .iter()
            .map(|attribute| match account.attribute(kind, name, attribute) {
                Member::Text(text) => Some(text),
                Member::Absent | Member::Unknown(_) => None,
            })
            .collect();
        let count = by_signature.entry(signature).or_default();
        if names.len() <= OF_ACCOUNT || *count < ALIKE {
            if rounds.len() == *count {
                rounds.push(Vec::new());
            }
            rounds[*count].push(name);
        }
        *count += 1;
    }
    rounds.into_iter().flatten().map(str::to_owned).collect()
}

/// Returns lists of items: none, each alone, pairs of the first ones, all.
fn lists(items: &[String]) -> Vec<String> {
    let mut found = vec![String::new()];
    found.extend(items.iter().cloned());
    let first = &items[..items.len().min(PAIRED)];
    for (at, left) in first.iter().enumerate() {
        for right in &first[at + 1..] {
            found.push(format!("{left},{right}"));
        }
    }
    if (3..=PAIRED).contains(&items.len()) {
        found.push(items.join(","));
    }
    found
}

fn another(problem: &Problem<'_>, parameter: &Parameter, known: &[String]) -> Option<String> {
    let tree = problem.tree;
    let length = |bound| {
        tree.get(parameter.node, bound).and_then(|node| tree.text_form(node).parse::<usize>().ok()).filter(|&n| n <= 64)
    };
    let mut candidates: Vec<String> =
        ["other", "x", "0", "1", "2", "a1", "A1", "Other1", "10.0.0.0/16"].map(str::to_owned).to_vec();
    if let Some(length) = length(symbol::MIN_LENGTH).or(length(symbol::MAX_LENGTH)) {
        candidates.extend(["x", "1", "A"].map(|c| c.repeat(length)));
    }
    // A part of a known value, or an extension of one, has its kind of characters.
    for value in known.iter().take(OF_ACCOUNT) {
        candidates.push(format!("{value}x"));
        candidates.push(format!("{value}1"));
        let mut shorter = value.clone();
        shorter.pop();
        candidates.push(shorter);
    }
    candidates.into_iter().find(|candidate| !known.contains(candidate) && is_valid(problem, parameter, candidate))
}

fn is_valid(problem: &Problem<'_>, parameter: &Parameter, value: &str) -> bool {
    let tree = problem.tree;
    let is_list = parameter.kind.is_list && !parameter.kind.is_ssm_value;
    let members: Vec<String> =
        if is_list { ParameterType::split(value).map(str::to_owned).collect() } else { vec![value.to_owned()] };
    if !keeps_constraints(tree, parameter, &members) {
        return false;
    }
    match &parameter.kind.base {
        Base::AwsSpecific(kind) if !parameter.kind.is_ssm_value => {
            members.iter().all(|member| problem.facts.exists(tree, kind, member) != Some(false))
        }
        _ => true,
    }
}

fn default_text(tree: &Tree, default: NodeId) -> String {
    if tree.kind(default) == Kind::List {
        return tree.items(default).iter().map(|&item| tree.text_form(item)).collect::<Vec<_>>().join(",");
    }
    tree.text_form(default).to_owned()
}
