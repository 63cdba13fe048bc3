//! Links between the pages of the repository: files and anchors.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use super::document::repository;

/// Returns every page for people, by its path in the repository, sorted.
pub(crate) fn pages() -> Vec<String> {
    let mut found: Vec<String> =
        ["README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md"].map(str::to_owned).into();
    let mut open: Vec<PathBuf> = ["docs", "examples", "packaging/readme"].map(PathBuf::from).into();
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(repository().join(&directory)).expect("a directory") {
            let name = directory.join(entry.expect("an entry").file_name());
            if repository().join(&name).is_dir() {
                open.push(name);
            } else if name.extension().is_some_and(|extension| extension == "md") {
                found.push(name.to_str().expect("UTF-8").replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// Returns the lines of a page outside of its fenced blocks, with their numbers from 1.
pub(crate) fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let ticks = line.trim_start();
        let marks = &ticks[..ticks.len() - ticks.trim_start_matches('`').len()];
        match fence {
            Some(open) if marks.len() >= open.len() && ticks == marks => fence = None,
            Some(_) => {}
            None if marks.len() >= 3 => fence = Some(marks),
            None => lines.push((at + 1, line)),
        }
    }
    lines
}

/// Returns a line without what is in backquotes.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Returns the anchors of a page: those of its headings, as GitHub writes them, and those that it declares.
fn anchors(text: &str) -> BTreeSet<String> {
    let (mut found, mut counts) = (BTreeSet::new(), BTreeMap::<String, usize>::new());
    for (_, line) in prose(text) {
        for rest in line.split("<a id=\"").skip(1) {
            found.extend(rest.split_once('"').map(|(id, _)| id.to_owned()));
        }
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let slug = slug(title);
        let count = counts.entry(slug.clone()).or_default();
        found.insert(if *count == 0 { slug } else { format!("{slug}-{count}") });
        *count += 1;
    }
    found
}

/// Returns the anchor of a heading: its words in lower case, joined with hyphens, without other signs, tags and targets
/// of links.
fn slug(title: &str) -> String {
    let (mut text, mut depth) = (String::new(), 0_u32);
    for part in title.split_inclusive(['<', '>']) {
        if depth == 0 {
            text.push_str(part.trim_end_matches('<'));
        }
        depth = u32::from(part.ends_with('<'));
    }
    while let Some((before, rest)) = text.split_once("](") {
        let after = rest.split_once(')').map_or("", |(_, after)| after);
        text = format!("{before}{after}");
    }
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    text.trim().to_lowercase().chars().filter(is_kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns a path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// Returns the links of a page as they are written, with their lines.
fn targets(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (line, text) in prose(text) {
        let text = without_code(text);
        let inline = text.split("](").skip(1).map(|rest| rest.split([')', ' ']).next().unwrap_or_default());
        let labelled = text.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target.trim());
        found.extend(inline.chain(labelled).map(|target| (line, target.to_owned())));
    }
    found
}

#[test]
fn links_lead_to_files_and_anchors_that_exist() {
    let mut names = pages();
    names.push("CHANGELOG.md".to_owned());
    let (mut wrong, mut known, mut checked) = (String::new(), BTreeMap::new(), 0);
    for name in &names {
        let text = std::fs::read_to_string(repository().join(name)).expect("a page");
        for (line, target) in targets(&text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            checked += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let directory = Path::new(name).parent().expect("a directory");
            let file = if path.is_empty() { PathBuf::from(name) } else { plain(&directory.join(path)) };
            if !repository().join(&file).exists() {
                writeln!(wrong, "{name}:{line}: {target}: the file does not exist").expect("a string");
            } else if !anchor.is_empty() {
                let anchors = known.entry(file.clone()).or_insert_with(|| {
                    anchors(&std::fs::read_to_string(repository().join(&file)).expect("the page of a link"))
                });
                if !anchors.contains(anchor) {
                    writeln!(wrong, "{name}:{line}: {target}: the anchor does not exist").expect("a string");
                }
            }
        }
    }
    assert!(checked > 1000, "only {checked} links");
    assert!(wrong.is_empty(), "{wrong}");
}

/// How a text outside of the repository links to a file of it, or shows a picture of it.
const ABSOLUTE: [&str; 3] = [
    "https://github.com/formwork-cfn/formwork/blob/main/",
    "https://github.com/formwork-cfn/formwork/tree/main/",
    "https://raw.githubusercontent.com/formwork-cfn/formwork/main/",
];

/// Returns the files of the repository that a text links to absolutely, in prose and in blocks, with anchors.
fn absolute_targets(text: &str) -> Vec<&str> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, ')' | '>' | '"' | '\'' | '`' | ']');
    let of = |start| text.split(start).skip(1).map(move |rest| rest.split(is_end).next().unwrap_or_default());
    ABSOLUTE.into_iter().flat_map(of).collect()
}

/// Helps, registries and the manifests of packages link to pages of the main branch.
#[test]
fn absolute_links_lead_to_files_of_the_repository() {
    let mut names = pages();
    names.extend(["CHANGELOG.md", "packaging/npm/formwork.js", "action.yml"].map(str::to_owned));
    let (mut wrong, mut checked) = (String::new(), 0);
    for name in &names {
        let text = std::fs::read_to_string(repository().join(name)).expect("a page");
        for target in absolute_targets(&text) {
            checked += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = std::fs::read_to_string(repository().join(path));
            if !file.is_ok_and(|file| anchor.is_empty() || anchors(&file).contains(anchor)) {
                writeln!(wrong, "{name}: {target} does not exist").expect("a string");
            }
        }
    }
    assert!(checked > 40, "only {checked} links");
    assert!(wrong.is_empty(), "{wrong}");
}

/// Registries and archives show these pages without the repository around them.
#[test]
fn pages_of_packages_have_absolute_links() {
    let names: Vec<String> = pages().into_iter().filter(|name| name.starts_with("packaging/")).collect();
    assert!(names.len() >= 4, "{names:?}");
    for name in names {
        let text = std::fs::read_to_string(repository().join(&name)).expect("a page");
        for (line, target) in targets(&text) {
            assert!(target.starts_with("https://"), "{name}:{line}: {target} is relative");
        }
        let needs_rust = ["cargo", "Rust"].into_iter().find(|word| text.contains(word));
        assert!(needs_rust.is_none() || name.ends_with("/crates.md"), "{name}: {needs_rust:?}");
    }
}

#[test]
fn absolute_links_are_found() {
    let text = "[a](https://github.com/formwork-cfn/formwork/blob/main/docs/a.md#b) https://github.com/formwork-cfn/formwork/issues\n```\nhttps://github.com/formwork-cfn/formwork/blob/main/README.md\n";
    assert_eq!(absolute_targets(text), ["docs/a.md#b", "README.md"]);
}

#[test]
fn anchors_are_those_of_github() {
    let text = "# A `b`: c, d\n## [x](y.md) & z <a id=\"own\"></a>\n```sh\n# no\n```\n## Twice\n## Twice\n";
    let expected = ["a-b-c-d", "own", "twice", "twice-1", "x--z"];
    assert_eq!(anchors(text).into_iter().collect::<Vec<_>>(), expected);
    assert_eq!(targets("[a](b.md#c) `[no](d)` [e]( f)\n"), [(1, "b.md#c".to_owned()), (1, String::new())]);
}
