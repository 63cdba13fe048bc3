//! A change of an authored property is in the plan if and only if the result of the transform changes
//! (reference/plan.md).

use std::sync::Arc;

use formwork::planning::{Compiled, Settings, Sides, Worlds};
use formwork::{Compilation, Goal};
use formwork_tests::properties;
use serde_json::{Value, json};

use super::examples::{Example, all, authored, data, options};

fn compiled(text: &str) -> Arc<Compilation> {
    properties::compile(text, &options(true), Goal::Resolve)
}

/// Returns the number of changes between two results.
fn changes(old: &Arc<Compilation>, new: &Arc<Compilation>) -> usize {
    let side = |root: &Arc<Compilation>| Compiled { root: Some(Arc::clone(root)), ..Compiled::default() };
    let (old, new) = (side(old), side(new));
    let worlds = Worlds::of(&old, &new);
    Sides::new(&old, &new, &worlds).plan(Settings { strict_types: true, ..Settings::default() }).changes.len()
}

/// Returns pointers to the authored values below properties of serverless types, and to their parts.
fn properties_of(template: &Value) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    for (id, resource) in template["Resources"].as_object().expect("resources") {
        if resource["Type"].as_str().is_some_and(|kind| kind.starts_with("AWS::Serverless::")) {
            open.push(format!("/Resources/{id}/Properties"));
        }
    }
    for section in template["Globals"].as_object().into_iter().flat_map(|globals| globals.keys()) {
        open.push(format!("/Globals/{section}"));
    }
    let (mut found, mut next, roots) = (Vec::new(), 0, open.len());
    while let Some(pointer) = open.get(next).cloned() {
        next += 1;
        let Some(value) = template.pointer(&pointer) else { continue };
        if next > roots {
            found.push(pointer.clone());
        }
        let escaped = |key: &str| format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
        match value {
            Value::Object(map) => open.extend(map.keys().map(|key| escaped(key))),
            Value::Array(items) => open.extend((0..items.len()).map(|at| escaped(&at.to_string()))),
            _ => {}
        }
    }
    found
}

/// Returns another value of the same kind; `None` for one with parts, which change one by one.
fn other(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(truth) => Some(json!(!truth)),
        Value::Number(number) => Some(json!(number.as_f64()? as i64 + 1)),
        Value::String(text) => Some(json!(format!("{text}x"))),
        _ => None,
    }
}

/// Returns the template with another value at a pointer; or without the value.
fn changed(template: &Value, pointer: &str, value: Option<Value>) -> Option<Value> {
    let mut template = template.clone();
    if let Some(value) = value {
        *template.pointer_mut(pointer)? = value;
        return Some(template);
    }
    let (holder, key) = pointer.rsplit_once('/')?;
    match template.pointer_mut(holder)? {
        Value::Object(map) => map.remove(&key.replace("~1", "/").replace("~0", "~")).map(drop)?,
        Value::Array(items) => drop(items.remove(key.parse().ok()?)),
        _ => return None,
    }
    Some(template)
}

/// What was compared.
#[derive(Default, Debug)]
struct Counts {
    different: usize,
    equal: usize,
    refused: usize,
    wrong: Vec<String>,
}

fn compare(example: &Example, counts: &mut Counts) {
    let template = authored(example);
    let old = compiled(&template.to_string());
    let old_result = data(&old).unwrap_or_else(|error| panic!("{}: {error}", example.name));
    for pointer in properties_of(&template) {
        let value = template.pointer(&pointer).expect("a value");
        for value in [other(value).map(Some), Some(None)].into_iter().flatten() {
            let is_removed = value.is_none();
            let Some(template) = changed(&template, &pointer, value) else { continue };
            let new = compiled(&template.to_string());
            let Ok(new_result) = data(&new) else {
                counts.refused += 1;
                continue;
            };
            let is_equal = new_result == old_result;
            if is_equal {
                counts.equal += 1;
            } else {
                counts.different += 1;
            }
            let found = changes(&old, &new);
            if is_equal != (found == 0) {
                let (how, what) = (
                    if is_removed { "removed" } else { "changed" },
                    if is_equal { "the results are equal" } else { "the results differ" },
                );
                counts.wrong.push(format!("{}: {pointer} {how}: {what}, {found} changes", example.name));
            }
        }
    }
}

#[test]
fn a_plan_has_the_changes_of_the_result_and_no_others() {
    let all = all();
    let half = all.len().div_ceil(2);
    let counts: Vec<Counts> = std::thread::scope(|scope| {
        let of_part = |part| {
            scope.spawn(move || {
                let mut counts = Counts::default();
                let part: &[Example] = part;
                for example in part {
                    compare(example, &mut counts);
                }
                counts
            })
        };
        let running: Vec<_> = all.chunks(half).map(of_part).collect();
        running.into_iter().map(|one| one.join().expect("a comparison")).collect()
    });
    let wrong: Vec<&str> = counts.iter().flat_map(|one| &one.wrong).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    let sum = |of: fn(&Counts) -> usize| counts.iter().map(of).sum::<usize>();
    let (different, equal, refused) = (sum(|one| one.different), sum(|one| one.equal), sum(|one| one.refused));
    assert!(different > 700 && equal > 10, "{different} differ, {equal} are equal, {refused} are refused");
}
