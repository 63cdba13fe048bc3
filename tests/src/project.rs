//! Where things are.

use std::path::{Path, PathBuf};

use libtest_mimic::Trial;

/// The root of the repository.
pub fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().map_or_else(|| tests.to_owned(), Path::to_owned)
}

/// Data that lies outside of the repository and may be missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shared {
    /// It is there.
    At(PathBuf),
    /// It is not, and nobody demands it: the message.
    Skipped(String),
    /// It is not, though it has to be: the message.
    Missing(String),
}

/// The shared suites: the directory that `FORMWORK_CONFORMANCE` names, `../shared/conformance` beside
/// the repository without it. They have to be there where `FORMWORK_REQUIRE_CONFORMANCE` is set.
pub fn conformance() -> Shared {
    let named = std::env::var_os("FORMWORK_CONFORMANCE").map(PathBuf::from);
    // Relative paths are seen from the root, wherever cargo starts a test.
    let folder = root().join(named.unwrap_or_else(|| "../shared/conformance".into()));
    shared("conformance suites", &folder, "run.py")
}

/// The collection of real templates, beside the shared suites.
pub fn realworld() -> Shared {
    let Shared::At(conformance) = conformance() else { return conformance() };
    shared("real templates", &conformance.join("../realworld"), "INDEX.json")
}

fn shared(what: &str, folder: &Path, mark: &str) -> Shared {
    if folder.join(mark).is_file() {
        return Shared::At(folder.to_owned());
    }
    let text =
        format!("the shared {what} are not at {} (FORMWORK_CONFORMANCE names their directory)", folder.display());
    match is_demanded() {
        Some(name) => Shared::Missing(format!("{text}; they have to be, since {name} is set")),
        None => Shared::Skipped(format!("{text}: SKIPPED")),
    }
}

/// The variable that requires everything shared, when it is set.
pub fn is_demanded() -> Option<&'static str> {
    const NAME: &str = "FORMWORK_REQUIRE_CONFORMANCE";
    std::env::var_os(NAME).is_some_and(|value| !value.is_empty()).then_some(NAME)
}

/// The one trial of a suite without its data: it reports that they are missing, and fails when they are required.
pub fn without_shared(suite: &str, absent: Shared) -> Vec<Trial> {
    match absent {
        Shared::At(_) => Vec::new(),
        Shared::Skipped(text) => {
            eprintln!("{text}");
            vec![Trial::test(format!("{suite}::shared data: SKIPPED"), || Ok(())).with_ignored_flag(true)]
        }
        Shared::Missing(text) => {
            vec![Trial::test(format!("{suite}::shared data: MISSING"), || Err(text.into()))]
        }
    }
}
