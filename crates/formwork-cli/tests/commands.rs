//! The pages of commands in `docs/commands` show the help that the program prints.
//!
//! A page has two parts. The first one is generated from the long help, whose sections about variables, files and exit
//! statuses are tables. The second one, from `## Example` on, is written by hand, and the test `documents` runs it. `FORMWORK_UPDATE=1 cargo test -p formwork-cli --test it -- commands::` writes the first part.
#![cfg(all(feature = "aws", feature = "local"))]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands")
}

/// Returns the long help of a command.
fn help(name: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_formwork"))
        .arg("help")
        .args(name.split_whitespace())
        .env_clear()
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "formwork help {name}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(str::trim_end).flat_map(|line| [line, "\n"]).collect()
}

/// Returns the subcommands that a help lists.
fn subcommands(help: &str) -> Vec<String> {
    crate::support::help_list::commands_of(help)
}

/// Returns all commands that have no subcommands.
fn all_commands() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in subcommands(&help("")) {
        let below = subcommands(&help(&name));
        found.extend(below.iter().map(|word| format!("{name} {word}")));
        if below.is_empty() {
            found.insert(name);
        }
    }
    found
}

fn file_name(name: &str) -> String {
    format!("{}.md", name.replace(' ', "-"))
}

/// The parts of a long help.
struct Help {
    /// What it is, its options, and its examples.
    text: String,
    /// Names and meanings by section.
    sections: Vec<(String, Vec<(String, String)>)>,
    /// The page of the reference, below `docs`.
    reference: String,
}

const SECTIONS: [(&str, &str, &str); 3] = [
    ("Environment", "## Environment variables <a id=\"environment\"></a>", "variable"),
    ("Files", "## Files <a id=\"files\"></a>", "file"),
    ("Exit status", "## Exit status <a id=\"exit-status\"></a>", "status"),
];

impl Help {
    fn of(name: &str) -> Help {
        let (mut text, mut sections, mut current) = (String::new(), Vec::new(), None);
        for line in help(name).lines() {
            let is_heading = line.ends_with(':') && !line.starts_with(' ');
            if is_heading {
                let section = SECTIONS.iter().find(|(section, ..)| line.strip_suffix(':') == Some(*section));
                current = section.map(|(section, ..)| sections.push(((*section).to_owned(), Vec::new())));
            }
            let rows: Option<&mut Vec<(String, String)>> =
                current.and_then(|()| sections.last_mut()).map(|(_, rows): &mut (String, _)| rows);
            match rows {
                Some(_) if is_heading => {}
                Some(rows) => add_row(line, rows),
                None => text.extend([line, "\n"]),
            }
        }
        let link = text.lines().last().and_then(|line| line.rsplit_once("/docs/")).expect("a page of the reference");
        let reference = link.1.to_owned();
        Help { text, sections, reference }
    }
}

/// A line of a section: a name, its meaning, or both.
fn add_row(line: &str, rows: &mut Vec<(String, String)>) {
    let (indent, line) = (line.len() - line.trim_start().len(), line.trim());
    match rows.last_mut() {
        _ if line.is_empty() => {}
        // A long list of names is wrapped.
        Some((name, what)) if indent <= 2 && what.is_empty() => *name = format!("{name} {line}"),
        Some((_, what)) if indent > 2 => format!("{what} {line}").trim().clone_into(what),
        _ => {
            let (name, what) = line.split_once("  ").unwrap_or((line, ""));
            rows.push((name.to_owned(), what.trim().to_owned()));
        }
    }
}

/// Names of variables and sections as code.
fn as_code(text: &str) -> String {
    let is_code = |word: &str| {
        let name = word.split('=').next().unwrap_or(word);
        let is_variable =
            name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        is_variable && word.parse::<u32>().is_err() || word.starts_with('[')
    };
    let words = text.split(' ').map(|word| {
        let bare = word.trim_end_matches([',', ':']);
        if is_code(bare) { format!("`{bare}`{}", &word[bare.len()..]) } else { word.to_owned() }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the generated part of a page.
fn generated(name: &str) -> String {
    let help = Help::of(name);
    let mut text = format!("# formwork {name}\n\n```text\n{}\n```\n", help.text.trim_end());
    for (section, heading, column) in SECTIONS {
        let Some((_, rows)) = help.sections.iter().find(|(found, _)| found == section) else { continue };
        write!(text, "\n{heading}\n\n| {column} | meaning |\n|---|---|\n").expect("a string");
        for (name, what) in rows {
            writeln!(text, "| {} | {what} |", as_code(name)).expect("a string");
        }
    }
    write!(text, "\nRules: [{0}](../{0})\n\n", help.reference).expect("a string");
    text
}

/// The first line of the part that is written by hand.
const BY_HAND: &str = "## Example\n";

fn index() -> String {
    let mut text =
        "# Commands\n\n`formwork help COMMAND` prints the same on a terminal. `formwork COMMAND -h` is shorter.\n\n\
                    | command | what it does |\n|---|---|\n"
            .to_owned();
    for name in all_commands() {
        let help = help(&name);
        let summary = help.lines().next().unwrap_or_default().trim_end_matches('.');
        writeln!(text, "| [formwork {name}]({}) | {summary} |", file_name(&name)).expect("a string");
    }
    text.push_str("\nOptions that many commands have: [The command line](../reference/command-line.md).\n");
    text
}

#[test]
fn every_command_has_a_page_with_its_help() {
    let commands = all_commands();
    let update = std::env::var_os("FORMWORK_UPDATE").is_some();
    let mut wrong = Vec::new();
    for name in &commands {
        let path = directory().join(file_name(name));
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        let at = written.find(BY_HAND).unwrap_or(written.len());
        let (expected, by_hand) = (generated(name), &written[at..]);
        if update {
            std::fs::write(&path, format!("{expected}{by_hand}")).expect("the page is written");
        } else if written[..at] != expected || !by_hand.contains("```") {
            wrong.push(name.clone());
        }
    }
    let path = directory().join("README.md");
    if update {
        std::fs::write(&path, index()).expect("the index is written");
    } else if std::fs::read_to_string(&path).unwrap_or_default() != index() {
        wrong.push("README".to_owned());
    }
    let pages: BTreeSet<String> = commands.iter().map(|name| file_name(name)).chain(["README.md".to_owned()]).collect();
    let files =
        std::fs::read_dir(directory()).expect("the directory").map(|entry| entry.expect("an entry").file_name());
    assert_eq!(
        files.map(|name| name.to_string_lossy().into_owned()).collect::<BTreeSet<_>>(),
        pages,
        "files and pages"
    );
    assert!(wrong.is_empty(), "pages differ from the program, or have no example: {wrong:?}");
}
