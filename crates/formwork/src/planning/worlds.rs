//! Differences under values that nobody passed: both templates are evaluated again for each of them
//! (reference/plan.md#unknown).
//!
//! [`Worlds`] owns copies of the trees, since evaluation writes nodes; the sides of a plan borrow from them.

use std::collections::BTreeMap;

use formwork_base::{Diagnostics, Goal};
use formwork_evaluate::{Evaluator, Settings, ValueSource, Values};
use formwork_plan::{EntryWays, Member, Outside, Section, Undecided, Unknown, Way, Ways, undecided};
use formwork_syntax::{Kind, NodeId, Tree};
use rustc_hash::FxHashMap;

use super::arguments::changed_names;
use super::compiled::{Compiled, Numbers};
use super::side;
use crate::compilation::Compilation;

/// The largest number of values of one name, and of combinations of the values of all names of an entry.
const MOST_VALUES: usize = 64;
const MOST_COMBINATIONS: usize = 10_000;

const MOST_EVALUATIONS: usize = 100_000;

const MOST_PAIRS: usize = 2_500;

/// Names with the values that make a difference.
type Names = Vec<(String, Vec<Option<String>>)>;

/// The results of both sides of a plan under values that nobody passed.
#[derive(Debug, Default)]
pub struct Worlds {
    pairs: BTreeMap<Numbers, World>,
}

#[derive(Debug)]
struct World {
    /// A copy of the tree of each side, with the nodes of the repeated evaluations.
    trees: [Tree; 2],
    entries: Vec<Entry>,
    notes: Vec<String>,
}

/// An entry and its results, by the numbers of the values of its names.
#[derive(Debug)]
struct Entry {
    section: Section,
    id: String,
    unknowns: Vec<Unknown>,
    results: Vec<(Vec<usize>, [Option<NodeId>; 2])>,
}

impl Worlds {
    /// Evaluates the entries that may differ, for each combination of values that makes a difference.
    pub fn of(old: &Compiled, new: &Compiled) -> Worlds {
        let mut worlds = Worlds::default();
        let mut pending: Vec<(Option<usize>, Option<usize>)> = vec![(None, None)];
        let mut seen = std::collections::BTreeSet::new();
        let mut left = MOST_EVALUATIONS;
        while let Some(pair) = pending.pop().filter(|_| seen.len() < MOST_PAIRS) {
            let (Some(before), Some(after)) = (old.template(pair.0), new.template(pair.1)) else { continue };
            if !seen.insert(pair) {
                continue;
            }
            for (id, number) in old.nested.stacks_of(pair.0) {
                let other = new.nested.template_of(pair.1, id);
                pending.extend(other.map(|other| (Some(number), Some(other))));
            }
            if let Some(world) = World::of([before, after], &mut left) {
                worlds.pairs.insert((Some(pair.0), Some(pair.1)), world);
            }
        }
        worlds
    }

    pub(super) fn ways<'c>(&'c self, old: &'c Compiled, new: &'c Compiled) -> BTreeMap<Numbers, Ways<'c>> {
        let of_pair = |(numbers, world): (&Numbers, &'c World)| {
            let sides = [old.template(numbers.0?)?, new.template(numbers.1?)?];
            Some((*numbers, world.ways(sides)))
        };
        self.pairs.iter().filter_map(of_pair).collect()
    }
}

impl World {
    fn of(sides: [&Compilation; 2], left: &mut usize) -> Option<World> {
        let [before, after] = sides.map(side::read);
        let outside: Vec<Outside> = changed_names(sides[0], sides[1]);
        let mut found = undecided(&before, &after, &outside, false);
        for one in &mut found {
            // Conditions stay as written: they also refer to names that have a value.
            one.unknowns.retain(|unknown| sides.iter().any(|side| !has_value(side, &unknown.name)));
        }
        found.retain(|one| !one.unknowns.is_empty());
        if found.is_empty() || sides.iter().any(|side| side.replay.is_none()) {
            return None;
        }
        let mut world = World { trees: sides.map(|side| (*side.tree).clone()), entries: Vec::new(), notes: Vec::new() };
        // Entries with the same names are evaluated together.
        let mut groups: FxHashMap<Names, Vec<Undecided<'_>>> = FxHashMap::default();
        let mut order = Vec::new();
        for one in found {
            let key: Vec<_> =
                one.unknowns.iter().map(|unknown| (unknown.name.clone(), unknown.values.clone())).collect();
            let group = groups.entry(key.clone()).or_default();
            if group.is_empty() {
                order.push(key);
            }
            group.push(one);
        }
        for key in order {
            let Some(group) = groups.remove(&key) else { continue };
            world.group(sides, &key, group, left);
        }
        Some(world)
    }

    fn group(
        &mut self,
        sides: [&Compilation; 2],
        names: &[(String, Vec<Option<String>>)],
        group: Vec<Undecided<'_>>,
        left: &mut usize,
    ) {
        let combinations = names.iter().try_fold(1_usize, |product, (_, values)| product.checked_mul(values.len()));
        let cost = combinations.and_then(|count| count.checked_mul(group.len() * 2));
        let is_few = names.iter().all(|(_, values)| values.len() <= MOST_VALUES)
            && combinations.is_some_and(|count| count <= MOST_COMBINATIONS);
        let Some(count) = combinations.filter(|_| is_few && cost.is_some_and(|cost| cost <= *left)) else {
            let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
            let ids: Vec<&str> = group.iter().map(|one| one.id).take(5).collect();
            self.notes.push(format!(
                "{} have too many values to count: the gravest change of {} is reported",
                names.join(", "),
                ids.join(", ")
            ));
            return;
        };
        *left -= cost.unwrap_or_default();
        let mut entries: Vec<Entry> = group
            .into_iter()
            .map(|one| Entry {
                section: one.section,
                id: one.id.to_owned(),
                unknowns: one.unknowns,
                results: Vec::with_capacity(count),
            })
            .collect();
        let is_refused = |result: Again| matches!(result, Again::Refused);
        for at in 0..count {
            let assignment = assignment(at, names);
            if !is_possible(names, &assignment) {
                continue;
            }
            let [old, new] = &mut self.trees;
            let before = evaluate(sides[0], old, names, &assignment, &entries);
            let after = evaluate(sides[1], new, names, &assignment, &entries);
            for ((entry, before), after) in entries.iter_mut().zip(before).zip(after) {
                if is_refused(before) {
                    // No stack has these values.
                    continue;
                }
                if is_refused(after) {
                    let values = assignment.iter().zip(names).filter_map(|(&at, (name, values))| {
                        Some(format!("{name}={}", values.get(at)?.as_deref().unwrap_or("another value")))
                    });
                    let values: Vec<String> = values.collect();
                    let note = format!("{} of the new template is refused for {}", entry.id, values.join(", "));
                    if self.notes.len() < 20 {
                        self.notes.push(note);
                    }
                    continue;
                }
                entry.results.push((assignment.clone(), [before.node(), after.node()]));
            }
        }
        self.entries.extend(entries.into_iter().filter(|entry| !entry.results.is_empty()));
    }

    fn ways<'c>(&'c self, sides: [&'c std::sync::Arc<Compilation>; 2]) -> Ways<'c> {
        let mut ways = Ways { notes: self.notes.clone(), ..Ways::default() };
        for entry in &self.entries {
            let mut known: FxHashMap<[Option<formwork_plan::Value<'c>>; 2], usize> = FxHashMap::default();
            let mut found: Vec<Way<'c>> = Vec::new();
            for (assignment, nodes) in &entry.results {
                let value = |at: usize| {
                    let (tree, side) = (self.trees.get(at)?, sides.get(at)?);
                    let value = side::of_node(tree, (*nodes.get(at)?)?, &side.secrets);
                    Some(if entry.section == Section::Resources { side::with_globals(side, value) } else { value })
                };
                let values = [value(0), value(1)];
                let number = *known.entry(values.clone()).or_insert_with(|| {
                    let member = |at: usize, value: Option<formwork_plan::Value<'c>>| {
                        value.map(|value| Member {
                            id: &entry.id,
                            value,
                            site: site(sides, at, entry),
                            published: None,
                            owner: None,
                        })
                    };
                    let [old, new] = values;
                    found.push(Way { assignments: Vec::new(), old: member(0, old), new: member(1, new) });
                    found.len() - 1
                });
                if let Some(way) = found.get_mut(number) {
                    way.assignments.push(assignment.clone());
                }
            }
            let entry_ways = EntryWays { unknowns: entry.unknowns.clone(), ways: found };
            ways.entries.insert((entry.section, entry.id.as_str()), entry_ways);
        }
        ways
    }
}

fn site(sides: [&std::sync::Arc<Compilation>; 2], at: usize, entry: &Entry) -> Option<Box<formwork_plan::Site>> {
    let side = sides.get(at)?;
    let section = side.tree.get_text(side.root, entry.section.name())?;
    let member = side.tree.member(section, side.tree.symbols().get(&entry.id)?)?;
    side::site(side, member.key).map(Box::new)
}

/// Returns `true` if a name has a value on a side, in the output that is compared.
fn has_value(compilation: &Compilation, name: &str) -> bool {
    let Some(replay) = &compilation.replay else { return false };
    let bound = compilation.tree.symbols().get(name).and_then(|name| replay.parameters.get(name));
    let is_any = compilation.goal != Goal::Resolve;
    bound.is_some_and(|bound| bound.value.is_some() && !(is_any && bound.given == ValueSource::Default))
}

fn assignment(mut at: usize, names: &[(String, Vec<Option<String>>)]) -> Vec<usize> {
    let one = |(_, values): &(String, Vec<Option<String>>)| {
        let value = at % values.len().max(1);
        at /= values.len().max(1);
        value
    };
    names.iter().map(one).collect()
}

/// Returns `true` if a Region matches the partition and the suffix that are assumed.
fn is_possible(names: &[(String, Vec<Option<String>>)], assignment: &[usize]) -> bool {
    let value = |name: &str| {
        let at = names.iter().position(|(known, _)| known == name)?;
        Some(names.get(at)?.1.get(*assignment.get(at)?)?.as_deref())
    };
    let Some(Some(region)) = value("AWS::Region") else { return true };
    let (partition, suffix) = formwork_template::pseudo_parameter::of_region(region);
    let fits = |name: &str, derived: &str| {
        value(name).is_none_or(|assumed| {
            if let Some(assumed) = assumed {
                assumed == derived
            } else {
                let known = names.iter().find(|(known, _)| known == name);
                known.is_none_or(|(_, values)| !values.iter().flatten().any(|value| value == derived))
            }
        })
    };
    fits("AWS::Partition", partition) && fits("AWS::URLSuffix", suffix)
}

#[derive(Clone, Copy)]
enum Again {
    Refused,
    Node(Option<NodeId>),
}

impl Again {
    fn node(self) -> Option<NodeId> {
        match self {
            Again::Refused => None,
            Again::Node(node) => node,
        }
    }
}

fn evaluate(
    compilation: &Compilation,
    tree: &mut Tree,
    names: &[(String, Vec<Option<String>>)],
    assignment: &[usize],
    entries: &[Entry],
) -> Vec<Again> {
    let Some(replay) = &compilation.replay else { return vec![Again::Node(None); entries.len()] };
    let mut parameters = replay.parameters.clone();
    if compilation.goal != Goal::Resolve {
        // The output of `expand` can be deployed with any values.
        for parameter in &compilation.template.parameters {
            parameters.forget_default(parameter.name);
        }
    }
    for ((name, values), &at) in names.iter().zip(assignment) {
        let symbol = tree.intern(name);
        if let Some(Some(value)) = values.get(at) {
            parameters.assume(tree, symbol, value);
        } else {
            let excluded: Vec<_> = values.iter().flatten().map(|value| tree.intern(value)).collect();
            parameters.assume_other(symbol, excluded);
        }
    }
    let settings = Settings { values: Values::Resolve, looks_at_all: false, ..replay.settings };
    let mut found = Diagnostics::new();
    let mut evaluator = Evaluator::new(tree, &compilation.template, parameters, &replay.facts, settings, &mut found);
    let whole = compilation.whole(replay);
    let conditions = evaluator.tree.get(whole, formwork_template::Section::Conditions.symbol());
    evaluator.set_conditions_quietly(conditions);
    let one = |entry: &Entry| {
        let section = match entry.section {
            Section::Outputs => formwork_template::Section::Outputs,
            _ => formwork_template::Section::Resources,
        };
        let tree = &evaluator.tree;
        let node = tree.get(whole, section.symbol()).filter(|&node| tree.kind(node) == Kind::Map);
        let member = node.zip(tree.symbols().get(&entry.id)).and_then(|(node, name)| tree.member(node, name));
        let Some(member) = member else { return Again::Node(None) };
        let again = evaluator.member_again(section, member);
        if again.is_refused { Again::Refused } else { Again::Node(again.node) }
    };
    entries.iter().map(one).collect()
}
