//! The effects of changes against those of `@aws-cdk/cloudformation-diff`, a differ of other authors: 1,000 changes whose
//! effect is known, and each disagreement is of a kind that reference/plan.md#actions explains.

#![allow(clippy::print_stderr, reason = "a skipped test prints why")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use formwork::planning::{Action, Compiled, KnownTypes, Settings, Sides, Worlds};
use formwork::schemas::{ResourceType, Schemas};
use formwork::{Compilation, Goal, MemoryHost, Options, Session};
use serde_json::{Map, Value, json};

use super::generate::resources;
use super::schemas;

/// How many changes are compared.
const CHANGES: usize = 1_000;
/// How many resources of a pair of templates change.
const IN_A_PAIR: usize = 4;

/// A resource that changes: nothing on a side where it is not there.
struct Changed<'n> {
    known: ResourceType<'n>,
    old: Option<Map<String, Value>>,
    new: Option<Map<String, Value>>,
    has_policy: bool,
}

/// The differ's answer: what happens to each resource, and whether its database has the type and the properties.
struct Answer {
    impact: String,
    is_known: bool,
}

/// A value of the same kind with another content.
fn other(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Bool(truth) => json!(!truth),
        Value::Number(number) => json!(number.as_i64()? + 1),
        Value::String(text) => json!(format!("{text}x")),
        Value::Array(items) => {
            let (first, rest) = items.split_first()?;
            std::iter::once(other(first)?).chain(rest.iter().cloned()).collect()
        }
        Value::Object(members) => {
            let (name, value) = members.iter().next()?;
            let mut members = members.clone();
            members.insert(name.clone(), other(value)?);
            Value::Object(members)
        }
        Value::Null => return None,
    })
}

/// Changes of all kinds, spread over the types of the table.
fn changes(types: &Schemas) -> Vec<Changed<'_>> {
    let mut found = Vec::new();
    for (at, (known, right)) in resources(types, 700).into_iter().enumerate() {
        let mut add = |old, new, has_policy| found.push(Changed { known, old, new, has_policy });
        for step in [at, at + 3] {
            let Some((name, value)) = right.iter().nth(step % right.len()) else { continue };
            let mut edited = right.clone();
            match step % 7 {
                0 => {
                    edited.remove(name);
                    add(Some(right.clone()), Some(edited), false);
                }
                1 => {
                    edited.remove(name);
                    add(Some(edited), Some(right.clone()), false);
                }
                2 if step % 2 == 0 => add(Some(right.clone()), None, step % 4 == 0),
                2 => add(None, Some(right.clone()), false),
                _ => {
                    let Some(value) = other(value) else { continue };
                    edited.insert(name.clone(), value);
                    add(Some(right.clone()), Some(edited), false);
                }
            }
        }
    }
    found.truncate(CHANGES);
    found
}

fn template(changes: &[Changed<'_>], side: impl Fn(&Changed<'_>) -> Option<Map<String, Value>>) -> Value {
    let body = |change: &Changed<'_>| {
        let mut body = json!({"Type": change.known.name(), "Properties": side(change)?});
        if change.has_policy {
            body["DeletionPolicy"] = json!("Retain");
        }
        Some(body)
    };
    let members = changes.iter().enumerate().filter_map(|(at, change)| Some((format!("R{at}"), body(change)?)));
    // A template has a resource on either side.
    let always = ("Always".to_owned(), json!({"Type": "AWS::CloudFormation::WaitConditionHandle"}));
    json!({"Resources": Value::Object(std::iter::once(always).chain(members).collect())})
}

fn compiled(text: &Value) -> Arc<Compilation> {
    let host = MemoryHost::new().with("template.json", text.to_string());
    Session::new(&host, Options::default()).compile("template.json", Goal::Resolve)
}

/// What our plan does with each resource: the action in the differ's words, and its reason.
fn ours(types: &KnownTypes, old: &Value, new: &Value) -> BTreeMap<String, (&'static str, &'static str)> {
    let side = |text| Compiled { root: Some(compiled(text)), ..Compiled::default() };
    let (old, new) = (side(old), side(new));
    let worlds = Worlds::of(&old, &new);
    let sides = Sides::new(&old, &new, &worlds);
    let plan = sides.plan(Settings { facts: Some(types), ..Settings::default() });
    let word = |action| match action {
        Action::None => "NO_CHANGE",
        Action::Update => "WILL_UPDATE",
        Action::MayReplace => "MAY_REPLACE",
        Action::Replace => "WILL_REPLACE",
        Action::Create | Action::MayCreate => "WILL_CREATE",
        Action::Orphan => "WILL_ORPHAN",
        Action::Delete | Action::MayDelete => "WILL_DESTROY",
    };
    plan.resources()
        .map(|(change, resource)| (change.id.to_owned(), (word(resource.action), resource.reason)))
        .collect()
}

/// The directory of packages with the differ, which `FORMWORK_CLOUDFORMATION_DIFF` names.
fn differ() -> Option<PathBuf> {
    let found = std::env::var_os("FORMWORK_CLOUDFORMATION_DIFF").map(PathBuf::from);
    let found = found.filter(|folder| folder.join("node_modules/@aws-cdk/cloudformation-diff/package.json").is_file());
    let is_required = std::env::var_os("FORMWORK_REQUIRE_CLOUDFORMATION_DIFF").is_some();
    assert!(found.is_some() || !is_required, "FORMWORK_CLOUDFORMATION_DIFF names no directory with the package");
    if found.is_none() {
        eprintln!("skipped: FORMWORK_CLOUDFORMATION_DIFF names no directory with @aws-cdk/cloudformation-diff");
    }
    found
}

fn asked(packages: &std::path::Path, pairs: &[(Value, Value)]) -> Vec<BTreeMap<String, Answer>> {
    let folder = tempfile::tempdir().expect("a directory");
    let input = folder.path().join("pairs.json");
    let text: Value = pairs.iter().map(|(old, new)| json!({"old": old, "new": new})).collect();
    fs::write(&input, text.to_string()).expect("written");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/oracle.cjs");
    let output = Command::new("node").arg(script).arg(packages).arg(&input).output().expect("node");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers: Vec<BTreeMap<String, Value>> = serde_json::from_slice(&output.stdout).expect("JSON");
    let answer = |(id, value): (String, Value)| {
        let impact = value["impact"].as_str().unwrap_or_default().to_owned();
        (id, Answer { impact, is_known: value["known"] == true })
    };
    answers.into_iter().map(|one| one.into_iter().map(answer).collect()).collect()
}

/// The kind of a disagreement, as the page lists it; `None` for one that nothing explains.
fn explained(ours: (&str, &str), theirs: &Answer) -> Option<&'static str> {
    match (ours.0, ours.1, theirs.impact.as_str()) {
        _ if !theirs.is_known => Some("its database does not have the type or property yet"),
        ("WILL_REPLACE", "create-only", "WILL_UPDATE" | "MAY_REPLACE") => Some("what is in a property replaces"),
        ("WILL_REPLACE", "immutable-type", "WILL_UPDATE" | "MAY_REPLACE") => Some("the type cannot be updated"),
        ("MAY_REPLACE", "conditional", "WILL_UPDATE" | "WILL_REPLACE") => Some("the registry has: conditionally"),
        ("MAY_REPLACE", "older-specification", "WILL_REPLACE") => Some("only the older specification has it"),
        ("WILL_UPDATE", "properties", "WILL_REPLACE") => Some("what is in a property is read-only"),
        _ => None,
    }
}

#[test]
fn a_differ_of_other_authors_agrees_or_the_page_explains_why_not() {
    let Some(packages) = differ() else { return };
    let schemas = schemas();
    let types = KnownTypes::new(Arc::clone(&schemas));
    let changes = changes(&schemas);
    assert_eq!(changes.len(), CHANGES);
    let pairs: Vec<(Value, Value)> = changes
        .chunks(IN_A_PAIR)
        .map(|some| (template(some, |change| change.old.clone()), template(some, |change| change.new.clone())))
        .collect();
    let answers = asked(&packages, &pairs);
    let (mut same, mut wrong, mut kinds) = (0, Vec::new(), BTreeMap::<&str, usize>::new());
    for ((some, (old, new)), answers) in changes.chunks(IN_A_PAIR).zip(&pairs).zip(&answers) {
        let ours = ours(&types, old, new);
        for (at, change) in some.iter().enumerate() {
            let id = format!("R{at}");
            let Some(theirs) = answers.get(&id) else { continue };
            let ours = ours.get(&id).copied().unwrap_or(("NO_CHANGE", ""));
            match explained(ours, theirs) {
                _ if ours.0 == theirs.impact => same += 1,
                Some(kind) => *kinds.entry(kind).or_default() += 1,
                None => wrong.push(format!(
                    "{} {ours:?} {}\n{:?}\n{:?}",
                    change.known.name(),
                    theirs.impact,
                    change.old,
                    change.new
                )),
            }
        }
    }
    eprintln!("{same} of {CHANGES} agree; {kinds:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same >= CHANGES * 93 / 100, "{same} agree, {kinds:?}");
}
