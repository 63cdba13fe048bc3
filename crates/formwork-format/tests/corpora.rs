//! The laws on templates that people wrote. They are not a part of the repository: `FORMWORK_CONFORMANCE` names the suites,
//! beside which `realworld` is.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::laws;

fn suites() -> Option<PathBuf> {
    let named = std::env::var_os("FORMWORK_CONFORMANCE").map(PathBuf::from);
    let found = named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance"));
    found.is_dir().then_some(found)
}

fn files(directory: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, into);
        } else if path
            .extension()
            .is_some_and(|ext| ["yaml", "yml", "json", "template"].iter().any(|known| ext == *known))
        {
            into.push(path);
        }
    }
}

#[test]
fn the_laws_hold_for_all_templates_of_the_corpora() {
    let Some(suites) = suites() else {
        eprintln!("skipped: FORMWORK_CONFORMANCE names no directory, and ../shared/conformance does not exist");
        return;
    };
    let mut paths = Vec::new();
    files(&suites, &mut paths);
    files(&suites.join("../realworld"), &mut paths);
    paths.sort();
    let (mut formatted, mut report) = (0, String::new());
    let (mut broken, mut failed) = (0, Vec::new());
    for path in &paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        if text.len() > 1 << 20 {
            continue;
        }
        match laws::check(&path.display().to_string(), text) {
            Ok(Some(after)) => {
                formatted += 1;
                if after != text {
                    let _ = writeln!(report, "{} changed", path.display());
                    if let Some(out) = std::env::var_os("FORMWORK_FORMATTED") {
                        let name = path.file_name().expect("a file");
                        std::fs::write(Path::new(&out).join(name), after).expect("written");
                    }
                }
            }
            Err(why) => failed.push(why),
            Ok(None) => broken += 1,
        }
    }
    println!("{formatted} files, {broken} not well-formed\n{report}");
    assert!(failed.is_empty(), "{} of {formatted}\n{}", failed.len(), failed.join("\n"));
    assert!(formatted > 500, "{formatted}");
}
