//! A run that nobody waits for any more ends soon, wherever it is: it looks whether it is cancelled at every step
//! whose number depends on its input, and does a bounded amount of work after the look that detected it.

use formwork::{Cancellation, Cancelled, Goal, MemoryHost, Options, Session, VirtualPath, solve};

/// Most looks after the one that detected that the run is cancelled, on the way out through stages and loops.
const WAY_OUT: u64 = 40;

/// The work of a whole run, in looks.
fn looks(host: &MemoryHost, goal: Goal) -> u64 {
    let whole = Cancellation::new();
    let session = Session::new(host, Options::default());
    session.analyze(&VirtualPath::new("t")).compile_unless(&whole, goal, &|_| {}).expect("nobody cancels");
    whole.looks()
}

/// Cancels a run at each of many steps.
fn check(host: &MemoryHost, goal: Goal, least: u64) {
    let all = looks(host, goal);
    assert!(all >= least, "{goal:?} looks {all} times, not {least}");
    for step in (0..all).step_by((all / 200).max(1) as usize) {
        let cancellation = Cancellation::after(step);
        let session = Session::new(host, Options::default());
        let found = session.analyze(&VirtualPath::new("t")).compile_unless(&cancellation, goal, &|_| {});
        assert_eq!(found.err(), Some(Cancelled), "{goal:?} at {step} of {all}");
        let behind = cancellation.looks() - step;
        assert!(behind <= WAY_OUT, "{goal:?} at {step} of {all}: {behind} looks behind");
        // What was read half is not taken for the file.
        let again = session.compile("t", goal);
        assert_eq!(again.diagnostics(), Session::new(host, Options::default()).compile("t", goal).diagnostics());
    }
}

fn resources(count: usize) -> String {
    let one = |at: usize| format!("  R{at}:\n    Type: AWS::SNS::Topic\n    Properties: {{DisplayName: !Ref P}}\n");
    format!("Parameters: {{P: {{Type: String}}}}\nResources:\n{}", (0..count).map(one).collect::<String>())
}

#[test]
fn reading_yaml_ends_in_the_middle_of_a_file() {
    let items = "- a\n".repeat(20_000);
    check(&MemoryHost::new().with("t", items), Goal::Expand, 20_000);
}

#[test]
fn reading_json_ends_in_the_middle_of_a_file() {
    let items = vec!["1"; 20_000].join(",");
    check(&MemoryHost::new().with("t", format!("{{\"Resources\": [{items}]}}")), Goal::Expand, 20_000);
}

#[test]
fn includes_end_between_files() {
    let include =
        |at: usize| format!("  I{at}: {{'Fn::Transform': {{Name: AWS::Include, Parameters: {{Location: f{at}}}}}}}\n");
    let text =
        format!("Resources:\n  T: {{Type: AWS::SNS::Topic}}\nMetadata:\n{}", (0..300).map(include).collect::<String>());
    let host = (0..300).fold(MemoryHost::new().with("t", text), |host, at| host.with(&format!("f{at}"), "{a: 1}"));
    let all = looks(&host, Goal::Expand);
    check(&host, Goal::Expand, 300);
    // A run that ends at its first include has read few files.
    let parsed = |steps: u64| {
        let session = Session::new(&host, Options::default());
        let found =
            session.analyze(&VirtualPath::new("t")).compile_unless(&Cancellation::after(steps), Goal::Expand, &|_| {});
        assert_eq!(found.err(), Some(Cancelled));
        session.reads()
    };
    assert!(parsed(all * 2 / 3) < 300 && parsed(0) <= 1);
}

#[test]
fn checks_end_between_members_of_a_section() {
    let host = MemoryHost::new().with("t", resources(400));
    // Reading looks at each line, and each of several checks at each resource.
    let more = looks(&host, Goal::Check) - looks(&host, Goal::Expand);
    assert!(more >= 400, "{more}");
    check(&host, Goal::Check, 400 * 10);
}

#[test]
fn modules_and_loops_end_between_their_copies() {
    let items = (0..60).map(|at| format!("a{at}")).collect::<Vec<_>>().join(",");
    let text = format!(
        "Transform: AWS::LanguageExtensions
Modules: {{M: {{Source: ./m, ForEach: '{items}'}}}}
Resources:
  Fn::ForEach::L:
    - N
    - [{items}]
    - R${{N}}: {{Type: AWS::SNS::Topic}}
"
    );
    let host = MemoryHost::new().with("t", text).with("m", "Resources: {T: {Type: AWS::SNS::Topic}}\n");
    // One look for each import and for each iteration.
    check(&host, Goal::Expand, 120);
    check(&host, Goal::Package, 120);
}

#[test]
fn solving_ends_between_evaluations() {
    let names: Vec<String> = (0..8).map(|at| format!("P{at}")).collect();
    let parameter = |name: &String| format!("  {name}: {{Type: String, AllowedValues: [a, b, c]}}\n");
    let parameters = names.iter().map(parameter).collect::<String>();
    let never = names.iter().map(|name| format!("!Equals [!Ref {name}, z]")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "Parameters:\n{parameters}Rules: {{R: {{Assertions: [{{Assert: !Or [{never}]}}]}}}}\nResources: {{T: {{Type: AWS::SNS::Topic}}}}\n"
    );
    let host = MemoryHost::new().with("t", text);
    let result = Session::new(&host, Options::default()).compile("t", Goal::Solve);
    let whole = Cancellation::new();
    let found = result.solve_unless(&whole, None).expect("nobody cancels").expect("rules").expect("all of them");
    assert_eq!(found.rules[0].satisfied, solve::Found::Nothing);
    let all = whole.looks();
    assert!(all > 3_000, "{all}");
    for step in (0..all).step_by(501) {
        let cancellation = Cancellation::after(step);
        assert!(result.solve_unless(&cancellation, None).is_err(), "{step} of {all}");
        assert!(cancellation.looks() - step <= WAY_OUT, "{step} of {all}: {}", cancellation.looks() - step);
    }
}
