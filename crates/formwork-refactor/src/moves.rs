//! Differences of the author's templates besides moves between stacks.

use std::collections::HashSet;

use formwork_template::Section;
use serde_json::Value;

use crate::artifacts::with_deployed;
use crate::difference::{Difference, of_section};
use crate::equality::{Relation, bodies};
use crate::references::visit;
use crate::sides::{deployed, resource, resources};
use crate::{Mapping, ResourceId, Sides};

/// Returns the differences in a stack that a resource comes from or goes to, besides moves, renames and references to
/// resources that are elsewhere now.
pub(crate) fn differences(stacks: &[Sides], sides: &Sides, mappings: &[Mapping]) -> Vec<Difference> {
    let mut found = Vec::new();
    let of = |id: &str, change| Difference {
        stack: sides.stack.clone(),
        section: Section::Resources,
        name: id.to_owned(),
        change,
    };
    for (id, body) in resources(&sides.authored) {
        let own = ResourceId::new(&sides.stack, id);
        let source = mappings.iter().find(|mapping| mapping.destination == own).map_or(&own, |mapping| &mapping.source);
        match deployed(stacks, source) {
            None => found.push(of(id, "added")),
            Some(known) if !is_same((known, source), (body, sides), mappings, stacks) => found.push(of(id, "changed")),
            Some(_) => {}
        }
    }
    for (id, _) in resources(&sides.deployed) {
        let own = ResourceId::new(&sides.stack, id);
        let leaves = mappings.iter().any(|mapping| mapping.source == own);
        if !leaves && resource(&sides.authored, id).is_none() {
            found.push(of(id, "removed"));
        }
    }
    let same = Relation { is_same: &|old, new| old == new, may_differ: &|_, _| false };
    for part in [Section::Parameters, Section::Conditions, Section::Mappings] {
        let other = of_section(part, &sides.stack, (&sides.deployed, &sides.authored), &same);
        found.extend(other.into_iter().filter(|difference| difference.change != "removed"));
    }
    found.extend(outputs(sides, mappings));
    found
}

/// Returns `true` if a deployed resource is the one of the template, apart from moves.
fn is_same(
    (old, source): (&Value, &ResourceId),
    (new, sides): (&Value, &Sides),
    mappings: &[Mapping],
    stacks: &[Sides],
) -> bool {
    let (from, to) = (source.stack.as_str(), sides.stack.as_str());
    let new = with_deployed(new, old);
    let after = |name: &str| {
        let id = ResourceId::new(from, name);
        deployed(stacks, &id)?;
        Some(mappings.iter().find(|mapping| mapping.source == id).map_or(id, |mapping| mapping.destination.clone()))
    };
    let before = |name: &str| {
        let id = ResourceId::new(to, name);
        resource(&sides.authored, name)?;
        Some(mappings.iter().find(|mapping| mapping.destination == id).map_or(id, |mapping| mapping.source.clone()))
    };
    let is_same = |old: &str, new: &str| match after(old) {
        Some(after) => after == ResourceId::new(to, new),
        None => old == new,
    };
    let may_differ = |old: &Value, new: &Value| {
        let (mut is_elsewhere, mut comes) = (false, false);
        visit(old, &mut |name| is_elsewhere |= after(name).is_some_and(|after| after.stack != to));
        visit(new, &mut |name| comes |= before(name).is_some_and(|before| before.stack != from));
        is_elsewhere || comes
    };
    bodies(old, &new, &Relation { is_same: &is_same, may_differ: &may_differ })
}

/// Returns outputs that differ, except those about resources that move, and new ones for resources that are elsewhere
/// now.
fn outputs(sides: &Sides, mappings: &[Mapping]) -> Vec<Difference> {
    let stack = sides.stack.as_str();
    let gone: HashSet<&str> =
        mappings.iter().filter(|one| one.source.stack == stack).map(|one| one.source.logical_id.as_str()).collect();
    let is_same = |old: &str, new: &str| {
        let id = ResourceId::new(stack, old);
        match mappings.iter().find(|mapping| mapping.source == id) {
            Some(mapping) => mapping.destination == ResourceId::new(stack, new),
            None => old == new,
        }
    };
    let relation = Relation { is_same: &is_same, may_differ: &|_, _| false };
    let part = Section::Outputs;
    let found = of_section(part, stack, (&sides.deployed, &sides.authored), &relation);
    let entry = |template: &Value, name: &str| template.get(part.name()).and_then(|all| all.get(name)).cloned();
    found
        .into_iter()
        .filter(|difference| {
            let old = entry(&sides.deployed, &difference.name).unwrap_or_default();
            let new = entry(&sides.authored, &difference.name).unwrap_or_default();
            let (mut is_about_moved, mut is_about_resource) = (false, false);
            visit(&old, &mut |name| is_about_moved |= gone.contains(name));
            visit(&new, &mut |name| is_about_resource |= resource(&sides.authored, name).is_some());
            !(is_about_moved || difference.change == "added" && is_about_resource)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sides(stack: &str, deployed: Value, authored: Value) -> Sides {
        Sides { stack: stack.to_owned(), deployed, authored }
    }

    fn found(stacks: &[Sides]) -> Vec<String> {
        let mappings = [Mapping::read("app.Table=data.Orders", None).expect("a mapping")];
        let all = stacks.iter().flat_map(|sides| differences(stacks, sides, &mappings));
        all.map(|one| format!("{} {}.{} {}", one.stack, one.section.name(), one.name, one.change)).collect()
    }

    #[test]
    fn references_follow_a_move_and_other_edits_are_found() {
        let deployed = json!({"Resources": {
            "Table": {"Type": "AWS::DynamoDB::Table", "Properties": {"Name": "x"}},
            "Api": {"Type": "T", "DependsOn": "Table", "Properties": {"Table": {"Ref": "Table"}, "Size": 1}},
        }});
        let data = json!({"Resources": {"Key": {"Type": "K"}}});
        let app = |size: i32| json!({"Resources": {"Api": {"Type": "T", "Properties": {"Table": {"Fn::ImportValue": "orders"}, "Size": size}}}});
        let moved = |name: &str| {
            json!({
                "Resources": {"Key": {"Type": "K"}, "Orders": {"Type": "AWS::DynamoDB::Table", "Properties": {"Name": name}}},
                "Outputs": {"Orders": {"Value": {"Ref": "Orders"}, "Export": {"Name": "orders"}}},
            })
        };
        let stacks = |size, name| [sides("app", deployed.clone(), app(size)), sides("data", data.clone(), moved(name))];
        assert_eq!(found(&stacks(1, "x")), Vec::<String>::new());
        assert_eq!(found(&stacks(2, "y")), ["app Resources.Api changed", "data Resources.Orders changed"]);
        let mut more = stacks(1, "x");
        more[0].authored["Parameters"] = json!({"P": {"Type": "String"}});
        more[0].authored["Resources"]["New"] = json!({"Type": "T"});
        more[1].authored["Outputs"]["Text"] = json!({"Value": "x"});
        more[1].authored["Resources"].as_object_mut().expect("resources").remove("Key");
        assert_eq!(
            found(&more),
            [
                "app Resources.New added",
                "app Parameters.P added",
                "data Resources.Key removed",
                "data Outputs.Text added"
            ]
        );
    }
}
