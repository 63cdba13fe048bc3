//! The reference holds together: every rule has an anchor and a source, links resolve, every case
//! names rules that exist, and the index of cases is that of the files.

use formwork_tests::project;
use formwork_tests::reference::{self, Page};

fn pages() -> Vec<Page> {
    reference::pages().expect("the pages of docs/reference")
}

#[test]
fn every_rule_names_its_source() {
    let without: Vec<String> = pages()
        .iter()
        .flat_map(|page| page.rules.iter().filter(|rule| !rule.has_source).map(move |rule| (page, rule)))
        .map(|(page, rule)| format!("{}#{}", page.path, rule.anchor))
        .collect();
    assert!(without.is_empty(), "rules without a line `Source: ...`: {}", without.join(", "));
}

#[test]
fn every_case_names_rules_that_exist() {
    let pages = pages();
    let targets = reference::targets(&pages);
    let held = reference::held().expect("cases with rules");
    let unknown: Vec<&str> = held.keys().map(String::as_str).filter(|rule| !targets.contains(*rule)).collect();
    assert!(unknown.is_empty(), "cases name rules that do not exist: {}", unknown.join(", "));
}

#[test]
fn links_of_the_pages_resolve() {
    let root = project::root();
    let targets = reference::targets(&pages());
    let mut broken = Vec::new();
    for path in reference::files(&root.join("docs/reference"), "md").expect("pages") {
        let text = reference::read(&path).expect("a page");
        let name = reference::relative(&path, &root);
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.with_file_name("").join(file) };
            let Ok(target) = target.canonicalize() else {
                broken.push(format!("{name}: {link}"));
                continue;
            };
            let shown = reference::relative(&target, &root.join("docs").canonicalize().expect("docs"));
            let is_rule = shown.starts_with("reference/") && !anchor.is_empty();
            if is_rule && !targets.contains(&format!("{shown}#{anchor}")) {
                broken.push(format!("{name}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

/// Targets of `[words](target)` outside of blocks.
fn links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if !is_code {
            found.extend(line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)));
        }
    }
    found
}

#[test]
fn the_index_of_cases_is_current() {
    let wanted = reference::index(&pages(), &reference::held().expect("cases with rules"));
    let path = project::root().join(reference::INDEX);
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    if std::env::var_os("FORMWORK_UPDATE").is_some() && found != wanted {
        std::fs::write(&path, &wanted).expect("the index is written");
        eprintln!("updated {}", path.display());
        return;
    }
    let help = "run `FORMWORK_UPDATE=1 cargo test -p formwork-tests --test it -- reference::`";
    assert!(found == wanted, "{} is stale: {help}", reference::INDEX);
}
