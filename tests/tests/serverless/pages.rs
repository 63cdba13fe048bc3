//! The pages of `docs/serverless`: examples, and the resources that they become. The test writes them with
//! `FORMWORK_UPDATE=1`, and fails where one is stale.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use formwork_tests::{project, reference};

use super::examples::{self, Example, all};
use super::made_from;

const DIRECTORY: &str = "docs/serverless";

/// The beginning of the index.
const INDEX: &str = "# What a serverless template becomes

A page for each type of `AWS::Serverless`: small templates, and the resources that the [serverless
transform](../reference/serverless.md) makes of them. A test writes these pages with what `formwork expand --serverless` prints.

Each table has the resources in the order of the result, without those that stay as they are. The last column is the
origin of the resource and of everything in it: authored resources with their properties. A resource without properties there
follows from the authored resource as a whole, and one of `the template` from several. `formwork explain ID` answers the same for
your template.

| type | examples | becomes |
|---|---|---|
";

fn page_name(kind: &str) -> String {
    format!("{}.md", kind.to_lowercase())
}

/// Returns examples by their types.
fn by_kind(all: &[Example]) -> BTreeMap<&str, Vec<&Example>> {
    let mut kinds: BTreeMap<&str, Vec<&Example>> = BTreeMap::new();
    for example in all {
        kinds.entry(&example.kind).or_default().push(example);
    }
    kinds
}

/// Returns the page of a type, and the types of the resources on it.
fn page(kind: &str, all: &[&Example]) -> (String, BTreeSet<String>) {
    let mut page = format!("# AWS::Serverless::{kind}\n\n[The index](README.md) explains the tables.\n");
    let mut types = BTreeSet::new();
    for example in all {
        let made = examples::translated(&example.text);
        assert!(!made.has_errors(), "{}: {:?}", example.name, made.diagnostics());
        write!(page, "\n## {}\n\n{}\n\n```yaml\n{}```\n", example.title, example.words.join("\n"), example.text)
            .expect("a string");
        page.push_str("\n| resource | type | made from |\n|---|---|---|\n");
        for [id, made, from] in made_from::resources(&made) {
            writeln!(page, "| `{id}` | `{made}` | {from} |").expect("a string");
            types.insert(made);
        }
    }
    (page, types)
}

/// Returns all pages by name.
fn pages() -> BTreeMap<String, String> {
    let all = all();
    let (mut pages, mut index) = (BTreeMap::new(), INDEX.to_owned());
    for (kind, examples) in by_kind(&all) {
        let (page, types) = page(kind, &examples);
        let types: Vec<String> = types.iter().map(|name| format!("`{}`", name.trim_start_matches("AWS::"))).collect();
        let (name, count) = (page_name(kind), examples.len());
        writeln!(index, "| [{kind}]({name}) | {count} | {} |", types.join(", ")).expect("a string");
        pages.insert(name, page);
    }
    pages.insert("README.md".to_owned(), index);
    pages
}

#[test]
fn pages_of_the_types_are_current() {
    let directory = project::root().join(DIRECTORY);
    let wanted = pages();
    if std::env::var_os("FORMWORK_UPDATE").is_some() {
        std::fs::create_dir_all(&directory).expect("a directory");
        for (name, text) in &wanted {
            std::fs::write(directory.join(name), text).expect("a page is written");
        }
    }
    let mut found = BTreeMap::new();
    for path in reference::files(&directory, "md").expect("pages") {
        found.insert(reference::relative(&path, &directory), reference::read(&path).expect("a page"));
    }
    let names = |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&wanted));
    let help = "run `FORMWORK_UPDATE=1 cargo test --workspace --test it -- serverless::pages`";
    for (name, text) in &wanted {
        assert!(found.get(name) == Some(text), "{DIRECTORY}/{name} is stale: {help}");
    }
}

/// Properties that no author writes: one is of the translator itself, the next is not read, the last is refused.
const UNWRITTEN: [&str; 4] =
    ["Api.__MANAGE_SWAGGER", "HttpApi.__MANAGE_SWAGGER", "Application.TemplateUrl", "WebFunction.InlineCode"];

#[test]
fn every_property_of_every_type_is_in_an_example() {
    let path = project::root().join("crates/formwork-serverless/src/properties/table.rs");
    let table = reference::read(&path).expect("the table of properties");
    let all = all();
    let kinds = by_kind(&all);
    let (mut missing, mut count) = (Vec::new(), 0);
    for part in table.split("/// Properties of `AWS::Serverless::").skip(1) {
        let (kind, rest) = part.split_once('`').expect("a type");
        let examples = kinds.get(kind).unwrap_or_else(|| panic!("{kind} has no examples"));
        let mut written = BTreeSet::new();
        for example in examples {
            let authored = examples::authored(example);
            let resources = authored["Resources"].as_object().expect("resources").values();
            let of_kind = resources.filter(|one| one["Type"] == format!("AWS::Serverless::{kind}"));
            written.extend(of_kind.filter_map(|one| one["Properties"].as_object()).flat_map(|all| all.keys().cloned()));
        }
        let names = rest.split("of(\"").skip(1).filter_map(|name| Some(name.split_once('"')?.0));
        count += names.clone().count();
        let unwritten = names.filter(|&name| !written.contains(name)).map(|name| format!("{kind}.{name}"));
        missing.extend(unwritten.filter(|name| !UNWRITTEN.contains(&name.as_str())));
    }
    assert!(missing.is_empty(), "{}", missing.join(", "));
    assert!(count > 200, "{count} properties");
}
