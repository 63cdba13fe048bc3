//! What holds for each example (reference/serverless.md), and for all templates.

use std::collections::{BTreeMap, BTreeSet};

use formwork::{Format, Goal};
use formwork_tests::{project, properties, reference};
use serde_json::{Map, Value, json};

use super::examples::{all, authored, data, options, translated};

fn result(name: &str, text: &str) -> Value {
    data(&translated(text)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn json_becomes_what_yaml_becomes() {
    for example in all() {
        let yaml = result(&example.name, &example.text);
        let kept = properties::compile(&example.text, &options(false), Goal::Expand);
        // The order of keys is in hashes.
        let json = kept.output().expect("an output").render(Some(Format::Json));
        let json = result(&example.name, &json);
        assert_eq!(json, yaml, "{}", example.name);
    }
}

#[test]
fn a_second_run_changes_nothing() {
    for example in all() {
        let first = translated(&example.text).output().expect("an output").render(None);
        let second = translated(&first);
        assert!(second.is_unchanged(), "{}", example.name);
        assert_eq!(second.output().expect("an output").render(None), first, "{}", example.name);
    }
}

/// Templates of the repository that have no serverless transform.
#[test]
fn a_template_without_the_transform_keeps_its_bytes() {
    let root = project::root();
    let of_examples = all().into_iter().map(|one| (one.name, one.text.split_once('\n').expect("lines").1.to_owned()));
    let files = reference::files(&root.join("examples"), "yaml").expect("templates");
    let files = files.iter().map(|path| (reference::relative(path, &root), reference::read(path).expect("a file")));
    let without = |(_, text): &(String, String)| !text.contains("AWS::Serverless-2016-10-31");
    let mut count = 0;
    for (name, text) in of_examples.chain(files).filter(without) {
        for goal in [Goal::Expand, Goal::Resolve] {
            let [kept, run] = [false, true].map(|is_run| properties::compile(&text, &options(is_run), goal));
            let bytes = |one: &formwork::Compilation| {
                one.output().ok().map(|output| {
                    let mut bytes = Vec::new();
                    output.write_bytes(None, &mut |part| bytes.extend_from_slice(part));
                    bytes
                })
            };
            assert_eq!(bytes(&kept), bytes(&run), "{name}");
            assert_eq!(kept.is_unchanged(), run.is_unchanged(), "{name}");
            count += usize::from(bytes(&run).is_some());
        }
    }
    assert!(count > 100, "{count}");
}

/// The suffix of IDs in a loop: a call has it in references.
const SUFFIX: &str = "${Item}";

/// The value with other logical IDs in references: each has a suffix.
fn renamed(value: &Value, ids: &BTreeSet<String>, suffix: &str) -> Value {
    match value {
        Value::String(text) => {
            if !ids.contains(text) {
                return value.clone();
            }
            let new = format!("{text}{suffix}");
            if suffix == SUFFIX { json!({ "Fn::Sub": new }) } else { json!(new) }
        }
        Value::Array(items) => items.iter().map(|item| renamed(item, ids, suffix)).collect(),
        Value::Object(map) => {
            map.iter().map(|(key, value)| (key.clone(), renamed(value, ids, suffix))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

/// Returns the resources of a template with a suffix behind each ID.
fn resources(template: &Value, suffix: &str) -> Map<String, Value> {
    let resources = template["Resources"].as_object().expect("resources");
    let ids = resources.keys().cloned().collect();
    resources.iter().map(|(id, one)| (format!("{id}{suffix}"), renamed(one, &ids, suffix))).collect()
}

/// Returns a template with these resources.
fn with(template: &Value, resources: Map<String, Value>) -> String {
    let mut template = template.clone();
    template["Transform"] = json!(["AWS::LanguageExtensions", "AWS::Serverless-2016-10-31"]);
    template["Resources"] = resources.into();
    template.to_string()
}

const ITEMS: [&str; 3] = ["A", "B", "C"];

/// A loop over an example becomes what its iterations become by hand, and these become the union of what each becomes
/// alone; what several iterations share, such as an API that no template declares, is left out there.
#[test]
fn a_loop_becomes_what_its_iterations_become() {
    let (mut looped, mut united) = (0, 0);
    for example in all() {
        let template = authored(&example);
        let body = json!(["Item", ITEMS, resources(&template, SUFFIX)]);
        let in_loop = data(&translated(&with(&template, Map::from_iter([("Fn::ForEach::All".to_owned(), body)]))));
        let by_hand = ITEMS.iter().flat_map(|item| resources(&template, item)).collect();
        let by_hand = data(&translated(&with(&template, by_hand)));
        // Both are refused where the iterations want one and the same resource.
        assert_eq!(in_loop.is_ok(), by_hand.is_ok(), "{}: {in_loop:?}\n{by_hand:?}", example.name);
        let (Ok(in_loop), Ok(by_hand)) = (in_loop, by_hand) else { continue };
        assert_eq!(in_loop, by_hand, "{}", example.name);
        looped += 1;
        let mut owners: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for item in ITEMS {
            let alone = result(&example.name, &with(&template, resources(&template, item)));
            for (id, resource) in alone["Resources"].as_object().expect("resources") {
                owners.entry(id.clone()).or_default().push(resource.clone());
            }
        }
        let is_shared = |id: &String| id.starts_with("Serverless") || owners.get(id).is_some_and(|all| all.len() > 1);
        let together = in_loop["Resources"].as_object().expect("resources");
        let own = |ids: &mut dyn Iterator<Item = &String>| {
            ids.filter(|id| !is_shared(id)).cloned().collect::<BTreeSet<String>>()
        };
        assert_eq!(own(&mut together.keys()), own(&mut owners.keys()), "{}", example.name);
        for (id, resource) in together.iter().filter(|(id, _)| !is_shared(id)) {
            assert_eq!(owners[id], std::slice::from_ref(resource), "{}: {id}", example.name);
            united += 1;
        }
    }
    assert!(looped > 40 && united > 500, "{looped} loops, {united} resources");
}

#[test]
fn every_node_of_the_result_has_an_authored_origin() {
    let mut made = 0;
    for example in all() {
        let template = authored(&example);
        let body = json!(["Item", ["A"], resources(&template, SUFFIX)]);
        let in_loop = with(&template, Map::from_iter([("Fn::ForEach::All".to_owned(), body)]));
        for text in [example.text.clone(), in_loop] {
            let compilation = translated(&text);
            assert_eq!(compilation.verify_origins(), Vec::<String>::new(), "{}", example.name);
            let result = data(&compilation).unwrap_or_else(|error| panic!("{}: {error}", example.name));
            for id in result["Resources"].as_object().expect("resources").keys() {
                let answer = compilation.explain(id).unwrap_or_else(|near| panic!("{}: {id}: {near:?}", example.name));
                assert!(answer.is_in_output() && !answer.span.is_none(), "{}: {id}", example.name);
                // The API that events share belongs to the whole template.
                let is_shared = id.starts_with("Serverless");
                assert!(is_shared || !answer.authored_path.is_empty(), "{}: {id}", example.name);
                made += 1;
            }
        }
    }
    assert!(made > 300, "{made}");
}
