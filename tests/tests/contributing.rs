//! CONTRIBUTING.md names what there is: files, and functions in backquotes.

use std::fs;
use std::path::Path;

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
