//! Modules without end and of any depth: each ends with an answer, on a small stack.
//!
//! Holds reference/modules/README.md#limits.

use std::sync::Arc;

use std::fmt::Write as _;

use formwork::{Code, Compilation, Goal, MemoryHost, Options, Session, codes};

/// The smallest stack of a thread that programs which embed the library are known to have.
const STACK: usize = 256 * 1024;

fn on_small_stack<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("the stack is deep enough")
}

/// The template and its modules, by number, the last one first asked for with `None`.
fn compile(count: usize, module: impl Fn(usize, Option<usize>) -> String, template: &str) -> Arc<Compilation> {
    let mut host = MemoryHost::new();
    for at in 0..count {
        let next = (at + 1 < count).then_some(at + 1);
        host = host.with(&format!("m{at}.yaml"), module(at, next));
    }
    let host = host.with("template.yaml", template);
    Session::new(&host, Options::default()).compile("template.yaml", Goal::Expand)
}

fn errors(result: &Compilation) -> Vec<Code> {
    let all = result.diagnostics().iter().filter(|found| found.severity == formwork::Severity::Error);
    all.map(|found| found.code).collect()
}

#[test]
fn a_chain_of_two_thousand_modules() {
    on_small_stack(|| {
        let module = |_, next: Option<usize>| {
            match next {
            Some(next) => format!(
                "Parameters: {{P: {{Type: String}}}}\nModules:\n  A:\n    Source: m{next}.yaml\n    Properties: {{P: !Sub '${{P}}'}}\nOutputs:\n  O: {{Value: !GetAtt A.O}}\n"
            ),
            None => "Parameters: {P: {Type: String}}\nResources: {R: {Type: 'A::B::C', Properties: {P: !Ref P}}}\nOutputs: {O: {Value: !GetAtt R.Arn}}\n".to_owned(),
        }
        };
        let template =
            "Modules:\n  A: {Source: m0.yaml, Properties: {P: hello}}\nOutputs:\n  O: {Value: !GetAtt A.O}\n";
        let result = compile(2000, module, template);
        assert_eq!(errors(&result), []);
        let text = result.output().expect("no errors").render(None);
        assert!(text.contains("P: hello"));
        assert!(text.contains(&format!("!GetAtt {}R.Arn", "A".repeat(2000))));
    });
}

/// Values that need each other in the wrong order are computed all the same.
#[test]
fn a_chain_of_siblings() {
    on_small_stack(|| {
        let count = 2000;
        let mut template = String::from("Modules:\n");
        for at in 0..count {
            let value = if at + 1 < count { format!("!GetAtt M{}.O", at + 1) } else { "end".to_owned() };
            let _ = write!(template, "  M{at}:\n    Source: m0.yaml\n    Properties: {{P: {value}}}\n");
        }
        template += "Outputs:\n  O: {Value: !GetAtt M0.O}\n";
        let module = |_, _| "Parameters: {P: {Type: String}}\nOutputs: {O: {Value: !Ref P}}\n".to_owned();
        let result = compile(1, module, &template);
        assert_eq!(errors(&result), []);
        assert!(result.output().expect("no errors").render(None).contains("O: {Value: end}"));
    });
}

/// Names are found among many imports and copies as among few: resources of imports and of copies by the import's name
/// in front of theirs, copies by their names, their identifiers and their numbers.
#[test]
fn names_among_many_imports_and_copies() {
    for count in [4, 40] {
        let items: Vec<String> = (0..count).map(|at| format!("k{at}")).collect();
        let items = format!("[{}]", items.join(", "));
        let imports: Vec<String> = (0..count).map(|at| format!("  A{at}: {{Source: m1.yaml}}\n")).collect();
        let imports = imports.concat();
        let outer = format!(
            "Modules:\n{imports}  Box: {{Source: m1.yaml, ForEach: {items}}}\n  Fn::ForEach::L: [X, {items}, {{'M${{X}}': {{Source: m1.yaml}}}}]\n\
             Resources:\n  Z: {{Type: 'A::B::C', ForEach: {items}}}\n  R:\n    Type: A::B::C\n    DependsOn: [A3, 'Z[k2]', 'Z[1]', Box3, Box3]\n\
             \x20   Metadata: [!Ref A3T, !Ref A1T, !Ref Box3T, !Ref Mk3T, !GetAtt 'Box[k2].Arn', !GetAtt Box1.Arn, !GetAtt 'L[k3].Arn', !Ref 'Z[k3]', !Ref Z2]\n",
        );
        let module = move |at, _: Option<usize>| match at {
            0 => outer.clone(),
            _ => "Resources: {T: {Type: 'A::B::C'}}\nOutputs: {Arn: {Value: !GetAtt T.Arn}}\n".to_owned(),
        };
        let result = compile(2, module, "Transform: AWS::LanguageExtensions\nModules:\n  M: {Source: m0.yaml}\n");
        assert_eq!(errors(&result), [], "{count}");
        let text = result.output().expect("no errors").render(None);
        let (_, made) = text.split_once("  MR:\n").expect("the resource that refers to all of them");
        let made: Vec<&str> = made.lines().filter_map(|line| line.strip_prefix("      - ")).take(13).collect();
        assert_eq!(made[..4], ["MA3T", "MZ2", "MZ1", "MBox3T"], "{count}");
        let references = ["Ref MA3T", "Ref MA1T", "Ref MBox3T", "Ref MMk3T", "GetAtt MBox2T.Arn", "GetAtt MBox1T.Arn"];
        let more = ["GetAtt MMk3T.Arn", "Ref MZ3", "Ref MZ2"];
        let references: Vec<String> = references.iter().chain(&more).map(|name| format!("!{name}")).collect();
        assert_eq!(made[4..], references, "{count}");
    }
}

/// Names that are computed, conditions and collections form chains, too.
#[test]
fn chains_of_other_kinds() {
    on_small_stack(|| {
        let count = 2000;
        let last = count - 1;
        let value = |_, _| "Parameters: {P: {Type: String}}\nOutputs: {O: {Value: !Ref P}}\n".to_owned();
        let list = |_, _| "Outputs: {O: {Value: [a]}}\n".to_owned();
        let (mut computed, mut collections) = (String::from("Modules:\n"), String::from("Modules:\n"));
        let (mut conditions, mut sources) =
            (String::from("Conditions:\n  C0: !Equals [a, a]\n"), String::from("Modules:\n"));
        for at in 0..count {
            let (property, collection, source) = match at + 1 {
                next if next < count => (
                    format!("!GetAtt [!Join ['', [M, '{next}']], O]"),
                    format!("!GetAtt 'M{next}[0].O'"),
                    format!("!GetAtt M{next}.O"),
                ),
                _ => ("end".to_owned(), "[a]".to_owned(), "m0.yaml".to_owned()),
            };
            let _ = writeln!(sources, "  M{at}: {{Source: {source}}}");
            let _ = write!(computed, "  M{at}:\n    Source: m0.yaml\n    Properties: {{P: {property}}}\n");
            let _ = write!(collections, "  M{at}:\n    Source: m0.yaml\n    ForEach: {collection}\n");
            let _ = writeln!(conditions, "  C{}: !Not [!Condition C{at}]", at + 1);
        }
        computed += "Outputs:\n  O: {Value: !GetAtt M0.O}\n";
        let result = compile(1, value, &computed);
        assert_eq!(errors(&result), []);
        assert!(result.output().expect("no errors").render(None).contains("O: {Value: end}"));
        collections += "Outputs:\n  O: {Value: !GetAtt 'M0[0].O'}\n";
        let result = compile(1, list, &collections);
        assert_eq!(errors(&result), []);
        assert!(result.output().expect("no errors").render(None).contains("O: {Value: [a]}"));
        sources += "Outputs:\n  O: {Value: !GetAtt M0.O}\n";
        let result = compile(1, |_, _| "Outputs: {O: {Value: m0.yaml}}\n".to_owned(), &sources);
        assert_eq!(errors(&result), []);
        assert!(result.output().expect("no errors").render(None).contains("O: {Value: m0.yaml}"));
        let _ = writeln!(conditions, "Outputs:\n  O: {{Value: !If [C{last}, yes, no]}}");
        let template = "Modules:\n  M: {Source: m0.yaml}\nOutputs:\n  O: {Value: !GetAtt M.O}\n";
        let result = compile(1, |_, _| conditions.clone(), template);
        assert_eq!(errors(&result), []);
        assert!(
            result.output().expect("no errors").render(None).contains("O: {Value: no}"),
            "{}",
            result.output().expect("no errors").render(None)
        );
    });
}

#[test]
fn values_that_need_themselves() {
    on_small_stack(|| {
        for count in [1, 2, 500] {
            let mut template = String::from("Modules:\n");
            for at in 0..count {
                let next = (at + 1) % count;
                let _ = write!(template, "  M{at}:\n    Source: m0.yaml\n    Properties: {{P: !GetAtt M{next}.O}}\n");
            }
            let module = |_, _| "Parameters: {P: {Type: String}}\nOutputs: {O: {Value: !Ref P}}\n".to_owned();
            let found = errors(&compile(1, module, &template));
            assert!(!found.is_empty() && found.iter().all(|code| *code == codes::MODULE_CYCLE), "{count}: {found:?}");
        }
    });
}

#[test]
fn what_multiplies_is_refused() {
    on_small_stack(|| {
        let template =
            "Modules:\n  A: {Source: m0.yaml}\nResources:\n  R:\n    Type: A::B::C\n    Metadata: {V: !GetAtt A.O}\n";
        let imports = |_, next: Option<usize>| match next {
            Some(next) => {
                let mut text = String::from("Modules:\n");
                for at in 0..10 {
                    let _ = writeln!(text, "  A{at}: {{Source: m{next}.yaml}}");
                }
                text + "Outputs: {O: {Value: x}}\n"
            }
            None => "Outputs: {O: {Value: x}}\n".to_owned(),
        };
        assert_eq!(errors(&compile(20, imports, template)), [codes::MODULE_LIMIT]);
        let outputs = |value: &'static str| {
            move |_, next: Option<usize>| match next {
                Some(next) => format!("Modules:\n  A: {{Source: m{next}.yaml}}\nOutputs:\n  O: {{Value: {value}}}\n"),
                None => "Outputs: {O: {Value: text of some length}}\n".to_owned(),
            }
        };
        for (count, value) in
            [(60, "[!GetAtt A.O, !GetAtt A.O]"), (60, "!Sub '${A.O}${A.O}'"), (400, "{a: !GetAtt A.O}")]
        {
            assert_eq!(errors(&compile(count, outputs(value), template)), [codes::MODULE_LIMIT], "{value}");
        }
        let copies = "Modules:\n  A:\n    Source: m0.yaml\n    ForEach:\n      Fn::Flatten: ";
        let items: Vec<String> = (0..20_000).map(|at| format!("i{at}")).collect();
        let copies = format!("{copies}[{}]\n", items.join(", "));
        assert_eq!(errors(&compile(1, imports, &copies)), [codes::MODULE_LIMIT]);
    });
}

#[test]
fn a_file_is_read_once_and_used_in_many_ways() {
    let module = |_, _| {
        "Parameters: {P: {Type: String}}\nResources: {R: {Type: 'A::B::C', Properties: {P: !Ref P}}}\n".to_owned()
    };
    let template =
        "Modules:\n  A: {Source: m0.yaml, Properties: {P: a}}\n  B: {Source: ./m0.yaml, Properties: {P: b}}\n";
    let result = compile(1, module, template);
    assert_eq!(errors(&result), []);
    assert_eq!(result.sources().files().count(), 2);
}

/// A module whose importer is a template of the same run: what it imports has its own check, so that a chain or a net of
/// modules costs as much as it has files. Counted, not timed.
#[test]
fn a_module_of_a_run_puts_in_its_own_imports_alone() {
    const COUNT: usize = 60;
    let text = |next: usize| {
        format!(
            "Modules:\n  A: {{Source: m{next}.yaml, Properties: {{P: x}}, Overrides: {{BT: {{Properties: {{DisplayName: y}}}}}}}}\n  \
             B: {{Source: m{next}.yaml}}\nParameters: {{P: {{Type: String, Default: d}}}}\nResources:\n  \
             T: {{Type: AWS::SNS::Topic, DependsOn: ABT, Properties: {{DisplayName: !GetAtt A.Own, TopicName: !GetAtt ABT.TopicName}}}}\n\
             Outputs:\n  Own: {{Value: !Ref P}}\n"
        )
    };
    let last = "Parameters: {P: {Type: String, Default: d}}\nResources:\n  T: {Type: AWS::SNS::Topic}\n  BT: {Type: AWS::SNS::Topic}\nOutputs:\n  Own: {Value: !Ref P}\n";
    let mut host = MemoryHost::new().with("template.yaml", text(0)).with(&format!("m{COUNT}.yaml"), last);
    for at in 0..COUNT {
        host = host.with(&format!("m{at}.yaml"), text(at + 1));
    }
    let options = Options { is_imported: true, ..Options::default() };
    let result = Session::new(&host, options).compile("template.yaml", Goal::Check);
    assert_eq!(errors(&result), []);
    // What the references name is looked for in the next two, and the output of the import is that of its own parameter.
    assert_eq!(result.local_modules().collect::<Vec<_>>(), ["m0.yaml", "m1.yaml", "m2.yaml"]);
}
