//! The table of attacks in SECURITY.md: each row names a rule of the reference and tests that exist.

use std::collections::BTreeSet;
use std::path::Path;

use formwork_tests::{project, reference};

/// The heading of the table.
const HEADER: &str = "| attack | rule | test |";

/// A row of the table: the attack, and the links of the other cells.
#[derive(Debug, PartialEq, Eq)]
struct Row<'t> {
    attack: &'t str,
    rules: Vec<Link<'t>>,
    tests: Vec<Link<'t>>,
}

/// `[text](target)`.
#[derive(Debug, PartialEq, Eq)]
struct Link<'t> {
    text: &'t str,
    target: &'t str,
}

/// The rows of all tables of attacks on a page.
fn rows(page: &str) -> Vec<Row<'_>> {
    let mut lines = page.lines();
    let mut rows = Vec::new();
    while lines.by_ref().any(|line| line.trim() == HEADER) {
        for line in lines.by_ref().skip(1).take_while(|line| line.starts_with('|')) {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
            rows.push(Row { attack: cell(0), rules: links(cell(1)), tests: links(cell(2)) });
        }
    }
    rows
}

fn links(cell: &str) -> Vec<Link<'_>> {
    let pieces = cell.split('[').skip(1);
    pieces
        .filter_map(|piece| {
            let (text, rest) = piece.split_once("](")?;
            Some(Link { text: text.trim_matches('`'), target: rest.split_once(')')?.0 })
        })
        .collect()
}

/// Whether a test is there: a function with `#[test]`, a case of a fixture, or a fuzz target.
fn is_test(root: &Path, test: &Link<'_>) -> bool {
    let Ok(source) = reference::read(&root.join(test.target)) else { return false };
    let lines: Vec<&str> = source.lines().map(str::trim_start).collect();
    if Path::new(test.target).extension().is_some_and(|extension| extension == "md") {
        return lines.contains(&format!("## {}", test.text).as_str());
    }
    if test.target.starts_with("fuzz/") {
        return test.target.ends_with(&format!("/{}.rs", test.text));
    }
    let begins = format!("fn {}(", test.text);
    let function = lines.iter().position(|line| line.starts_with(&begins));
    function.is_some_and(|at| {
        let above = lines[..at].iter().rev().take_while(|line| line.starts_with("#[") || line.starts_with("//"));
        above.into_iter().any(|line| *line == "#[test]") || lines[..at].iter().any(|line| line.starts_with("proptest!"))
    })
}

/// The errors of a table, one line for each row.
fn faults(page: &str, root: &Path, targets: &BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for row in rows(page) {
        let mut wrong = |what: &str| faults.push(format!("{}: {what}", row.attack));
        if row.rules.is_empty() || row.tests.is_empty() {
            wrong("names no rule or no test");
        }
        for rule in &row.rules {
            let is_rule = rule.target.strip_prefix("docs/").is_some_and(|target| targets.contains(target));
            if !is_rule {
                wrong(&format!("{} is not a rule of the reference", rule.target));
            }
        }
        for test in row.tests.iter().filter(|test| !is_test(root, test)) {
            wrong(&format!("{} has no test `{}`", test.target, test.text));
        }
    }
    faults
}

#[test]
fn every_attack_names_a_rule_and_tests_that_exist() {
    let root = project::root();
    let targets = reference::targets(&reference::pages().expect("the pages of docs/reference"));
    let page = reference::read(&root.join("SECURITY.md")).expect("the page");
    let found = faults(&page, &root, &targets);
    assert!(found.is_empty(), "SECURITY.md:\n{}", found.join("\n"));
    assert!(rows(&page).len() > 5, "the table was not found");
}

#[test]
fn a_row_without_a_test_is_seen() {
    let root = project::root();
    let targets: BTreeSet<String> = ["reference/a.md#b".to_owned()].into();
    let table = |rule: &str, test: &str| format!("{HEADER}\n|---|---|---|\n| an attack | {rule} | {test} |\n");
    let own = "[`a_row_without_a_test_is_seen`](tests/tests/security.rs)";
    let rule = "[b](docs/reference/a.md#b)";
    assert_eq!(faults(&table(rule, own), &root, &targets), Vec::<String>::new());
    for (rule, test, want) in [
        (rule, "", "names no rule or no test"),
        ("words", own, "names no rule or no test"),
        ("[c](docs/reference/a.md#c)", own, "docs/reference/a.md#c is not a rule of the reference"),
        (rule, "[`none`](tests/tests/security.rs)", "tests/tests/security.rs has no test `none`"),
        (rule, "[`faults`](tests/tests/security.rs)", "tests/tests/security.rs has no test `faults`"),
        (rule, "[`x`](tests/tests/nowhere.rs)", "tests/tests/nowhere.rs has no test `x`"),
    ] {
        assert_eq!(faults(&table(rule, test), &root, &targets), [format!("an attack: {want}")], "{rule} {test}");
    }
}
