//! Hostile input and small stacks: everything ends with an answer, in bounded memory, and no depth of
//! input needs depth of stack beyond what the limits allow.
//!
//! Holds reference/reading.md#limits.

use std::sync::Arc;

use formwork::solve::Found;
use formwork::{Code, Compilation, Goal, Limits, MemoryHost, Options, PseudoParameter, Session, Values, codes};
use formwork_tests::project::{self, Shared};
use formwork_tests::properties::compile;

/// The smallest stack of a thread that programs which embed the library are known to have.
const STACK: usize = 256 * 1024;

fn on_small_stack<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("the stack is deep enough")
}

fn errors(text: &str, stage: Goal, options: &Options) -> Vec<Code> {
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
fn white_space_that_a_loop_would_multiply() {
    let items: Vec<String> = (0..10_000).map(|at| format!("a{at}")).collect();
    let (list, indent) = (items.join(", "), " ".repeat(10_000));
    let head = "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - N\n    - [";
    for gap in [format!("\n{indent}"), "\n".repeat(10_000) + &" ".repeat(10), format!("{indent}\n{}", " ".repeat(10))] {
        let text = format!("{head}{list}]\n    - T${{N}}:{gap}Type: AWS::SNS::Topic\n");
        let map = format!(
            "Resources:\n  Fn::Map:\n    Value: N\n    Collection: [{list}]\n    Key: T${{N}}\n    Fragment:{gap}Type: AWS::SNS::Topic\n"
        );
        for text in [text, map] {
            for goal in [Goal::Check, Goal::Expand] {
                assert_eq!(errors(&text, goal, &Options::default()), [codes::LIMIT], "{goal:?}");
            }
            let few = text.replace(&list, "a, b");
            assert_eq!(errors(&few, Goal::Expand, &Options::default()), []);
        }
    }
}

#[test]
fn a_chain_of_ten_thousand_conditions() {
    on_small_stack(|| {
        let text = chain(10_000);
        for (stage, values) in
            [(Goal::Expand, Values::Keep), (Goal::Expand, Values::All), (Goal::Resolve, Values::Keep)]
        {
            let options = Options { values, ..Options::default() };
            assert_eq!(errors(&text, stage, &options), []);
        }
        // C9999 negates true an odd number of times.
        let resolved = compile(&text, &Options::default(), Goal::Resolve).output().expect("no errors").render(None);
        assert!(!resolved.contains("T:"), "{}", &resolved[resolved.len() - 200..]);
    });
}

#[test]
fn deep_as_the_limit_and_deeper() {
    on_small_stack(|| {
        for (open, close) in [("[", "]"), ("{a: ", "}"), ("{'Fn::Join': ['', [", "]]}"), ("{'Fn::Merge': [", "]}")] {
            for depth in [30, 60, 190, 10_000] {
                for stage in [Goal::Expand, Goal::Resolve, Goal::Check] {
                    let found = errors(&nested(open, close, depth), stage, &Options::default());
                    assert!(depth < 10_000 || found == [codes::LIMIT], "{open} {depth}: {found:?}");
                }
            }
        }
    });
}

/// Constants of which each holds the one before in this way.
fn constants_in_each_other((open, close): (&str, &str), first: &str) -> String {
    let mut text = format!("Constants:\n  C0: {first}\n");
    for at in 1..3000 {
        text += &["  C", &at.to_string(), ": ", open, &format!("!Ref Const::C{}", at - 1), close, "\n"].concat();
    }
    text
}

#[test]
fn constants_that_hold_each_other_are_as_deep_as_the_limit() {
    on_small_stack(|| {
        for around in [
            ("[", "]"),
            ("{a: ", "}"),
            ("!Join ['', [a, ", "]]"),
            ("!Sub ['${A}', {A: ", "}]"),
            ("!Select [0, [", ", a]]"),
            ("!If [C, ", ", a]"),
            ("{'Fn::Base64': ", "}"),
        ] {
            let constants = constants_in_each_other(around, "!Ref AWS::Region");
            let text = format!(
                "{constants}Conditions: {{C: !Equals [!Ref AWS::Region, a]}}\nResources:\n  T: {{Type: AWS::SNS::Topic, Metadata: {{V: !Ref Const::C2999}}}}\n"
            );
            let root = "Modules: {M: {Source: m.yaml}}\nResources: {T: {Type: AWS::SNS::Topic}}\n";
            for stage in [Goal::Expand, Goal::Resolve, Goal::Check] {
                assert_eq!(errors(&text, stage, &Options::default()), [codes::MODULE_LIMIT], "{around:?}");
                let host = MemoryHost::new().with("t.yaml", root).with("m.yaml", text.clone());
                assert_eq!(included(&host, stage).1, [codes::MODULE_LIMIT], "{around:?} in a module");
            }
        }
    });
}

#[test]
fn conditions_in_constants_that_hold_each_other_end() {
    on_small_stack(|| {
        let constants = constants_in_each_other(("!Not [", "]"), "!Equals [!Ref AWS::Region, a]");
        let text = format!(
            "{constants}Conditions: {{C: !Ref Const::C2999}}\nResources: {{T: {{Type: AWS::SNS::Topic, Condition: C}}}}\n"
        );
        let root = "Modules: {M: {Source: m.yaml}}\nResources: {T: {Type: AWS::SNS::Topic}}\n";
        for stage in [Goal::Expand, Goal::Resolve, Goal::Check] {
            let host = MemoryHost::new().with("t.yaml", root).with("m.yaml", text.clone());
            assert_eq!(included(&host, stage).1, [codes::MODULE_LIMIT]);
        }
    });
}

#[test]
fn texts_that_are_read_again_end() {
    for line in ["- 'x'#\n", "- 'x\ny'\n", "- ['x\n\ty']#\n"] {
        let found = errors(&line.repeat(40_000), Goal::Expand, &Options::default());
        assert!(!found.is_empty(), "{line:?}");
    }
    let few = format!(
        "Resources:\n  T:\n    Type: AWS::SNS::Topic\n    Properties:\n{}",
        "      A: 'x\ny'#c\n".replace('A', "A1")
    );
    assert_eq!(errors(&few, Goal::Expand, &Options::default()), []);
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
                for stage in [Goal::Expand, Goal::Resolve, Goal::Check] {
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
    assert_eq!(errors(&text, Goal::Expand, &Options::default()), [codes::LIMIT]);
    let key = format!(
        "{{\"Transform\": \"AWS::LanguageExtensions\", \"Resources\": {{\"Fn::ForEach::L\": [\"A\", [\"{}\"], {{\"{}\": {{}}}}]}}}}",
        "x".repeat(200_000),
        placeholders("A").repeat(60)
    );
    assert_eq!(errors(&key, Goal::Expand, &Options::default()), [codes::LIMIT]);
}

#[test]
fn loops_without_end_are_refused_before_they_run() {
    let range =
        "Resources: {'Fn::Map': {Collection: !Range [1000000000], Key: 'Q${Value}', Fragment: {Type: 'A::B::C'}}}\n";
    assert_eq!(errors(range, Goal::Expand, &Options::default()), [codes::FUNCTION_LAYOUT]);
    let mut product = String::from("x");
    for name in ["A", "B", "C"] {
        product = format!("!Map {{Index: I{name}, Value: {name}, Collection: !Range [10000], Fragment: {product}}}");
    }
    let product = format!("Resources: {{T: {{Type: 'A::B::C', Properties: {{V: {product}}}}}}}\n");
    assert_eq!(errors(&product, Goal::Expand, &Options::default()), [codes::LIMIT]);
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
    assert_eq!(errors(&growing, Goal::Expand, &Options::default()), [codes::LIMIT]);
}

/// A list of so many short elements, in flow style.
fn long_list(count: usize) -> String {
    format!("[{}]", vec!["x"; count].join(","))
}

/// Resources, each of whose properties have this value.
fn many_values(count: usize, value: &str) -> String {
    let mut text = String::from("Resources:\n  T:\n    Type: A::B::C\n    Properties:\n      V:\n");
    text.extend(std::iter::repeat_n(format!("        - {value}\n"), count));
    text
}

#[test]
fn calls_that_fail_or_wait_in_each_other_are_evaluated_once() {
    let head =
        "Transform: AWS::LanguageExtensions\nParameters: {P: {Type: String}}\nConditions: {C: !Equals [!Ref P, a]}\n";
    let levels = [
        ("{'Fn::Select': [5, [", "]]}"),
        ("{'Fn::Select': [1, [{'Fn::If': [C, !Ref AWS::NoValue, ", "]}, a, b]]}"),
        ("{'Fn::Length': [{'Fn::If': [C, !Ref AWS::NoValue, ", "]}]}"),
    ];
    for (open, close) in levels {
        let value = format!("{}x{}", open.repeat(24), close.repeat(24));
        let text = format!("{head}Resources: {{T: {{Type: A::B::C, Condition: C, Properties: {{V: {value}}}}}}}\n");
        for values in [Values::Keep, Values::All] {
            assert_eq!(errors(&text, Goal::Expand, &Options { values, ..Options::default() }), [], "{open}");
        }
    }
}

/// Whether values passed to a run stay references.
fn stage_keeps(stage: Goal) -> bool {
    matches!(stage, Goal::Expand | Goal::Package)
}

#[test]
fn shared_values_count_wherever_they_are_written() {
    use std::fmt::Write as _;
    const HEAD: &str = "Transform: AWS::LanguageExtensions\n";
    let long = "x".repeat(64 << 10);
    let aliased = format!("Metadata: &a {long}\n{}", many_values(20_000, "*a"));
    let mapped = |value: &str| {
        let look_up = "!FindInMap [M, !Ref AWS::Region, V, {DefaultValue: a}]";
        format!("{HEAD}Mappings: {{M: {{r: {{V: {value}}}}}}}\n{}", many_values(20_000, look_up))
    };
    let constants = |value: &str| format!("Constants: {{Big: {value}}}\n{}", many_values(10_000, "!Ref Const::Big"));
    let mut nested = String::from("Constants:\n  C0: [x]\n");
    for at in 1..100 {
        let reference = format!("!Ref Const::C{}", at - 1);
        let _ = writeln!(nested, "  C{at}: [{reference}, {reference}]");
    }
    nested += "Resources: {T: {Type: A::B::C, Properties: {V: !Ref Const::C99}}}\n";
    let parameter = format!(
        "{HEAD}Parameters: {{P: {{Type: CommaDelimitedList, Default: '{}'}}}}\n{}",
        vec!["x"; 20_000].join(","),
        many_values(20_000, "!Ref P")
    );
    let looped = format!(
        "{HEAD}Resources:\n  Fn::ForEach::L:\n    - X\n    - !Split [',', '{}']\n    - R${{X}}: {{Type: A::B::C, Properties: {{V: {long}}}}}\n",
        (0..20_000).map(|at| at.to_string()).collect::<Vec<_>>().join(",")
    );
    let split = format!("{HEAD}{}", many_values(2_000, &format!("!Split [',', '{}']", ",".repeat(3_000))));
    let region = (PseudoParameter::Region, "r".to_owned());
    for (name, text) in [
        ("an alias", aliased),
        ("a map entry", mapped(&long)),
        ("a list of a map", mapped(&long_list(20_000))),
        ("a constant", constants(&long)),
        ("a list as a constant", constants(&long_list(20_000))),
        ("constants of constants", nested),
        ("a list parameter", parameter),
        ("the body of a loop", looped),
        ("lists of a function", split),
    ] {
        for stage in [Goal::Expand, Goal::Resolve, Goal::Check, Goal::Package] {
            for values in [Values::Keep, Values::Pin, Values::All] {
                let options = Options { values, pseudo: vec![region.clone()], ..Options::default() };
                let found = errors(&text, stage, &options);
                let is_refused = found.contains(&codes::LIMIT);
                // What stays a call is not written out.
                let is_plain = ["a list parameter", "lists of a function"].contains(&name);
                let may_stay = stage_keeps(stage)
                    && (values == Values::Keep && name.contains("map") || is_plain && values != Values::All);
                assert!(is_refused || may_stay && found.is_empty(), "{name} {stage:?} {values:?}: {found:?}");
            }
        }
    }
}

#[test]
fn a_search_for_values_ends() {
    use std::fmt::Write as _;
    // Sixty parameters of ten values each, all different: there are no such values.
    let mut text = String::from("Parameters:\n");
    for at in 0..60 {
        let _ = writeln!(text, "  P{at}: {{Type: String, AllowedValues: [a, b, c, d, e, f, g, h, i, j]}}");
    }
    let pairs = (0..60).flat_map(|one| (0..one).map(move |other| (other, one)));
    let differ = |(one, other)| format!("!Not [!Equals [!Ref P{one}, !Ref P{other}]]");
    let mut in_one = format!("{text}Rules:\n  R:\n    Assertions:\n");
    let mut in_many = format!("{text}Rules:\n");
    for (at, pair) in pairs.enumerate() {
        let _ = writeln!(in_one, "      - Assert: {}", differ(pair));
        let _ = writeln!(in_many, "  R{at}: {{Assertions: [{{Assert: {}}}]}}", differ(pair));
    }
    for text in [in_one, in_many] {
        let text = format!("{text}Resources: {{T: {{Type: A::B::C}}}}\n");
        let compiled = compile(&text, &Options::default(), Goal::Solve);
        let solution = compiled.solve(None).expect("rules").expect("all of them");
        assert_eq!(solution.all, Some(Found::GivenUp));
        let last = solution.rules.last().expect("a rule");
        assert!(matches!(last.violated, Found::Values(..)), "{:?}", last.violated);
    }
}

/// An `Fn::Transform` that includes a file.
fn include(file: &str) -> String {
    format!("Fn::Transform: {{Name: AWS::Include, Parameters: {{Location: {file}}}}}")
}

/// Compiles `t.yaml` of a host and returns the codes of its errors.
fn included(host: &MemoryHost, stage: Goal) -> (Arc<Compilation>, Vec<Code>) {
    let result = Session::new(host, Options::default()).compile("t.yaml", stage);
    let found = result.diagnostics().iter().filter(|found| found.severity == formwork::Severity::Error);
    let found = found.map(|found| found.code).collect();
    (result, found)
}

/// Files of which each includes the next one in this way; the last one is `end`.
fn include_chain(length: usize, link: impl Fn(usize, &str) -> String, end: &str) -> MemoryHost {
    let host = MemoryHost::new().with("t.yaml", format!("Resources:\n  {}\n", include("0.yaml")));
    let host = (1..length)
        .fold(host, |host, at| host.with(&format!("{}.yaml", at - 1), link(at, &include(&format!("{at}.yaml")))));
    host.with(&format!("{}.yaml", length - 1), end)
}

const STAGES: [Goal; 3] = [Goal::Expand, Goal::Check, Goal::Package];

#[test]
fn a_chain_of_thousands_of_includes() {
    on_small_stack(|| {
        // Beside other keys: the content grows file by file.
        let beside = |at: usize, next: &str| format!("A{at}: {{Type: AWS::SNS::Topic}}\n{next}\n");
        let end = "End: {Type: AWS::SNS::Topic}\n";
        let host = include_chain(300, beside, end);
        let (result, found) = included(&host, Goal::Expand);
        assert_eq!(found, []);
        let text = result.output().expect("no errors").render(None);
        assert!(text.contains("A299:") && text.contains("End:"), "{text}");
        for stage in STAGES {
            assert_eq!(included(&include_chain(6_000, beside, end), stage).1, [codes::LIMIT]);
            // In the place of a value: the content is nested ever deeper.
            let below = |_: usize, next: &str| format!("A: {{{next}}}\n");
            assert_eq!(included(&include_chain(6_000, below, "x: y"), stage).1, [codes::LIMIT]);
            // Nothing but the next one: nothing grows.
            let alone = |_: usize, next: &str| format!("{next}\n");
            assert_eq!(included(&include_chain(6_000, alone, end), stage).1, []);
            assert_eq!(included(&include_chain(10_100, alone, end), stage).1.first(), Some(&codes::LIMIT));
        }
    });
}

#[test]
fn includes_that_double_are_refused_before_they_are_made() {
    on_small_stack(|| {
        let twice = |_: usize, next: &str| format!("A: {{{next}}}\nB: {{{next}}}\n");
        for stage in STAGES {
            assert_eq!(included(&include_chain(20, twice, "x: y"), stage).1, [codes::LIMIT]);
            assert_eq!(included(&include_chain(60, twice, "x: y"), stage).1, [codes::LIMIT]);
        }
        let (result, found) = included(&include_chain(11, twice, "x: y"), Goal::Expand);
        assert_eq!(
            (found, result.output().expect("no errors").render(None).matches("x: \"y\"").count()),
            (Vec::new(), 1 << 10)
        );
    });
}

#[test]
fn includes_that_return_are_told_with_their_chain() {
    on_small_stack(|| {
        let alone = |_: usize, next: &str| format!("{next}\n");
        for stage in STAGES {
            for (length, end, chain) in [
                (1, include("0.yaml"), "t.yaml -> 0.yaml -> 0.yaml"),
                (2, include("t.yaml"), "t.yaml -> 0.yaml -> 1.yaml -> t.yaml"),
                (
                    5_000,
                    include("17.yaml"),
                    "t.yaml -> 0.yaml -> 1.yaml -> 2.yaml -> … -> 4997.yaml -> 4998.yaml -> 4999.yaml -> 17.yaml",
                ),
            ] {
                let (result, found) = included(&include_chain(length, alone, &end), stage);
                assert!(found.contains(&codes::UNREADABLE_FILE), "{length}: {found:?}");
                let told = result.diagnostics().iter().any(|found| found.message.ends_with(chain));
                assert!(told, "{:?}", result.diagnostics());
            }
        }
    });
}

#[test]
fn includes_and_modules_share_one_budget() {
    let host = MemoryHost::new()
        .with("t.yaml", format!("Modules:\n  M: {{Source: m.yaml}}\nResources:\n  {}\n", include("a.yaml")))
        .with("a.yaml", "A: {Type: AWS::SNS::Topic}\n")
        .with("m.yaml", format!("Resources:\n  {}\n", include("b.yaml")))
        .with("b.yaml", "B: {Type: AWS::SNS::Topic}\n");
    let compile = |limits: Limits| {
        let options = Options { limits, ..Options::default() };
        Session::new(&host, options).compile("t.yaml", Goal::Check).has_errors()
    };
    let limits = Limits::default();
    // Three besides the template.
    assert!(!compile(Limits { files: 3, ..limits }));
    assert!(compile(Limits { files: 2, ..limits }));
    assert!(compile(Limits { read_bytes: 100, ..limits }));
}

/// docs/guides/untrusted-templates.md names some of them.
#[test]
fn the_guide_to_templates_of_strangers_names_the_limits() {
    let limits = Limits::default();
    let guide = std::fs::read_to_string(project::root().join("docs/guides/untrusted-templates.md")).expect("the guide");
    let guide = guide.split_whitespace().collect::<Vec<_>>().join(" ");
    let count = |count: u64| match count {
        1_000_000.. => format!("{} million", count / 1_000_000),
        _ => format!("{},000", count / 1000),
    };
    let file = format!(
        "a file has at most {} MiB, {} nested levels and {} nodes, a run at most {} iterations and {} nodes of output",
        limits.file_bytes >> 20,
        limits.depth,
        count(limits.nodes as u64),
        count(limits.iterations),
        count(limits.output_nodes)
    );
    assert!(guide.contains(&file), "{file}");
}
