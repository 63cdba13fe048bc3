//! Messages, pages and comments are written in the words of the field: the phrases of `formwork_tests::english` do not
//! occur in them.

use std::path::Path;

use formwork_tests::english::{
    EXCEPTIONS, ON_PAGES, PHRASES, Passage, find, in_markdown, in_rust, is_page_for_users, words,
};
use formwork_tests::{project, reference};

/// Files that name the phrases.
const OWN: [&str; 2] = ["tests/src/english/", "tests/tests/english.rs"];

fn phrases_in(name: &str, passages: &[Passage]) -> Vec<String> {
    let mut found = Vec::new();
    for passage in passages {
        let words = words(&passage.text);
        let on_pages = if is_page_for_users(name) { ON_PAGES } else { &[] };
        for phrase in PHRASES.iter().chain(on_pages) {
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
        if !is_built && !OWN.iter().any(|prefix| name.starts_with(prefix)) {
            checked += 1;
            found.extend(phrases_in(&name, &passages_of(&path)));
        }
    }
    assert!(checked > 500, "only {checked} files were read");
    assert!(found.is_empty(), "{} phrases:\n{}", found.len(), found.join("\n"));
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
    let for_users = |page: &str| phrases_in("docs/faq.md", &in_markdown(page)).len();
    assert_eq!(for_users("The option `A` names a file, and a note names it.\n"), 2);
    assert_eq!(for_users("Loops, and what is constant then. The names of all; a list of names that are known.\n"), 1);
    assert_eq!(phrases_in("docs/reference/a.md", &in_markdown("`A` names a file.\n")).len(), 0);
    let on_page = |page: &str| phrases_in("x.md", &in_markdown(page)).len();
    assert_eq!(on_page("# Members\n\nA value\nis given. [key](a.md#members)\n"), 2);
    assert_eq!(on_page("```yaml\nDescription: text is given\n```\n"), 0);
    assert_eq!(on_page("```yaml expand\n = help: mend it\n```\n"), 1);
    assert_eq!(on_page("What `a` stands for is a member: `no members`.\n"), 1);
}
