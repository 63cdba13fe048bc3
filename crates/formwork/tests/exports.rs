//! Whoever uses the library can name every type that it takes and returns.
#![allow(clippy::disallowed_methods, reason = "sources are files")]

use std::collections::BTreeSet;
use std::path::Path;

/// The words of a text that are written like types.
fn types(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Types that a source file takes from the crates behind the library, but for modules that are exported as a whole.
fn imported<'s>(source: &'s str, modules: &BTreeSet<&str>) -> BTreeSet<&'s str> {
    let statements = source.split(';').filter_map(|statement| {
        let path = &statement[statement.find("use formwork_")? + "use ".len()..];
        let mut segments = path.split("::").take_while(|segment| !segment.contains('{'));
        (!segments.any(|segment| modules.contains(segment))).then_some(path)
    });
    statements.flat_map(types).collect()
}

/// The public signatures and fields of a source file.
fn signatures(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = source.split("#[cfg(test)]").next().unwrap_or_default().lines();
    while let Some(line) = lines.next() {
        if !line.trim_start().starts_with("pub ") || line.trim_start().starts_with("pub use") {
            continue;
        }
        let mut signature = line.to_owned();
        while !signature.ends_with(['{', ';', ',', '}'])
            || signature.matches('(').count() > signature.matches(')').count()
        {
            let Some(next) = lines.next() else { break };
            signature.push_str(next);
        }
        found.push(signature);
    }
    found
}

#[test]
fn every_type_of_a_signature_is_exported() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let library = std::fs::read_to_string(root.join("lib.rs")).expect("lib.rs");
    let exports: String =
        library.split_inclusive(';').filter_map(|text| Some(&text[text.find("pub use ")?..])).collect();
    let exported: BTreeSet<&str> = types(&exports).collect();
    let words = exports.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let modules: BTreeSet<&str> = words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase())).collect();
    // Crates of which single names are exported alone.
    let single = exports.split("pub use ").filter(|statement| !statement.contains(" as "));
    let single: BTreeSet<&str> = single.filter_map(|statement| statement.split("::").next()).collect();
    let modules: BTreeSet<&str> = modules.into_iter().filter(|module| !single.contains(module)).collect();
    let mut missing = BTreeSet::new();
    for file in std::fs::read_dir(&root).expect("sources") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "rs") || path.ends_with("lib.rs") {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("text");
        let imported = imported(&source, &modules);
        for signature in signatures(&source) {
            for name in types(&signature).filter(|name| imported.contains(name) && !exported.contains(name)) {
                missing.insert(format!("{}: {name} in `{}`", path.display(), signature.trim()));
            }
        }
    }
    assert!(missing.is_empty(), "not exported:\n{}", missing.into_iter().collect::<Vec<_>>().join("\n"));
}
