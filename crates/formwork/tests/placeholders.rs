//! Where a loop replaces its placeholders, and where it reports that it does not
//! (reference/for-each.md#substitution).

use formwork::{Goal, MemoryHost, Options, Session, codes};

#[test]
fn a_placeholder_in_a_member_name_below_the_fragment_is_kept_and_warned_of() {
    let template = "\
Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Functions:
    - Name
    - [Users]
    - ${Name}Function:
        Type: AWS::Serverless::Function
        Properties:
          Events:
            ${Name}Call: {Type: Api}
            Fn::ForEach::Calls:
              - Path
              - [List]
              - ${Name}${Path}: {Type: Api}
";
    let host = MemoryHost::new().with("template.yaml", template);
    let result = Session::new(&host, Options::default()).compile("template.yaml", Goal::Expand);
    let found: Vec<_> = result
        .diagnostics()
        .iter()
        .map(|found| (found.code, found.primary.as_ref().map(|label| result.sources().slice(label.span))))
        .collect();
    assert_eq!(found, [(codes::PLACEHOLDER_LITERAL, Some("${Name}Call"))]);
    let text = result.output().expect("no errors").render(None);
    assert!(text.contains("${Name}Call: {Type: Api}"), "{text}");
    assert!(text.contains("UsersList: {Type: Api}"), "{text}");
}
