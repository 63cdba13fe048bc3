use serde_json::{Value, json};

use super::*;
use crate::snapshot::SnapshotBuilder;

/// The expansion of a loop over `items`: a function of `./src/ITEM` for each.
fn functions(items: &[&str]) -> Value {
    let function = |item: &&str| {
        let properties = json!({"CodeUri": format!("./src/{item}"), "Handler": "app.handler"});
        (format!("{item}Function"), json!({"Type": "AWS::Serverless::Function", "Properties": properties}))
    };
    json!({"Resources": items.iter().map(function).collect::<serde_json::Map<_, _>>()})
}

/// A snapshot of a root template whose functions have contents.
fn snapshot(template: &Value, contents: &[(&str, &str, &str)]) -> Snapshot {
    let mut builder = SnapshotBuilder::default();
    let names = contents.iter().map(|(resource, property, _)| (*resource, *property));
    builder.template("", template.clone(), names);
    builder.value("Stage", "dev");
    for (resource, property, key) in contents {
        let id =
            ArtifactId { within: String::new(), resource: (*resource).to_owned(), property: (*property).to_owned() };
        builder.artifact(id, (*key).to_owned());
    }
    builder.finish()
}

fn loops(items: &[&str], keys: &[&str]) -> Snapshot {
    let ids: Vec<String> = items.iter().map(|item| format!("{item}Function")).collect();
    let contents: Vec<_> = ids.iter().zip(keys).map(|(id, key)| (id.as_str(), "CodeUri", *key)).collect();
    snapshot(&functions(items), &contents)
}

fn ids(decision: &Decision) -> Vec<String> {
    match decision {
        Decision::Push(ids) => ids.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_first_time_is_a_deployment() {
    assert_eq!(loops(&["a"], &["1"]).decide(None), Decision::Deploy(Cause::First));
}

#[test]
fn an_edit_in_one_function_of_a_loop_is_one_push() {
    let before = loops(&["Orders", "Users", "Carts"], &["1", "2", "3"]);
    assert_eq!(before.decide(Some(&before)), Decision::Nothing);
    let after = loops(&["Orders", "Users", "Carts"], &["1", "9", "3"]);
    assert_eq!(ids(&after.decide(Some(&before))), ["UsersFunction"]);
}

#[test]
fn a_new_item_of_a_loop_is_a_change_of_the_template() {
    let before = loops(&["Orders"], &["1"]);
    let more = loops(&["Orders", "Users"], &["1", "1"]);
    assert_eq!(more.decide(Some(&before)), Decision::Deploy(Cause::Template));
    assert_eq!(before.decide(Some(&more)), Decision::Deploy(Cause::Template));
}

#[test]
fn a_source_that_moved_is_a_change_of_code() {
    let template = |path: &str, handler: &str| json!({"Resources": {"A": {"Type": "AWS::Lambda::Function", "Properties": {"Code": path, "Handler": handler}}}});
    let of = |path, handler, key| snapshot(&template(path, handler), &[("A", "Code", key)]);
    let before = of("./a", "x", "1");
    assert_eq!(of("./b", "x", "1").decide(Some(&before)), Decision::Nothing);
    assert_eq!(ids(&of("./b", "x", "2").decide(Some(&before))), ["A"]);
    assert_eq!(of("./a", "y", "1").decide(Some(&before)), Decision::Deploy(Cause::Template));
}

#[test]
fn values_count() {
    let before = snapshot(&functions(&["a"]), &[]);
    let mut builder = SnapshotBuilder::default();
    builder.template("", functions(&["a"]), std::iter::empty());
    builder.value("Stage", "prod");
    let after = builder.finish();
    // Paths count as well when they are not listed as artifacts.
    assert_eq!(after.decide(Some(&before)), Decision::Deploy(Cause::Template));
    assert!(!format!("{after:?}").contains("prod"), "no value is kept");
}

#[test]
fn files_that_only_a_deployment_takes() {
    let template = json!({"Resources": {
        "Job": {"Type": "AWS::Glue::Job", "Properties": {"Command": {"ScriptLocation": "job.py"}}},
        "A": {"Type": "AWS::Lambda::Function", "Properties": {"Code": "a"}},
    }});
    let of = |job, code| snapshot(&template, &[("Job", "Command.ScriptLocation", job), ("A", "Code", code)]);
    let before = of("1", "1");
    assert_eq!(ids(&of("1", "2").decide(Some(&before))), ["A"]);
    let names: Vec<String> = before.compared().iter().map(ToString::to_string).collect();
    assert_eq!(names, ["A"]);
    let decision = of("2", "2").decide(Some(&before));
    assert!(matches!(decision, Decision::Deploy(Cause::File(id, "no call pushes it")) if id.resource == "Job"));
}

#[test]
fn code_within_a_scope() {
    let before = loops(&["Orders", "Users"], &["1", "2"]);
    let all = Scope::default();
    let names = |ids: Vec<ArtifactId>| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names(before.code(None, &all)), ["OrdersFunction", "UsersFunction"]);
    let one = Scope { resources: vec!["UsersFunction".to_owned()], types: Vec::new() };
    assert_eq!(names(before.code(None, &one)), ["UsersFunction"]);
    let layers = Scope { types: vec!["AWS::Serverless::LayerVersion".to_owned()], ..Scope::default() };
    assert!(before.code(None, &layers).is_empty());
    let after = loops(&["Orders", "Users"], &["9", "2"]);
    assert_eq!(names(after.code(Some(&before), &all)), ["OrdersFunction"]);
    assert!(after.code(Some(&before), &one).is_empty());
    let wrong = Scope { resources: vec!["Users".to_owned(), "OrdersFunction".to_owned()], types: Vec::new() };
    assert_eq!(wrong.unknown(&before), ["Users"]);
}

#[test]
fn what_was_pushed_is_taken_over() {
    let mut deployed = loops(&["Orders", "Users"], &["1", "2"]);
    let now = loops(&["Orders", "Users"], &["8", "9"]);
    let [first, _] = &now.code(Some(&deployed), &Scope::default())[..] else { panic!("two") };
    deployed.accept(&now, first);
    // A failed push is repeated with the next change.
    assert_eq!(ids(&now.decide(Some(&deployed))), ["UsersFunction"]);
}

#[test]
fn nested_stacks_have_names_of_their_own() {
    let mut builder = SnapshotBuilder::default();
    builder.template("Child/", functions(&["a"]), [("aFunction", "CodeUri")].into_iter());
    let id = |within: &str| ArtifactId {
        within: within.to_owned(),
        resource: "aFunction".to_owned(),
        property: "CodeUri".to_owned(),
    };
    builder.artifact(id("Child/"), "1".to_owned());
    let snapshot = builder.finish();
    for name in ["Child/aFunction", "aFunction"] {
        let scope = Scope { resources: vec![name.to_owned()], types: Vec::new() };
        assert_eq!(snapshot.code(None, &scope), [id("Child/")], "{name}");
    }
}

#[test]
fn files_that_a_condition_chooses_are_deployed() {
    let value = json!({"Fn::If": ["IsProd", "./prod", "./dev"]});
    let template = json!({"Resources": {"A": {"Type": "AWS::Lambda::Function", "Properties": {"Code": value}}}});
    let of = |prod, dev| snapshot(&template, &[("A", "Code", prod), ("A", "Code", dev)]);
    let before = of("1", "2");
    assert_eq!(before.decide(Some(&of("1", "2"))), Decision::Nothing);
    let decision = of("1", "3").decide(Some(&before));
    assert!(
        matches!(decision, Decision::Deploy(Cause::File(id, why)) if id.resource == "A" && why.contains("condition"))
    );
    assert!(before.code(None, &Scope::default()).is_empty());
}
