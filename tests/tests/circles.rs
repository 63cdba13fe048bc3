//! Files of a crate do not form cycles of references: who reads one begins with plain data and ends with what uses
//! it. The cycles that remain are listed here, each with its reason; none may be added, and one that is gone is
//! taken off the list.

use std::collections::{BTreeMap, BTreeSet};

use formwork_tests::project;
use formwork_tests::source::{Sources, Target, paths_in_body};

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Cycles that are as they should be: a file in each of them, and why.
const ALLOWED: &[(&str, &str)] = &[(
    "formwork_rules/rules/evaluator.rs",
    "the same of rule functions, which are read and evaluated in one file each",
)];

/// Which files name which: `crate/file.rs`. What a crate re-exports is where it is declared. That a file names what the
/// module around it declares is left out: a module and its files are one thing.
fn graph(sources: &Sources) -> Graph {
    let name = |module: &[String]| {
        let file = sources.modules[module].file.display();
        format!("{}/{file}", module[0])
    };
    let mut graph = Graph::new();
    for (path, module) in &sources.modules {
        let own = name(path);
        let bodies = module.items.iter().flat_map(paths_in_body);
        for named in module.imports().map(<[String]>::to_vec).chain(bodies) {
            for target in sources.resolve(path, &named) {
                let Target::Item((of, _)) = target else { continue };
                let other = name(&of);
                let is_around = path.starts_with(&of);
                if of[0] == path[0] && other != own && !is_around {
                    graph.entry(own.clone()).or_default().insert(other);
                }
            }
        }
    }
    graph
}

/// What can be reached from a file.
fn reachable<'g>(graph: &'g Graph, from: &'g str) -> BTreeSet<&'g str> {
    let mut found = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(file) = pending.pop() {
        pending.extend(graph.get(file).into_iter().flatten().map(String::as_str).filter(|next| found.insert(*next)));
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

/// The edges within a cycle.
fn describe(graph: &Graph, circle: &[&str]) -> String {
    let arrows = circle.iter().flat_map(|file| {
        let others = graph[*file].iter().filter(|other| circle.contains(&other.as_str()));
        others.map(move |other| format!("  {file} -> {other}"))
    });
    arrows.collect::<Vec<_>>().join("\n")
}

#[test]
fn files_form_no_circle_but_the_listed_ones() {
    let sources = Sources::read(&project::root().join("crates")).expect("the sources of all crates");
    let graph = graph(&sources);
    assert!(graph.len() > 200, "only {} files name others", graph.len());
    let circles = circles(&graph);
    let is_allowed = |circle: &&Vec<&str>| ALLOWED.iter().any(|(file, _)| circle.contains(file));
    let new: Vec<String> =
        circles.iter().filter(|circle| !is_allowed(circle)).map(|circle| describe(&graph, circle)).collect();
    assert!(new.is_empty(), "{} cycles of files:\n{}", new.len(), new.join("\n\n"));
    let gone: Vec<&str> =
        ALLOWED.iter().map(|(file, _)| *file).filter(|file| !circles.iter().any(|one| one.contains(file))).collect();
    assert!(gone.is_empty(), "these cycles are gone: {gone:?}");
}

#[test]
fn a_circle_is_seen_and_a_chain_is_not() {
    let arrows = |pairs: &[(&str, &str)]| {
        let mut graph = Graph::new();
        for (from, to) in pairs {
            graph.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        graph
    };
    assert!(circles(&arrows(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    let graph = arrows(&[("a", "b"), ("b", "c"), ("c", "b"), ("d", "e"), ("e", "d"), ("c", "d")]);
    assert_eq!(circles(&graph), [["b", "c"], ["d", "e"]]);
}
