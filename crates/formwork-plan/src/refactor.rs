//! The refactoring that avoids replacing resources of which only the logical ID changes.

use formwork_refactor::ResourceId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::change::ChangeKind;
use crate::facts::Facts;
use crate::plan::Plan;
use formwork_template::value::Value;

/// A resource that gets another logical ID.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mapping {
    /// Logical ID in the stack.
    pub source: String,
    /// New logical ID.
    pub destination: String,
    /// Resource type.
    pub type_name: String,
    /// Items of the loops around it, for shifted ones.
    pub item: Option<String>,
    /// `shift`, `displaced` or `moved`.
    pub reason: &'static str,
}

/// A resource that cannot be renamed, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Left {
    /// Logical ID in the stack.
    pub id: String,
    /// Resource type.
    pub type_name: String,
    /// Reason for leaving it out.
    pub reason: String,
}

/// A refactoring of one stack.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refactor {
    /// Renamed resources, in the order of the stack's template.
    pub mappings: Vec<Mapping>,
    /// Resources that are left out.
    pub left: Vec<Left>,
}

fn resources<'v, 't>(processed: &'v Value<'t>) -> impl Iterator<Item = (&'t str, &'t str)> + 'v {
    let members = processed.get("Resources").map(Value::members).unwrap_or_default().iter();
    members.map(|(id, body)| (*id, body.get("Type").and_then(Value::text).unwrap_or_default()))
}

impl Refactor {
    /// Returns the renaming that saves the replacements of a plan. `processed` is the template of the stack, its loops
    /// expanded; `likely` adds resources that may have moved.
    pub fn of(plan: &Plan<'_, '_>, processed: &Value<'_>, facts: Option<&dyn Facts>, likely: bool) -> Refactor {
        let mut pairs = wanted(plan, likely);
        let there: FxHashMap<&str, &str> = resources(processed).collect();
        pairs.retain(|pair| there.contains_key(pair.source.as_str()));
        let mut left = Vec::new();
        let can = |type_name: &str| match facts {
            Some(facts) => facts.refactorable(type_name),
            None => Err("nothing is known of its type"),
        };
        let mut stays: FxHashMap<String, String> = FxHashMap::default();
        for pair in &pairs {
            if let Err(reason) = can(&pair.type_name) {
                stays.insert(pair.source.clone(), reason.to_owned());
            }
        }
        // A pair that takes the ID of one that stays, or makes way for it, is dropped, too.
        loop {
            let more = pairs.iter().find_map(|pair| {
                let is_held = |id: &str| stays.contains_key(id);
                let neighbour = pairs.iter().find(|other| {
                    (other.source == pair.destination || other.destination == pair.source) && is_held(&other.source)
                })?;
                (!is_held(&pair.source)).then(|| (pair.source.clone(), format!("{} is left out", neighbour.source)))
            });
            match more {
                Some((id, reason)) => stays.insert(id, reason),
                None => break,
            };
        }
        pairs.retain(|pair| {
            let Some(reason) = stays.get(&pair.source) else { return true };
            left.push(Left { id: pair.source.clone(), type_name: pair.type_name.clone(), reason: reason.clone() });
            false
        });
        let pairs = displaced(pairs, plan, processed);
        Refactor { mappings: pairs, left }
    }

    /// Returns `true` if nothing is renamed.
    pub fn is_empty(&self) -> bool {
        self.mappings.is_empty()
    }

    /// Returns the processed template with the IDs and every reference to them in Resources and Outputs renamed, and
    /// nothing else changed: JSON that ends in a line break.
    pub fn template(&self, processed: &Value<'_>) -> String {
        let new_ids: FxHashMap<&str, &str> =
            self.mappings.iter().map(|pair| (pair.source.as_str(), pair.destination.as_str())).collect();
        let new_id = |id: &str| new_ids.get(id).map(|&new| new.to_owned());
        let json = formwork_refactor::renamed_template(processed.to_json(), &new_id);
        serde_json::to_string_pretty(&json).unwrap_or_default() + "\n"
    }

    /// Returns the mappings as `aws cloudformation create-stack-refactor --resource-mappings` takes them: JSON that
    /// ends in a line break.
    pub fn mappings_json(&self, stack: &str) -> String {
        let place = |id: &str| ResourceId::new(stack, id);
        let mapping = |pair: &Mapping| formwork_refactor::Mapping {
            source: place(&pair.source),
            destination: place(&pair.destination),
        };
        let list = formwork_refactor::write_mappings(&self.mappings.iter().map(mapping).collect::<Vec<_>>());
        serde_json::to_string_pretty(&list).unwrap_or_default() + "\n"
    }

    /// Splits the refactoring into two without chains: the first renames every resource whose new ID is taken to a free
    /// ID, the second to its final one.
    pub fn in_two_steps(&self, processed: &Value<'_>) -> (Refactor, Refactor) {
        let mut taken: FxHashSet<String> = resources(processed).map(|(id, _)| id.to_owned()).collect();
        let there = taken.clone();
        taken.extend(self.mappings.iter().map(|pair| pair.destination.clone()));
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for pair in &self.mappings {
            if !there.contains(&pair.destination) {
                first.push(pair.clone());
                continue;
            }
            let between = free(&pair.destination, "New", &taken);
            taken.insert(between.clone());
            first.push(Mapping { destination: between.clone(), ..pair.clone() });
            second.push(Mapping { source: between, ..pair.clone() });
        }
        (Refactor { mappings: first, left: Vec::new() }, Refactor { mappings: second, left: Vec::new() })
    }
}

fn wanted(plan: &Plan<'_, '_>, likely: bool) -> Vec<Mapping> {
    let mut pairs: Vec<Mapping> = Vec::new();
    // A nested stack has a refactoring of its own.
    for pair in plan.shifts.iter().filter(|shift| shift.stack.is_empty()).flat_map(|shift| &shift.pairs) {
        pairs.push(Mapping {
            source: pair.old.clone(),
            destination: pair.new.clone(),
            type_name: pair.type_name.clone(),
            item: Some(pair.item.clone()),
            reason: "shift",
        });
    }
    for change in plan.changes.iter().filter(|change| change.stack.is_empty()) {
        let is_wanted = change.kind == ChangeKind::Moved || (likely && change.kind == ChangeKind::LikelyMoved);
        let Some(old) = change.old_id.filter(|_| is_wanted) else { continue };
        let is_known = |pair: &Mapping| pair.source == old || pair.destination == change.id;
        if !pairs.iter().any(is_known) {
            pairs.push(Mapping {
                source: old.to_owned(),
                destination: change.id.to_owned(),
                type_name: change.type_name.unwrap_or_default().to_owned(),
                item: None,
                reason: "moved",
            });
        }
    }
    pairs
}

/// Adds renames that make way: of resources that have a wanted ID and are not renamed themselves.
fn displaced(pairs: Vec<Mapping>, plan: &Plan<'_, '_>, processed: &Value<'_>) -> Vec<Mapping> {
    let sources: FxHashSet<&str> = pairs.iter().map(|pair| pair.source.as_str()).collect();
    let destinations: FxHashSet<&str> = pairs.iter().map(|pair| pair.destination.as_str()).collect();
    let mut taken: FxHashSet<String> = resources(processed).map(|(id, _)| id.to_owned()).collect();
    taken.extend(destinations.iter().map(|&id| id.to_owned()));
    taken.extend(plan.changes.iter().map(|change| change.id.to_owned()));
    let mut all: FxHashMap<String, Mapping> = FxHashMap::default();
    for (id, type_name) in resources(processed) {
        if destinations.contains(id) && !sources.contains(id) {
            let destination = free(id, "Old", &taken);
            taken.insert(destination.clone());
            let source = id.to_owned();
            let pair = Mapping {
                source: source.clone(),
                destination,
                type_name: type_name.to_owned(),
                item: None,
                reason: "displaced",
            };
            all.insert(source, pair);
        }
    }
    all.extend(pairs.into_iter().map(|pair| (pair.source.clone(), pair)));
    resources(processed).filter_map(|(id, _)| all.remove(id)).collect()
}

fn free(id: &str, suffix: &str, taken: &FxHashSet<String>) -> String {
    let plain = format!("{id}{suffix}");
    let numbered = (2_u32..).map(|number| format!("{id}{suffix}{number}"));
    std::iter::once(plain).chain(numbered).find(|candidate| !taken.contains(candidate)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_facts::TestFacts;
    use crate::test_values::{in_loop, of_json, side};
    use crate::{Settings, plan};

    fn template(items: &[&str], type_name: &str) -> String {
        let body = |(at, item): (usize, &&str)| {
            format!(
                r#""Q{at}": {{"Type": "{type_name}", "Properties": {{"QueueName": "{item}", "Tags": [{{"Key": "k", "Value": {{"Fn::Sub": "${{Q{at}.Arn}}"}}}}]}}}}"#
            )
        };
        let bodies: Vec<String> = items.iter().enumerate().map(body).collect();
        format!(r#"{{"Resources": {{{}}}}}"#, bodies.join(", "))
    }

    fn refactor(old: &[&str], new: &[&str], type_name: &str) -> (Refactor, String) {
        let make = |items: &[&str]| {
            let mut made = side(&template(items, type_name));
            let ids: Vec<String> = (0..items.len()).map(|at| format!("Q{at}")).collect();
            let rows: Vec<(&str, &str, u32)> =
                ids.iter().zip(items).enumerate().map(|(at, (id, item))| (id.as_str(), *item, at as u32)).collect();
            in_loop(&mut made, "Queues", "Q${Index}", &rows);
            made
        };
        let (before, after) = (make(old), make(new));
        let found = plan(&before, &after, Settings { facts: Some(&TestFacts), ..Settings::default() });
        let processed = of_json(&serde_json::from_str(&template(old, type_name)).expect("JSON"));
        let refactor = Refactor::of(&found, &processed, Some(&TestFacts), false);
        let text = refactor.template(&processed);
        (refactor, text)
    }

    fn pairs(refactor: &Refactor) -> Vec<String> {
        refactor.mappings.iter().map(|pair| format!("{} {} {}", pair.source, pair.destination, pair.reason)).collect()
    }

    #[test]
    fn an_item_that_goes_is_displaced_by_the_next() {
        let (refactor, text) = refactor(&["a", "b", "c"], &["a", "c"], "AWS::SQS::Queue");
        assert_eq!(pairs(&refactor), ["Q1 Q1Old displaced", "Q2 Q1 shift"]);
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let names: Vec<&String> = json["Resources"].as_object().expect("resources").keys().collect();
        assert_eq!(names, ["Q0", "Q1Old", "Q1"]);
        assert_eq!(json["Resources"]["Q1"]["Properties"]["QueueName"], "c");
        assert_eq!(json["Resources"]["Q1"]["Properties"]["Tags"][0]["Value"]["Fn::Sub"], "${Q1.Arn}");
    }

    #[test]
    fn chains_are_taken_apart_in_two_steps() {
        let (refactor, _) = refactor(&["a", "b"], &["x", "a", "b"], "AWS::SQS::Queue");
        assert_eq!(pairs(&refactor), ["Q0 Q1 shift", "Q1 Q2 shift"]);
        let processed = of_json(&serde_json::from_str(&template(&["a", "b"], "AWS::SQS::Queue")).expect("JSON"));
        let (first, second) = refactor.in_two_steps(&processed);
        assert_eq!(pairs(&first), ["Q0 Q1New shift", "Q1 Q2 shift"]);
        assert_eq!(pairs(&second), ["Q1New Q1 shift"]);
    }

    #[test]
    fn types_that_cannot_be_renamed_are_left_with_their_chain() {
        let (refactor, _) = refactor(&["a", "b"], &["x", "a", "b"], "AWS::SNS::Subscription");
        assert!(refactor.is_empty());
        let left: Vec<&str> = refactor.left.iter().map(|left| left.reason.as_str()).collect();
        assert_eq!(left, ["its type cannot be updated", "its type cannot be updated"]);
    }
}
