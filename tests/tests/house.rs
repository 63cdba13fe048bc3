//! Sizes: a function that is read in one go, a struct whose fields are known by heart, a command line that is arguments,
//! words and terminal. What is above the limit is listed with its size; nothing may be added or grow, and what is below is
//! taken off the list.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use formwork_tests::project;

/// Most lines of a function, its signature and last brace included.
const LINES: usize = 80;

/// Most fields of a struct. Those that hold the arguments of a command or the options of a run have as many as there are.
const FIELDS: usize = 20;

/// Most lines of the command line, tests apart.
const COMMAND_LINE: usize = 10_000;

/// Functions that are longer, by file and name.
const LONG: &[(&str, &str, usize)] = &[];

/// Structs that have more fields, by file and name.
const WIDE: &[(&str, &str, usize)] = &[];

/// Crates, and a part of one, whose findings are decided by: what they report is data (`formwork_base::Fact`), and words are for people.
const DECIDES: [&str; 10] =
    ["base", "checks", "evaluate", "loops", "modules", "rules", "run/src/check", "syntax", "template", "package"];

/// Lines that decide by the words of a finding all the same, by file: those of readers of files with errors and of loops without
/// items, which go with them (docs/decisions.md). Masking secrets is writing.
const READERS: &[(&str, usize)] = &[
    ("crates/formwork-syntax/src/json/why_not.rs", 1),
    ("crates/formwork-syntax/src/read.rs", 1),
    ("crates/formwork/src/nested/mod.rs", 2),
    ("crates/formwork/src/run/samples.rs", 1),
];

/// A file of a crate, by its path from the root, without its unit tests.
pub(crate) struct File {
    path: String,
    pub(crate) lines: Vec<String>,
}

/// The sources of the crates and of `xtask`, in the order of their paths.
pub(crate) fn files() -> Vec<File> {
    let root = project::root();
    let mut open = vec![root.join("crates"), root.join("xtask/src")];
    let mut found = Vec::new();
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory").flatten() {
            let path = entry.path();
            let is_source = |path: &Path| path.components().any(|part| part.as_os_str() == "src");
            if path.is_dir() && path.file_name().is_none_or(|name| name != "target" && name != "tests") {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && is_source(&path) {
                found.push(read(&root, &path));
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

fn read(root: &Path, path: &Path) -> File {
    let text = fs::read_to_string(path).expect("a source");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let is_test =
        |at: &usize| lines[*at].starts_with("#[cfg(") && lines[*at].contains("test") && has_module(&lines, *at);
    let end = (0..lines.len()).find(is_test).unwrap_or(lines.len());
    let path = path.strip_prefix(root).expect("in the repository").display().to_string();
    File { path, lines: lines[..end].to_vec() }
}

/// Whether a module with braces follows an attribute.
fn has_module(lines: &[String], at: usize) -> bool {
    lines.get(at + 1).is_some_and(|next| next.starts_with("mod ") && next.ends_with('{'))
}

/// The name behind a keyword of an item: `pub(crate) fn name(`.
fn name<'l>(line: &'l str, keyword: &str) -> Option<&'l str> {
    let (before, behind) = line.split_once(keyword)?;
    let is_word =
        |word: &str| matches!(word, "pub" | "const" | "async") || word.starts_with("pub(") || word == "super)";
    let is_item = before.split_whitespace().all(|word| is_word(word) || word.starts_with("crate") || word == "in");
    let end = behind.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(behind.len());
    is_item.then_some(&behind[..end]).filter(|name| !name.is_empty())
}

/// The lines of an item that begins at a line, to the brace below its first column.
fn extent(lines: &[String], start: usize) -> usize {
    let indent = lines[start].len() - lines[start].trim_start().len();
    if lines[start].ends_with('}') || lines[start].ends_with(';') {
        return 1;
    }
    let is_end =
        |line: &&String| line.len() > indent && line[..indent].trim().is_empty() && line[indent..].starts_with('}');
    lines[start..].iter().position(|line| is_end(&line)).map_or(1, |more| more + 1)
}

fn is_field(line: &str) -> bool {
    let Some(line) = line.strip_prefix("    ").filter(|line| !line.starts_with([' ', '/', '#'])) else { return false };
    line.contains(": ")
}

/// What is above a limit, by file and name, compared with the list of what may be.
fn compare(found: &BTreeMap<(String, String), usize>, listed: &[(&str, &str, usize)], what: &str) {
    let known: BTreeMap<(String, String), usize> =
        listed.iter().map(|(file, name, size)| (((*file).to_owned(), (*name).to_owned()), *size)).collect();
    let grown: Vec<String> = found
        .iter()
        .filter(|(key, size)| known.get(*key).is_none_or(|known| *size > known))
        .map(|((file, name), size)| format!("(\"{file}\", \"{name}\", {size}),"))
        .collect();
    assert!(grown.is_empty(), "{what}: divide\n{}", grown.join("\n"));
    let gone: Vec<&(String, String)> = known.keys().filter(|key| !found.contains_key(*key)).collect();
    assert!(gone.is_empty(), "{what}: no longer above the limit: {gone:?}");
}

#[test]
fn functions_are_read_at_once() {
    let mut found = BTreeMap::new();
    for file in files() {
        for (at, line) in file.lines.iter().enumerate() {
            let Some(name) = name(line, "fn ") else { continue };
            let size = extent(&file.lines, at);
            if size > LINES {
                found.insert((file.path.clone(), name.to_owned()), size);
            }
        }
    }
    compare(&found, LONG, "functions");
}

#[test]
fn structs_have_few_fields() {
    let mut found = BTreeMap::new();
    for file in files() {
        for (at, line) in file.lines.iter().enumerate() {
            let Some(name) = name(line, "struct ").filter(|_| !line.starts_with(' ')) else { continue };
            let end = at + extent(&file.lines, at);
            let fields = file.lines[at..end].iter().filter(|line| is_field(line)).count();
            let is_of_arguments = ["Args", "Options", "Choices"].iter().any(|word| name.ends_with(word));
            if fields > FIELDS && !is_of_arguments {
                found.insert((file.path.clone(), name.to_owned()), fields);
            }
        }
    }
    compare(&found, WIDE, "structs");
}

#[test]
fn findings_are_decided_by_as_data() {
    const WORDS: [&str; 3] = [".message", ".help", ".notes"];
    const READ: [&str; 10] = [
        ".contains(",
        ".starts_with(",
        ".ends_with(",
        ".split(",
        ".rsplit(",
        ".strip_",
        ".message ==",
        " words(",
        ".chain(&found.notes)",
        "== diagnostic.message",
    ];
    let is_core = |path: &str| {
        let own = path.strip_prefix("crates/formwork").unwrap_or_default();
        own.starts_with("/src") && !own.ends_with("secrets.rs")
            || DECIDES.iter().any(|name| own.strip_prefix('-').is_some_and(|own| own.starts_with(&format!("{name}/"))))
    };
    let reads = |line: &String| {
        let code = line.trim_start();
        let is_word = WORDS
            .iter()
            .any(|word| code.match_indices(word).any(|(at, _)| !code[at + word.len()..].starts_with(['(', '_'])));
        is_word && !code.starts_with("//") && !code.starts_with("assert") && READ.iter().any(|read| code.contains(read))
    };
    // A diagnostic itself may look at its notes when it gets another one.
    let own = ["diagnostic.rs", "diagnostics.rs", "finding.rs"].map(|name| format!("crates/formwork-base/src/{name}"));
    let found: BTreeMap<String, usize> = files()
        .iter()
        .filter(|file| is_core(&file.path) && !own.contains(&file.path))
        .map(|file| (file.path.clone(), file.lines.iter().filter(|line| reads(line)).count()))
        .filter(|&(_, count)| count > 0)
        .collect();
    let listed: BTreeMap<String, usize> = READERS.iter().map(|&(path, count)| (path.to_owned(), count)).collect();
    assert_eq!(found, listed, "a finding is decided by as data: `Diagnostic::fact`");
}

#[test]
fn the_command_line_is_small() {
    let own = |file: &&File| file.path.starts_with("crates/formwork-cli/src/");
    let lines: usize = files().iter().filter(own).map(|file| file.lines.len()).sum();
    assert!(lines <= COMMAND_LINE, "the command line has {lines} lines, and at most {COMMAND_LINE} are allowed");
}

#[test]
fn sizes_are_counted() {
    let lines: Vec<String> =
        ["pub(crate) fn a(", "    x: u8,", ") {", "    x", "}", "struct B {", "    /// x: y", "    pub x: u8,", "}"]
            .map(str::to_owned)
            .to_vec();
    assert_eq!((name(&lines[0], "fn "), extent(&lines, 0)), (Some("a"), 5));
    assert_eq!((name(&lines[5], "struct "), extent(&lines, 5)), (Some("B"), 4));
    assert_eq!(lines[5..].iter().filter(|line| is_field(line)).count(), 1);
    assert_eq!(name("    let a = fn b", "fn "), None);
}
