//! Answers about places of templates. In the templates `‸` is the cursor.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{FileIndex, NodeKind, Project, SymbolKind};
use formwork_base::{FileRange, Limits, VirtualPath};
use formwork_syntax::SourceContent;

const CURSOR: char = '‸';

/// Files, one of which has a cursor, and the place of that.
struct Case {
    project: Project,
    file: VirtualPath,
    offset: u32,
}

fn case(files: &[(&str, &str)]) -> Case {
    let mut cursor = None;
    let mut indexes = BTreeMap::new();
    for (path, text) in files {
        let path = VirtualPath::new(path);
        if let Some(at) = text.find(CURSOR) {
            cursor = Some((path.clone(), at as u32));
        }
        let index =
            FileIndex::new(path.clone(), &SourceContent::new(text.replace(CURSOR, "").into()), &Limits::default());
        indexes.insert(path, Arc::new(index));
    }
    let root = VirtualPath::new(files[0].0);
    let (file, offset) = cursor.expect("a cursor");
    Case { project: Project::new(&root, |path| indexes.get(path).cloned()), file, offset }
}

impl Case {
    /// A range as its line, from 1, and its text.
    fn show(&self, range: &FileRange) -> String {
        let index = self.project.file(&range.file).expect("in the project");
        let text = &index.text()[range.start as usize..range.end as usize];
        format!("{}:{} {text}", range.file, index.lines().line(range.start) + 1)
    }

    fn definition(&self) -> Option<String> {
        self.project.definition(&self.file, self.offset).map(|range| self.show(&range))
    }

    fn references(&self) -> Vec<String> {
        let uses = self.project.references(&self.file, self.offset);
        uses.iter().map(|found| self.show(&found.range)).collect()
    }

    fn names(&self) -> Vec<String> {
        let names = self.project.visible_names(&self.file, self.offset).into_iter();
        names.filter(|name| name.kind != SymbolKind::PseudoParameter).map(|name| name.name).collect()
    }
}

fn definition(text: &str) -> Option<String> {
    case(&[("t.yaml", text)]).definition()
}

#[test]
fn the_node_at_a_place_has_its_path() {
    let node = |text: &str| {
        let case = case(&[("t.yaml", text)]);
        let node = case.project.node_at(&case.file, case.offset).expect("a node");
        (node.path.clone(), node.kind, case.show(&node.range), node.function)
    };
    let (path, kind, shown, function) = node("Resources:\n  A:\n    Tags:\n      - !Sub \"x${B‸}\"\n");
    assert_eq!((path.as_str(), kind), ("Resources.A.Tags.0.Fn::Sub", NodeKind::String));
    assert_eq!((shown.as_str(), function.as_deref()), ("t.yaml:4 \"x${B}\"", Some("Fn::Sub")));
    let (path, kind, shown, _) = node("Resources:\n  Queue‸:\n    Type: T\n");
    assert_eq!((path.as_str(), kind, shown.as_str()), ("Resources.Queue", NodeKind::Key, "t.yaml:2 Queue"));
    let (path, kind, ..) = node("{\"A\": {\"b.c\": [1, ‸2]}}");
    assert_eq!((path.as_str(), kind), ("A[\"b.c\"].1", NodeKind::Number));
    let (path, ..) = node("Größe:\n  😀: ‸x\n");
    assert_eq!(path, "Größe.😀");
}

#[test]
fn names_lead_to_their_declarations() {
    const TEMPLATE: &str = "Parameters:
  Env: {Type: String}
Conditions:
  IsProd: !Equals [!Ref Env, prod]
Mappings:
  Sizes: {a: {b: c}}
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Condition: IsProd
  Queue:
    Type: AWS::SQS::Queue
    DependsOn: [Topic]
    Properties:
      A: !GetAtt Topic.Arn
      B: !Sub \"${Env}-${Topic.Name}\"
      C: !If [IsProd, 1, !FindInMap [Sizes, a, b]]
      D: {\"Fn::GetAtt\": [\"Topic\", \"Arn\"]}
";
    let at = |place: &str| definition(&TEMPLATE.replacen(place, &format!("{place}{CURSOR}"), 1));
    for (place, want) in [
        ("[!Ref En", "t.yaml:2 Env"),
        ("Condition: Is", "t.yaml:4 IsProd"),
        ("DependsOn: [T", "t.yaml:8 Topic"),
        ("!GetAtt T", "t.yaml:8 Topic"),
        ("${En", "t.yaml:2 Env"),
        ("-${To", "t.yaml:8 Topic"),
        ("!If [Is", "t.yaml:4 IsProd"),
        ("!FindInMap [Si", "t.yaml:6 Sizes"),
        ("[\"To", "t.yaml:8 Topic"),
    ] {
        assert_eq!(at(place).as_deref(), Some(want), "{place}");
    }
    assert_eq!(definition("Resources: {A: {B: !Ref Gone‸}}"), None);
    assert_eq!(definition("Resources: {A: {B: !Ref AWS::Reg‸ion}}"), None);
}

#[test]
fn every_use_of_a_name_is_found() {
    let case = case(&[(
        "t.yaml",
        "Conditions:
  Is: !Equals [a, b]
  Not: !Not [!Condition Is]
Resources:
  Topic: {Type: T, Condition: I‸s}
  Queue:
    Type: T
    Properties: {A: !If [Is, 1, 2], B: !Sub \"${Is}\"}
",
    )]);
    assert_eq!(case.references(), ["t.yaml:2 Is", "t.yaml:3 Is", "t.yaml:5 Is", "t.yaml:8 Is"]);
    let uses = case.project.references(&case.file, case.offset);
    assert_eq!(uses.iter().filter(|found| found.is_declaration).count(), 1);
}

#[test]
fn variables_of_loops_have_scopes() {
    const LOOPS: &str = "Parameters:
  Value: {Type: String}
Resources:
  Fn::ForEach::Queues:
    - Name
    - [a, b]
    - Queue${Name}:
        Type: T
        Properties:
          A: !Ref Name
          B: !Sub \"${Name}-&{Name}\"
          C: !GetAtt \"Queue${Name}.Arn\"
          D:
            Fn::Map:
              Collection: [1]
              Fragment: !Ref Value
";
    let case_at = |place: &str| case(&[("t.yaml", &LOOPS.replacen(place, &format!("{place}{CURSOR}"), 1))]);
    assert_eq!(
        case_at("- Nam").references(),
        ["t.yaml:5 Name", "t.yaml:7 Name", "t.yaml:10 Name", "t.yaml:11 Name", "t.yaml:12 Name"]
    );
    assert_eq!(case_at("!GetAtt \"Que").definition().as_deref(), Some("t.yaml:7 Queue${Name}"));
    assert_eq!(case_at("!GetAtt \"Queue${Na").definition().as_deref(), Some("t.yaml:5 Name"));
    assert_eq!(case_at("!Ref Val").definition().as_deref(), Some("t.yaml:14 Fn::Map"));
    let inner = case_at("!Ref Val");
    let loops = inner.project.enclosing_loops(&inner.file, inner.offset);
    let shown: Vec<_> = loops.iter().map(|found| (found.variables.join(" "), found.collection_text.as_str())).collect();
    assert_eq!(shown, [("Name".to_owned(), "[a, b]"), ("Index Value".to_owned(), "[1]")]);
    let outside = case_at("[a");
    assert!(outside.project.enclosing_loops(&outside.file, outside.offset).is_empty());
}

#[test]
fn variables_of_a_text_hide_other_names() {
    let text = "Parameters: {A: {Type: String}}\nResources:\n  R: {P: !Sub [\"${A‸}\", {A: 1}], Q: !Sub \"${A}\"}\n";
    let case = case(&[("t.yaml", text)]);
    assert_eq!(case.definition().as_deref(), Some("t.yaml:3 A"));
    assert_eq!(case.references(), ["t.yaml:3 A", "t.yaml:3 A"]);
}

const ROOT: &str = "Constants:
  Base: net
  Long: \"${Const::Base}-x\"
Packages:
  kit: {Source: ./modules}
Modules:
  Net:
    Source: modules/net.yaml
    Properties:
      Cidr: !Ref Const::Long
    Overrides:
      Vpc: {DependsOn: Topic}
  Box:
    Source: $kit/net.yaml
    ForEach: [a, b]
    Properties: {Cidr: \"$Identifier\"}
Resources:
  Topic:
    Type: T
    Properties:
      A: !GetAtt Net.VpcId
      B: !Sub \"${Net.VpcId}-${Box[a].VpcId}\"
      C: !Ref NetVpc
      D: {\"Fn::Invoke\": [Net, {Cidr: x}, VpcId]}
";
const NET: &str = "Parameters:
  Cidr: {Type: String}
Resources:
  Vpc: {Type: V, Properties: {C: !Ref Cidr}}
Outputs:
  VpcId: {Value: !Ref Vpc}
";

fn modules(place: &str) -> Case {
    let mark = |text: &str| text.replacen(place, &format!("{place}{CURSOR}"), 1);
    case(&[
        ("root.yaml", &mark(ROOT)),
        ("modules/net.yaml", &if ROOT.contains(place) { NET.to_owned() } else { mark(NET) }),
    ])
}

#[test]
fn names_lead_through_modules() {
    for (place, want) in [
        ("Properties:\n      Ci", "modules/net.yaml:2 Cidr"),
        ("Overrides:\n      V", "modules/net.yaml:4 Vpc"),
        ("{DependsOn: T", "root.yaml:18 Topic"),
        ("!GetAtt N", "root.yaml:7 Net"),
        ("!GetAtt Net.V", "modules/net.yaml:6 VpcId"),
        ("${Box[a].V", "modules/net.yaml:6 VpcId"),
        ("!Ref NetV", "modules/net.yaml:4 Vpc"),
        ("[Net, {C", "modules/net.yaml:2 Cidr"),
        ("x}, V", "modules/net.yaml:6 VpcId"),
        ("Source: mod", "modules/net.yaml:1 "),
        ("Source: $k", "root.yaml:5 kit"),
        ("Source: $kit/n", "modules/net.yaml:1 "),
        ("Const::Lo", "root.yaml:3 Long"),
        ("${Const::Ba", "root.yaml:2 Base"),
        ("\"$Iden", "root.yaml:15 ForEach"),
    ] {
        assert_eq!(modules(place).definition().as_deref(), Some(want), "{place}");
    }
    assert_eq!(
        modules("Parameters:\n  Ci").references(),
        [
            "modules/net.yaml:2 Cidr",
            "modules/net.yaml:4 Cidr",
            "root.yaml:10 Cidr",
            "root.yaml:16 Cidr",
            "root.yaml:24 Cidr"
        ]
    );
}

#[test]
fn imports_have_their_modules() {
    let case = modules("Resources");
    let imports = case.project.imports(&case.file);
    let shown: Vec<_> =
        imports.iter().map(|import| (import.name.as_str(), import.file.as_ref().map(VirtualPath::as_str))).collect();
    assert_eq!(shown, [("Net", Some("modules/net.yaml")), ("Box", Some("modules/net.yaml"))]);
    assert_eq!((&imports[0].parameters, &imports[0].outputs), (&vec!["Cidr".to_owned()], &vec!["VpcId".to_owned()]));
}

#[test]
fn outlines_nest() {
    let case = case(&[(
        "t.yaml",
        "Resources:\n  A: {Type: T}\n  Fn::ForEach::L:\n    - N\n    - [a]\n    - B${N}: {Type: U}‸\n  C: {Type: V}\n",
    )]);
    let outline = case.project.outline(&case.file);
    let members = &outline[0].children;
    let shown: Vec<_> = members.iter().map(|item| (item.kind, item.name.as_str())).collect();
    assert_eq!(shown, [(SymbolKind::Resource, "A"), (SymbolKind::Loop, "L"), (SymbolKind::Resource, "C")]);
    assert_eq!(members[1].children[0].name, "B${N}");
    assert_eq!(members[1].children[0].detail.as_deref(), Some("U"));
}

#[test]
fn names_are_those_that_fit() {
    assert_eq!(modules("!GetAtt Net.V").names(), ["VpcId"]);
    assert_eq!(modules("Properties:\n      Ci").names(), ["Cidr"]);
    assert_eq!(modules("{DependsOn: T").names(), ["Topic", "Net", "Box"]);
    let text = "Conditions: {Is: !Equals [a, b]}\nResources:\n  A: {Condition: I‸}\n";
    assert_eq!(case(&[("t.yaml", text)]).names(), ["Is"]);
    let text = "Resources:\n  Fn::ForEach::L:\n    - N\n    - [a]\n    - B${N}: {P: !Ref ‸}\n  C: {Type: V}\n";
    assert_eq!(case(&[("t.yaml", text)]).names(), ["N", "C"]);
}

#[test]
fn broken_text_is_answered_as_far_as_it_can_be_read() {
    let case =
        case(&[("t.yaml", "Parameters:\n  Env: {Type: String}\nResources:\n  A:\n    P: !Ref En‸v\n    Q: [\n")]);
    assert!(!case.project.file(&case.file).expect("indexed").is_well_formed());
    // Nothing panics, whatever is left of it.
    let _ = (case.definition(), case.references(), case.names(), case.project.outline(&case.file));
}
