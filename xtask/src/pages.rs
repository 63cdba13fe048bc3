//! Commands of pages that the tests of the program cannot run: they build this repository, or install its packages.
//!
//! A block ` ```sh skip=build ` is held by its form: subcommands and options of `cargo xtask` are parsed, and packages,
//! examples, profiles and files that are named exist. A block ` ```sh skip=packages ` is run by `dist::pages`.

use std::path::Path;

use clap::Parser;
use xtask_launcher::Cli;

use crate::command::repository;

/// A block of commands: the page and the text.
pub(crate) struct Block {
    pub(crate) page: String,
    pub(crate) text: String,
}

/// Returns the blocks of the README and of the pages below `docs` that are skipped for a reason.
pub(crate) fn skipped(reason: &str) -> Vec<Block> {
    let root = repository();
    let (mut pages, mut directories) = (vec![root.join("README.md")], vec![root.join("docs")]);
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    let mark = format!("```sh skip={reason}\n");
    let of_page = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("a page");
        let page = path.strip_prefix(&root).expect("below the root").display().to_string();
        let parts = text.split(&mark).skip(1).map(|rest| rest.split("```").next().unwrap_or_default().to_owned());
        parts.map(|text| Block { page: page.clone(), text }).collect::<Vec<_>>()
    };
    pages.iter().flat_map(|path| of_page(path)).collect()
}

/// Returns the command lines of a block without comments, as words.
fn commands(text: &str) -> Vec<Vec<String>> {
    let joined = text.replace("\\\n", " ");
    let lines = joined.lines().flat_map(|line| line.split(" #").next().unwrap_or_default().split("&&"));
    lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

/// Returns the error in a command that builds something.
fn wrong_with(words: &[String]) -> Result<(), String> {
    let root = repository();
    let exists = |file: &str| root.join(file).exists().then_some(()).ok_or(format!("{file} does not exist"));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => Ok(()),
        ["cargo", "xtask", rest @ ..] => {
            let words = ["cargo xtask"].iter().chain(rest);
            Cli::try_parse_from(words).map(drop).map_err(|error| error.to_string())
        }
        ["cargo", command @ ("run" | "build" | "test" | "install"), rest @ ..] => cargo(command, rest, &root),
        // The extension of the editor: the script, and the version of the file that it writes.
        ["code", "--install-extension", file] => {
            let package = std::fs::read_to_string(root.join("editors/vscode/package.json")).expect("the package");
            let package: serde_json::Value = serde_json::from_str(&package).expect("JSON");
            let named = format!("editors/vscode/formwork-{}.vsix", package["version"].as_str().unwrap_or_default());
            if *file == named { Ok(()) } else { Err(format!("the package is {named}")) }
        }
        // A commit of the clone that the page made before.
        ["git", "-C", "formwork", "checkout", _] => Ok(()),
        [script] => exists(script),
        _ => Err("nothing is known about this command".to_owned()),
    }
}

/// Returns the error in the options of a command of Cargo.
fn cargo(command: &str, words: &[&str], root: &Path) -> Result<(), String> {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("the manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let own = words.split(|word| *word == "--").next().unwrap_or_default();
    let (mut directory, mut example, mut at) = (root.to_owned(), None, own.iter());
    while let Some(word) = at.next() {
        let mut value = || at.next().copied().ok_or(format!("{word} has no value"));
        match *word {
            "--release" | "--workspace" | "--locked" => {}
            "-p" => directory = package(root, value()?).ok_or("the package does not exist")?,
            // A page that begins outside of the repository has cloned it.
            "--path" => directory = value().map(|path| root.join(path.strip_prefix("formwork/").unwrap_or(path)))?,
            "--example" => example = Some(value()?),
            "--profile" => {
                let name = value()?;
                let is_known = manifest.get("profile").and_then(|all| all.get(name)).is_some();
                is_known.then_some(()).ok_or(format!("the profile {name} does not exist"))?;
            }
            other => return Err(format!("nothing is known about {other} of cargo {command}")),
        }
    }
    let file = example.map_or("Cargo.toml".to_owned(), |name| format!("examples/{name}.rs"));
    let is_there = directory.join(&file).exists() || directory.join(file.replace(".rs", "/main.rs")).exists();
    is_there.then_some(()).ok_or(format!("{} does not exist", directory.join(file).display()))
}

/// Returns the directory of a package of the workspace.
fn package(root: &Path, name: &str) -> Option<std::path::PathBuf> {
    ["crates", ""].iter().map(|parent| root.join(parent)).find_map(|parent| {
        let all = std::fs::read_dir(parent).ok()?.filter_map(Result::ok);
        let is_named = |path: &std::path::PathBuf| {
            std::fs::read_to_string(path.join("Cargo.toml"))
                .is_ok_and(|text| text.contains(&format!("\nname = \"{name}\"\n")))
        };
        all.map(|entry| entry.path()).find(is_named)
    })
}

#[test]
fn commands_that_build_have_options_and_names_that_exist() {
    let blocks = skipped("build");
    assert!(blocks.len() > 5, "{} blocks", blocks.len());
    for Block { page, text } in blocks {
        for words in commands(&text) {
            if let Err(why) = wrong_with(&words) {
                panic!("{page}: {}: {why}", words.join(" "));
            }
        }
    }
}

#[test]
fn what_does_not_exist_is_noticed() {
    for (line, why) in [
        ("cargo xtask bensh", "unrecognized subcommand"),
        ("cargo xtask bench --peer", "unexpected argument"),
        ("cargo run --profile fast -- expand x.yaml", "the profile fast does not exist"),
        ("cargo run -p formwork-test --example memory", "the package does not exist"),
        ("cargo run -p formwork-tests --example memories", "does not exist"),
        ("cargo install --path crates/cli", "does not exist"),
        ("code --install-extension editors/vscode/formwork-9.vsix", "the package is"),
        ("editors/vscode/pack", "does not exist"),
    ] {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let wrong = wrong_with(&words).expect_err(line);
        assert!(wrong.contains(why), "{line}: {wrong}");
    }
}

/// The page on deployments installs the `LocalStack` that CI tests with.
#[test]
fn the_packages_of_localstack_are_those_of_ci() {
    let script = std::fs::read_to_string(repository().join(".ci/tools.sh")).expect("the script");
    let blocks = skipped("network");
    let block = blocks.iter().find(|block| block.text.contains("localstack")).expect("the block");
    let named: Vec<&str> = block.text.split('\'').skip(1).step_by(2).collect();
    assert!(named.len() > 4, "{named:?}");
    for requirement in named {
        assert!(script.contains(requirement), "{}: {requirement} is not what CI installs", block.page);
    }
}
