//! CONTRIBUTING.md names what there is: files, and functions in backquotes. Its changes apply, and compile.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use formwork_tests::project;

use crate::house;

/// The words in backquotes, those of blocks apart.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split("```").step_by(2).flat_map(|part| part.split('`').skip(1).step_by(2))
}

#[test]
fn files_and_functions_that_it_names_exist() {
    let root = project::root();
    let text = fs::read_to_string(root.join("CONTRIBUTING.md")).expect("the page");
    let sources = house::files();
    let has_function = |name: &str| {
        let function = format!("fn {name}(");
        sources.iter().flat_map(|file| &file.lines).any(|line| line.contains(&function))
    };
    let (mut count, mut wrong) = (0, Vec::new());
    for word in quoted(&text).filter(|word| !word.contains([' ', '#']) || word.contains('(')) {
        let path = word.split("NAME").next().unwrap_or_default().trim_end_matches('.');
        let is_path =
            ["crates/", "tests/src", "xtask/", "docs/", "examples/"].iter().any(|start| word.starts_with(start));
        let call = word.split('(').next().unwrap_or_default();
        let function = call.rsplit([':', '.']).next().unwrap_or_default();
        let is_function = word.contains("::") && !word.ends_with("::") && !word.contains('-');
        if is_path {
            count += 1;
            wrong.extend((!Path::new(&root).join(path).exists()).then_some(word));
        } else if is_function {
            count += 1;
            wrong.extend((!has_function(function)).then_some(word));
        }
    }
    assert!(wrong.is_empty(), "CONTRIBUTING.md names {wrong:?}, which do not exist");
    assert!(count >= 8, "{count} names");
}

/// The changes of the page: a file, and lines as in a diff. `...` stands for lines between.
fn changes(page: &str) -> Vec<(String, String)> {
    let blocks = page.split("\n```diff file=").skip(1);
    let parts = blocks.map(|block| block.split("\n```").next().unwrap_or(block).split_once('\n').expect("a block"));
    parts.map(|(file, lines)| (file.to_owned(), lines.to_owned())).collect()
}

/// A text with the lines of a block in it. A group of lines without `+` is looked for behind the group before it.
fn changed(text: &str, block: &str) -> Result<String, String> {
    let (mut new, mut rest) = (String::new(), text);
    for group in block.split("\n...\n") {
        let side = |mark: char| -> String {
            let lines = group.lines().filter(|line| !line.starts_with(mark));
            lines.map(|line| line.get(1..).unwrap_or_default().to_owned() + "\n").collect()
        };
        let (old, with) = (side('+'), side('-'));
        let at = rest.find(&old).ok_or_else(|| format!("not found:\n{old}"))?;
        new += &rest[..at];
        new += &with;
        rest = &rest[at + old.len()..];
    }
    Ok(new + rest)
}

#[test]
fn changes_of_the_page_apply() {
    let root = project::root();
    let page = fs::read_to_string(root.join("CONTRIBUTING.md")).expect("the page");
    let mut files = BTreeMap::new();
    for (file, block) in changes(&page) {
        let text =
            files.entry(file.clone()).or_insert_with(|| fs::read_to_string(root.join(&file)).unwrap_or_default());
        *text = changed(text, &block).unwrap_or_else(|why| panic!("{file}: {why}"));
    }
    assert!(files.len() >= 4, "{:?}", files.keys());
    if std::env::var_os("FORMWORK_CONTRIBUTING").is_none() {
        eprintln!("SKIPPED: the changes of CONTRIBUTING.md are compiled with FORMWORK_CONTRIBUTING=1");
        return;
    }
    let copy = root.join("target/contributing");
    let _ = fs::remove_dir_all(&copy);
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(&root).output().expect("git runs").stdout;
    let listed = String::from_utf8(listed).expect("names");
    for file in listed.split('\0').filter(|file| root.join(file).is_file()) {
        let to = copy.join(file);
        fs::create_dir_all(to.parent().expect("a directory")).expect("a directory");
        fs::copy(root.join(file), to).expect("a copy");
    }
    for (file, text) in &files {
        fs::write(copy.join(file), text).expect("a file");
    }
    // What others depend on is built in the target directory of the tree: only its crates are checked again.
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--workspace", "--tests", "--target-dir"]).arg(root.join("target")).current_dir(&copy);
    assert!(cargo.status().expect("cargo runs").success(), "the tree with the changes of CONTRIBUTING.md compiles");
}

#[test]
fn a_block_changes_a_text_group_by_group() {
    let text = "a\nb\nc\nd\n";
    assert_eq!(changed(text, " a\n+x\n...\n-c\n+y\n d").as_deref(), Ok("a\nx\nb\ny\nd\n"));
    assert_eq!(changed("", "+x\n+\n+y").as_deref(), Ok("x\n\ny\n"));
    assert!(changed(text, " z").is_err());
}
