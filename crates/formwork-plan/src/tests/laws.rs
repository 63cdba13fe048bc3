//! Laws of plans, on random templates and mutations.

use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};

use crate::test_facts::TestFacts;
use crate::test_values::{of_json, side_of};
use crate::{Action, ChangeKind, Plan, Refactor, Settings, Side, plan};

const TYPES: [(&str, [&str; 3]); 3] = [
    ("AWS::SQS::Queue", ["DelaySeconds", "QueueName", "KmsMasterKeyId"]),
    ("AWS::SNS::Topic", ["DisplayName", "TopicName", "SignatureVersion"]),
    ("AWS::DynamoDB::Table", ["BillingMode", "TableName", "TableClass"]),
];

/// A resource: its type, and a number for each of its properties; it refers to an earlier one.
#[derive(Clone, Debug)]
struct Made {
    kind: usize,
    values: [Option<u8>; 3],
    refers: Option<usize>,
}

fn made() -> impl Strategy<Value = Made> {
    let values = prop::array::uniform3(prop::option::of(0_u8..4));
    (0_usize..3, values, prop::option::of(0_usize..8)).prop_map(|(kind, values, refers)| Made { kind, values, refers })
}

/// Each resource has its own tag, so that no two are alike.
fn template(resources: &[Made]) -> Map<String, Json> {
    let mut all = Map::new();
    for (at, one) in resources.iter().enumerate() {
        let (type_name, names) = TYPES[one.kind];
        let mut properties = Map::new();
        for (name, value) in names.iter().zip(one.values) {
            if let Some(value) = value {
                properties.insert((*name).to_owned(), json!(format!("v{value}")));
            }
        }
        properties.insert("Tags".to_owned(), json!([{"Key": "own", "Value": format!("tag{at}")}]));
        if let Some(other) = one.refers.filter(|other| *other < at) {
            properties.insert("Extra".to_owned(), json!({"Fn::Sub": format!("x-${{R{other}.Name}}")}));
        }
        all.insert(format!("R{at}"), json!({"Type": type_name, "Properties": properties}));
    }
    all
}

fn side(resources: &Map<String, Json>) -> Side<'static> {
    side_of(&json!({"Resources": resources}))
}

fn settings() -> Settings<'static> {
    Settings { facts: Some(&TestFacts), ..Settings::default() }
}

fn changes(plan: &Plan<'_, '_>) -> Vec<(ChangeKind, String, Action)> {
    let line = |change: &crate::Change<'_, '_>| {
        let id = change.old_id.map_or_else(|| change.id.to_owned(), |old| format!("{old}>{}", change.id));
        (change.kind, id, change.action().unwrap_or(Action::None))
    };
    plan.changes.iter().map(line).collect()
}

#[derive(Clone, Debug)]
enum Mutation {
    Add,
    Remove(usize),
    Rename(usize),
    Edit(usize, usize),
    Reorder(usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        Just(Mutation::Add),
        (0_usize..8).prop_map(Mutation::Remove),
        (0_usize..8).prop_map(Mutation::Rename),
        (0_usize..8, 0_usize..3).prop_map(|(at, property)| Mutation::Edit(at, property)),
        (0_usize..8).prop_map(Mutation::Reorder),
    ]
}

fn renamed(text: &str, id: &str) -> String {
    text.replace(&format!("\"{id}\""), "\"Renamed\"").replace(&format!("${{{id}."), "${Renamed.")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_mutation_is_what_the_plan_shows(resources in prop::collection::vec(made(), 1..8), mutation in mutation()) {
        let before = template(&resources);
        let mut after = before.clone();
        let id = |at: usize| format!("R{}", at % resources.len());
        let mut want = Vec::new();
        match mutation {
            Mutation::Add => {
                after.insert("New".to_owned(), json!({"Type": "AWS::SQS::Queue", "Properties": {"A": "none like it"}}));
                want.push((ChangeKind::Added, "New".to_owned(), Action::Create));
            }
            Mutation::Remove(at) => {
                after.remove(&id(at));
                want.push((ChangeKind::Removed, id(at), Action::Delete));
            }
            Mutation::Rename(at) => {
                let text = serde_json::to_string(&after).expect("JSON");
                after = serde_json::from_str(&renamed(&text, &id(at))).expect("JSON");
                want.push((ChangeKind::Moved, format!("{}>Renamed", id(at)), Action::Replace));
            }
            Mutation::Edit(at, property) => {
                let kind = resources[at % resources.len()].kind;
                let name = TYPES[kind].1[property];
                after[&id(at)]["Properties"][name] = json!("edited");
                let action = if property == 1 { Action::Replace } else { Action::Update };
                want.push((ChangeKind::Changed, id(at), action));
            }
            Mutation::Reorder(at) => {
                let value = after.remove(&id(at)).expect("it is there");
                after.insert(id(at), value);
            }
        }
        let (old, new) = (side(&before), side(&after));
        let found = plan(&old, &new, settings());
        // Consequences of a replacement are not part of `own`.
        let own: Vec<_> = changes(&found)
            .into_iter()
            .zip(&found.changes)
            .filter(|(_, change)| !change.because.iter().any(|why| why.starts_with("replacement of")))
            .map(|(line, _)| line)
            .collect();
        prop_assert_eq!(own, want);
    }

    #[test]
    fn a_template_and_itself_are_the_same_in_any_order(resources in prop::collection::vec(made(), 0..8)) {
        let before = template(&resources);
        let reversed: Map<String, Json> = before.iter().rev().map(|(id, body)| (id.clone(), body.clone())).collect();
        let (old, new) = (side(&before), side(&reversed));
        let found = plan(&old, &new, settings());
        prop_assert!(found.changes.is_empty() && found.unchanged == resources.len());
    }

    #[test]
    fn a_plan_mirrors_that_of_the_other_direction(
        a in prop::collection::vec(made(), 0..8),
        b in prop::collection::vec(made(), 0..8),
    ) {
        let (old, new) = (side(&template(&a)), side(&template(&b)));
        let there = plan(&old, &new, Settings::default());
        let back = plan(&new, &old, Settings::default());
        let mirror = |kind: ChangeKind| match kind {
            ChangeKind::Added => ChangeKind::Removed,
            ChangeKind::Removed => ChangeKind::Added,
            kind => kind,
        };
        let mut lines: Vec<String> = changes(&there).into_iter().map(|(kind, id, _)| format!("{kind:?} {id}")).collect();
        let mut mirrored: Vec<String> =
            changes(&back).into_iter().map(|(kind, id, _)| format!("{:?} {id}", mirror(kind))).collect();
        lines.sort();
        mirrored.sort();
        prop_assert_eq!(lines, mirrored);
        let paths = |plan: &Plan<'_, '_>, old: bool| {
            let mut paths: Vec<String> = plan
                .changes
                .iter()
                .flat_map(|change| change.properties.iter().map(move |property| {
                    let value = if old { property.old } else { property.new };
                    format!("{} {} {:?}", change.id, crate::dotted(&property.path), value)
                }))
                .collect();
            paths.sort();
            paths
        };
        prop_assert_eq!(paths(&there, true), paths(&back, false));
    }

    #[test]
    fn more_changes_never_weaken_an_action(one in made(), first in 0_usize..3, second in 0_usize..3) {
        let before = template(std::slice::from_ref(&one));
        let edited = |names: &[usize]| {
            let mut after = before.clone();
            for name in names {
                after["R0"]["Properties"][TYPES[one.kind].1[*name]] = json!("edited");
            }
            after
        };
        let action = |names: &[usize]| {
            let (old, new) = (side(&before), side(&edited(names)));
            plan(&old, &new, settings()).changes.first().and_then(crate::Change::action)
        };
        prop_assert!(action(&[first, second]) >= action(&[first]));
        prop_assert_eq!(action(&[first, second]), action(&[second, first]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Edits of a loop over items whose IDs are their positions.
    #[test]
    fn after_its_refactoring_an_edit_of_a_loop_replaces_nothing(
        before in prop::sample::subsequence((0..10).collect::<Vec<u8>>(), 0..10).prop_shuffle(),
        after in prop::sample::subsequence((0..10).collect::<Vec<u8>>(), 0..10).prop_shuffle(),
    ) {
        let template = |items: &[u8]| -> Map<String, Json> {
            let one = |(at, item): (usize, &u8)| {
                let body = json!({
                    "Type": "AWS::SQS::Queue",
                    "Properties": {"QueueName": format!("q{item}"), "Tags": [{"Key": "k", "Value": {"Ref": format!("Q{at}")}}]},
                });
                (format!("Q{at}"), body)
            };
            items.iter().enumerate().map(one).collect()
        };
        let make = |items: &[u8]| {
            let mut made = side(&template(items));
            let ids: Vec<(String, String)> =
                items.iter().enumerate().map(|(at, item)| (format!("Q{at}"), item.to_string())).collect();
            let rows: Vec<(&str, &str, u32)> =
                ids.iter().enumerate().map(|(at, (id, item))| (id.as_str(), item.as_str(), at as u32)).collect();
            crate::test_values::in_loop(&mut made, "Queues", "Q${Index}", &rows);
            made
        };
        let (old, new) = (make(&before), make(&after));
        let found = plan(&old, &new, settings());
        let processed = of_json(&json!({"Resources": template(&before)}));
        let refactor = Refactor::of(&found, &processed, Some(&TestFacts), false);
        let text = refactor.template(&processed);
        let between: Json = serde_json::from_str(&text).expect("JSON");
        // Equal to the old template up to the IDs.
        let bodies = |resources: &Json| {
            let mut bodies: Vec<String> = resources
                .as_object()
                .into_iter()
                .flatten()
                .map(|(_, body)| body["Properties"]["QueueName"].to_string())
                .collect();
            bodies.sort();
            bodies
        };
        prop_assert_eq!(bodies(&between["Resources"]), bodies(&Json::Object(template(&before))));
        let between = side_of(&between);
        let left = plan(&between, &new, settings());
        let went: Vec<&u8> = before.iter().filter(|item| !after.contains(item)).collect();
        for (change, resource) in left.resources() {
            // A removed item may leave its ID to a new one, as the author intended.
            let meant = match resource.action {
                Action::Delete | Action::Replace => !went.is_empty(),
                _ => true,
            };
            prop_assert!(meant, "{:?} {} {:?} {:?} -> {:?}", change.kind, change.id, resource.action, before, after);
        }
        let deleted = left.resources().filter(|(_, it)| matches!(it.action, Action::Delete | Action::Replace)).count();
        prop_assert!(deleted <= went.len());
    }
}

#[test]
fn ten_thousand_resources_are_compared_quickly() {
    let resources: Map<String, Json> = (0..10_000)
        .map(|at| {
            let body = json!({
                "Type": "AWS::SQS::Queue",
                "Properties": {"QueueName": format!("q{at}"), "Tags": [{"Key": "a", "Value": "b"}], "DelaySeconds": 5},
            });
            (format!("R{at}"), body)
        })
        .collect();
    let mut edited = resources.clone();
    for at in (0..10_000).step_by(100) {
        edited[&format!("R{at}")]["Properties"]["DelaySeconds"] = json!(6);
    }
    let (old, new) = (side(&resources), side(&edited));
    let found = plan(&old, &new, settings());
    assert_eq!((found.changes.len(), found.unchanged), (100, 9_900));
}
