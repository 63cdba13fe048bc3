//! `cargo xtask codegen`: the pages in `docs/diagnostics`, from the registry of codes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use formwork_base::codes::{self, CodeInfo};

/// Its options.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write nothing; fail when a file is not what it should be.
    #[arg(long)]
    check: bool,
}

const MARK: &str = "<!-- Written by `cargo xtask codegen`. -->";

/// Areas of codes: the first two digits and what they are about (reference/diagnostics.md#codes).
const AREAS: [(&str, &str); 13] = [
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
];

/// Does it.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let folder = folder();
    let wanted = pages();
    let found = differences(&folder, &wanted)?;
    if args.check {
        return if found.is_empty() {
            Ok(())
        } else {
            Err(format!("{} of docs/diagnostics: run `cargo xtask codegen`", found.join(", ")))
        };
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    for (name, text) in &wanted {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    }
    for name in names(&folder)?.iter().filter(|name| !wanted.contains_key(*name)) {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(|error| format!("{} cannot be removed: {error}", path.display()))?;
    }
    println!("{} pages, {} changed", wanted.len(), found.len());
    Ok(())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics")
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
fn differences(folder: &Path, wanted: &BTreeMap<String, String>) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let there = names(folder)?;
    for (name, text) in wanted {
        if !there.contains(name) {
            found.push(format!("{name} is missing"));
        } else if fs::read_to_string(folder.join(name)).ok().as_deref() != Some(text) {
            found.push(format!("{name} is stale"));
        }
    }
    found.extend(there.iter().filter(|name| !wanted.contains_key(*name)).map(|name| format!("{name} is left over")));
    Ok(found)
}

/// Names of the files in a directory, in order; empty without the directory.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let trouble = |error: std::io::Error| format!("{} cannot be read: {error}", folder.display());
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(trouble(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(trouble)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_are_written() {
        let found = differences(&folder(), &pages()).expect("a directory");
        assert!(found.is_empty(), "{}: run `cargo xtask codegen`", found.join(", "));
    }

    #[test]
    fn differences_are_seen() {
        let folder = std::env::temp_dir().join(format!("formwork-codegen-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a directory");
        for (name, text) in [("a.md", "a"), ("b.md", "old"), ("d.md", "d")] {
            fs::write(folder.join(name), text).expect("a file");
        }
        let wanted = [("a.md", "a"), ("b.md", "b"), ("c.md", "c")];
        let wanted = wanted.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let found = differences(&folder, &wanted);
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
