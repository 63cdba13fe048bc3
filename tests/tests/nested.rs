//! Local nested templates without end: deep ones, wide ones, and ones that lead back through links.

use std::collections::BTreeSet;
use std::sync::Arc;

use formwork::nested::{CleanUses, PathErrors};
use formwork::{Code, DiskHost, Goal, Host, MemoryHost, Options, Report, Session, Severity, codes};

fn check(host: &dyn Host) -> (Report, Vec<Report>) {
    let compiler = Session::new(host, Options::default());
    let mut root = Report::from(compiler.compile("t0.yaml", Goal::Check));
    let nested = compiler.compile_nested(root.compilation(), Goal::Check, PathErrors::Reported);
    root.add(nested.found);
    (root, nested.reports)
}

fn errors(root: &Report, nested: &[Report]) -> Vec<Code> {
    let found = nested.iter().chain([root]).flat_map(Report::diagnostics);
    found.filter(|found| found.severity == Severity::Error).map(|found| found.code).collect()
}

fn stack(id: &str, path: &str, parameters: &str) -> String {
    format!("  {id}: {{Type: 'AWS::CloudFormation::Stack', Properties: {{TemplateURL: {path}{parameters}}}}}\n")
}

/// A chain of templates: each uses the next one, the last one nothing.
fn chain(length: usize) -> MemoryHost {
    let mut host = MemoryHost::new();
    for at in 0..length {
        let text = if at + 1 < length {
            format!("Resources:\n{}", stack("Next", &format!("t{}.yaml", at + 1), ""))
        } else {
            "Resources: {Topic: {Type: 'AWS::SNS::Topic', Unknown: 1}}\n".to_owned()
        };
        host = host.with(&format!("t{at}.yaml"), text);
    }
    host
}

#[test]
fn depth_needs_no_stack() {
    let work = || {
        let (root, nested) = check(&chain(300));
        assert_eq!((nested.len(), errors(&root, &nested)), (299, vec![codes::UNKNOWN_ATTRIBUTE]));
        let last = nested.last().expect("the last template");
        // Of the contexts that lead to it, the ends.
        assert_eq!(last.diagnostics()[0].frames.len(), 65);
        let (root, nested) = check(&chain(3_000));
        assert_eq!(errors(&root, &nested), [codes::LIMIT]);
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(work).expect("a thread");
    thread.join().expect("the stack is deep enough");
}

/// Checks all templates of a chain in which each one has a mistake, as many templates of a run. Returns how many nested
/// templates were compiled, and what was found: places and messages.
fn check_each(length: usize, clean: Option<&Arc<CleanUses>>) -> (usize, BTreeSet<(String, String)>) {
    let mut host = MemoryHost::new();
    for at in 0..length {
        let next = stack("Next", &format!("t{}.yaml", at + 1), "");
        let own = "  Topic: {Type: 'AWS::SNS::Topic', Unknown: 1}\n";
        host =
            host.with(&format!("t{at}.yaml"), format!("Resources:\n{own}{}", if at + 1 < length { &next } else { "" }));
    }
    let (mut compiled, mut found) = (0, BTreeSet::new());
    for order in 0..length {
        let session = Session::new(&host, Options::default()).in_order(order);
        let session = clean.map_or_else(|| session.clone(), |clean| session.with_clean_uses(Arc::clone(clean)));
        let root = session.compile(&format!("t{order}.yaml"), Goal::Check);
        let nested = session.compile_nested(&root, Goal::Check, PathErrors::Reported);
        compiled += nested.templates.len();
        let reports = nested.reports.into_iter().chain([Report::from(root)]);
        found.extend(reports.flat_map(|report| {
            let sources = report.compilation().sources();
            let place = |span| sources.place(span).map(|place| sources.display(place.file).to_owned());
            let said = report.diagnostics().iter();
            said.map(|one| (place(one.span()).unwrap_or_default(), one.message.clone())).collect::<Vec<_>>()
        }));
    }
    (compiled, found)
}

#[test]
fn templates_with_mistakes_that_are_nested_in_each_other_are_compiled_once_in_a_run() {
    for length in [10, 20, 40] {
        let (all, each) = check_each(length, None);
        let (once, shared) = check_each(length, Some(&Arc::default()));
        assert_eq!((all, once), (length * (length - 1) / 2, length - 1));
        assert_eq!((&each, each.len()), (&shared, length));
    }
}

#[test]
fn what_is_used_twice_at_each_depth_is_compiled_once() {
    let mut host = MemoryHost::new();
    for at in 0..40 {
        let next = format!("t{}.yaml", at + 1);
        let text = format!("Resources:\n{}{}", stack("A", &next, ""), stack("B", &next, ""));
        host = host.with(&format!("t{at}.yaml"), text);
    }
    let (root, nested) = check(&host.with("t40.yaml", "Resources: {Topic: {Type: 'AWS::SNS::Topic'}}\n"));
    assert_eq!((nested.len(), errors(&root, &nested)), (40, vec![]));
}

#[test]
fn sets_of_values_without_end_are_an_error() {
    let mut host = MemoryHost::new();
    for at in 0..40 {
        let next = format!("t{}.yaml", at + 1);
        let pass = |value: &str| format!(", Parameters: {{P: !Sub '${{P}}{value}'}}");
        let stacks = stack("A", &next, &pass("a")) + &stack("B", &next, &pass("b"));
        host = host.with(
            &format!("t{at}.yaml"),
            format!("Parameters: {{P: {{Type: String, Default: x}}}}\nResources:\n{stacks}"),
        );
    }
    let last = "Parameters: {P: {Type: String}}\nResources: {Topic: {Type: 'AWS::SNS::Topic'}}\n";
    let (root, nested) = check(&host.with("t40.yaml", last));
    assert_eq!(errors(&root, &nested), [codes::LIMIT]);
}

#[cfg(unix)]
#[test]
fn a_way_back_through_a_link_is_a_cycle() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path();
    std::fs::write(path.join("t0.yaml"), format!("Resources:\n{}", stack("Again", "sub/t0.yaml", ""))).expect("a file");
    std::os::unix::fs::symlink(".", path.join("sub")).expect("a link");
    let host = DiskHost::new(path, None, 1 << 20).expect("a host");
    let (root, nested) = check(&host);
    assert_eq!((nested.len(), errors(&root, &nested)), (0, vec![codes::ARTIFACT_PATH]));
    assert!(root.diagnostics()[0].message.contains("t0.yaml -> t0.yaml"), "{}", root.diagnostics()[0].message);
}
