//! Plans of nested stacks, at any depth, with an explicit list of open stacks instead of recursion.

use std::collections::HashMap;

use formwork_plan::{Action, Change, ChangeKind, Outside, Plan, Section, Settings, Shift, Side, nested, plan_within};

use formwork_base::Goal;
use formwork_template::attribute::is_nested_stack;

use super::arguments::{changed_names, changed_secrets};
use super::compiled::{Compiled, Numbers};
use super::locate::locate;
use super::side;
use super::sides::Sides;

/// The largest number of rounds in which a stack is planned again because outputs of stacks nested in it change.
const ROUNDS: usize = 8;

/// The number of plans after which none is repeated: each level may repeat those below it.
const MOST_PLANS: usize = 10_000;

impl<'c> Sides<'c> {
    /// Compares both sides, including nested stacks, with places and reasons.
    pub fn plan<'s>(&'s self, settings: Settings<'_>) -> Plan<'s, 'c> {
        let mut planner = Planner { sides: self, settings, planned: Vec::new(), numbers: HashMap::new(), count: 0 };
        let root = planner.plan((Some(None), Some(None)));
        let mut plan = planner.flat(root);
        for compiled in [self.old, self.new] {
            for template in compiled.templates() {
                plan.notes.extend(side::macros(template));
            }
        }
        plan.notes.dedup();
        plan
    }
}

struct Planned<'s, 'c> {
    plan: Plan<'s, 'c>,
    /// The nested stacks that change, in the order of their changes.
    below: Vec<Below<'c>>,
    /// Changes for reasons outside of the stack, its parameters and the outputs of stacks nested in it.
    known: Vec<Outside>,
}

impl Planned<'_, '_> {
    fn is_empty(&self) -> bool {
        self.plan.changes.is_empty() && self.plan.notes.is_empty() && self.below.is_empty()
    }
}

struct Below<'c> {
    at: usize,
    id: &'c str,
    number: usize,
    /// Set when the changes in it happen under all values.
    is_certain: bool,
}

struct Open<'s, 'c> {
    numbers: Numbers,
    others: Vec<Outside>,
    round: usize,
    planned: Planned<'s, 'c>,
    /// Outputs of nested stacks that change, as this round found them.
    outputs: Vec<Outside>,
    ids: Vec<(&'c str, &'c str)>,
    looked_at: usize,
    /// The change after which the next nested stack is inserted.
    at: usize,
}

struct Planner<'s, 'c, 'f> {
    sides: &'s Sides<'c>,
    settings: Settings<'f>,
    planned: Vec<Planned<'s, 'c>>,
    /// The numbers of the planned stacks by their templates, each with its outside changes.
    numbers: HashMap<Numbers, Vec<(Vec<Outside>, usize)>>,
    count: usize,
}

impl<'s, 'c> Planner<'s, 'c, '_> {
    /// Plans a stack and those nested in it; returns its number.
    fn plan(&mut self, numbers: Numbers) -> usize {
        let mut open = vec![self.open(numbers, Vec::new(), Vec::new(), 0)];
        let mut last = 0;
        while let Some(mut stack) = open.pop() {
            let Some(&(id, type_name)) = stack.ids.get(stack.looked_at) else {
                match self.again(stack) {
                    Ok(next) => open.push(next),
                    Err(number) => last = number,
                }
                continue;
            };
            let Some((below, change)) = self.nested(&mut stack, id) else {
                stack.looked_at += 1;
                open.push(stack);
                continue;
            };
            let arguments = nested::arguments(&stack.planned.plan, id, &stack.planned.known);
            let all = alternatives(below, change.and_then(|at| stack.planned.plan.changes.get(at)));
            if let Some((missing, _)) = all.iter().find(|(below, _)| self.known(*below, &arguments).is_none()) {
                open.push(stack);
                open.push(self.open(*missing, arguments.clone(), arguments, 0));
                continue;
            }
            stack.looked_at += 1;
            let mut at = change;
            for (below, is_certain) in all {
                if let Some(number) = self.known(below, &arguments) {
                    at = self.add(&mut stack, (id, type_name), (below, at), (number, is_certain));
                }
            }
            open.push(stack);
        }
        last
    }

    /// Begins a round of a stack. `known` are the known changes for reasons outside of it.
    fn open(&mut self, numbers: Numbers, others: Vec<Outside>, known: Vec<Outside>, round: usize) -> Open<'s, 'c> {
        self.count += 1;
        let sides = self.sides;
        let old = numbers.0.and_then(|number| Sides::side(&sides.before, number));
        let new = numbers.1.and_then(|number| Sides::side(&sides.after, number));
        let none: &'s Side<'c> = &sides.none;
        let template =
            |compiled: &'c Compiled, number: Option<Option<usize>>| compiled.template(number?).map(|it| &**it);
        // The output of `expand` has no values: there equal references are equal.
        let both = template(sides.old, numbers.0).zip(template(sides.new, numbers.1));
        let secrets = both.filter(|(_, new)| new.goal() == Goal::Resolve).map(|(old, new)| changed_secrets(old, new));
        let secrets = secrets.unwrap_or_default();
        let own = Settings { secrets: &secrets, ..self.settings };
        let mut known = known;
        if let Some((old, new)) = both.filter(|_| round == 0) {
            let own = changed_names(old, new).into_iter();
            let own: Vec<Outside> = own.filter(|one| !known.iter().any(|other| other.name == one.name)).collect();
            known.extend(own);
        }
        let ways = sides.ways.get(&numbers);
        let mut plan = plan_within(old.unwrap_or(none), new.unwrap_or(none), own, &known, ways);
        locate(&mut plan, template(sides.old, numbers.0), template(sides.new, numbers.1));
        let planned = Planned { plan, below: Vec::new(), known };
        let (outputs, ids) = (Vec::new(), stacks(old, new));
        Open { numbers, others, round, planned, outputs, ids, looked_at: 0, at: 0 }
    }

    /// Begins the next round of a stack if changed outputs of nested ones were found; else returns its number.
    fn again(&mut self, stack: Open<'s, 'c>) -> Result<Open<'s, 'c>, usize> {
        let Open { numbers, others, round, mut planned, outputs, .. } = stack;
        let before = planned.known.len();
        let new: Vec<Outside> = outputs.into_iter().filter(|output| !planned.known.contains(output)).collect();
        planned.known.extend(new);
        if planned.known.len() > before && round < ROUNDS && self.count < MOST_PLANS {
            return Ok(self.open(numbers, others, planned.known, round + 1));
        }
        let number = self.planned.len();
        self.planned.push(planned);
        self.numbers.entry(numbers).or_default().push((others, number));
        Err(number)
    }

    fn known(&self, numbers: Numbers, others: &[Outside]) -> Option<usize> {
        self.numbers.get(&numbers)?.iter().find(|(known, _)| known == others).map(|(_, number)| *number)
    }

    /// The templates of the nested stack `id` and the change of its resource; `None` if it is not inspected.
    fn nested(&self, stack: &mut Open<'s, 'c>, id: &str) -> Option<(Numbers, Option<usize>)> {
        let (sides, numbers) = (self.sides, stack.numbers);
        let below = (
            numbers.0.and_then(|owner| sides.old.nested.template_of(owner, id)).map(Some),
            numbers.1.and_then(|owner| sides.new.nested.template_of(owner, id)).map(Some),
        );
        if below == (None, None) {
            return None;
        }
        let is_in = |side: Option<&Side<'c>>| {
            side.is_some_and(|side| side.members(Section::Resources).iter().any(|member| member.id == id))
        };
        let old = numbers.0.and_then(|number| Sides::side(&sides.before, number));
        let new = numbers.1.and_then(|number| Sides::side(&sides.after, number));
        let plan = &mut stack.planned.plan;
        if below.0.is_some() != below.1.is_some() && is_in(old) && is_in(new) {
            // The content of the other template is not known.
            plan.notes
                .push(format!("nested stack {id} is not compared: its template is a local file on one side only"));
            return None;
        }
        let change = plan.changes.iter().position(|change| change.section == Section::Resources && change.id == id);
        // The resources of a stack that stays in the account, or that moves, are not changed one by one.
        let own = change.and_then(|at| plan.changes.get(at));
        let is_left = own.is_some_and(|own| own.action() == Some(Action::Orphan) || own.old_id.is_some());
        (!is_left).then_some((below, change))
    }

    fn add(
        &self,
        stack: &mut Open<'s, 'c>,
        (id, type_name): (&'c str, &'c str),
        (below, change): (Numbers, Option<usize>),
        (number, is_certain): (usize, bool),
    ) -> Option<usize> {
        let inner = &self.planned[number];
        if let Some(side) = below.1.and_then(|number| Sides::side(&self.sides.after, number)) {
            stack.outputs.extend(nested::outputs(id, &inner.plan, side, &inner.known));
        }
        if inner.is_empty() {
            return change;
        }
        let plan = &mut stack.planned.plan;
        let at = change.unwrap_or_else(|| {
            plan.unchanged = plan.unchanged.saturating_sub(1);
            let first = plan.changes.iter().take_while(|change| change.section < Section::Resources).count();
            let place = stack.at.max(first);
            plan.changes.insert(place, updated(id, type_name));
            for other in stack.planned.below.iter_mut().filter(|other| other.at >= place) {
                other.at += 1;
            }
            place
        });
        stack.at = at + 1;
        stack.planned.below.push(Below { at, id, number, is_certain });
        Some(at)
    }

    /// Joins the plan of a stack with those of the stacks nested in it, each behind the change of its resource.
    fn flat(mut self, root: usize) -> Plan<'s, 'c> {
        for planned in &mut self.planned {
            planned.below.sort_by_key(|below| below.at);
        }
        let mut flat = Plan::default();
        // The open stacks, each with the number of its changes and nested stacks that are already written.
        let mut way: Vec<(usize, usize, usize, bool)> = vec![(root, 0, 0, true)];
        let mut names: Vec<String> = Vec::new();
        while let Some((number, change, below, is_certain)) = way.pop() {
            let planned = &self.planned[number];
            if (change, below) == (0, 0) {
                if flat.table.is_none() {
                    flat.table.clone_from(&planned.plan.table);
                }
                flat.unchanged += planned.plan.unchanged;
                flat.notes.extend(planned.plan.notes.iter().cloned());
                flat.shifts
                    .extend(planned.plan.shifts.iter().cloned().map(|shift| Shift { stack: names.clone(), ..shift }));
            }
            let next = planned.below.get(below);
            let end = next.map_or(planned.plan.changes.len(), |next| (next.at + 1).max(change));
            let own = planned.plan.changes.get(change..end).unwrap_or_default();
            let own = own.iter().cloned().map(|own| if is_certain { own } else { own.uncertain() });
            flat.changes.extend(own.map(|own| Change { stack: names.clone(), ..own }));
            match next {
                Some(next) => {
                    way.push((number, end, below + 1, is_certain));
                    names.push(next.id.to_owned());
                    way.push((next.number, 0, 0, is_certain && next.is_certain));
                }
                None => drop(names.pop()),
            }
        }
        flat
    }
}

/// The templates that are compared for a nested stack, and whether that happens under all values: a stack that may be
/// deleted or created takes its resources along.
fn alternatives(below: Numbers, change: Option<&Change<'_, '_>>) -> Vec<(Numbers, bool)> {
    let possible = change
        .and_then(|change| change.resource.as_ref())
        .into_iter()
        .flat_map(formwork_plan::ResourceChange::possible);
    let actions: Vec<Action> = possible.map(|one| one.action).collect();
    let may = |action: Action| actions.contains(&action);
    if below.0.is_none() || below.1.is_none() {
        return vec![(below, !may(Action::MayDelete) && !may(Action::MayCreate))];
    }
    let mut all = vec![(below, true)];
    all.extend(may(Action::MayDelete).then_some(((below.0, None), false)));
    all.extend(may(Action::MayCreate).then_some(((None, below.1), false)));
    all
}

/// The resources of both sides that may be nested stacks, those of the new side first.
fn stacks<'c>(old: Option<&Side<'c>>, new: Option<&Side<'c>>) -> Vec<(&'c str, &'c str)> {
    let mut found: Vec<(&'c str, &'c str)> = Vec::new();
    for side in new.into_iter().chain(old) {
        for member in side.members(Section::Resources) {
            if is_nested_stack(member.kind()) && !found.iter().any(|(id, _)| *id == member.id) {
                found.push((member.id, member.kind()));
            }
        }
    }
    found
}

/// The change of a nested stack that is updated because of its content.
fn updated<'s, 'c>(id: &'c str, type_name: &'c str) -> Change<'s, 'c> {
    let mut change = Change::of_resource(ChangeKind::Changed, id, type_name, Action::Update, "properties");
    change.because.push("its template".to_owned());
    change
}
