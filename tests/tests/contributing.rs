//! CONTRIBUTING.md names what there is: files, and functions in backquotes.

use std::fs;
use std::path::Path;

use formwork_tests::project;

/// The words in backquotes, those of blocks apart.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split("```").step_by(2).flat_map(|part| part.split('`').skip(1).step_by(2))
}

/// All sources of the crates, one behind another.
fn sources() -> String {
    let (mut text, mut open) = (String::new(), vec![project::root().join("crates")]);
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text += &fs::read_to_string(&path).expect("a source");
            }
        }
    }
    text
}

#[test]
fn files_and_functions_that_it_names_exist() {
    let root = project::root();
    let text = fs::read_to_string(root.join("CONTRIBUTING.md")).expect("the page");
    let sources = sources();
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
            let is_there = sources.contains(&format!("fn {function}("));
            wrong.extend((!is_there).then_some(word));
        }
    }
    assert!(wrong.is_empty(), "CONTRIBUTING.md names {wrong:?}, which do not exist");
    assert!(count >= 8, "{count} names");
}
