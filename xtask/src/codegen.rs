//! `cargo xtask codegen`: the pages in `docs/diagnostics`, from the registry of codes; the schemas in `docs/schemas`; the list
//! of tags for editors, from the table of functions.

mod custom_tags;
mod schemas;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use formwork_base::codes::{self, CodeInfo};
use xtask_launcher::CodegenArgs;

use crate::command::repository;

const MARK: &str = "<!-- Written by `cargo xtask codegen`. -->";

/// Areas of codes: the first two digits and what they are about (reference/diagnostics.md#codes).
const AREAS: [(&str, &str); 16] = [
    ("FW00", "Reading files"),
    ("FW01", "Structure of a template"),
    ("FW02", "References"),
    ("FW03", "Loops"),
    ("FW04", "Functions"),
    ("FW05", "Conditions and policies"),
    ("FW06", "Parameters and rules"),
    ("FW07", "Modules"),
    ("FW08", "Packaging"),
    ("FW09", "Quotas"),
    ("FW10", "Portability"),
    ("FW11", "Suppression"),
    ("FW12", "Insight"),
    ("FW13", "Deployment"),
    ("FW14", "The serverless transform"),
    ("FW15", "Several templates"),
];

/// A directory of generated files.
struct Directory {
    /// Its path in the repository.
    name: &'static str,
    files: BTreeMap<String, String>,
    /// Files in it that are written by something else.
    others: &'static [&'static str],
}

/// The schema of `formwork.toml` is made of the command line of the program, by a test of it.
const SCHEMAS_OF_TESTS: &[&str] = &["formwork-toml.json"];

fn directories() -> Result<[Directory; 2], String> {
    Ok([
        Directory { name: "docs/diagnostics", files: pages(), others: &[] },
        Directory { name: "docs/schemas", files: schemas::files()?, others: SCHEMAS_OF_TESTS },
    ])
}

/// Does it.
pub(crate) fn run(args: &CodegenArgs) -> Result<(), String> {
    let (mut count, mut all) = (0, Vec::new());
    for directory in directories()? {
        let found = differences(&directory)?;
        count += directory.files.len();
        if !args.check {
            write(&directory)?;
        }
        all.extend(found.into_iter().map(|found| format!("{}/{found}", directory.name)));
    }
    all.extend(custom_tags::update(args.check)?);
    if args.check && !all.is_empty() {
        return Err(format!("{}: run `cargo xtask codegen`", all.join(", ")));
    }
    println!("{count} files, {} changed", all.len());
    Ok(())
}

fn write(directory: &Directory) -> Result<(), String> {
    let folder = repository().join(directory.name);
    fs::create_dir_all(&folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    for (name, text) in &directory.files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    }
    for name in left_over(directory, &names(&folder)?) {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(|error| format!("{} cannot be removed: {error}", path.display()))?;
    }
    Ok(())
}

fn left_over<'n>(directory: &Directory, there: &'n [String]) -> Vec<&'n String> {
    let is_known = |name: &String| directory.files.contains_key(name) || directory.others.contains(&name.as_str());
    there.iter().filter(|name| !is_known(name)).collect()
}

/// Every file of the directory with its content.
fn pages() -> BTreeMap<String, String> {
    let with_page = |info: &CodeInfo| Some((format!("{}.md", info.code), format!("{}\n{MARK}\n", info.page()?)));
    let mut pages: BTreeMap<String, String> = codes::ALL.iter().filter_map(with_page).collect();
    pages.insert("README.md".to_owned(), index());
    pages
}

fn index() -> String {
    let mut text = String::from(
        "# Diagnostic codes\n\nEverything that Formwork reports has a code. A code is never used again and never changes its meaning. `formwork check --explain FW0303` prints its page.\n\nThe severity is the one that a code has by itself; the table on its page shows it for each command. `--strict` turns warnings into errors.\n",
    );
    for (range, area) in AREAS {
        let mut of_area = codes::ALL
            .iter()
            .filter(|info| info.page().is_some() && info.code.to_string().starts_with(range))
            .peekable();
        if of_area.peek().is_none() {
            continue;
        }
        let _ = write!(text, "\n## {range}xx: {area}\n\n| code | severity | title |\n|---|---|---|\n");
        for info in of_area {
            let code = info.code;
            let _ = writeln!(text, "| [{code}]({code}.md) | {} | {} |", info.severity.name(), info.title);
        }
    }
    let _ = writeln!(text, "\n{MARK}");
    text
}

/// Files that are missing, stale or left over, each with that word.
fn differences(directory: &Directory) -> Result<Vec<String>, String> {
    let folder = repository().join(directory.name);
    let mut found = Vec::new();
    let there = names(&folder)?;
    for (name, text) in &directory.files {
        if !there.contains(name) {
            found.push(format!("{name} is missing"));
        } else if fs::read_to_string(folder.join(name)).ok().as_deref() != Some(text) {
            found.push(format!("{name} is stale"));
        }
    }
    found.extend(left_over(directory, &there).into_iter().map(|name| format!("{name} is left over")));
    Ok(found)
}

/// Names of the files in a directory, in order; empty without the directory.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let unreadable = |error: std::io::Error| format!("{} cannot be read: {error}", folder.display());
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(unreadable)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_written() {
        for directory in directories().expect("the notation") {
            let found = differences(&directory).expect("a directory");
            assert!(found.is_empty(), "{}: {}: run `cargo xtask codegen`", directory.name, found.join(", "));
        }
        assert_eq!(custom_tags::update(true), Ok(Vec::new()), "run `cargo xtask codegen`");
    }

    #[test]
    fn differences_are_seen() {
        let name = "target/tmp/codegen";
        let folder = repository().join(name);
        fs::create_dir_all(&folder).expect("a directory");
        for (name, text) in [("a.md", "a"), ("b.md", "old"), ("d.md", "d"), ("e.md", "e")] {
            fs::write(folder.join(name), text).expect("a file");
        }
        let wanted = [("a.md", "a"), ("b.md", "b"), ("c.md", "c")];
        let files = wanted.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let found = differences(&Directory { name, files, others: &["e.md"] });
        fs::remove_dir_all(&folder).expect("it goes");
        assert_eq!(found, Ok(vec!["b.md is stale".into(), "c.md is missing".into(), "d.md is left over".into()]));
    }

    #[test]
    fn every_page_is_in_the_index() {
        let index = index();
        for name in pages().keys().filter(|name| *name != "README.md") {
            assert!(index.contains(&format!("({name})")), "{name}");
        }
    }
}
