//! The layout of what `expand` writes (reference/layout.md): a template in, its bytes out.

use formwork::{Goal, MemoryHost, Options, Session};

fn expand(template: &str) -> String {
    let host = MemoryHost::new().with("template.yaml", template);
    let result = Session::new(&host, Options::default()).compile("template.yaml", Goal::Expand);
    assert!(!result.has_errors(), "{:#?}", result.diagnostics());
    result.output().expect("no errors").render(None)
}

#[test]
fn a_removed_loop_under_a_comment_leaves_no_line_in_later_copies() {
    let template = "\
Transform: AWS::LanguageExtensions
Mappings:
  Expiry:
    Carts: {Attributes: [until]}
Resources:
  Fn::ForEach::Tables:
    - Name
    - [Carts, Orders]
    - ${Name}:
        Type: AWS::DynamoDB::Table
        Properties:
          BillingMode: PAY_PER_REQUEST
          # One item or none.
          Fn::ForEach::Expiry:
            - Attribute
            - !FindInMap [Expiry, !Ref Name, Attributes, {DefaultValue: []}]
            - TimeToLive: !Ref Attribute
          TableName: !Ref Name
";
    let expanded = "\
Mappings:
  Expiry:
    Carts: {Attributes: [until]}
Resources:
  Carts:
    Type: AWS::DynamoDB::Table
    Properties:
      BillingMode: PAY_PER_REQUEST
      # One item or none.
      TimeToLive: until
      TableName: Carts
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      BillingMode: PAY_PER_REQUEST
      TableName: Orders
";
    assert_eq!(expand(template), expanded);
}
