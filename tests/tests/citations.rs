//! Comments cite what is in the repository: rules of `docs/reference` by anchors that exist, and files
//! by paths that exist. A specification that lies elsewhere is cited nowhere.

use std::collections::BTreeSet;
use std::path::Path;

use formwork_tests::{project, reference};

/// What a comment names and the repository does not have, each with its place.
fn broken(path: &Path, source: &str, root: &Path, targets: &BTreeSet<String>) -> Vec<String> {
    let name = reference::relative(path, root);
    let mut broken = Vec::new();
    for (at, comment) in source.lines().enumerate().filter_map(|(at, line)| Some((at, comment(line)?))) {
        let mut wrong = |what: &str| broken.push(format!("{name}:{}: {what}", at + 1));
        for word in comment.split_whitespace() {
            if let Some(rule) = reference::citation(word) {
                if !targets.contains(&rule) {
                    wrong(&rule);
                }
            } else if let Some(file) = file(word).filter(|file| !is_there(file, path, root)) {
                wrong(file);
            }
        }
        // Outside of the crates comments name where the optional data of the suites is looked for.
        if comment.contains("../shared") && name.starts_with("crates/") {
            wrong("../shared");
        }
    }
    broken
}

/// The words of a comment line, also after code.
fn comment(line: &str) -> Option<&str> {
    let trimmed = line.trim_start();
    if trimmed.starts_with("//") { Some(trimmed) } else { Some(line.split_once(" // ")?.1) }
}

/// The Markdown file that a word names, between whatever marks.
fn file(word: &str) -> Option<&str> {
    let word = word.split('#').next()?.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '/');
    let word = word.trim_end_matches(['.', '/']);
    // `CODE.md` and the like stand for many files, and an address is none.
    let stem = word.strip_suffix(".md")?.rsplit('/').next()?;
    let is_any =
        stem.is_empty() || stem.chars().all(|c| c.is_ascii_uppercase()) && stem != "README" && stem != "CONTRIBUTING";
    (!is_any && !word.contains("://")).then_some(word)
}

/// Whether a file is there, as seen from the root or from the source that names it.
fn is_there(file: &str, source: &Path, root: &Path) -> bool {
    let beside = source.parent().unwrap_or(root);
    [root, beside].iter().any(|from| from.join(file).is_file())
}

#[test]
fn every_citation_resolves() {
    let root = project::root();
    let targets = reference::targets(&reference::pages().expect("the pages of docs/reference"));
    let mut found = Vec::new();
    let mut cited = 0;
    for directory in ["crates", "tests", "xtask", "fuzz"] {
        for path in reference::files(&root.join(directory), "rs").expect("sources") {
            if path.components().any(|part| part.as_os_str() == "target") {
                continue;
            }
            let source = reference::read(&path).expect("a source file");
            cited += reference::citations(&source).len();
            found.extend(broken(&path, &source, &root, &targets));
        }
    }
    assert!(found.is_empty(), "comments name what is not in the repository:\n{}", found.join("\n"));
    assert!(cited > 150, "only {cited} citations were found");
}

#[test]
fn a_citation_that_leads_nowhere_is_seen() {
    let root = project::root();
    let path = root.join("crates/x/src/lib.rs");
    let targets = ["reference/a.md".to_owned(), "reference/a.md#b".to_owned()].into();
    let seen = |source: &str| broken(&path, source, &root, &targets);
    assert!(seen("//! Rules (reference/a.md#b; reference/a.md). See `README.md`.\n").is_empty());
    assert!(seen("let x = \"gone.md\"; // as in `docs/NAME.md`\n").is_empty());
    for source in [
        "//! Rules (spec rules.md, section 5).\n",
        "/// Rules (reference/a.md#c).\n",
        "/// Rules (reference/gone.md).\n",
        "let x = 1; /\u{2f} as packaging.md has it in 4.2\n",
        "// Found in ../shared/spec.\n",
    ] {
        assert_eq!(seen(source).len(), 1, "{source}");
    }
}
