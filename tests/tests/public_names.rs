//! A user of `formwork` can name whatever a signature of it names: everything that a public function, field or
//! variant mentions is exported, too, and so on for what that mentions.

use std::collections::BTreeSet;

use formwork_tests::project;
use formwork_tests::source::{Definition, Sources, Target, signature_of};

/// What needs no path to it.
const PRELUDE: [&str; 60] = [
    "bool",
    "char",
    "str",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "f32",
    "f64",
    "String",
    "Vec",
    "Option",
    "Result",
    "Box",
    "Iterator",
    "IntoIterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Into",
    "TryFrom",
    "TryInto",
    "AsRef",
    "AsMut",
    "ToOwned",
    "ToString",
    "Send",
    "Sync",
    "Sized",
    "Unpin",
    "Copy",
    "Clone",
    "Drop",
    "Default",
    "Debug",
    "Hash",
    "Eq",
    "PartialEq",
    "Ord",
    "PartialOrd",
    "Self",
    "FromIterator",
    "Some",
    "None",
    "Ok",
    "Err",
    "drop",
    "matches",
];

/// Crates that whoever uses the library has anyway.
const STANDARD: [&str; 3] = ["std", "core", "alloc"];

/// Crates that the library exports for what its signatures have of them.
const EXPORTED: [&str; 1] = ["serde_json"];

/// What signatures name and a user of `krate` cannot, each with a place that names it.
fn unnameable(sources: &Sources, krate: &str) -> BTreeSet<String> {
    let nameable = sources.nameable(krate);
    let mut found = BTreeSet::new();
    for (path, module) in &sources.modules {
        for item in &module.items {
            let (of, named) = signature_of(item);
            let owners: Vec<Definition> = match &of {
                Some(of) => sources.resolve(path, of).into_iter().filter_map(item_of).collect(),
                None => formwork_tests::source::name_of(item).map(|name| (path.clone(), name)).into_iter().collect(),
            };
            let Some(owner) = owners.iter().find(|owner| nameable.contains(owner)) else { continue };
            for named in named {
                let mut place = format!("{}::{}", owner.0.join("::"), owner.1);
                if !named.part.is_empty() {
                    place = format!("{place}::{}", named.part);
                }
                let targets = sources.resolve(path, &named.path);
                let is_known = |target: &Target| match target {
                    Target::Item(definition) => nameable.contains(definition),
                    Target::Foreign(name) => STANDARD.iter().chain(&EXPORTED).any(|known| known == name),
                    Target::Module(_) => false,
                };
                if targets.is_empty() && named.path.len() == 1 && PRELUDE.contains(&named.path[0].as_str()) {
                    continue;
                }
                if !targets.iter().any(is_known) {
                    found.insert(format!("{} named by {place}: {targets:?}", named.path.join("::")));
                }
            }
        }
    }
    found
}

fn item_of(target: Target) -> Option<Definition> {
    match target {
        Target::Item(definition) => Some(definition),
        _ => None,
    }
}

#[test]
fn everything_that_a_signature_names_is_exported() {
    let sources = Sources::read(&project::root().join("crates")).expect("the sources of all crates");
    let found: Vec<String> = unnameable(&sources, "formwork").into_iter().collect();
    assert!(found.is_empty(), "{} names that a user of `formwork` cannot write:\n{}", found.len(), found.join("\n"));
    assert!(sources.nameable("formwork").len() > 100, "{}", sources.nameable("formwork").len());
}

#[test]
fn a_name_that_is_not_exported_is_seen() {
    let sources = Sources::of_texts(&[
        (
            "inner",
            "pub struct Shown { pub field: Hidden, own: Own }
             pub struct Hidden;
             pub enum Choice { One(Own) }
             pub struct Own;
             impl Shown { pub fn take<T: Into<Hidden>>(&self, value: Vec<T>) {} fn own(&self) -> Own { Own } }
             pub mod names { pub fn names(of: &super::Choice) {} pub struct Names; }
             macro_rules! made { () => { pub enum Made { A } } }",
        ),
        (
            "outer",
            "mod part { pub use inner::{Shown, names::Names}; } pub use part::*; pub fn made() -> inner::Made {}",
        ),
    ]);
    let sources = sources.expect("sources");
    let names = |krate| -> Vec<String> {
        let place = |found: String| found.split(": {").next().map(str::to_owned);
        unnameable(&sources, krate).into_iter().filter_map(place).collect()
    };
    let want = [
        "Hidden named by inner::Shown::field",
        "Hidden named by inner::Shown::take",
        "inner::Made named by outer::made::made",
    ];
    assert_eq!(names("outer"), want);
    assert!(names("inner").is_empty());
}
