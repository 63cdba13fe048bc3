//! Plans of nested stacks.

use formwork_plan::{Action, Change, ChangeKind, Outside, Plan, Section, Settings, Side, nested, plan_within};

use formwork_base::Goal;

use super::arguments::changed_secrets;
use super::locate::locate;
use super::side;
use super::sides::{Compiled, Sides};

/// Types whose template is one of ours.
const STACKS: [&str; 2] = ["AWS::CloudFormation::Stack", "AWS::Serverless::Application"];

/// Numbers of the templates of a stack on both sides: none where there is no template, and none in it for the root.
type Numbers = (Option<Option<usize>>, Option<Option<usize>>);

impl<'c> Sides<'c> {
    /// Compares them, nested stacks included, with places and reasons.
    pub fn plan<'s>(&'s self, settings: Settings<'_>) -> Plan<'s, 'c> {
        let mut plan = plan_of(self, (Some(None), Some(None)), settings, &[]).0;
        for compiled in [self.old, self.new] {
            for template in compiled.templates() {
                plan.notes.extend(side::macros(template));
            }
        }
        plan.notes.dedup();
        plan
    }
}

/// How often a stack is planned again because outputs of stacks nested in it change.
const ROUNDS: usize = 8;

/// Plans a stack and those nested in it. `others` are its parameters that the stack around it changes; with the plan,
/// they and the outputs of nested stacks that change are returned.
fn plan_of<'s, 'c>(
    sides: &'s Sides<'c>,
    numbers: Numbers,
    settings: Settings<'_>,
    others: &[Outside],
) -> (Plan<'s, 'c>, Vec<Outside>) {
    let mut known = others.to_vec();
    for _ in 0..ROUNDS {
        let (plan, outputs) = plan_once(sides, numbers, settings, &known);
        let before = known.len();
        known.extend(outputs.into_iter().filter(|output| !known.contains(output)).collect::<Vec<_>>());
        if known.len() == before {
            return (plan, known);
        }
    }
    (plan_once(sides, numbers, settings, &known).0, known)
}

/// The plan, and the outputs of nested stacks that change.
fn plan_once<'s, 'c>(
    sides: &'s Sides<'c>,
    numbers: Numbers,
    settings: Settings<'_>,
    others: &[Outside],
) -> (Plan<'s, 'c>, Vec<Outside>) {
    let mut outputs = Vec::new();
    let old = numbers.0.and_then(|number| Sides::side(&sides.before, number));
    let new = numbers.1.and_then(|number| Sides::side(&sides.after, number));
    let none: &'s Side<'c> = &sides.none;
    let template = |compiled: &'c Compiled, number: Option<Option<usize>>| compiled.template(number?).map(|it| &**it);
    // What `expand` prints has no values: there a reference is the same as itself.
    let both = template(sides.old, numbers.0).zip(template(sides.new, numbers.1));
    let secrets = both.filter(|(_, new)| new.goal() == Goal::Resolve).map(|(old, new)| changed_secrets(old, new));
    let secrets = secrets.unwrap_or_default();
    let own = Settings { secrets: &secrets, ..settings };
    let mut plan = plan_within(old.unwrap_or(none), new.unwrap_or(none), own, others);
    locate(&mut plan, template(sides.old, numbers.0), template(sides.new, numbers.1));
    let ids = stacks(old, new);
    let mut at = 0;
    for (id, type_name) in ids {
        let below = (
            numbers.0.and_then(|owner| sides.old.nested.template_of(owner, id)).map(Some),
            numbers.1.and_then(|owner| sides.new.nested.template_of(owner, id)).map(Some),
        );
        if below == (None, None) {
            continue;
        }
        let is_in = |side: Option<&Side<'c>>| {
            side.is_some_and(|side| side.members(Section::Resources).iter().any(|member| member.id == id))
        };
        if below.0.is_some() != below.1.is_some() && is_in(old) && is_in(new) {
            // What is in the other template is not known.
            plan.notes
                .push(format!("nested stack {id} is not compared: its template is a local file on one side only"));
            continue;
        }
        let change = plan.changes.iter().position(|change| change.section == Section::Resources && change.id == id);
        // What is in a stack that stays in the account, or that goes with a move, is not touched one by one.
        let action = change.and_then(|at| plan.changes.get(at)).and_then(Change::action);
        let is_moved = change.and_then(|at| plan.changes.get(at)).is_some_and(|change| change.old_id.is_some());
        if action == Some(Action::Orphan) || is_moved {
            continue;
        }
        let arguments = nested::arguments(&plan, id, others);
        let (mut inner, known) = plan_of(sides, below, settings, &arguments);
        if let Some(side) = below.1.and_then(|number| Sides::side(&sides.after, number)) {
            outputs.extend(nested::outputs(id, &inner, side, &known));
        }
        if inner.changes.is_empty() && inner.notes.is_empty() {
            continue;
        }
        for change in &mut inner.changes {
            change.stack.insert(0, id.to_owned());
        }
        at = if let Some(own) = change {
            own + 1
        } else {
            let own = updated(id, type_name);
            plan.unchanged = plan.unchanged.saturating_sub(1);
            let place = at.max(plan.changes.iter().take_while(|change| change.section < Section::Resources).count());
            plan.changes.insert(place, own);
            place + 1
        };
        let added = inner.changes.len();
        plan.changes.splice(at..at, inner.changes);
        at += added;
        plan.shifts.extend(inner.shifts.into_iter().map(|mut shift| {
            shift.stack.insert(0, id.to_owned());
            shift
        }));
        plan.unchanged += inner.unchanged;
        plan.notes.extend(inner.notes);
    }
    (plan, outputs)
}

/// The resources of both sides that may be nested stacks, those of the new side first.
fn stacks<'s, 'c>(old: Option<&'s Side<'c>>, new: Option<&'s Side<'c>>) -> Vec<(&'c str, &'c str)> {
    let mut found: Vec<(&'c str, &'c str)> = Vec::new();
    for side in new.into_iter().chain(old) {
        for member in side.members(Section::Resources) {
            if STACKS.contains(&member.kind()) && !found.iter().any(|(id, _)| *id == member.id) {
                found.push((member.id, member.kind()));
            }
        }
    }
    found
}

/// A nested stack that is updated because of what is in it.
fn updated<'s, 'c>(id: &'c str, type_name: &'c str) -> Change<'s, 'c> {
    let mut change = Change::of_resource(ChangeKind::Changed, id, type_name, Action::Update, "properties");
    change.because.push("its template".to_owned());
    change
}
