//! Templates with more problems than an editor is shown.

use formwork::{MemoryHost, Options, Session, Severity, VirtualPath};
use formwork_ide::Ide;
use formwork_ide::diagnostics::diagnostics;

/// The problems of a template with so many names that do not exist, behind a note.
fn problems(names: usize) -> Vec<(Severity, String)> {
    let tags: Vec<String> = (0..names).map(|at| format!("        - {{Key: k, Value: !Ref Nope{at}}}\n")).collect();
    let tags = tags.concat();
    let text = format!(
        "Resources:\n  T: {{Type: AWS::SNS::Topic}}\n  N: {{Type: AWS::SNS::Topic, DependsOn: T, Properties: {{TopicName: !Ref T}}}}\n  R:\n    Type: AWS::SNS::Topic\n    Properties:\n      Tags:\n{tags}"
    );
    let session = Session::new(MemoryHost::new().with("template.yaml", text), Options::default());
    let ide = Ide::new(&session, &VirtualPath::new("template.yaml"), None).unwrap();
    diagnostics(&ide).iter().map(|one| (one.finding.severity, one.finding.message.clone())).collect()
}

#[test]
fn of_too_many_problems_the_worst_are_shown_and_a_note_counts_them() {
    let few = problems(900);
    assert_eq!(few.iter().filter(|(severity, _)| *severity == Severity::Note).count(), 1, "{few:?}");
    assert!(few.iter().all(|(_, words)| !words.contains("problems are shown")));
    let many = problems(20_000);
    assert_eq!(many.len(), 1_001);
    let (last, others) = many.split_last().unwrap();
    assert!(others.iter().all(|(severity, _)| *severity == Severity::Error));
    assert!(last.0 == Severity::Note && last.1.starts_with("1000 of 200"), "{last:?}");
}
