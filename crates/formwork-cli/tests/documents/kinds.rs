//! Each page is of one kind, which its directory decides: the rule is in `docs/README.md`.

use super::document::repository;
use super::links::{pages, prose};

/// The kind of a page.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// How to reach one aim, with commands that a test runs.
    Guide,
    /// Lessons, with commands that a test runs.
    Tutorial,
    /// The help of a command, and an example.
    Command,
    /// Rules with anchors and sources.
    Reference,
    /// Why something is as it is, and how things hang together.
    Explanation,
    /// A page that is generated, has its own test, or lists pages.
    Other,
}

fn kind(name: &str) -> Kind {
    let Some(name) = name.strip_prefix("docs/").filter(|name| !name.ends_with("README.md")) else {
        return Kind::Other;
    };
    match name.split_once('/') {
        Some(("guides", _)) => Kind::Guide,
        Some(("commands", _)) => Kind::Command,
        Some(("reference", _)) if name != "reference/conformance.md" => Kind::Reference,
        Some(_) => Kind::Other,
        None if name == "tutorial.md" => Kind::Tutorial,
        None => Kind::Explanation,
    }
}

/// Returns why a page is not of its kind.
fn differs(kind: Kind, text: &str) -> Option<&'static str> {
    let prose: Vec<&str> = prose(text).into_iter().map(|(_, line)| line).collect();
    let has = |start: &str| prose.iter().any(|line| line.starts_with(start));
    let has_anchor = prose.iter().any(|line| line.contains("<a id="));
    let runs = text.lines().any(|line| line.starts_with("```console") || line.starts_with("```sh"));
    let title = prose.iter().find(|line| !line.is_empty()).copied().unwrap_or_default();
    match kind {
        Kind::Guide | Kind::Tutorial if !runs => Some("a guide has commands"),
        Kind::Guide if !has("## What it does not do") => Some("a guide has the section `What it does not do`"),
        Kind::Guide | Kind::Tutorial | Kind::Explanation if has_anchor || has("Source: ") => {
            Some("rules belong to the reference")
        }
        Kind::Guide | Kind::Tutorial | Kind::Explanation if has("| option |") => {
            Some("options belong to the pages of commands")
        }
        Kind::Command if !title.starts_with("# formwork ") => Some("the title is the command"),
        Kind::Command if !has("## Example") => Some("a page of a command has an example"),
        Kind::Command if has("Source: ") => Some("rules belong to the reference"),
        Kind::Reference if !has("Source: ") => Some("a rule has a source"),
        Kind::Reference if has("## Example") => Some("examples are parts of rules"),
        _ => None,
    }
}

#[test]
fn each_page_is_of_one_kind() {
    let mut wrong = Vec::new();
    for name in pages() {
        let text = std::fs::read_to_string(repository().join(&name)).expect("a page");
        wrong.extend(differs(kind(&name), &text).map(|why| format!("{name}: {why}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A page that no index has is found by nobody.
#[test]
fn each_page_is_in_the_index_of_its_directory() {
    let mut missing = Vec::new();
    for name in pages() {
        if !name.starts_with("docs/") || name.ends_with("README.md") {
            continue;
        }
        let (directory, file) = name.rsplit_once('/').expect("a directory");
        let index = repository().join(directory).join("README.md");
        let is_listed = |index: &str| index.contains(&format!("]({file})")) || index.contains(&format!("]({file}#"));
        if !std::fs::read_to_string(index).is_ok_and(|index| is_listed(&index)) {
            missing.push(name);
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn a_page_of_another_kind_is_found() {
    let guide = "# Aim\n```console\n$ formwork check\n```\n## What it does not do\n";
    assert_eq!(differs(Kind::Guide, guide), None);
    for more in ["## Rule <a id=\"rule\"></a>\n", "Source: our decision.\n", "| option | meaning |\n"] {
        assert!(differs(Kind::Guide, &format!("{guide}{more}")).is_some(), "{more}");
    }
    assert!(differs(Kind::Guide, "# Aim\n").is_some());
    assert!(differs(Kind::Guide, "# Aim\n```sh\nls\n```\n").is_some());
    assert!(differs(Kind::Command, guide).is_some());
    assert!(differs(Kind::Reference, guide).is_some());
    assert_eq!(differs(Kind::Explanation, "# Why\n"), None);
    assert_eq!(kind("docs/guides/ci.md"), Kind::Guide);
    assert_eq!(kind("docs/guides/README.md"), Kind::Other);
}
