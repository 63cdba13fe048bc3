//! Both readers of YAML read every text alike (`properties::readers`): all files of the repository and of the shared
//! suites, mutants of them, and templates at random.
//!
//! `FORMWORK_MUTANTS` sets how many mutants there are, `FORMWORK_SEED` which ones, and `FORMWORK_READERS` names a
//! directory of further files.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use formwork_tests::generate::{Random, mutant};
use formwork_tests::project::{self, Shared};
use formwork_tests::properties::quiet::quiet;
use formwork_tests::properties::readers::readers;

/// A text and where it is from.
struct Text {
    name: String,
    text: String,
}

const MUTANTS: usize = 6000;

/// Contents of all files with these endings at or below a path; of pages, the fenced blocks.
fn texts(path: &Path, texts: &mut Vec<Text>) {
    if path.is_dir() {
        let mut inside: Vec<PathBuf> =
            std::fs::read_dir(path).expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
        inside.sort();
        for path in inside.iter().filter(|path| !path.ends_with("target")) {
            self::texts(path, texts);
        }
        return;
    }
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let name = path.display().to_string();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("yaml" | "yml" | "template" | "txt") => texts.push(Text { name, text }),
        Some("md") => {
            let blocks = text.split("\n```").skip(1).step_by(2).enumerate();
            texts.extend(blocks.map(|(at, block)| {
                let (language, body) = block.split_once('\n').unwrap_or(("", ""));
                Text { name: format!("{name}, block {at} {language}"), text: format!("{body}\n") }
            }));
        }
        _ => {}
    }
}

fn of_repository() -> Vec<Text> {
    let mut found = Vec::new();
    for directory in ["examples", "tests/fixtures", "docs", "crates"] {
        texts(&project::root().join(directory), &mut found);
    }
    if let Some(directory) = std::env::var_os("FORMWORK_READERS") {
        texts(Path::new(&directory), &mut found);
    }
    found
}

/// What is shared: suites, the cases of `yaml-test-suite` and real templates; nothing where it is missing.
fn of_shared() -> [Vec<Text>; 3] {
    let mut found = [const { Vec::new() }; 3];
    let Shared::At(folder) = project::conformance() else { return found };
    texts(&folder, &mut found[0]);
    let cases = std::fs::read(folder.join("yaml-test-suite/cases.json")).expect("the cases");
    let cases: serde_json::Value = serde_json::from_slice(&cases).expect("JSON");
    for case in cases["cases"].as_array().expect("cases") {
        let text = case["yaml"].as_str().expect("a text").to_owned();
        found[1].push(Text { name: format!("yaml-test-suite {}", case["id"]), text });
    }
    if let Shared::At(folder) = project::realworld() {
        texts(&folder, &mut found[2]);
    }
    found
}

/// How many of these files the reader for what people write reads.
fn count(what: &str, texts: &[Text]) -> usize {
    let mut count = 0;
    for Text { name, text } in texts {
        match readers(text) {
            Ok(is_common) => {
                count += usize::from(is_common);
                if !is_common && std::env::var_os("FORMWORK_READERS").is_some() {
                    eprintln!("read by the general reader: {name}");
                }
            }
            Err(wrong) => panic!("{name}: {wrong}"),
        }
    }
    eprintln!("{what}: {count} of {} files are common", texts.len());
    count
}

#[test]
fn all_files_are_read_alike() {
    // Beside templates, pages have commands and what these print: both readers read that alike, too.
    let is_of_yaml = |text: &Text| !text.name.contains(", block ") || text.name.contains(" yaml");
    let (own, others): (Vec<Text>, Vec<Text>) = of_repository().into_iter().partition(is_of_yaml);
    count("commands and outputs", &others);
    assert!(count("repository", &own) * 10 > own.len() * 6);
    let [suites, yaml, real] = of_shared();
    count("suites", &suites);
    count("yaml-test-suite", &yaml);
    let common = count("real templates", &real);
    assert!(common * 4 >= real.len() * 3, "{common} of {}", real.len());
}

#[test]
fn examples_are_read_by_the_reader_for_common_text() {
    let mut found = Vec::new();
    texts(&project::root().join("examples"), &mut found);
    found.retain(|text| text.name.ends_with("template.yaml"));
    assert!(!found.is_empty());
    assert_eq!(count("examples", &found), found.len());
}

#[test]
fn inputs_of_the_bench_are_read_by_the_reader_for_common_text() {
    let Shared::At(folder) = project::conformance() else { return };
    let inputs = tempfile::tempdir().expect("a directory");
    let mut command = Command::new("python3");
    command.arg(folder.join("../bench/generate.py")).args(["--size", "quick", "--out"]).arg(inputs.path());
    let is_generated = command.stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    if !is_generated {
        assert_eq!(project::is_demanded(), None, "the inputs of the bench could not be generated");
        eprintln!("inputs of the bench: SKIPPED, they could not be generated");
        return;
    }
    let mut found = Vec::new();
    texts(inputs.path(), &mut found);
    assert!(found.len() > 10, "only {} inputs", found.len());
    assert_eq!(count("inputs of the bench", &found), found.len());
}

#[test]
fn mutants_are_read_alike_and_reported() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let mut corpus = of_repository();
    corpus.extend(of_shared().into_iter().flatten());
    let mut random = Random::new(number("FORMWORK_SEED").unwrap_or(7) as u64);
    let (mut common, all) = (0, number("FORMWORK_MUTANTS").unwrap_or(MUTANTS));
    for _ in 0..all {
        let Text { name, text } = &corpus[random.below(corpus.len())];
        let text = mutant(text, &mut random);
        match readers(&text) {
            Ok(is_common) => common += usize::from(is_common),
            Err(wrong) => panic!("a mutant of {name}: {wrong}"),
        }
        if let Err(wrong) = quiet(&text) {
            panic!("a mutant of {name}: {wrong}");
        }
    }
    eprintln!("{common} of {all} mutants are common");
    assert!(common * 5 > all, "only {common} of {all} mutants are common");
}
