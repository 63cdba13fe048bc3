//! What is found outside of a loop is found inside of one (`formwork_tests::properties::found_in_loops`): in the examples of
//! the pages, in every mistake, and in templates at random.

use std::cell::Cell;

use formwork_syntax::value::Value;
use formwork_tests::generate::{self, Choices};
use formwork_tests::project;
use formwork_tests::properties::found_in_loops;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestCaseError, TestRunner};

/// The blocks of code of the pages in a directory.
fn templates(directory: &str) -> Vec<(String, String)> {
    let folder = project::root().join(directory);
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("a directory").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a page");
        for block in text.split("\n```").skip(1) {
            let Some((language, body)) = block.split_once('\n') else { continue };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if matches!(language.split(' ').next(), Some("yaml" | "json")) {
                found.push((name.into_owned(), format!("{body}\n")));
            }
        }
    }
    found
}

#[test]
fn what_pages_and_mistakes_have_is_found_in_loops() {
    for law in [found_in_loops::found_in_loops, found_in_loops::found_in_loops_of_modules] {
        let (mut count, mut wrong) = (0, Vec::new());
        for directory in ["crates/formwork-base/src/codes/pages", "tests/mistakes"] {
            for (name, text) in templates(directory) {
                match law(&text) {
                    Ok(found) => count += found,
                    Err(what) => wrong.push(format!("{name}: {what}")),
                }
            }
        }
        assert!(wrong.is_empty(), "{} templates\n{}", wrong.len(), wrong.join("\n\n"));
        assert!(count >= 150, "{count} findings");
    }
}

#[test]
fn what_pages_and_mistakes_have_counts_in_each_iteration() {
    let (mut count, mut wrong) = (0, Vec::new());
    for directory in ["crates/formwork-base/src/codes/pages", "tests/mistakes"] {
        for (name, text) in templates(directory) {
            match found_in_loops::counted_in_loops(&text) {
                Ok(found) => count += found,
                Err(what) => wrong.push(format!("{name}: {what}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} templates\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(count >= 30, "{count} findings");
}

#[test]
fn what_pages_and_mistakes_have_is_found_without_items() {
    let (mut count, mut wrong) = (0, Vec::new());
    for directory in ["crates/formwork-base/src/codes/pages", "tests/mistakes"] {
        for (name, text) in templates(directory) {
            match found_in_loops::found_without_items(&text) {
                Ok(found) => count += found,
                Err(what) => wrong.push(format!("{name}: {what}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} templates\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(count >= 100, "{count} findings");
}

/// Tries the law on templates at random, half of them in which something is found.
fn hold(make: impl Fn(&mut Choices<'_>) -> Value) {
    let mut config = Config { failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    config.rng_algorithm = RngAlgorithm::ChaCha;
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(0x0f0e_d5ea);
    }
    let (all, findings) = (Cell::new(0_usize), Cell::new(0_usize));
    let outcome = TestRunner::new(config).run(&vec(any::<u8>(), 0..400), |bytes| {
        let found = found_in_loops::found_in_loops(&generate::json(&make(&mut Choices::new(&bytes))))
            .map_err(TestCaseError::fail)?;
        all.set(all.get() + 1);
        findings.set(findings.get() + usize::from(found > 0));
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    assert!(findings.get() * 3 > all.get(), "of {} templates {} have findings", all.get(), findings.get());
}

fn slips(choices: &mut Choices<'_>) -> Value {
    let template = generate::template(choices);
    generate::text_slips(template, choices)
}

fn faults(choices: &mut Choices<'_>) -> Value {
    let template = generate::template(choices);
    generate::errors(template, choices)
}

#[test]
fn slips_in_strings_at_random_are_found_in_loops() {
    hold(slips);
}

#[test]
fn faults_at_random_are_found_in_loops() {
    hold(faults);
}
