//! The layout of what `expand` writes (reference/layout.md): a template in, its bytes out.

use formwork::{Format, Goal, Limits, MemoryHost, Options, Session};

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

/// Items that are written in many ways. Only their alphanumeric characters differ, because keys are made of them.
const ITEMS: &str = r##"[a, b, c, "yes", "5", 1e3, true, "x: y", " z", "- aa", "# n", "say \"hi\"", "it's: \"q\"",
  "two\nlines", "three\nmore\nlines\n", "t\tt", "k$", "{d}", "${!ee}", "gg\u00e9", "h\u2028", e, f, g, "[hh]", "i, j"]"##;

/// The fragment of a loop over them: in block style, in flow style, and with other spellings.
const FRAGMENTS: [&str; 3] = [
    "
    # A comment.
    Type: A::B::C
    Properties:
      Name: !Ref Item # Another one.
      Text: !Sub '${Item}'
      Open: !Sub '${Item}-${AWS::Region}-${Item}'
      Same: [1, {a: b}]
      Block: |
        Kept.
      Tags:
        - Key: !Ref Item
          Value: !GetAtt Other.Arn
        - !Ref Item
        -   - !Sub 'x${Item}'
            - !If [IsTrue, !Ref Item, !Ref 'AWS::NoValue']
      Joined: !Join ['', [!Ref Item, !Ref AWS::Region]]
      Nested: !Base64
        Fn::Sub: '${Item} ${AWS::Region}'
      Last: !Ref Item
",
    "
    {Type: A::B::C, Properties: {Name: !Ref Item, 'Text': !Sub '${Item}', Tags: [
      {Key: !Ref Item, Value: [!Ref Item, 1]},
      !Sub '${Item}-${AWS::Region}'], Other: {Ref: Item}}}
",
    "
    Type: A::B::C
    Properties:
      Name: {Ref: Item}
      Text:
        Fn::Sub: ${Item}
      ? Explicit
      : !Sub ${Item}
      List:
      - Fn::Sub: ${Item}.${AWS::Region}
      - {Fn::Select: [0, [Ref: Item, b]]}
      Fn::ForEach::More:
        - More
        - [m, !Ref Item]
        - More&{More}: !Sub '${More} ${AWS::Region} ${Item}'
",
];

/// What is written while every node is recorded, which uses nothing of what was written before.
fn expand_with_map(name: &str, template: &str, format: Format) -> (String, String) {
    let host = MemoryHost::new().with(name, template);
    let result = Session::new(&host, Options::default()).compile(name, Goal::Expand);
    assert!(!result.has_errors(), "{:#?}\n{template}", result.diagnostics());
    let (output, mut text) = (result.output().expect("no errors"), Vec::new());
    output.write_with_map(Some(format), "out", &mut |part| text.extend_from_slice(part));
    (String::from_utf8(text).expect("text"), output.render(Some(format)))
}

#[test]
fn what_iterations_generate_is_written_alike_when_it_is_recorded() {
    let start = "Transform: [AWS::LanguageExtensions, Formwork]\n\
        Conditions:\n  IsTrue: !Equals [!Ref AWS::Region, x]\n\
        Resources:\n  Fn::Merge:\n  - Other:\n      Type: A::B::C\n";
    let items = ITEMS.replace('\n', " ");
    for fragment in FRAGMENTS {
        let indented = |spaces: usize| fragment.replace('\n', &format!("\n{}", " ".repeat(spaces)));
        let for_each = format!(
            "  - Fn::ForEach::Outer:\n    - Outer\n    - [o, p, q]\n    - Fn::ForEach::Items:\n      - Item\n      - {items}\n      \
             - K&{{Outer}}X&{{Item}}:{}\n",
            indented(8)
        );
        let map = format!(
            "  - Fn::Map:\n      Collection: {items}\n      Value: Item\n      Key: K${{Index}}\n      Fragment:{}\n",
            indented(8)
        );
        let plain = for_each.replace("  - Fn::ForEach::Outer", "  Fn::ForEach::Outer").replace("\n    ", "\n  ");
        let plain = format!("{}{plain}", start.replace("  Fn::Merge:\n  - Other:\n      ", "  Other:\n    "));
        for yaml in [plain, format!("{start}{for_each}"), format!("{start}{map}")] {
            let json = formwork::reformat(&yaml, Format::Json, &Limits::default()).expect("a document");
            for (name, template) in [("template.yaml", &yaml), ("template.json", &json)] {
                for format in [Format::Yaml, Format::Json] {
                    let (recorded, written) = expand_with_map(name, template, format);
                    assert_eq!(recorded, written, "{name} to {format:?}");
                    assert!(recorded.len() > 1 << 12, "{recorded}");
                }
            }
        }
    }
}
