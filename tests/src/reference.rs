//! The pages of `docs/reference`: rules with anchors, and the index of the cases that hold them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::fixture::{self, Kind};
use crate::project;

/// The index, from the root of the repository. Tests write and compare it.
pub const INDEX: &str = "docs/reference/conformance.md";

/// A page of the reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// Its path from `docs/`, such as `reference/for-each.md`.
    pub path: String,
    /// Its first heading.
    pub title: String,
    /// Its rules, in order.
    pub rules: Vec<Rule>,
}

/// A rule: a section with an anchor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its anchor, which never changes.
    pub anchor: String,
    /// Its heading.
    pub title: String,
    /// Whether it names its source.
    pub has_source: bool,
}

/// Every page of the reference but the index of cases, sorted by path.
///
/// # Errors
/// When a page cannot be read or a heading is not well-formed.
pub fn pages() -> Result<Vec<Page>, String> {
    let docs = project::root().join("docs");
    let mut pages = Vec::new();
    for path in files(&docs.join("reference"), "md")? {
        let name = relative(&path, &docs);
        if !INDEX.ends_with(&name) {
            pages.push(page(&name, &read(&path)?)?);
        }
    }
    Ok(pages)
}

/// A page from its text.
///
/// # Errors
/// Names the heading without an anchor, or the duplicate anchor.
pub fn page(path: &str, text: &str) -> Result<Page, String> {
    let mut page = Page { path: path.to_owned(), title: String::new(), rules: Vec::new() };
    let mut is_code = false;
    for (at, line) in text.lines().enumerate() {
        let wrong = |why: &str| format!("{path}:{}: {why}", at + 1);
        is_code ^= line.starts_with("```");
        if is_code {
            continue;
        }
        if let Some(title) = line.strip_prefix("# ") {
            title.clone_into(&mut page.title);
        } else if let Some((title, anchor)) = anchored(line) {
            if page.rules.iter().any(|rule| rule.anchor == anchor) {
                return Err(wrong("a duplicate anchor"));
            }
            page.rules.push(Rule { anchor: anchor.to_owned(), title: title.to_owned(), has_source: false });
        } else if line.starts_with("## ") {
            return Err(wrong("a rule without an anchor"));
        } else if line.starts_with("Source: ") {
            page.rules.last_mut().ok_or_else(|| wrong("a source above the first rule"))?.has_source = true;
        }
    }
    Ok(page)
}

/// Title and anchor of `## Title <a id="anchor"></a>`, at any level below the first.
fn anchored(line: &str) -> Option<(&str, &str)> {
    let (marks, rest) = line.split_once(' ')?;
    let (title, anchor) = rest.split_once(" <a id=\"")?;
    (marks.len() > 1 && marks.bytes().all(|mark| mark == b'#')).then_some((title, anchor.strip_suffix("\"></a>")?))
}

/// Every rule as comments and cases cite it, such as `reference/for-each.md#keys`, and every page.
pub fn targets(pages: &[Page]) -> BTreeSet<String> {
    let mut targets = BTreeSet::new();
    for page in pages {
        targets.insert(page.path.clone());
        targets.extend(page.rules.iter().map(|rule| format!("{}#{}", page.path, rule.anchor)));
    }
    targets
}

/// What holds each rule, by its target: links as the index shows them, in order.
pub type Held = BTreeMap<String, Vec<String>>;

/// What holds each rule: examples on its page, cases, test programs that cite it.
///
/// # Errors
/// When something cannot be read, or a case names no rule.
pub fn held() -> Result<Held, String> {
    let root = project::root();
    let mut held = Held::new();
    for file in fixture::read_all(&root.join("docs/reference"), Kind::Page)? {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for rule in file.cases.iter().flat_map(|case| &case.rules) {
            *counts.entry(format!("reference/{}.md{rule}", file.name)).or_default() += 1;
        }
        for (rule, count) in counts {
            let examples = if count == 1 { "the example there".into() } else { format!("the {count} examples there") };
            held.entry(rule).or_default().push(examples);
        }
    }
    for directory in ["docs/language", "tests/fixtures"] {
        for file in fixture::read_all(&root.join(directory), Kind::Cases)? {
            for (rule, cases) in cases_by_rule(&file)? {
                let all = cases.len() == file.cases.len();
                let names = if all { format!("all {}", cases.len()) } else { cases.join("; ") };
                let link = format!("[{name}](../../{directory}/{name}.md): {names}", name = file.name);
                held.entry(rule).or_default().push(link);
            }
        }
    }
    for path in test_programs(&root)? {
        let name = relative(&path, &root);
        for rule in citations(&read(&path)?) {
            held.entry(rule).or_default().push(format!("[{name}](../../{name})"));
        }
    }
    Ok(held)
}

fn cases_by_rule(file: &fixture::File) -> Result<BTreeMap<String, Vec<String>>, String> {
    let mut rules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for case in &file.cases {
        if case.rules.is_empty() {
            let why = "names no rule; write `rule: reference/PAGE.md#ANCHOR` above the first case";
            return Err(format!("{}: the case \"{}\" {why}", file.path.display(), case.name));
        }
        for rule in &case.rules {
            rules.entry(rule.clone()).or_default().push(case.name.clone());
        }
    }
    Ok(rules)
}

/// Rules that the comments of a source file cite.
pub fn citations(source: &str) -> BTreeSet<String> {
    let comments = source.lines().filter(|line| line.trim_start().starts_with("//"));
    comments.flat_map(str::split_whitespace).filter_map(citation).collect()
}

/// The rule that a word cites, between whatever marks.
pub fn citation(word: &str) -> Option<String> {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    (word.starts_with("reference/") && word.contains(".md")).then(|| word.to_owned())
}

/// Test programs: integration tests of crates, large files of unit tests, laws and suites.
fn test_programs(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for crate_dir in children(&root.join("crates"))? {
        if crate_dir.join("tests").is_dir() {
            found.extend(files(&crate_dir.join("tests"), "rs")?);
        }
        let sources = files(&crate_dir.join("src"), "rs")?.into_iter();
        found.extend(sources.filter(|path| path.file_name().is_some_and(|name| name == "tests.rs")));
    }
    found.extend(files(&root.join("tests/src/properties"), "rs")?);
    found.extend(files(&root.join("tests/tests"), "rs")?);
    Ok(found)
}

/// The text of the index of cases.
pub fn index(pages: &[Page], held: &Held) -> String {
    let mut text = String::from(
        "# Cases by rule\n\nThe cases in `tests/fixtures`, and the examples on these pages and in `docs/language`, are the project's\n\
         published conformance suite; [their README](../../tests/fixtures/README.md) has the format. This index\n\
         lists, for each rule of the reference, the cases and test programs that hold it. `FORMWORK_UPDATE=1 cargo test -p formwork-tests --test it -- reference::` writes it.\n",
    );
    for page in pages.iter().filter(|page| page.path != "reference/README.md") {
        let path = page.path.trim_start_matches("reference/");
        let _ = write!(text, "\n## [{}]({path})\n\n| rule | held by |\n|---|---|\n", page.title);
        for rule in &page.rules {
            let by = held.get(&format!("{}#{}", page.path, rule.anchor));
            let by = by.map_or_else(|| "-".to_owned(), |by| by.join("<br>"));
            let _ = writeln!(text, "| [{}]({path}#{}) | {} |", rule.title, rule.anchor, by.replace('|', "\\|"));
        }
    }
    text
}

/// Every file below `directory` with this extension, sorted.
///
/// # Errors
/// Names the directory that cannot be read.
pub fn files(directory: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in children(directory)? {
        if path.is_dir() {
            found.extend(files(&path, extension)?);
        } else if path.extension().is_some_and(|end| end == extension) {
            found.push(path);
        }
    }
    Ok(found)
}

fn children(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let unreadable = |error: std::io::Error| format!("{}: {error}", directory.display());
    let entries = std::fs::read_dir(directory).map_err(unreadable)?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(unreadable)?;
    paths.sort();
    Ok(paths)
}

/// The text of a file.
///
/// # Errors
/// Names the file that cannot be read.
pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// `path` from `root`, with `/`.
pub fn relative(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_a_page() {
        let text = "# A page\n\n## Keys <a id=\"keys\"></a>\n\nSource: ours.\n\n```yaml\n## not a heading\n```\n### Details <a id=\"more\"></a>\n";
        let page = page("reference/a.md", text).expect("sound");
        assert_eq!(page.title, "A page");
        let rules: Vec<_> = page.rules.iter().map(|rule| (rule.anchor.as_str(), rule.has_source)).collect();
        assert_eq!(rules, [("keys", true), ("more", false)]);
        assert_eq!(
            targets(&[page]).into_iter().collect::<Vec<_>>(),
            ["reference/a.md", "reference/a.md#keys", "reference/a.md#more"]
        );
    }

    #[test]
    fn headings_without_anchor_and_twins_are_refused() {
        assert!(page("a.md", "## Keys\n").expect_err("no anchor").contains("a.md:1: a rule without an anchor"));
        let twice = "## A <a id=\"a\"></a>\n## B <a id=\"a\"></a>\n";
        assert!(page("a.md", twice).expect_err("twins").contains("a.md:2: a duplicate anchor"));
    }

    #[test]
    fn words_that_cite() {
        let source = "//! Keys (reference/for-each.md#keys, reference/layout.md).\nlet x = \"reference/not.md#it\";\n";
        let found: Vec<_> = citations(source).into_iter().collect();
        assert_eq!(found, ["reference/for-each.md#keys", "reference/layout.md"]);
    }
}
