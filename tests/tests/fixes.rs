//! Fixes are right (`formwork_tests::properties::fixes`): in the examples of the pages and of the language, and in
//! templates at random.

use std::cell::Cell;
use std::path::Path;

use formwork::{MemoryHost, Options, Session, VirtualPath};
use formwork_tests::generate::{self, Choices};
use formwork_tests::project;
use formwork_tests::properties::fixes;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestCaseError, TestRunner};

/// Tries the law on so many templates; returns how many fixes were applied.
fn hold(cases: u32, make: impl Fn(&mut Choices<'_>) -> String) -> usize {
    let mut config = Config { failure_persistence: None, max_shrink_iters: 2_000, cases, ..Config::default() };
    (config.rng_algorithm, config.rng_seed) = (RngAlgorithm::ChaCha, RngSeed::Fixed(0x0f0e_d5ea));
    let applied = Cell::new(0);
    let outcome = TestRunner::new(config).run(&vec(any::<u8>(), 0..400), |bytes| {
        let text = make(&mut Choices::new(&bytes));
        let outcome = fixes::fixes(&text, &Options::default()).map_err(TestCaseError::fail)?;
        applied.set(applied.get() + outcome.applied);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    applied.get()
}

#[test]
fn fixes_of_templates_at_random_hold() {
    let yaml = hold(500, |choices| {
        let template = generate::template(choices);
        let template = generate::errors(template, choices);
        generate::yaml(&template, choices)
    });
    let json = hold(500, |choices| {
        let template = generate::template(choices);
        generate::json(&generate::errors(template, choices))
    });
    assert!(yaml >= 20 && json >= 20, "{yaml} and {json} fixes are applied: the law has become blind");
}

#[test]
fn fixes_of_the_pages_hold() {
    let mut applied = 0;
    let folder = project::root().join("crates/formwork-base/src/codes/pages");
    let mut names: Vec<_> = std::fs::read_dir(folder).expect("pages").flatten().map(|entry| entry.path()).collect();
    names.sort();
    for path in names {
        for text in examples(&path) {
            match fixes::fixes(&text, &Options::default()) {
                Ok(outcome) => applied += outcome.applied,
                Err(fault) => panic!("{}: {fault}", path.display()),
            }
        }
    }
    assert!(applied >= 10, "{applied} fixes are applied");
}

/// The template with its fixes applied under `--strict`, beside a module that has outputs.
fn fixed_beside_module(text: &str) -> String {
    const MODULE: &str = "Resources:\n  Queue: {Type: AWS::SQS::Queue}\nOutputs:\n  Url: {Value: !Ref Queue}\n  Arn: {Value: !GetAtt Queue.Arn}\n";
    let host = MemoryHost::new().with("queue.yaml", MODULE);
    let path = VirtualPath::new("template.yaml");
    let session = Session::new(&host, Options { strict: true, ..Options::default() });
    session.set_file(&path, text.as_bytes().to_vec());
    session.analyze(&path).fix(false).after
}

#[test]
fn references_by_full_id_become_references_to_outputs_in_the_spelling_of_the_template() {
    let head = "Modules: {Net: {Source: queue.yaml}}\nOutputs:\n";
    for (written, fixed) in [
        ("!Ref NetQueue", "!GetAtt Net.Url"),
        ("{Ref: NetQueue}", r#"{"Fn::GetAtt": ["Net", "Url"]}"#),
        ("!GetAtt NetQueue.Arn", "!GetAtt Net.Arn"),
        ("!GetAtt 'NetQueue.Arn'", "!GetAtt 'Net.Arn'"),
        ("!GetAtt [NetQueue, Arn]", "!GetAtt [Net, Arn]"),
        (r#"{"Fn::GetAtt": ["NetQueue", "Arn"]}"#, r#"{"Fn::GetAtt": ["Net", "Arn"]}"#),
        ("{'Fn::Sub': 'a ${NetQueue.Arn} ${NetQueue}'}", "{'Fn::Sub': 'a ${Net.Arn} ${Net.Url}'}"),
        ("!Sub '${NetQueue} ${!NetQueue} ${NetQueue}'", "!Sub '${Net.Url} ${!NetQueue} ${Net.Url}'"),
    ] {
        let after = fixed_beside_module(&format!("{head}  Out: {{Value: {written}}}\n"));
        assert_eq!(after, format!("{head}  Out: {{Value: {fixed}}}\n"));
    }
    let json = |value: &str| {
        format!(r#"{{"Modules": {{"Net": {{"Source": "queue.yaml"}}}}, "Outputs": {{"Out": {{"Value": {value}}}}}}}"#)
    };
    let after = fixed_beside_module(&json(r#"{"Ref": "NetQueue"}"#));
    assert_eq!(after, json(r#"{"Fn::GetAtt": ["Net", "Url"]}"#));
    let block = "Modules: {Net: {Source: queue.yaml}}\nOutputs:\n  Out:\n    Value:\n      ";
    assert_eq!(fixed_beside_module(&format!("{block}Ref: NetQueue\n")), format!("{block}Fn::GetAtt: Net.Url\n"));
}

/// The templates in the blocks of a page.
fn examples(path: &Path) -> Vec<String> {
    let page = std::fs::read_to_string(path).expect("a page");
    let blocks = page.split("\n```yaml").skip(1).filter_map(|block| block.split_once('\n'));
    blocks.filter_map(|(_, text)| Some(text.split_once("```")?.0.to_owned())).collect()
}
