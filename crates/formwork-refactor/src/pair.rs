//! Pairs removed resources with new ones (reference/refactor.md#pairs).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::artifacts::with_deployed;
use crate::equality::{Relation, bodies};
use crate::references::visit;
use crate::sides::{authored, deployed, kind, resource, resources};
use crate::{Mapping, ResourceId, Sides};

/// Returns items of loops and names of modules that distinguish equal resources. The flag is set for a deployed
/// resource.
pub type Keys<'k> = &'k dyn Fn(&ResourceId, bool) -> Option<Vec<String>>;

/// Renames and moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pairing {
    /// The certain pairs: first those that people passed, then the others in the order of the deployed templates.
    pub mappings: Vec<Mapping>,
    /// Pairs that could be several.
    pub ambiguous: Vec<Ambiguity>,
}

/// Equal resources whose pairs are not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ambiguity {
    /// The removed resources.
    pub sources: Vec<ResourceId>,
    /// The new resources.
    pub destinations: Vec<ResourceId>,
}

/// Finds renames and moves besides those that people passed: a resource is removed in one place, a new one added in
/// another, both have the same type, and they are equal after references are renamed. `keys` distinguishes equal ones.
pub fn pair(stacks: &[Sides], given: &[Mapping], keys: Option<Keys<'_>>) -> Pairing {
    let mut search = Search::new(stacks, given);
    search.refine();
    search.settle();
    search.keep(&|source, destination| {
        Some((&source.logical_id, &destination.logical_id)).filter(|(old, new)| old == new).map(|_| true)
    });
    search.settle();
    if let Some(keys) = keys {
        search.keep(&|source, destination| {
            let (old, new) = (keys(source, true)?, keys(destination, false)?);
            Some(old == new)
        });
        search.settle();
    }
    search.finish(given)
}

/// Numbers of removed resources, with those of the new resources that each may be.
type Candidates = BTreeMap<usize, BTreeSet<usize>>;

struct Search<'s> {
    stacks: &'s [Sides],
    given: &'s [Mapping],
    gone: Vec<ResourceId>,
    new: Vec<ResourceId>,
    candidates: Candidates,
}

impl<'s> Search<'s> {
    fn new(stacks: &'s [Sides], given: &'s [Mapping]) -> Search<'s> {
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for sides in stacks {
            let id = |id: &String| ResourceId::new(&sides.stack, id);
            let is_gone = |name: &&String| resource(&sides.authored, name).is_none();
            gone.extend(resources(&sides.deployed).map(|(name, _)| name).filter(is_gone).map(id));
            let is_new = |name: &&String| resource(&sides.deployed, name).is_none();
            new.extend(resources(&sides.authored).map(|(name, _)| name).filter(is_new).map(id));
        }
        gone.retain(|id| !given.iter().any(|mapping| mapping.source == *id));
        new.retain(|id| !given.iter().any(|mapping| mapping.destination == *id));
        let mut search = Search { stacks, given, gone, new, candidates: Candidates::new() };
        let of = |at: &ResourceId| {
            let old = kind(deployed(stacks, at).unwrap_or(&Value::Null));
            let is_same = |(_, id): &(usize, &ResourceId)| kind(authored(stacks, id).unwrap_or(&Value::Null)) == old;
            search.new.iter().enumerate().filter(is_same).map(|(number, _)| number).collect::<BTreeSet<_>>()
        };
        search.candidates = search.gone.iter().map(of).enumerate().collect();
        search
    }

    /// Drops pairs that are not equal, until nothing changes: a dropped pair may make others unequal, which refer to
    /// it.
    fn refine(&mut self) {
        loop {
            let kept: Candidates = self
                .candidates
                .iter()
                .map(|(old, all)| (*old, all.iter().copied().filter(|new| self.is_equal(*old, *new)).collect()))
                .collect();
            let is_done = kept == self.candidates;
            self.candidates = kept;
            if is_done {
                return;
            }
        }
    }

    fn is_equal(&self, old: usize, new: usize) -> bool {
        let (Some(source), Some(destination)) = (self.gone.get(old), self.new.get(new)) else { return false };
        let (Some(before), Some(after)) = (deployed(self.stacks, source), authored(self.stacks, destination)) else {
            return false;
        };
        let (from, to) = (source.stack.as_str(), destination.stack.as_str());
        let is_same = |old: &str, new: &str| self.is_same(&ResourceId::new(from, old), &ResourceId::new(to, new));
        let may_differ = |old: &Value, new: &Value| {
            let mut may = false;
            visit(old, &mut |name| may |= self.may_leave(&ResourceId::new(from, name), to));
            visit(new, &mut |name| may |= self.may_come(&ResourceId::new(to, name), from));
            may
        };
        bodies(before, &with_deployed(after, before), &Relation { is_same: &is_same, may_differ: &may_differ })
    }

    /// Returns `true` if a name of a deployed template may correspond to one of an authored template.
    fn is_same(&self, old: &ResourceId, new: &ResourceId) -> bool {
        if deployed(self.stacks, old).is_none() {
            return old.logical_id == new.logical_id;
        }
        if let Some(mapping) = self.given.iter().find(|mapping| mapping.source == *old) {
            return mapping.destination == *new;
        }
        match self.gone.iter().position(|id| id == old) {
            Some(number) => self.candidates_of(number).any(|id| id == new),
            None => old == new,
        }
    }

    /// Returns `true` if a deployed resource may be outside of a stack afterwards.
    fn may_leave(&self, old: &ResourceId, stack: &str) -> bool {
        if deployed(self.stacks, old).is_none() {
            return false;
        }
        if let Some(mapping) = self.given.iter().find(|mapping| mapping.source == *old) {
            return mapping.destination.stack != stack;
        }
        match self.gone.iter().position(|id| id == old) {
            Some(number) => self.candidates_of(number).any(|id| id.stack != stack),
            None => old.stack != stack,
        }
    }

    /// Returns `true` if a resource of a template may come from another stack than this one.
    fn may_come(&self, new: &ResourceId, stack: &str) -> bool {
        if authored(self.stacks, new).is_none() {
            return false;
        }
        if let Some(mapping) = self.given.iter().find(|mapping| mapping.destination == *new) {
            return mapping.source.stack != stack;
        }
        let Some(number) = self.new.iter().position(|id| id == new) else { return new.stack != stack };
        let comes = |(old, all): (&usize, &BTreeSet<usize>)| {
            all.contains(&number) && self.gone.get(*old).is_some_and(|id| id.stack != stack)
        };
        self.candidates.iter().any(comes)
    }

    fn candidates_of(&self, old: usize) -> impl Iterator<Item = &ResourceId> {
        self.candidates.get(&old).into_iter().flatten().filter_map(|new| self.new.get(*new))
    }

    /// Takes the certain pairs, and checks those that refer to them again.
    fn settle(&mut self) {
        loop {
            let before = self.candidates.clone();
            self.refine();
            if self.candidates == before {
                return;
            }
        }
    }

    /// Keeps those pairs of a resource that are `Some(true)`, if there are any, for both of its sides; drops those that
    /// are `Some(false)`.
    fn keep(&mut self, is_it: &dyn Fn(&ResourceId, &ResourceId) -> Option<bool>) {
        let (mut chosen, mut dropped) = (BTreeSet::new(), BTreeSet::new());
        for (old, all) in &self.candidates {
            for new in all {
                let (Some(source), Some(destination)) = (self.gone.get(*old), self.new.get(*new)) else { continue };
                match is_it(source, destination) {
                    Some(true) => drop(chosen.insert((*old, *new))),
                    Some(false) => drop(dropped.insert((*old, *new))),
                    None => {}
                }
            }
        }
        for (old, all) in &mut self.candidates {
            let is_chosen = chosen.iter().any(|(one, _)| one == old);
            all.retain(|new| {
                let is_taken = chosen.iter().any(|(_, other)| other == new);
                chosen.contains(&(*old, *new)) || !is_chosen && !is_taken && !dropped.contains(&(*old, *new))
            });
        }
    }

    fn finish(self, given: &[Mapping]) -> Pairing {
        let mut pairing = Pairing { mappings: given.to_vec(), ambiguous: Vec::new() };
        let mut seen = BTreeSet::new();
        for (old, all) in &self.candidates {
            if all.is_empty() || seen.contains(old) {
                continue;
            }
            let (sources, destinations) = self.component(*old);
            seen.extend(sources.iter().copied());
            let ids = |numbers: &BTreeSet<usize>, all: &[ResourceId]| -> Vec<ResourceId> {
                numbers.iter().filter_map(|number| all.get(*number).cloned()).collect()
            };
            let (sources, destinations) = (ids(&sources, &self.gone), ids(&destinations, &self.new));
            if let ([source], [destination]) = (sources.as_slice(), destinations.as_slice()) {
                pairing.mappings.push(Mapping { source: source.clone(), destination: destination.clone() });
            } else {
                pairing.ambiguous.push(Ambiguity { sources, destinations });
            }
        }
        pairing
    }

    /// Returns all resources that a resource is connected to by pairs.
    fn component(&self, old: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut sources, mut destinations, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![old]);
        while let Some(old) = open.pop() {
            if !sources.insert(old) {
                continue;
            }
            for new in self.candidates.get(&old).into_iter().flatten() {
                if destinations.insert(*new) {
                    let others = self.candidates.iter().filter(|(_, all)| all.contains(new)).map(|(old, _)| *old);
                    open.extend(others);
                }
            }
        }
        (sources, destinations)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shop(deployed: Value, authored: Value) -> [Sides; 1] {
        let of = |resources| json!({"Resources": resources});
        [Sides { stack: "shop".to_owned(), deployed: of(deployed), authored: of(authored) }]
    }

    fn words(pairing: &Pairing) -> Vec<String> {
        pairing.mappings.iter().map(|one| format!("{}={}", one.source, one.destination)).collect()
    }

    fn queue(name: &str) -> Value {
        json!({"Type": "AWS::SQS::Queue", "Properties": {"Tags": [{"Key": "a", "Value": name}]}})
    }

    #[test]
    fn renames_are_found_by_their_bodies_whatever_refers_to_them() {
        let stacks = shop(
            json!({
                "Old": queue("x"), "Other": queue("y"), "Gone": {"Type": "AWS::SNS::Topic"},
                "Alarm": {"Type": "T", "Properties": {"Q": {"Fn::GetAtt": ["Old", "Arn"]}}},
            }),
            json!({
                "New": queue("x"), "Other": queue("z"), "Added": {"Type": "AWS::SNS::Subscription"},
                "Alert": {"Type": "T", "Properties": {"Q": {"Fn::GetAtt": "New.Arn"}}},
            }),
        );
        let pairing = pair(&stacks, &[], None);
        assert_eq!(words(&pairing), ["shop.Old=shop.New", "shop.Alarm=shop.Alert"]);
        assert!(pairing.ambiguous.is_empty());
        // What refers to another resource is another one.
        let stacks = shop(
            json!({"Keep": queue("x"), "Alarm": {"Type": "T", "Properties": {"Q": {"Ref": "Keep"}}}}),
            json!({"Keep": queue("x"), "Alert": {"Type": "T", "Properties": {"Q": {"Ref": "AWS::Region"}}}}),
        );
        assert_eq!(pair(&stacks, &[], None), Pairing::default());
    }

    #[test]
    fn equal_resources_are_distinguished_by_their_items_or_not_at_all() {
        let plain = || json!({"Type": "AWS::SQS::Queue"});
        let stacks = shop(
            json!({"QueueOrders": plain(), "QueueUsers": plain(), "QueueGone": plain()}),
            json!({"OrdersQueue": plain(), "UsersQueue": plain()}),
        );
        let pairing = pair(&stacks, &[], None);
        let [ambiguity] = pairing.ambiguous.as_slice() else { panic!("{pairing:?}") };
        assert_eq!((ambiguity.sources.len(), ambiguity.destinations.len()), (3, 2));
        let item = |id: &ResourceId, _: bool| Some(vec![id.logical_id.replace("Queue", "")]);
        let pairing = pair(&stacks, &[], Some(&item));
        assert_eq!(words(&pairing), ["shop.QueueOrders=shop.OrdersQueue", "shop.QueueUsers=shop.UsersQueue"]);
        // What people name comes first.
        let given = ["QueueGone=OrdersQueue", "QueueUsers=UsersQueue"];
        let given = given.map(|text| Mapping::read(text, Some("shop")).expect("a mapping"));
        let pairing = pair(&stacks, &given, None);
        assert_eq!((pairing.mappings.as_slice(), pairing.ambiguous.len()), (&given[..], 0));
    }

    #[test]
    fn resources_move_between_stacks_under_their_names() {
        let plain = || json!({"Type": "AWS::SQS::Queue"});
        let of = |stack: &str, deployed: Value, authored: Value| Sides {
            stack: stack.to_owned(),
            deployed: json!({"Resources": deployed}),
            authored: json!({"Resources": authored}),
        };
        let api = |queue: Value| json!({"Type": "T", "Properties": {"Queue": queue}});
        let stacks = [
            of(
                "a",
                json!({"A": plain(), "B": plain(), "C": api(json!({"Ref": "A"}))}),
                json!({"D": api(json!({"Fn::ImportValue": "a"}))}),
            ),
            of("b", json!({"K": {"Type": "K"}}), json!({"K": {"Type": "K"}, "A": plain(), "B": plain()})),
        ];
        let pairing = pair(&stacks, &[], None);
        assert_eq!(words(&pairing), ["a.A=b.A", "a.B=b.B", "a.C=a.D"]);
    }
}
