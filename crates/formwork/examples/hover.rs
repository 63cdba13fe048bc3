// What an editor shows when the cursor is on a name: what it is, where it is declared and used, the loops around it.
#![allow(missing_docs, reason = "a program")]
use formwork::query::SymbolKind;
use formwork::{ColumnUnit, Goal, LineColumn, MemoryHost, Options, Session, VirtualPath};

const TEMPLATE: &str = "\
Transform: AWS::LanguageExtensions
Modules:
  Store:
    Source: modules/store.yaml
    Properties: {Name: größe}
Resources:
  Fn::ForEach::Queues:
    - Name
    - [Orders, Users]
    - Queue${Name}:
        Type: AWS::SQS::Queue
        Properties: {QueueName: !Sub '${Store.BucketName}-${Name}'}
";
const MODULE: &str = "\
Parameters: {Name: {Type: String}}
Resources:
  Bucket: {Type: AWS::S3::Bucket, Properties: {BucketName: !Ref Name}}
Outputs:
  BucketName: {Value: !Ref Bucket}
";

fn main() {
    let host = MemoryHost::new().with("template.yaml", TEMPLATE).with("modules/store.yaml", MODULE);
    let session = Session::new(host, Options::default());
    let root = VirtualPath::new("template.yaml");
    // Names that loops and modules generate are known from an expansion; the rest needs none.
    let expansion = session.compile(root.as_str(), Goal::Expand).expansion();
    let project = session.project(&root).with_expansion(expansion);
    let file = project.file(&root).expect("the template");

    // The editor counts lines and UTF-16 code units from 0: here after `${N` in the last line.
    let cursor = LineColumn { line: 11, column: 61 };
    let offset = file.lines().offset(file.text(), cursor, ColumnUnit::Utf16);
    let names = project.visible_names(&root, offset);
    assert!(names.iter().any(|name| name.name == "QueueUsers"));
    let symbol = project.symbol_at(&root, offset).expect("a name");
    assert_eq!((symbol.kind, symbol.name.as_str()), (SymbolKind::LoopVariable, "Name"));
    let around = &project.enclosing_loops(&root, offset)[0];
    assert_eq!(
        (around.collection_text.as_str(), around.items.join(" ")),
        ("[Orders, Users]", "Orders Users".to_owned())
    );
    let node = project.node_at(&root, offset).expect("a node");
    assert_eq!(node.function.as_deref(), Some("Fn::Sub"));

    // The output of a module leads into its file, and every use of it is found.
    let offset = TEMPLATE.find("BucketName").expect("there") as u32;
    let output = project.definition(&root, offset).expect("declared");
    assert_eq!(output.file.as_str(), "modules/store.yaml");
    assert_eq!(project.references(&root, offset).len(), 2);

    // The interface of the import's module.
    assert_eq!(project.imports(&root)[0].ids, ["StoreBucket"]);
}
