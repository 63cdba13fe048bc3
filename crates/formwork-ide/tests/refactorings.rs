//! Every refactoring and renaming that is offered on generated projects is applied, and the expansion of the result compared.
//! `FORMWORK_PROJECTS` is how many.

use std::collections::BTreeMap;

use fastrand::Rng;
use formwork::{Cancellation, Goal, MemoryHost, Options, Session, Values, VirtualPath};
use formwork_ide::actions::{ActionKind, Wanted, actions};
use formwork_ide::{FileEdits, Ide, apply};
use serde_json::Value;

use crate::projects::{Project, project};

fn options(values: Values) -> Options {
    Options { values, leaves_out_errors: true, ..Options::default() }
}

fn session(files: &[(String, String)], values: Values) -> Session<'static> {
    let host = files.iter().fold(MemoryHost::new(), |host, (name, text)| host.with(name, text.clone()));
    Session::new(host, options(values))
}

/// The data of a template; parameters are left out, since one may be added or go.
fn data(files: &[(String, String)], goal: Goal, values: Values) -> Option<Value> {
    let compiled = session(files, values).compile(&files[0].0, goal);
    let text = compiled.output().ok().map(formwork::Output::minified)?;
    let mut data: Value = serde_json::from_str(&text).unwrap();
    if goal == Goal::Resolve {
        data.as_object_mut().unwrap().shift_remove("Parameters");
    }
    Some(data)
}

fn with(project: &Project, edits: &[FileEdits]) -> Vec<(String, String)> {
    let mut files = project.files.clone();
    for file in edits {
        let name = file.file.as_str();
        match files.iter_mut().find(|(known, _)| known == name) {
            Some((_, text)) => *text = apply(text, &file.edits),
            None => files.push((name.to_owned(), apply("", &file.edits))),
        }
    }
    files
}

/// How often each code is reported.
fn codes(files: &[(String, String)]) -> BTreeMap<String, usize> {
    let compiled = session(files, Values::Resolve).compile(&files[0].0, Goal::Check);
    let mut codes = BTreeMap::new();
    for found in compiled.diagnostics() {
        *codes.entry(found.code.to_string()).or_default() += 1;
    }
    codes
}

/// Places where actions are asked for: names, values, and ranges of whole entries.
fn places(text: &str, random: &mut Rng) -> Vec<std::ops::Range<u32>> {
    let starts: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).filter(|at| *at < text.len()).collect();
    let mut found: Vec<std::ops::Range<u32>> = Vec::new();
    for wanted in [
        "  Web:",
        "\"Web\"",
        "  QueueOrders",
        "\"QueueOrders\"",
        "  Prefix:",
        "\"Days\": 7",
        "  Long:",
        "Fn::ForEach",
        "  Env:",
        "plain",
    ] {
        if let Some(at) = text.find(wanted) {
            let at = (at + wanted.len() - 3) as u32;
            found.push(at..at);
        }
    }
    if let (Some(start), Some(end)) = (text.find("  ShopQueue:"), text.find("Outputs:")) {
        found.push(start as u32..end as u32);
    }
    if let (Some(start), Some(end)) = (text.find("\"ShopQueue\""), text.find("\n  },\n  \"Outputs\"")) {
        found.push(start as u32..end as u32);
    }
    for _ in 0..3 {
        let start = starts[random.usize(..starts.len())];
        let line = text[start..].lines().next().unwrap_or_default();
        let mut at = start + random.usize(..=line.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        found.push(at as u32..at as u32);
    }
    found
}

fn count() -> u64 {
    std::env::var("FORMWORK_PROJECTS").ok().and_then(|count| count.parse().ok()).unwrap_or(60)
}

#[test]
fn every_refactoring_leaves_the_same_template() {
    let mut offered: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..count() {
        let project = project(seed);
        let (name, text) = &project.files[0];
        let session = session(&project.files, Values::Resolve);
        let root = VirtualPath::new(name);
        let ide = Ide::new(&session, &root, None).unwrap();
        let before = data(&project.files, Goal::Expand, Values::Keep);
        assert!(before.is_some(), "project {seed} has errors: {:?}\n{text}", codes(&project.files));
        let resolved = data(&project.files, Goal::Resolve, Values::Resolve);
        let known = codes(&project.files);
        let mut random = Rng::with_seed(seed);
        for range in places(text, &mut random) {
            let is_refactoring = |kind| matches!(kind, ActionKind::Extract | ActionKind::Inline | ActionKind::Rewrite);
            let wanted = Wanted { kinds: &is_refactoring, are_unproved: false, cancellation: &Cancellation::never() };
            for action in actions(&ide, &root, range, &wanted).unwrap() {
                let files = with(&project, &action.edits);
                let shown = || format!("{} of project {seed}:\n{text}\n-----\n{files:?}", action.title);
                // What depends on values is the same under the values in force.
                let words = ["parameter", "default", "Fn::Join", "Fn::Sub"];
                if words.iter().any(|word| action.title.contains(word)) {
                    assert_eq!(data(&files, Goal::Resolve, Values::Resolve), resolved, "{}", shown());
                } else {
                    assert_eq!(data(&files, Goal::Expand, Values::Keep), before, "{}", shown());
                }
                let after = codes(&files);
                let added = after.iter().find(|(code, count)| known.get(*code).is_none_or(|known| *count > known));
                assert_eq!(added, None, "{}", shown());
                let words: Vec<&str> =
                    action.title.split(' ').filter(|word| !word.contains(char::is_uppercase)).collect();
                *offered.entry(words.into_iter().take(4).collect::<Vec<_>>().join(" ")).or_default() += 1;
            }
        }
    }
    let kinds: Vec<&str> = offered.keys().map(String::as_str).collect();
    for wanted in [
        "extract to constant",
        "extract to module",
        "extract to parameter",
        "replace constant",
        "replace import",
        "entries as",
        "replace loop",
    ] {
        assert!(kinds.iter().any(|kind| kind.contains(wanted)), "{wanted} is never offered: {offered:?}");
    }
}

#[test]
fn every_renaming_leaves_the_same_template() {
    const NEW: &str = "Renamed77";
    let mut renamed = 0;
    for seed in 0..count() {
        let project = project(seed);
        let (name, text) = &project.files[0];
        let session = session(&project.files, Values::Resolve);
        let root = VirtualPath::new(name);
        let ide = Ide::new(&session, &root, None).unwrap();
        let before = data(&project.files, Goal::Expand, Values::Keep).unwrap().to_string();
        let mut random = Rng::with_seed(seed);
        for range in places(text, &mut random) {
            let Ok(place) = formwork_ide::rename::prepare(&ide, &root, range.start) else { continue };
            let old = text[place.start as usize..place.end as usize].to_owned();
            let Ok(renaming) = formwork_ide::rename::rename(&ide, &root, range.start, NEW) else { continue };
            let files = with(&project, &renaming.edits);
            let after = data(&files, Goal::Expand, Values::Keep);
            let after = after.unwrap_or_else(|| panic!("{old} of project {seed}: {files:?}")).to_string();
            assert_eq!(after.replace(NEW, &old), before, "{old} of project {seed}:\n{text}");
            renamed += 1;
        }
    }
    assert!(renamed as u64 > count(), "{renamed}");
}
