//! Files of a crate do not form cycles of references: who reads one begins with plain data and ends with what uses
//! it. A file refers to another one by a path (`use`, or in a body) or by calling a method that the other one declares.
//! The cycles that remain are listed here with all their files, each for a reason: none may be added, no file may join
//! one, and what is gone is taken off the list.

use std::collections::{BTreeMap, BTreeSet};

use formwork_tests::project;
use formwork_tests::source::{Sources, Target, paths_in_body};

/// The files to which one refers, each with one thing that it names there.
type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// A cycle that is as it should be.
struct Circle {
    /// The directory of its files.
    directory: &'static str,
    /// All of them.
    files: &'static [&'static str],
    reason: &'static str,
}

const ALLOWED: &[Circle] = &[
    Circle {
        directory: "formwork_checks/checks/schemas/rules",
        files: &["judge.rs", "lists.rs"],
        reason: "a rule about a list has a rule for its items",
    },
    Circle {
        directory: "formwork_evaluate",
        files: &[
            "conditions.rs",
            "evaluator/collections.rs",
            "evaluator/nulls.rs",
            "evaluator/resolve.rs",
            "functions/base64.rs",
            "functions/cidr.rs",
            "functions/find_in_map.rs",
            "functions/get_att.rs",
            "functions/get_azs.rs",
            "functions/get_stack_output.rs",
            "functions/if.rs",
            "functions/import_value.rs",
            "functions/join.rs",
            "functions/length.rs",
            "functions/other.rs",
            "functions/range.rs",
            "functions/reference.rs",
            "functions/select.rs",
            "functions/split.rs",
            "functions/sub.rs",
            "functions/to_json_string.rs",
            "functions/zip.rs",
        ],
        reason: "a function resolves its arguments, each of which may be a call, and a condition asks for others",
    },
    Circle {
        directory: "formwork_loops",
        files: &[
            "collection.rs",
            "instantiate.rs",
            "iteration.rs",
            "limits.rs",
            "map.rs",
            "members.rs",
            "merges.rs",
            "repeat.rs",
            "sub.rs",
            "unknown.rs",
            "unresolved_loops.rs",
            "waiting.rs",
        ],
        reason: "a copy of a node holds copies of what is below it, and loops there compute and copy nodes of their own",
    },
    Circle {
        directory: "formwork_modules",
        files: &[
            "bind.rs",
            "collection.rs",
            "collections.rs",
            "conditions.rs",
            "copied_bodies.rs",
            "copies.rs",
            "evaluate.rs",
            "expanded.rs",
            "find_meanings.rs",
            "flatten.rs",
            "flatten_rows.rs",
            "goals.rs",
            "imports.rs",
            "insert_file.rs",
            "invoke.rs",
            "mappings.rs",
            "merge.rs",
            "outputs.rs",
            "overrides.rs",
            "reference.rs",
            "resources.rs",
            "root_loops.rs",
            "root_values.rs",
            "schema.rs",
            "source.rs",
            "sub.rs",
        ],
        reason: "values, conditions, outputs, copies and sources of imports are goals that need each other in any order",
    },
    Circle {
        directory: "formwork_rules",
        files: &[
            "evaluator.rs",
            "functions/contains.rs",
            "functions/each_member_equals.rs",
            "functions/each_member_in.rs",
            "functions/equals.rs",
            "functions/junction.rs",
            "functions/not.rs",
            "functions/ref_all.rs",
            "functions/reference.rs",
            "functions/value_of.rs",
            "functions/value_of_all.rs",
            "reader.rs",
        ],
        reason: "rule functions are read and evaluated in one file each, and their operands are rule functions",
    },
    Circle {
        directory: "formwork_serverless",
        files: &["history.rs", "value.rs"],
        reason: "a mapping keeps the history of its keys, and a history is read from mappings",
    },
    Circle {
        directory: "formwork_serverless/hash",
        files: &["data.rs", "dict.rs"],
        reason: "a dictionary holds data, and data may be a dictionary",
    },
];

impl Circle {
    fn paths(&self) -> Vec<String> {
        self.files.iter().map(|file| format!("{}/{file}", self.directory)).collect()
    }
}

/// Which files name which: `crate/file.rs`. What a crate re-exports is where it is declared. That a file names what the
/// module around it declares is left out: a module and its files are one thing.
fn graph(sources: &Sources) -> Graph {
    let name = |module: &[String]| {
        let file = sources.modules[module].file.display();
        format!("{}/{file}", module[0])
    };
    let mut graph = Graph::new();
    let mut refer = |from: &[String], to: &[String], what: String| {
        let (own, other) = (name(from), name(to));
        if from[0] == to[0] && own != other && !from.starts_with(to) {
            graph.entry(own).or_default().entry(other).or_insert(what);
        }
    };
    for (path, module) in &sources.modules {
        let bodies = module.items.iter().flat_map(paths_in_body);
        for named in module.imports().map(<[String]>::to_vec).chain(bodies) {
            for target in sources.resolve(path, &named) {
                if let Target::Item((of, _)) = target {
                    refer(path, &of, named.join("::"));
                }
            }
        }
    }
    for (path, calls) in sources.calls() {
        for (of, what) in calls {
            refer(path, &of, what);
        }
    }
    graph
}

/// What can be reached from a file.
fn reachable<'g>(graph: &'g Graph, from: &'g str) -> BTreeSet<&'g str> {
    let mut found = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(file) = pending.pop() {
        let next = graph.get(file).into_iter().flat_map(BTreeMap::keys);
        pending.extend(next.map(String::as_str).filter(|next| found.insert(*next)));
    }
    found
}

/// The files that refer to each other in cycles, each group once.
fn circles(graph: &Graph) -> Vec<Vec<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|file| (file.as_str(), reachable(graph, file))).collect();
    let mut found: BTreeSet<Vec<&str>> = BTreeSet::new();
    for (file, others) in reached.iter().filter(|(file, others)| others.contains(*file)) {
        let is_mutual = |other: &&&str| reached.get(**other).is_some_and(|back| back.contains(file));
        found.insert(others.iter().filter(is_mutual).copied().collect());
    }
    found.into_iter().collect()
}

/// The cycles that are not as they are allowed.
fn faults(graph: &Graph, allowed: &[Vec<String>]) -> Vec<String> {
    let circles = circles(graph);
    let has = |list: &[String], file: &str| list.iter().any(|known| known == file);
    let mut found = Vec::new();
    for circle in &circles {
        let known = allowed.iter().max_by_key(|known| circle.iter().filter(|file| has(known, file)).count());
        let known = known.map_or(&[][..], Vec::as_slice);
        let joined: Vec<&str> = circle.iter().copied().filter(|file| !has(known, file)).collect();
        let left: Vec<&str> = known.iter().map(String::as_str).filter(|file| !circle.contains(file)).collect();
        if joined.len() == circle.len() {
            found.push(format!("a new cycle:\n{}\n{}", arrows(graph, circle, circle), listed(circle)));
        } else if !joined.is_empty() || !left.is_empty() {
            let arrows = arrows(graph, circle, &joined);
            found.push(format!("a cycle that {joined:?} joined and {left:?} left:\n{arrows}\n{}", listed(circle)));
        }
    }
    let is_gone = |known: &&Vec<String>| !circles.iter().flatten().any(|file| has(known, file));
    found.extend(allowed.iter().filter(is_gone).map(|known| format!("a cycle that is gone: {known:?}")));
    found
}

/// The references within a cycle from and to some of its files.
fn arrows(graph: &Graph, circle: &[&str], some: &[&str]) -> String {
    let arrows = circle.iter().flat_map(|file| {
        let others = graph[*file].iter().filter(|(other, _)| circle.contains(&other.as_str()));
        let others = others.filter(|(other, _)| some.contains(file) || some.contains(&other.as_str()));
        others.map(move |(other, what)| format!("  {file} -> {other} ({what})"))
    });
    arrows.collect::<Vec<_>>().join("\n")
}

/// The files of a cycle as they are listed here.
fn listed(circle: &[&str]) -> String {
    let mut directory = circle[0];
    while let Some((outer, _)) = directory.rsplit_once('/') {
        directory = outer;
        if circle.iter().all(|file| file.starts_with(&format!("{outer}/"))) {
            break;
        }
    }
    let files: Vec<String> =
        circle.iter().map(|file| format!("            \"{}\",\n", &file[directory.len() + 1..])).collect();
    format!("        directory: \"{directory}\",\n        files: &[\n{}        ],", files.concat())
}

#[test]
fn files_form_no_circle_but_the_listed_ones() {
    let sources = Sources::read(&project::root().join("crates")).expect("the sources of all crates");
    let graph = graph(&sources);
    assert!(graph.len() > 200, "only {} files name others", graph.len());
    let allowed: Vec<Vec<String>> = ALLOWED.iter().map(Circle::paths).collect();
    let faults = faults(&graph, &allowed);
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(ALLOWED.iter().all(|circle| !circle.reason.is_empty()), "each has a reason");
}

fn graph_of(pairs: &[(&str, &str)]) -> Graph {
    let mut graph = Graph::new();
    for (from, to) in pairs {
        graph.entry((*from).to_owned()).or_default().insert((*to).to_owned(), "name".to_owned());
    }
    graph
}

#[test]
fn a_circle_is_seen_and_a_chain_is_not() {
    assert!(circles(&graph_of(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    let graph = graph_of(&[("a", "b"), ("b", "c"), ("c", "b"), ("d", "e"), ("e", "d"), ("c", "d")]);
    assert_eq!(circles(&graph), [["b", "c"], ["d", "e"]]);
}

#[test]
fn an_allowed_circle_has_the_listed_files_and_no_others() {
    let graph = graph_of(&[("k/a", "k/b"), ("k/b", "k/c"), ("k/c", "k/a")]);
    let list = |files: &[&str]| vec![files.iter().map(|file| (*file).to_owned()).collect::<Vec<_>>()];
    let one = |allowed: &[Vec<String>]| faults(&graph, allowed).concat();
    assert_eq!(one(&list(&["k/a", "k/b", "k/c"])), "");
    assert!(one(&list(&["k/a", "k/b"])).starts_with(r#"a cycle that ["k/c"] joined and [] left:"#));
    assert!(one(&list(&["k/a", "k/b", "k/c", "k/d"])).starts_with(r#"a cycle that [] joined and ["k/d"] left:"#));
    assert!(one(&[]).starts_with("a new cycle:\n  k/a -> k/b (name)\n"));
    assert!(one(&[]).ends_with(&listed(&["k/a", "k/b", "k/c"])));
    assert!(one(&list(&["k/d", "k/e"])).ends_with(r#"a cycle that is gone: ["k/d", "k/e"]"#));
    let pasted = "        directory: \"k\",\n        files: &[\n            \"a\",\n            \"m/b\",\n        ],";
    assert_eq!(listed(&["k/a", "k/m/b"]), pasted);
}

/// What a module of small sources calls in other modules.
fn calls_of(module: &str, text: &str) -> Vec<String> {
    let sources = Sources::of_texts(&[("k", text)]).expect("sources");
    let path: Vec<String> = ["k", module].map(str::to_owned).to_vec();
    let calls = sources.calls().remove(&path).unwrap_or_default();
    calls.into_iter().filter(|(of, _)| *of != path).map(|(of, what)| format!("{} {what}", of.join("::"))).collect()
}

#[test]
fn methods_of_a_type_are_found_in_every_module_that_declares_some() {
    let text = "
        mod state { pub struct State { pub part: Part, pub all: Vec<Part> } pub struct Part; pub type Other = State; }
        mod high { use crate::state::*; impl State { pub fn high(&self) { self.low(); Self::new().low(); } } }
        mod low {
            use crate::state::*;
            impl State { pub const MOST: u8 = 1; pub fn low(&self) {} pub fn new() -> Self { loop {} } }
            impl Part { pub fn get(&self) -> &Other { loop {} } }
        }
        mod user {
            use crate::state::{Other, State};
            fn by_parameter(it: &mut State) { it.high(); }
            fn by_field(it: Box<Other>) -> u8 { it.part.get(); Other::MOST }
            fn by_result(it: &State) { let made = it.part.get().clone(); vec![made.high()]; }
        }";
    assert_eq!(calls_of("high", text), ["k::low State::low", "k::low State::new"]);
    assert_eq!(calls_of("user", text), ["k::high State::high", "k::low Part::get", "k::low State::MOST"]);
}

#[test]
fn a_method_whose_receiver_is_not_known_is_called_where_only_one_type_has_it() {
    let text = "
        mod one { pub struct One; impl One { pub fn own(&self) {} pub fn both(&self) {} pub fn last(&self) {} } }
        mod two { pub struct Two; impl Two { pub fn both(&self) {} } }
        mod shape { pub trait Shape { fn area(&self); } }
        mod round { pub struct Round; impl Round { pub fn area(&self) {} } }
        mod user { fn all(list: &[Unknown]) {
            for it in list { it.own(); it.both(); it.area(); }
            list.last();
        } }";
    assert_eq!(calls_of("user", text), ["k::one One::own"]);
}

#[test]
fn a_variable_hides_another_one_and_a_trait_of_several_modules_is_not_called() {
    let text = "
        mod kinds { pub struct A; pub struct B; }
        mod a { impl crate::kinds::A { pub fn run(&self) {} } }
        mod b { impl crate::kinds::B { pub fn run(&self) {} } }
        mod of_trait { impl Clone for crate::kinds::A { fn clone(&self) -> Self { loop {} } } }
        mod first { impl From<u8> for crate::kinds::B { fn from(_: u8) -> Self { loop {} } } }
        mod second { impl From<i8> for crate::kinds::B { fn from(_: i8) -> Self { loop {} } } }
        mod user {
            use crate::kinds::{A, B};
            fn hidden(it: &A, other: B) { { let it = other; it.run(); } }
            fn unknown(it: &A, list: &[B]) { list.iter().map(|it| it.run()); }
            fn by_type(it: &A) { it.clone(); B::from(1_u8); }
        }";
    assert_eq!(calls_of("user", text), ["k::b B::run", "k::of_trait A::clone"]);
}
