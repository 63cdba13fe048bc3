//! What the documents for people show is what the program does.
//!
//! Each document runs in a directory of its own, with the examples in it, block by block:
//!
//! - ` ```LANGUAGE file=NAME ` writes the file of that name; the same name again is the edited file from there on. A
//!   file of `examples/` must be the one of the repository.
//! - ` ```console ` runs each line `$ COMMAND` by bash, in an environment that has nothing but a PATH, a home and a
//!   language. What it prints, standard error first, must be what is shown below it: `...` stands for any lines,
//!   `[..]` for any characters in a line.
//! - ` ```console needs=TOOL ` runs where TOOL is in a directory of `FORMWORK_TOOLS` or of the system, and is skipped
//!   otherwise. A missing one that `FORMWORK_REQUIRE_TOOLS` lists (`jq,cfn-lint`) is a failure.
//! - ` ```console moto ` runs against a server of moto, as `FORMWORK_MOTO` names it; `scripted=NAME` against a script of
//!   `CloudFormation`, for what moto does not know; `remote` with `https://modules.example.com`, which has the files of the
//!   document.
//! - `before=NAME` runs `documents/before/NAME.sh` in front of the commands: what their reader is assumed to have.
//! - ` ```sh ` is run by bash as it is, and every command must succeed; its output is not compared.
//! - ` ```sh skip=REASON ` and ` ```console skip=REASON ` are not run. The reason is one of a list: `network`, `build`,
//!   `images`, `packages`. Calls of the program are still read by it, so that no option in them is misspelt.
//!
//! All other blocks are ignored, and so is a block below a line that begins `<!-- refresh`.
//! `FORMWORK_UPDATE=1 cargo test -p formwork-cli --test it -- documents::` writes what was printed into the documents.
#![cfg(all(feature = "aws", feature = "local"))]

use std::path::Path;

mod blocks;
mod command_lines;
mod compare;
mod document;
mod kinds;
mod links;
mod moto;
pub(crate) mod published;
mod scripts;
mod services;

/// Compares documents in parallel and fails with all that differs.
fn hold(names: &[String]) {
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = names.iter().map(|name| scope.spawn(|| document::compare(name))).collect();
        running.into_iter().map(|one| one.join().expect("the document can be run")).collect()
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the Markdown files of a directory of the repository.
fn pages(directory: &str) -> Vec<String> {
    let mut found: Vec<String> = std::fs::read_dir(document::repository().join(directory))
        .expect("the directory")
        .map(|entry| format!("{directory}/{}", entry.expect("an entry").file_name().to_string_lossy()))
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "md"))
        .collect();
    found.sort();
    found
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    hold(&["README.md".to_owned()]);
}

/// A page that people read to its end, before names are published and after.
#[test]
fn the_readme_has_at_most_a_hundred_lines() {
    for is_published in [false, true] {
        let lines = published::as_if("README.md", is_published).lines().count();
        assert!(lines <= 100, "{lines} lines");
    }
}

#[test]
fn the_tutorial_shows_what_the_program_prints() {
    hold(&["docs/tutorial.md".to_owned()]);
}

#[test]
fn the_guides_show_what_the_program_prints() {
    let guides = pages("docs/guides");
    assert!(guides.len() > 10, "{guides:?}");
    hold(&guides);
}

#[test]
fn the_pages_of_commands_show_what_the_program_prints() {
    hold(&pages("docs/commands"));
}

#[test]
fn the_other_pages_show_what_the_program_prints() {
    let own = ["docs/tutorial.md"];
    let mut names = links::pages();
    names.retain(|name| !own.contains(&name.as_str()) && !name.starts_with("docs/guides/"));
    names.retain(|name| name != "README.md" && !name.starts_with("docs/commands/"));
    // Pages of codes are generated from templates that tests check.
    names.retain(|name| !name.starts_with("docs/diagnostics/"));
    assert!(names.len() > 40, "{names:?}");
    hold(&names);
}

/// No script is kept that no page needs.
#[test]
fn each_script_in_front_of_commands_is_used_by_a_page() {
    let read = |name: &String| std::fs::read_to_string(document::repository().join(name)).expect("a page");
    let pages: String = links::pages().iter().map(read).collect();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents/before");
    for entry in std::fs::read_dir(directory).expect("the scripts") {
        let name = entry.expect("an entry").file_name().to_string_lossy().replace(".sh", "");
        let word = format!(" before={name}");
        assert!(pages.lines().any(|line| line.starts_with("```") && line.ends_with(&word)), "{word}");
    }
}

/// What is true until the first release is written in one place.
#[test]
fn one_page_says_that_the_packages_are_not_published() {
    let is_one = |name: &String| {
        let text = std::fs::read_to_string(document::repository().join(name)).expect("a page");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        words.contains("not published yet") || words.contains("been released yet")
    };
    let names: Vec<String> = links::pages().into_iter().filter(is_one).collect();
    assert_eq!(names, if published::is_published() { vec![] } else { vec!["README.md"] });
}

/// The versions of other tools that the comparison was made with are those that CI installs.
#[test]
fn the_comparison_has_the_versions_of_ci() {
    let read = |name: &str| std::fs::read_to_string(document::repository().join(name)).expect("a file");
    let (script, page) = (read(".ci/tools.sh"), read("docs/comparison.md"));
    for tool in ["cfn-lint", "checkov"] {
        let version = script.split(&format!("{tool}==")).nth(1).expect("the script installs it");
        let version: String = version.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        assert!(page.contains(&format!("{tool} {version}")), "docs/comparison.md: {tool} {version}");
    }
}

/// Each row of a table is a sentence, its meaning, and the code whose page quotes it. `X` stands for any name.
#[test]
fn sentences_of_the_troubleshooting_page_are_quoted_on_the_pages_of_their_codes() {
    let read = |name: &str| std::fs::read_to_string(document::repository().join("docs").join(name)).expect("a page");
    let (text, mut compared) = (read("troubleshooting.md"), 0);
    for row in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let Some((_, page)) = cells[cells.len() - 1].split_once("](") else { continue };
        let page = read(page.trim_end_matches([' ', ')']));
        for part in cells[0].split('`').skip(1).step_by(2).flat_map(|sentence| sentence.split('X')) {
            assert!(page.contains(part), "{part}: not on the page of {row}");
        }
        compared += 1;
    }
    assert!(compared > 20, "{compared} sentences");
}
