//! Hostile input and small stacks: everything ends with an answer, in bounded memory, and no depth of
//! input needs depth of stack beyond what the limits allow.
#![allow(clippy::disallowed_methods, reason = "a stack of a chosen size needs a thread")]
#![allow(clippy::print_stderr, reason = "what is skipped is said")]

use formwork::{Code, Options, Stage, Values, codes};
use formwork_tests::laws::compile;
use formwork_tests::project::{self, Shared};

/// The smallest stack of a thread that programs which embed the library are known to give.
const STACK: usize = 256 * 1024;

fn on_small_stack<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("the stack is deep enough")
}

fn errors(text: &str, stage: Stage, options: &Options) -> Vec<Code> {
    let result = compile(text, options, stage);
    let all = result.diagnostics().iter().filter(|found| found.severity == formwork::Severity::Error);
    all.map(|found| found.code).collect()
}

fn not_previous(at: usize) -> String {
    format!("  C{at}: !Not [!Condition C{}]\n", at - 1)
}

/// A template whose conditions each need the one before.
fn chain(length: usize) -> String {
    let mut text = String::from("Transform: AWS::LanguageExtensions\nConditions:\n  C0: !Equals [a, a]\n");
    for at in 1..length {
        text += &not_previous(at);
    }
    text + &format!("Resources:\n  T:\n    Type: AWS::SNS::Topic\n    Condition: C{}\n", length - 1)
}

/// An object, list or call inside another.
fn nested(open: &str, close: &str, depth: usize) -> String {
    let value = format!("{}x{}", open.repeat(depth), close.repeat(depth));
    format!("Resources: {{T: {{Type: 'AWS::SNS::Topic', Properties: {{V: {value}}}}}}}\n")
}

#[test]
fn a_chain_of_ten_thousand_conditions() {
    on_small_stack(|| {
        let text = chain(10_000);
        for (stage, values) in
            [(Stage::Expand, Values::Keep), (Stage::Expand, Values::All), (Stage::Resolve, Values::Keep)]
        {
            let options = Options { values, ..Options::default() };
            assert_eq!(errors(&text, stage, &options), []);
        }
        // C9999 negates true an odd number of times.
        let resolved = compile(&text, &Options::default(), Stage::Resolve).to_string(None);
        assert!(!resolved.contains("T:"), "{}", &resolved[resolved.len() - 200..]);
    });
}

#[test]
fn deep_as_the_limit_and_deeper() {
    on_small_stack(|| {
        for (open, close) in [("[", "]"), ("{a: ", "}"), ("{'Fn::Join': ['', [", "]]}"), ("{'Fn::Merge': [", "]}")] {
            for depth in [30, 60, 190, 10_000] {
                for stage in [Stage::Expand, Stage::Resolve, Stage::Check] {
                    let found = errors(&nested(open, close, depth), stage, &Options::default());
                    assert!(depth < 10_000 || found == [codes::LIMIT], "{open} {depth}: {found:?}");
                }
            }
        }
    });
}

#[test]
fn texts_that_are_read_again_end() {
    for line in ["- 'x'#\n", "- 'x\ny'\n", "- ['x\n\ty']#\n"] {
        let found = errors(&line.repeat(40_000), Stage::Expand, &Options::default());
        assert!(!found.is_empty(), "{line:?}");
    }
    let few = format!(
        "Resources:\n  T:\n    Type: AWS::SNS::Topic\n    Properties:\n{}",
        "      A: 'x\ny'#c\n".replace('A', "A1")
    );
    assert_eq!(errors(&few, Stage::Expand, &Options::default()), []);
}

#[test]
fn shared_cases_on_a_small_stack() {
    let folder = match project::conformance() {
        Shared::At(folder) => folder,
        Shared::Skipped(text) => return eprintln!("{text}"),
        Shared::Missing(text) => panic!("{text}"),
    };
    on_small_stack(move || {
        let mut count = 0;
        for name in ["expand", "language-extensions", "map-and-merge"] {
            let suite = folder.join(name);
            for entry in std::fs::read_dir(suite.join("templates")).into_iter().flatten().flatten() {
                let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
                for stage in [Stage::Expand, Stage::Resolve, Stage::Check] {
                    compile(&text, &Options::default(), stage);
                    count += 1;
                }
            }
        }
        assert!(count > 100, "{count} runs");
    });
}

#[test]
fn texts_that_grow_are_refused_before_they_are_made() {
    let placeholders = |name: &str| format!("${{{name}}}").repeat(300);
    let mut text = String::from("Transform: AWS::LanguageExtensions\nResources:\n");
    for (depth, name) in ["A", "B", "C", "D", "E"].into_iter().enumerate() {
        let indent = " ".repeat(2 + depth * 6);
        text += &indent;
        let items = match depth {
            0 => "[xxxxxxxxxx]".to_owned(),
            _ => format!("[!Sub \"{}\"]", placeholders(["A", "B", "C", "D"][depth - 1])),
        };
        text += &[
            "Fn::ForEach::L",
            name,
            ":\n",
            &indent,
            "  - ",
            name,
            "\n",
            &indent,
            "  - ",
            &items,
            "\n",
            &indent,
            "  -\n",
        ]
        .concat();
    }
    text += &" ".repeat(32);
    text += "R: {Type: AWS::SNS::Topic}\n";
    assert_eq!(errors(&text, Stage::Expand, &Options::default()), [codes::LIMIT]);
    let key = format!(
        "{{\"Transform\": \"AWS::LanguageExtensions\", \"Resources\": {{\"Fn::ForEach::L\": [\"A\", [\"{}\"], {{\"{}\": {{}}}}]}}}}",
        "x".repeat(200_000),
        placeholders("A").repeat(60)
    );
    assert_eq!(errors(&key, Stage::Expand, &Options::default()), [codes::LIMIT]);
}

#[test]
fn loops_without_end_are_refused_before_they_run() {
    let range =
        "Resources: {'Fn::Map': {Collection: !Range [1000000000], Key: 'Q${Value}', Fragment: {Type: 'A::B::C'}}}\n";
    assert_eq!(errors(range, Stage::Expand, &Options::default()), [codes::FUNCTION_LAYOUT]);
    let mut product = String::from("x");
    for name in ["A", "B", "C"] {
        product = format!("!Map {{Index: I{name}, Value: {name}, Collection: !Range [10000], Fragment: {product}}}");
    }
    let product = format!("Resources: {{T: {{Type: 'A::B::C', Properties: {{V: {product}}}}}}}\n");
    assert_eq!(errors(&product, Stage::Expand, &Options::default()), [codes::LIMIT]);
    // Each collection has the items of the one around it a thousand times.
    let mut growing = String::from("x");
    let names = ["A", "B", "C", "D"];
    for (at, name) in names.into_iter().enumerate().rev() {
        let items = match at {
            0 => "[a]".to_owned(),
            at => format!("!Split [',', !Join [',', [{}]]]", vec![format!("!Ref {}", names[at - 1]); 1000].join(", ")),
        };
        growing = format!("!Map {{Index: I{name}, Value: {name}, Collection: {items}, Fragment: {growing}}}");
    }
    let growing = format!("Resources: {{T: {{Type: 'A::B::C', Properties: {{V: {growing}}}}}}}\n");
    assert_eq!(errors(&growing, Stage::Expand, &Options::default()), [codes::LIMIT]);
}
