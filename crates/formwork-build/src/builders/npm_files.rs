//! Files of a source that belong to its package: `files` of package.json, else `.npmignore`
//! (reference/build.md#npm-files).

use std::collections::BTreeSet;
use std::path::Path;

use formwork::ReadError;
use formwork_disk::read_inside;
use serde_json::Value;

use super::node::MANIFESTS;

/// Maximum size of a `.npmignore` in bytes, and of all of a source in lines: each line becomes an automaton.
const IGNORE_BYTES: u64 = 1 << 20;
const IGNORE_LINES: usize = 10_000;
const IGNORE: &str = ".npmignore";

/// Files of every package, with the manifests that package managers read to install its packages.
const ALWAYS: &[&str] =
    &["README*", "readme*", "COPYING*", "copying*", "LICENSE*", "license*", "LICENCE*", "licence*", ".formworkignore"];

/// Files that npm excludes from every package: those of version control, of npm itself, of editors and systems.
const NEVER: &[&str] = &[
    ".npmignore",
    ".gitignore",
    ".git",
    ".svn",
    ".hg",
    "CVS",
    ".npmrc",
    "npm-debug.log",
    "/.lock-wscript",
    "/.wafpickle-*",
    "/build/config.gypi",
    "/archived-packages/",
    ".*.swp",
    ".DS_Store",
    "._*",
    "*.orig",
];

/// Returns patterns, in the syntax of `.gitignore`, of files that are not part of the package in a directory.
///
/// # Errors
/// When a `.npmignore` cannot be used.
pub(crate) fn excluded(source: &Path) -> Result<Vec<String>, String> {
    let manifest = super::node::manifest(source);
    let never = || NEVER.iter().map(|&pattern| pattern.to_owned());
    let mut patterns: Vec<String> = match manifest.get("files").and_then(Value::as_array) {
        Some(files) => {
            let files = files.iter().filter_map(Value::as_str).map(str::to_owned);
            let named = all_but(&files.chain(programs(&manifest)).collect::<Vec<_>>());
            named.into_iter().chain(never()).collect()
        }
        // Where it is alone, `.npmignore` may name what it keeps.
        None => never().chain(ignored(source, source)?).collect(),
    };
    patterns.extend(ignored_below(source)?);
    if patterns.len() > IGNORE_LINES {
        return Err(format!("{} has more than {IGNORE_LINES} lines in files {IGNORE}", source.display()));
    }
    patterns.extend(MANIFESTS.iter().chain(ALWAYS).map(|name| format!("!/{name}")));
    Ok(patterns)
}

/// Returns the lines of the `.npmignore` files in the directories below a source, each rewritten for the source.
fn ignored_below(source: &Path) -> Result<Vec<String>, String> {
    let (mut patterns, mut left) = (Vec::new(), vec![(source.to_owned(), String::new())]);
    while let Some((directory, within)) = left.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_skipped = ["node_modules", ".git", ".formwork", ".aws-sam"].contains(&name.as_str());
            if !is_skipped && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                left.push((entry.path(), format!("{within}/{}", escaped(&name))));
            }
        }
        if within.is_empty() {
            continue;
        }
        let lines = ignored(source, &directory)?;
        patterns.extend(lines.iter().filter_map(|line| in_directory(line, &within)));
        if patterns.len() > IGNORE_LINES {
            break;
        }
    }
    Ok(patterns)
}

/// Rewrites a line of the `.npmignore` of a subdirectory as one of the source.
fn in_directory(line: &str, directory: &str) -> Option<String> {
    let line = line.trim_end();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (not, pattern) = line.strip_prefix('!').map_or(("", line), |pattern| ("!", pattern));
    // A pattern with a slash that is not at its end applies to this directory alone.
    let is_deep = !pattern.trim_end_matches('/').contains('/');
    let deep = if is_deep { "**/" } else { "" };
    Some(format!("{not}{directory}/{deep}{}", pattern.trim_start_matches('/')))
}

/// Escapes a name, as a pattern that matches it alone.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\' | '!' | '#') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// Returns the lines of the `.npmignore` in a directory of a source.
fn ignored(source: &Path, directory: &Path) -> Result<Vec<String>, String> {
    let path = directory.join(IGNORE);
    let unusable = |why: &str| format!("{} cannot be used: {why}", path.display());
    let bytes = match read_inside(source, &path, IGNORE_BYTES) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) => return Ok(Vec::new()),
        Err(error) => return Err(unusable(&error.to_string())),
    };
    let text = String::from_utf8(bytes).map_err(|_| unusable("it is not UTF-8 text"))?;
    let lines: Vec<String> = text.trim_start_matches('\u{feff}').lines().map(str::to_owned).collect();
    if lines.len() > IGNORE_LINES {
        return Err(unusable(&format!("it has more than {IGNORE_LINES} lines")));
    }
    Ok(lines)
}

/// Returns the files of `main`, `browser` and `bin`, which belong to a package whatever `files` lists.
fn programs(manifest: &Value) -> Vec<String> {
    let bin = manifest.get("bin");
    let named = bin.and_then(Value::as_object).into_iter().flat_map(|names| names.values());
    let all = ["main", "browser"]
        .iter()
        .filter_map(|name| manifest.get(*name))
        .chain(bin)
        .chain(named)
        .filter_map(Value::as_str);
    all.flat_map(|name| [name.to_owned(), format!("{name}.js")]).collect()
}

/// Returns patterns of everything that the entries of `files` do not include.
fn all_but(files: &[String]) -> Vec<String> {
    // Parents of entries, and directories below which any directory may lead to an entry.
    let (mut opened, mut searched) = (BTreeSet::new(), BTreeSet::new());
    let mut named = Vec::new();
    for file in files {
        let (is_negated, path) = file.strip_prefix('!').map_or((false, file.as_str()), |path| (true, path));
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        if parts.contains(&"..") {
            continue;
        }
        let path = if parts.is_empty() { "**".to_owned() } else { parts.join("/") };
        if is_negated {
            named.extend([format!("/{path}"), format!("/{path}/**")]);
            continue;
        }
        let mut directory = String::new();
        for part in &parts[..parts.len().saturating_sub(1)] {
            if part.contains(['*', '?', '[', '{']) {
                searched.insert(directory.clone());
                break;
            }
            directory = format!("{directory}/{part}");
            opened.insert(directory.clone());
        }
        named.extend([format!("!/{path}"), format!("!/{path}/**")]);
    }
    let mut patterns = vec!["/*".to_owned()];
    // Sorted, so that an outer directory is opened before one in it.
    patterns.extend(opened.iter().flat_map(|directory| [format!("!{directory}/"), format!("{directory}/*")]));
    patterns.extend(searched.iter().flat_map(|directory| [format!("{directory}/**"), format!("!{directory}/**/")]));
    patterns.extend(named);
    patterns
}

#[cfg(test)]
mod tests {
    use std::fs;

    use formwork_upload::SourceTree;
    use formwork_upload::source_tree::TreeRules;

    use super::*;

    /// The files of a source with these ones that are part of its package.
    fn kept(files: &[(&str, &str)]) -> Vec<String> {
        let directory = tempfile::tempdir().expect("a directory");
        let source = directory.path().canonicalize().expect("it exists");
        for (name, text) in files {
            let path = source.join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, text).expect("written");
        }
        let excluded = excluded(&source).expect("usable");
        let rules = TreeRules { project_root: source.clone(), left_out: Vec::new(), excluded };
        let tree = SourceTree::read(&source, &rules).expect("read");
        tree.paths().filter(|path| path.contains('.')).map(str::to_owned).collect()
    }

    const FILES: &[(&str, &str)] = &[
        ("app.js", ""),
        ("README.md", ""),
        ("package-lock.json", "{}"),
        ("dist/app.js", ""),
        ("dist/app.js.map", ""),
        ("dist/in/deep.js", ""),
        ("lib/a/x.js", ""),
        ("lib/a/x.ts", ""),
        ("lib/b.js", ""),
        ("test/app.test.js", ""),
    ];

    fn with(manifest: &str, ignored: Option<&str>) -> String {
        let mut files = FILES.to_vec();
        files.push(("package.json", manifest));
        files.extend(ignored.map(|text| (".npmignore", text)));
        let kept = kept(&files);
        kept.iter().filter(|name| !name.starts_with("package")).cloned().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn files_of_the_manifest_are_kept_alone() {
        for (files, expected) in [
            (r#"["dist"]"#, "README.md dist/app.js dist/app.js.map dist/in/deep.js"),
            (r#"["./dist/", "!dist/*.map"]"#, "README.md dist/app.js dist/in/deep.js"),
            (r#"["dist/app.js", "/lib/a"]"#, "README.md dist/app.js lib/a/x.js lib/a/x.ts"),
            (r#"["dist", "dist/app.js"]"#, "README.md dist/app.js dist/app.js.map dist/in/deep.js"),
            (r#"["lib/**/*.js", "*.js"]"#, "README.md app.js lib/a/x.js lib/b.js"),
            (r#"["**/*.ts"]"#, "README.md lib/a/x.ts"),
            (r#"["dist/*.js"]"#, "README.md dist/app.js"),
            (r#"["../x"]"#, "README.md"),
            ("[]", "README.md"),
        ] {
            assert_eq!(with(&format!("{{\"files\": {files}}}"), None), expected, "{files}");
        }
        let all = with(r#"{"files": ["."]}"#, None);
        assert_eq!(all, with("{}", None));
        assert_eq!(all.split(' ').count(), 9);
        // `.npmignore` does not override `files`.
        let manifest = r#"{"files": ["dist/in"], "main": "./lib/b", "bin": {"x": "app.js"}}"#;
        assert_eq!(with(manifest, Some("dist\n")), "README.md app.js dist/in/deep.js lib/b.js");
    }

    #[test]
    fn npmignore_leaves_out_but_what_installs() {
        let text = "# tests\ntest/\n*.map\npackage*\nlib/**\n!lib/b.js\n.npmignore\n";
        assert_eq!(with("{}", Some(text)), "README.md app.js dist/app.js dist/in/deep.js lib/b.js");
        let names = kept(&[("package.json", "{}"), ("package-lock.json", ""), (".npmignore", "*\n"), ("app.js", "")]);
        assert_eq!(names, ["package-lock.json", "package.json"]);
    }

    #[test]
    fn what_npm_never_publishes_is_left_out() {
        let files = [
            (".npmignore", "*.map\n!keep.orig\n"),
            (".gitignore", "dist\n"),
            ("app.js", ""),
            ("dist/app.js", ""),
            ("keep.orig", ""),
            ("a.orig", ""),
            (".DS_Store", ""),
            ("lib/.gitignore", ""),
            ("lib/.npmrc", ""),
            ("lib/.npmignore", "# tests\nskip.js\n/only.js\ndeep/here.js\n!app.js.map\n"),
            ("lib/a.js", ""),
            ("lib/app.js.map", ""),
            ("lib/skip.js", ""),
            ("lib/only.js", ""),
            ("lib/deep/skip.js", ""),
            ("lib/deep/only.js", ""),
            ("lib/deep/here.js", ""),
            ("lib[1]/.npmignore", "a.js\n"),
            ("lib[1]/a.js", ""),
            ("lib1/a.js", ""),
        ];
        let with = |manifest: &'static str| {
            let names = kept(&[&files[..], &[("package.json", manifest)]].concat());
            names.into_iter().filter(|name| name != "package.json").collect::<Vec<_>>().join(" ")
        };
        let expected = "app.js dist/app.js keep.orig lib/a.js lib/app.js.map lib/deep/only.js lib1/a.js";
        assert_eq!(with("{}"), expected);
        // A directory that `files` names has its own `.npmignore`.
        assert_eq!(with(r#"{"files": ["lib"]}"#), "lib/a.js lib/app.js.map lib/deep/only.js");
    }

    #[test]
    fn a_npmignore_without_end_is_an_error() {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join(".npmignore"), "a\n".repeat(IGNORE_LINES + 1)).expect("written");
        assert!(excluded(directory.path()).is_err_and(|error| error.contains("more than 10000 lines")));
    }
}
