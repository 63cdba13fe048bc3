//! Advice is right (`formwork_tests::properties::advice`): in the examples of the pages and of the language, in every
//! case of the fixtures, and in templates at random (`PROPTEST_CASES` changes their number).

use std::cell::Cell;
use std::path::{Path, PathBuf};

use formwork::Options;
use formwork_syntax::value::Value;
use formwork_tests::generate::{self, Choices};
use formwork_tests::project;
use formwork_tests::properties::{Verdict, advice, broken, entries, once, wording};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestCaseError, TestRunner};

fn both(text: &str) -> Verdict {
    once::once(text)?;
    wording::is_worded(text)?;
    advice::works(text, &Options::default())?;
    advice::is_meant(text)
}

fn hold(make: impl Fn(&mut Choices<'_>) -> String) {
    hold_for(|choices| both(&make(choices)));
}

fn hold_for(law: impl Fn(&mut Choices<'_>) -> Verdict) {
    let mut config = Config { failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    config.rng_algorithm = RngAlgorithm::ChaCha;
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(0x0f0e_d5ea);
    }
    let mut runner = TestRunner::new(config);
    let outcome =
        runner.run(&vec(any::<u8>(), 0..400), |bytes| law(&mut Choices::new(&bytes)).map_err(TestCaseError::fail));
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn placeholders_at_random_get_advice_that_works() {
    hold(generate::placeholders);
}

#[test]
fn templates_at_random_get_advice_that_works() {
    hold(|choices| {
        let template = generate::template(choices);
        generate::yaml(&template, choices)
    });
    hold(|choices| generate::json(&generate::template(choices)));
}

#[test]
fn broken_templates_at_random_get_advice_that_works() {
    hold(|choices| {
        let template = generate::template(choices);
        let template = generate::errors(template, choices);
        generate::yaml(&template, choices)
    });
    hold(|choices| {
        let template = generate::template(choices);
        generate::json(&generate::errors(template, choices))
    });
}

/// Names with a letter wrong, in the quotes of each language.
#[test]
fn fixes_keep_the_quotes_of_the_text() {
    let plain = r#"{"Parameters": {"Env": {"Type": "Strin", "Defalt": "a"}},
  "Conditions": {"IsProd": {"Fn::Equals": [{"Ref": "Env"}, "a"]}},
  "Resources": {
    "Topic": {"Type": "AWS::SNS::Topic", "Propertis": {}, "DeletionPolicy": "retain", "UpdateReplacePolicy": "x"},
    "Queue-1": {"Type": "AWS::SQS::Queue", "Condition": "IsPro", "Properties": {"A": {"Ref": "Topi"}}}
  },
  "Rules": {"R": {"Assertions": [{"Assert": true, "AssertDescriptio": "x"}]}},
  "Outputz": {}}
"#;
    for text in [plain.to_owned(), plain.replace('"', "'").replacen('{', "# YAML\n{", 1), format!("# YAML\n{plain}")] {
        let result = advice::fixes(&text);
        assert!(result.len() >= 8, "{result:?}");
        both(&text).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn every_example_gets_advice_that_works() {
    let mut texts = Vec::new();
    for folder in ["docs", "tests/fixtures", "examples"] {
        collect(&project::root().join(folder), &mut texts);
    }
    assert!(texts.len() > 300, "there are {} examples only", texts.len());
    let wrong: Vec<String> =
        texts.iter().filter_map(|(path, text)| Some(format!("{}: {}", path.display(), both(text).err()?))).collect();
    assert!(wrong.is_empty(), "{} examples\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn a_syntax_error_in_an_example_adds_no_other_problem() {
    let mut texts = Vec::new();
    for folder in ["docs", "tests/fixtures", "examples"] {
        collect(&project::root().join(folder), &mut texts);
    }
    let (mut count, mut wrong) = (0, Vec::new());
    for (path, text) in &texts {
        match broken::adds_nothing(text) {
            Ok(known) => count += known.unwrap_or_default(),
            Err(what) => wrong.push(format!("{}: {what}", path.display())),
        }
    }
    assert!(wrong.is_empty(), "{} examples\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(count >= 50, "{count} problems are reported beside a syntax error: the law has become blind");
}

#[test]
fn a_mistake_is_one_error() {
    are_single_errors(&broken::IN_YAML, generate::yaml);
}

#[test]
fn a_mistake_in_json_is_one_error() {
    are_single_errors(&broken::IN_JSON, |template, _| generate::json(template));
}

fn are_single_errors(mistakes: &[usize], write: impl Fn(&Value, &mut Choices<'_>) -> String) {
    let counts = vec![Cell::new(0); mistakes.len()];
    hold_for(|choices| {
        let mistake = choices.below(mistakes.len());
        let place = choices.below(256) * 256 + choices.below(256);
        let template = generate::template(choices);
        let is_error = broken::is_one_error(&write(&template, choices), mistakes[mistake], place)?;
        counts[mistake].set(counts[mistake].get() + usize::from(is_error));
        Ok(())
    });
    assert!(counts.iter().all(|count| count.get() >= 5), "the law has become blind: {counts:?}");
}

#[test]
fn a_mistake_does_not_hide_the_problems_of_other_entries() {
    let (mut count, mut hidden, mut added) = (0, Vec::new(), Vec::new());
    for case in entries::cases() {
        for mistake in 0..entries::MISTAKES {
            for text in entries::broken(&case, mistake) {
                let told = || format!("mistake {mistake}, {}\n{text}", case.name);
                match entries::outcome(&case, &text) {
                    entries::Outcome::NoError => continue,
                    entries::Outcome::Seen => {}
                    entries::Outcome::Hidden => hidden.push(told()),
                    entries::Outcome::Added(what) => added.push(format!("{what}\n{}", told())),
                }
                count += 1;
            }
        }
    }
    let wrong = [added.as_slice(), &hidden].concat().join("\n\n");
    assert!(added.is_empty(), "{} of {count} mistakes add a problem, {} hide one\n{wrong}", added.len(), hidden.len());
    assert!(count > 3000, "the law has become blind: {count}");
    assert!(hidden.len() * 20 <= count, "{} of {count} mistakes hide one\n{wrong}", hidden.len());
}

/// How many helps of the examples are code that the law applies: fewer would mean that the law has become blind.
#[test]
fn the_examples_have_code_to_apply() {
    let mut texts = Vec::new();
    collect(&project::root().join("tests/fixtures"), &mut texts);
    let applied: usize = texts.iter().map(|(_, text)| advice::applied(text).len()).sum();
    assert!(applied >= 100, "{applied} helps are applied");
}

/// The templates in a directory, and those in the blocks of its Markdown files.
fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).expect("a directory") {
        let path = entry.expect("an entry").path();
        // Schemas are not templates.
        if path.ends_with("docs/schemas") {
            continue;
        }
        if path.is_dir() {
            collect(&path, found);
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("md") => found.extend(blocks(&text).map(|block| (path.clone(), block))),
            Some("yaml" | "json") => found.push((path, text)),
            _ => {}
        }
    }
}

fn blocks(text: &str) -> impl Iterator<Item = String> {
    text.split("\n```").filter_map(|block| {
        let (language, body) = block.split_once('\n')?;
        let language = language.split(' ').next()?;
        let is_template = ["yaml", "json"].contains(&language) && body.contains("Resources");
        is_template.then(|| format!("{body}\n"))
    })
}
