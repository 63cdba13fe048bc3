//! What a line generates in a large output: the first nodes are explained, all are counted, in one walk.
//!
//! Holds reference/provenance.md#explain.

use formwork::{Goal, LineAnswers, MemoryHost, Options, Session};

fn explain(items: usize, column: Option<u32>) -> LineAnswers {
    let names: Vec<String> = (0..items).map(|at| format!("N{at}")).collect();
    let text = format!(
        "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Queues:
    - Name
    - [{}]
    - Queue${{Name}}:
        Type: AWS::SQS::Queue
        Properties: {{QueueName: !Sub '${{Name}}-queue'}}
",
        names.join(", ")
    );
    let host = MemoryHost::new().with("template.yaml", text);
    let result = Session::new(&host, Options::default()).compile("template.yaml", Goal::Expand);
    assert!(!result.has_errors(), "{:?}", result.diagnostics());
    result.explain_line("template.yaml", 8, column)
}

#[test]
fn a_line_explains_twenty_nodes_and_counts_the_others() {
    // A map of properties, and the string in it.
    for (items, explained) in [(1, 2), (10, 20), (11, 20), (50, 20)] {
        let found = explain(items, None);
        assert_eq!((found.answers.len(), found.total), (explained, 2 * items));
    }
}

/// With a walk for each answer this is 400 million nodes for each of the 40,000 answers.
#[test]
fn the_siblings_of_all_answers_are_found_in_one_walk() {
    let found = explain(20_000, Some(34));
    assert_eq!((found.answers.len(), found.total), (20, 20_000));
    for (number, answer) in found.answers.iter().enumerate() {
        let path = |path: &[formwork::Step]| formwork::explain::path::dotted(path);
        assert_eq!(path(&answer.path), format!("Resources.QueueN{number}.Properties.QueueName"));
        assert_eq!(answer.siblings_total, 19_999);
        let others = (0..20).filter(|other| *other != number).take(10);
        let siblings: Vec<String> = answer.siblings.iter().map(|sibling| path(sibling)).collect();
        let expected: Vec<String> =
            others.map(|other| format!("Resources.QueueN{other}.Properties.QueueName")).collect();
        assert_eq!(siblings, expected);
    }
}
