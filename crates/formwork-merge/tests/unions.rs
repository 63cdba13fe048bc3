//! Unions of files.

use formwork_base::{Diagnostics, FileId, Limits, SourceMap, VirtualPath};
use formwork_merge::{merge, paths, text};
use formwork_syntax::{Document, Tree, read};

struct United {
    text: String,
    found: Vec<String>,
    tree: Tree,
    sources: SourceMap,
    places: Vec<(u32, formwork_base::Span)>,
}

fn unite_for(files: &[(&str, &str)], output: &str) -> United {
    let (mut tree, mut sources, mut found) = (Tree::new(), SourceMap::new(), Diagnostics::new());
    let documents: Vec<Document> = files
        .iter()
        .map(|(name, text)| {
            let file = sources.add(VirtualPath::new(name), *text).expect("room");
            read(&mut tree, &sources, file, &Limits::default(), &mut found)
        })
        .collect();
    assert!(documents.iter().all(|document| document.is_well_formed), "{:?}", found.iter().collect::<Vec<_>>());
    let roots: Vec<_> = documents.iter().map(|document| document.root).collect();
    let merged = merge(&mut tree, &roots, &mut found);
    let output = VirtualPath::new(output);
    let new_path = |file: FileId, path: &str| Some(paths::moved(path, sources.path(file), &output));
    let written = text::text(&mut tree, &sources, &documents, &merged, &new_path);
    let found = found.into_sorted(&sources).into_iter();
    let found = found.map(|one| {
        let place = |span| {
            let place = sources.place(span).expect("a place");
            format!("{}:{}:{}", sources.display(place.file), place.line, place.column)
        };
        let related: Vec<String> = one.related.iter().map(|label| place(label.span)).collect();
        format!("{} {} {} [{}]", one.code, place(one.span()), one.message, related.join(" "))
    });
    United { text: written.text, found: found.collect(), tree, sources, places: written.places }
}

fn unite(files: &[(&str, &str)]) -> (String, Vec<String>) {
    let united = unite_for(files, "out.yaml");
    (united.text, united.found)
}

#[test]
fn members_are_copied_with_their_comments() {
    let first = "# The parent.\nAWSTemplateFormatVersion: '2010-09-09'\n\nResources:\n  # A topic.\n  Topic: # beside\n    Type: AWS::SNS::Topic\n\n  Other:\n    Type: \"AWS::SNS::Topic\"\n\nOutputs:\n  Arn:\n    Value: !Ref Topic\n# the end\n";
    let second = "# Queues.\nAWSTemplateFormatVersion: \"2010-09-09\"\n\nParameters:\n    Size: {Type: String}\nResources:\n    # A queue.\n    Queue:\n        Type: AWS::SQS::Queue\n        Properties:\n            QueueName: !Sub '${Size}-q'  # named\n            Text: |\n                a\n                  b\n\n    Dead: {Type: AWS::SQS::Queue}\n    # trailing\n";
    let (text, found) = unite(&[("a.yaml", first), ("b.yaml", second)]);
    assert_eq!(found, Vec::<String>::new());
    let want = "# The parent.\nAWSTemplateFormatVersion: '2010-09-09'\n\nResources:\n  # A topic.\n  Topic: # beside\n    Type: AWS::SNS::Topic\n\n  Other:\n    Type: \"AWS::SNS::Topic\"\n\n  # A queue.\n  Queue:\n      Type: AWS::SQS::Queue\n      Properties:\n          QueueName: !Sub '${Size}-q'  # named\n          Text: |\n              a\n                b\n\n  Dead: {Type: AWS::SQS::Queue}\n  # trailing\n\nOutputs:\n  Arn:\n    Value: !Ref Topic\n# the end\n\nParameters:\n    Size: {Type: String}\n";
    assert_eq!(text, want, "{text}");
}

#[test]
fn json_and_yaml_in_the_format_of_the_first() {
    let yaml = "Resources:\n  A:\n    Type: T\n    Properties: {N: !GetAtt B.Arn}\n";
    let json = "{\n    \"Resources\": {\n        \"B\": {\n            \"Type\": \"T\",\n            \"List\": [1, \"2\"]\n        }\n    },\n    \"Outputs\": {\"O\": {\"Value\": {\"Fn::Sub\": \"${A}\"}}}\n}\n";
    let (text, found) = unite(&[("a.yaml", yaml), ("b.json", json)]);
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(
        text,
        "Resources:\n  A:\n    Type: T\n    Properties: {N: !GetAtt B.Arn}\n  B:\n    Type: T\n    List:\n      - 1\n      - \"2\"\nOutputs:\n  O:\n    Value:\n      Fn::Sub: ${A}\n"
    );
    let (text, _) = unite(&[("b.json", json), ("a.yaml", yaml)]);
    assert_eq!(
        text,
        "{\n    \"Resources\": {\n        \"B\": {\n            \"Type\": \"T\",\n            \"List\": [1, \"2\"]\n        },\n        \"A\": {\n          \"Type\": \"T\",\n          \"Properties\": {\n            \"N\": {\n              \"Fn::GetAtt\": [\n                \"B\",\n                \"Arn\"\n              ]\n            }\n          }\n        }\n    },\n    \"Outputs\": {\"O\": {\"Value\": {\"Fn::Sub\": \"${A}\"}}}\n}\n"
    );
}

#[test]
fn conflicts_name_both_places() {
    let one = "AWSTemplateFormatVersion: 2010-09-09\nDescription: one\nMetadata:\n  Build: {Tool: a, Same: [1]}\nGlobals:\n  Function: {Timeout: 1}\nResources:\n  A: {Type: T}\n  Same: {Type: S, X: {B: 1, C: 2}}\nOutputs: {O: {Value: 1}}\n";
    let two = "AWSTemplateFormatVersion: 2010-09-10\nDescription: two\nMetadata:\n  Build: {Tool: b, Same: [1]}\nGlobals:\n  Function: {Timeout: 2, Runtime: x}\nResources:\n  A: {Type: U}\n  Same: {Type: S, X: {C: 2, B: 1}}\nOutputs: {O: {Value: 2}}\n";
    let (text, found) = unite(&[("one.yaml", one), ("two.yaml", two)]);
    assert_eq!(
        found,
        [
            "FW1501 two.yaml:1:1 AWSTemplateFormatVersion has different values in two files [one.yaml:1:1]",
            "FW1502 two.yaml:2:14 this Description is left out of the template [one.yaml:2:14]",
            "FW1501 two.yaml:4:11 Metadata.Build.Tool has different values in two files [one.yaml:4:11]",
            "FW1501 two.yaml:6:14 Globals.Function.Timeout has different values in two files [one.yaml:6:14]",
            "FW1501 two.yaml:8:3 resource A is declared in two files, with different content [one.yaml:8:3]",
            "FW1501 two.yaml:10:11 output O is declared in two files, with different content [one.yaml:10:11]",
        ]
    );
    assert_eq!(text.matches("Same: {Type").count(), 1, "{text}");
}

#[test]
fn spellings_of_one_value_are_no_conflict() {
    let one = "Conditions:\n  C: !Not [!Condition D]\nResources:\n  A: {Type: T, P: !GetAtt B.Arn.X, Q: !Ref B}\n";
    let two = "Conditions:\n  C: {'Fn::Not': [{Condition: D}]}\nResources:\n  A: {Type: T, Q: {Ref: B}, P: {'Fn::GetAtt': [B, Arn.X]}}\n";
    let (text, found) = unite(&[("one.yaml", one), ("two.yaml", two)]);
    assert_eq!((text.as_str(), found.len()), (one, 0), "{found:?}");
}

#[test]
fn transforms_are_in_the_order_of_cloudformation() {
    let of = |texts: &[&str]| {
        let files: Vec<(String, String)> =
            texts.iter().enumerate().map(|(at, text)| (format!("{at}.yaml"), format!("Transform: {text}\n"))).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        unite(&files).0
    };
    assert_eq!(
        of(&["AWS::Serverless-2016-10-31", "[Mine, AWS::LanguageExtensions]"]),
        "Transform:\n  - AWS::LanguageExtensions\n  - AWS::Serverless-2016-10-31\n  - Mine\n"
    );
    assert_eq!(
        of(&["AWS::Serverless-2016-10-31", "[AWS::Serverless-2016-10-31]"]),
        "Transform: AWS::Serverless-2016-10-31\n"
    );
}

#[test]
fn groups_of_the_interface_are_joined_by_their_labels() {
    let interface = |groups: &str, labels: &str| {
        format!(
            "Metadata:\n  AWS::CloudFormation::Interface:\n    ParameterGroups:\n{groups}    ParameterLabels:\n{labels}"
        )
    };
    let one = interface(
        "      # network\n      - Label: {default: Net}\n        Parameters:\n          - Vpc\n",
        "      Vpc: {default: The VPC}\n",
    );
    let two = interface(
        "      - Label: {default: Size}\n        Parameters: [Small]\n      - Label: {default: Net}\n        Parameters: [Subnet, Vpc]\n",
        "      Small: {default: S}\n",
    );
    let (text, found) = unite(&[("one.yaml", &one), ("two.yaml", &two)]);
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(
        text,
        "Metadata:\n  AWS::CloudFormation::Interface:\n    ParameterGroups:\n      -\n        Label:\n          default: Net\n        Parameters:\n          - Vpc\n          - Subnet\n      - Label: {default: Size}\n        Parameters: [Small]\n    ParameterLabels:\n      Vpc: {default: The VPC}\n      Small: {default: S}\n"
    );
}

#[test]
fn relative_paths_lead_to_the_same_files() {
    let parent = "Modules:\n  M: {Source: ./m.yaml}\nResources:\n  L:\n    Type: AWS::Lambda::Function\n    Properties: {Code: ./src}\n";
    let child = "Resources:\n  N:\n    Type: AWS::CloudFormation::Stack\n    Properties: {TemplateURL: 'child.yaml'}\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      CodeUri: !If [X, ../shared/, s3://bucket/key]\n  Fn::Transform: {Name: AWS::Include, Parameters: {Location: more.yaml}}\n";
    let united = unite_for(&[("a/parent.yaml", parent), ("b/child.yaml", child)], "a/out.yaml");
    assert_eq!(
        united.text,
        "Modules:\n  M: {Source: ./m.yaml}\nResources:\n  L:\n    Type: AWS::Lambda::Function\n    Properties: {Code: ./src}\n  N:\n    Type: AWS::CloudFormation::Stack\n    Properties: {TemplateURL: '../b/child.yaml'}\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      CodeUri: !If [X, ../shared/, s3://bucket/key]\n  Fn::Transform: {Name: AWS::Include, Parameters: {Location: ../b/more.yaml}}\n"
    );
}

#[test]
fn aliases_are_written_as_what_they_stand_for() {
    let one = "Resources:\n  A: &x {Type: T}\n  B: *x\n";
    let two = "Resources:\n  C: &x\n    Type: U\n  D:\n    <<: *x\n    Z: 1\n";
    let (text, _) = unite(&[("one.yaml", one), ("two.yaml", two)]);
    assert_eq!(text, "Resources:\n  A: {Type: T}\n  B:\n    Type: T\n  C:\n    Type: U\n  D:\n    Type: U\n    Z: 1\n");
}

#[test]
fn block_scalars_that_keep_their_breaks_stay_what_they_are() {
    let one = "Resources:\n  A:\n    Text: |+\n      x\n\n\n  B:\n    Text: |+\n      y\n\n";
    let two = "Resources:\n  C:\n    Text: |+\n      z\n\n\n  D: 1\nOutputs:\n  E: 1\n";
    let (text, _) = unite(&[("one.yaml", one), ("two.yaml", two)]);
    assert_eq!(
        text,
        "Resources:\n  A:\n    Text: |+\n      x\n\n\n  B:\n    Text: |+\n      y\n\n  C:\n    Text: |+\n      z\n\n\n  D: 1\nOutputs:\n  E: 1\n"
    );
}

#[test]
fn objects_in_braces_get_lines_of_their_own() {
    let one = "Resources:\n  A: {Type: T}\n";
    let two = "{Resources: {\"B\":{Type: U,\n  Properties: [1,\n   2]}, C: {Type: V}}, Outputs: {O: {Value: x}}}\n";
    let (text, _) = unite(&[("one.yaml", one), ("two.yaml", two)]);
    assert_eq!(
        text,
        "Resources:\n  A: {Type: T}\n  \"B\": {Type: U,\n    Properties: [1,\n     2]}\n  C: {Type: V}\nOutputs: {O: {Value: x}}\n"
    );
}

#[test]
fn sections_without_content_add_nothing() {
    let (text, found) = unite(&[
        ("one.yaml", "Parameters:\nResources:\n  A: {Type: T}\n"),
        ("two.yaml", "Parameters: {P: {Type: String}}\nOutputs: {}\nResources:\n"),
    ]);
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(text, "Parameters:\n  P: {Type: String}\nResources:\n  A: {Type: T}\nOutputs: {}\n");
}

#[test]
fn every_place_is_the_authored_one() {
    let united = unite_for(
        &[("a.yaml", "Resources:\n  A: {Type: T}\n"), ("b.yaml", "Resources:\n    B:\n        Type: U\n")],
        "out.yaml",
    );
    let at = united.text.find('U').expect("the type") as u32;
    let (_, span) = united.places.iter().find(|(start, _)| *start == at).expect("its place");
    let place = united.sources.place(*span).expect("a place");
    assert_eq!((united.sources.display(place.file), place.line, place.column), ("b.yaml", 3, 15));
    assert!(united.tree.node_count() > 0);
}
