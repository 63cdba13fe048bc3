//! Messages, pages and comments are written in the words of the field: the phrases of `formwork_tests::english` do not
//! occur in them.
#![allow(clippy::disallowed_methods, reason = "sources are files")]

use std::path::Path;

use formwork_tests::english::{EXCEPTIONS, PHRASES, Passage, find, in_markdown, in_rust, words};
use formwork_tests::{project, reference};

/// Paths that are checked later. Nothing is added here.
const REMAINING: &[&str] = &[
    "crates/formwork-aws/",
    "crates/formwork-cli/src/commands/account_snapshot.rs",
    "crates/formwork-cli/src/commands/delete/",
    "crates/formwork-cli/src/commands/deploy/",
    "crates/formwork-cli/src/commands/modules_doc.rs",
    "crates/formwork-cli/src/commands/modules_sources.rs",
    "crates/formwork-cli/src/commands/sync/",
    "crates/formwork-cli/src/commands/validate.rs",
    "crates/formwork-cli/src/live/",
    "crates/formwork-cli/src/upload/",
    "crates/formwork-cli/tests/deploy/",
    "crates/formwork-cli/tests/documents/",
    "crates/formwork-cli/tests/images/logins.rs",
    "crates/formwork-cli/tests/images/troubles.rs",
    "crates/formwork-cli/tests/live/",
    "crates/formwork-cli/tests/local/credentials.rs",
    "crates/formwork-cli/tests/package.rs",
    "crates/formwork-cli/tests/sync/",
    "crates/formwork-cli/tests/upload/",
    "crates/formwork-deploy/",
    "crates/formwork-disk/",
    "crates/formwork-lambda/",
    "crates/formwork-registry/",
    "crates/formwork-sync/",
    "crates/formwork-upload/",
    "crates/formwork-watch/",
    "docs/reference/deploy.md",
    "docs/reference/macro.md",
    "docs/reference/sync.md",
];

/// Files that name the phrases.
const OWN: [&str; 2] = ["tests/src/english/", "tests/tests/english.rs"];

fn phrases_in(name: &str, passages: &[Passage]) -> Vec<String> {
    let mut found = Vec::new();
    for passage in passages {
        let words = words(&passage.text);
        for phrase in PHRASES {
            if let Some((at, count)) = find(phrase, &words) {
                let shown = words[at..at + count].join(" ");
                let near = words[at.saturating_sub(4)..(at + count + 4).min(words.len())].join(" ");
                found.push(format!("{name}:{}: \"{shown}\" in \"{near}\": write {}", passage.line, phrase.write));
            }
        }
    }
    found
}

fn passages_of(path: &Path) -> Vec<Passage> {
    let source = reference::read(path).expect("a file");
    if path.extension().is_some_and(|extension| extension == "md") { in_markdown(&source) } else { in_rust(&source) }
}

#[test]
fn replaced_phrases_do_not_occur() {
    let root = project::root();
    let mut found = Vec::new();
    let mut checked = 0;
    let mut paths = vec![root.join("CONTRIBUTING.md"), root.join("README.md")];
    for directory in ["crates", "docs", "examples", "fuzz", "tests", "xtask"] {
        for extension in ["rs", "md"] {
            paths.extend(reference::files(&root.join(directory), extension).expect("files"));
        }
    }
    for path in paths {
        let name = reference::relative(&path, &root);
        let is_built = path.components().any(|part| part.as_os_str() == "target");
        if !is_built && !REMAINING.iter().chain(&OWN).any(|prefix| name.starts_with(prefix)) {
            checked += 1;
            found.extend(phrases_in(&name, &passages_of(&path)));
        }
    }
    assert!(checked > 500, "only {checked} files were read");
    assert!(found.is_empty(), "{} phrases:\n{}", found.len(), found.join("\n"));
}

#[test]
fn remaining_paths_exist() {
    let root = project::root();
    for path in REMAINING {
        assert!(root.join(path).exists(), "{path} is in REMAINING and does not exist");
    }
}

#[test]
fn exceptions_have_a_reason() {
    for (phrase, reason) in EXCEPTIONS {
        assert!(!reason.is_empty(), "{phrase}");
    }
}

#[test]
fn phrases_are_found_in_comments_literals_and_paragraphs() {
    let in_source = |source: &str| phrases_in("x.rs", &in_rust(source)).len();
    assert_eq!(in_source("/// Its value is\n/// no list.\nfn a() {}\n"), 1);
    assert_eq!(in_source("// There is no list, and none is no longer one.\n"), 0);
    assert_eq!(in_source("let x = \"what the author says\"; let y = \"says\";\n"), 1);
    assert_eq!(in_source("let x = r#\"an \"empty text\" here\"#;\n"), 1);
    assert_eq!(in_source("let q = '\"'; // the `given` value, and {given}\n"), 0);
    assert_eq!(in_source("fn f<'a>(x: &'a str) {} // one file a code\n"), 1);
    let on_page = |page: &str| phrases_in("x.md", &in_markdown(page)).len();
    assert_eq!(on_page("# Members\n\nA value\nis given. [key](a.md#members)\n"), 2);
    assert_eq!(on_page("```yaml\nDescription: text is given\n```\n"), 0);
    assert_eq!(on_page("```yaml expand\n = help: mend it\n```\n"), 1);
    assert_eq!(on_page("What `a` stands for is a member: `no members`.\n"), 1);
}
