//! A file of integration tests that no `tests/main.rs` names would not be compiled, and nobody would notice.

use std::path::Path;

use formwork_tests::{project, reference};

/// The modules that lie beside a `main.rs` and that it does not name.
fn forgotten(directory: &Path, main: &str) -> Vec<String> {
    let files = reference::files(directory, "rs").expect("a directory");
    let module = |path: &Path| {
        let name = reference::relative(path, directory);
        name.strip_suffix("/mod.rs").or_else(|| name.strip_suffix(".rs")).map(str::to_owned)
    };
    // Other binaries are directories with a `main.rs`; files of a module are named by its `mod.rs`.
    let is_module = |name: &String| name != "main" && !name.contains('/');
    let names = files.iter().filter_map(|path| module(path)).filter(is_module);
    names.filter(|name| !main.lines().any(|line| line == format!("mod {name};"))).collect()
}

#[test]
fn every_file_of_tests_is_compiled() {
    let root = project::root();
    let crates =
        std::fs::read_dir(root.join("crates")).expect("the crates").map(|entry| entry.expect("a crate").path());
    let mut binaries = 0;
    for directory in crates.chain([root.join("tests")]).map(|path| path.join("tests")) {
        let Ok(main) = std::fs::read_to_string(directory.join("main.rs")) else {
            assert!(!directory.exists(), "{} has no main.rs", directory.display());
            continue;
        };
        assert_eq!(forgotten(&directory, &main), Vec::<String>::new(), "{}", directory.display());
        binaries += 1;
    }
    assert!(binaries >= 5, "{binaries}");
}

#[test]
fn a_file_that_is_not_named_is_seen() {
    let directory = project::root().join("crates/formwork/tests");
    let found = forgotten(&directory, "mod cancellation;\nmod pages;\n");
    assert!(found.contains(&"session".to_owned()) && found.contains(&"rain".to_owned()), "{found:?}");
    assert!(!found.contains(&"pages".to_owned()) && !found.contains(&"main".to_owned()), "{found:?}");
}
