//! `graph` (reference/graph.md).

use serde_json::{Value, json};

use crate::support::folder::Folder;

const TEMPLATE: &str = "Transform: AWS::LanguageExtensions
Parameters: {Env: {Type: String, Default: dev}}
Conditions: {IsProd: !Equals [!Ref Env, prod]}
Modules:
  Box: {Source: ./m.yaml, ForEach: [x, y], Properties: {Name: !Sub 'x-${Identifier}'}}
Resources:
  Topic: {Type: AWS::SNS::Topic, DependsOn: Table}
  Table:
    Type: AWS::DynamoDB::Table
    Condition: IsProd
    Properties: {KeySchema: [{AttributeName: Id, KeyType: HASH}], TableName: !Sub '${Env}-t'}
  Fn::ForEach::Queues:
    - Name
    - [a, b, c]
    - Queue${Name}:
        Type: AWS::SQS::Queue
        Properties:
          QueueName: !Sub '${Env}-${Name}'
          KmsMasterKeyId: !GetAtt Key.Arn
          RedrivePolicy: {deadLetterTargetArn: !GetAtt Box0Queue.Arn, maxReceiveCount: 3}
  Key: {Type: AWS::KMS::Key, Properties: {KeyPolicy: {}}}
Outputs: {Url: {Value: !Ref Queuea}}
";

fn folder(name: &str) -> Folder {
    let module = "Parameters: {Name: {Type: String}}\nResources:\n  Queue: {Type: AWS::SQS::Queue, Properties: {QueueName: !Ref Name}}\n";
    Folder::new("graph", name).with("t.yaml", TEMPLATE).with("m.yaml", module)
}

fn graph(folder: &Folder, words: &[&str]) -> Value {
    let run = folder.run(&[&["graph", "t.yaml", "--format", "json"], words].concat());
    assert_eq!(run.status, 0, "{run:?}");
    serde_json::from_str(&run.out).expect("JSON")
}

fn ids(graph: &Value) -> Vec<&str> {
    graph["nodes"].as_array().expect("nodes").iter().filter_map(|node| node["id"].as_str()).collect()
}

fn edges(graph: &Value) -> Vec<String> {
    let edges = graph["edges"].as_array().expect("edges").iter();
    edges.map(|edge| format!("{} {} {}", edge["from"], edge["to"], edge["kinds"]).replace('"', "")).collect()
}

#[test]
fn resources_are_nodes_and_references_edges() {
    let folder = folder("nodes");
    let found = graph(&folder, &[]);
    assert_eq!(ids(&found), ["Topic", "Table", "Queuea", "Queueb", "Queuec", "Key", "Box0Queue", "Box1Queue"]);
    let queues = ["a", "b", "c"].into_iter();
    let mut wanted = vec!["Topic Table [depends-on]".to_owned()];
    wanted.extend(
        queues.flat_map(|name| [format!("Queue{name} Key [getatt]"), format!("Queue{name} Box0Queue [getatt]")]),
    );
    assert_eq!(edges(&found), wanted);
    let table = found["nodes"].as_array().and_then(|nodes| nodes.iter().find(|node| node["id"] == "Table"));
    assert_eq!(table.map(|node| (&node["absent"], &node["line"])), Some((&json!(true), &json!(8))));
    let queue = found["nodes"].as_array().and_then(|nodes| nodes.iter().find(|node| node["id"] == "Box1Queue"));
    assert_eq!(queue.map(|node| (&node["module"], &node["file"])), Some((&json!("Box1"), &json!("m.yaml"))));
    assert!(!ids(&graph(&folder, &["--stage", "resolve"])).contains(&"Table"));
}

#[test]
fn other_sections_are_drawn_on_request() {
    let found = graph(&folder("with"), &["--with", "parameters,conditions,outputs"]);
    let edges = edges(&found);
    for wanted in
        ["Conditions.IsProd Parameters.Env [ref]", "Table Conditions.IsProd [condition]", "Outputs.Url Queuea [ref]"]
    {
        assert!(edges.iter().any(|edge| edge == wanted), "{wanted}: {edges:?}");
    }
}

#[test]
fn a_part_of_a_graph_is_chosen() {
    let folder = folder("part");
    assert_eq!(
        ids(&graph(&folder, &["--focus", "Key", "--depth", "1", "--direction", "in"])),
        ["Queuea", "Queueb", "Queuec", "Key"]
    );
    assert_eq!(
        ids(&graph(&folder, &["--type", "AWS::SQS::*", "--hide", "*a"])),
        ["Queueb", "Queuec", "Box0Queue", "Box1Queue"]
    );
    assert_eq!(ids(&graph(&folder, &["--collapse", "loops", "--only", "Queue*"])), ["Queue${Name} x 3"]);
    let run = folder.run(&["graph", "t.yaml", "--focus", "Kye"]);
    assert!(run.status == 2 && run.err.contains("did you mean `Key`?"), "{run:?}");
}

#[test]
fn the_format_follows_the_name_of_the_file() {
    let folder = folder("formats");
    for (name, start) in [("g.svg", "<svg "), ("g.dot", "digraph "), ("g.mmd", "flowchart LR\n"), ("g.json", "{\n")] {
        let run = folder.run(&["graph", "t.yaml", "-o", name]);
        assert_eq!((run.status, run.out.as_str()), (0, ""), "{run:?}");
        let text = String::from_utf8(folder.contents()[name].clone()).expect("UTF-8");
        assert!(text.starts_with(start), "{text}");
    }
}

#[test]
fn a_cycle_is_drawn_and_reported() {
    let folder = Folder::new("graph", "cycle").with(
        "t.yaml",
        "Resources:\n  A: {Type: AWS::SNS::Topic, DependsOn: B}\n  B: {Type: AWS::SNS::Topic, DependsOn: A}\n",
    );
    for stage in ["expand", "resolve"] {
        let run = folder.run(&["graph", "t.yaml", "--stage", stage]);
        assert_eq!((run.status, run.out.matches("color=red").count()), (1, 2), "{run:?}");
        assert!(run.err.contains("error[FW0206]"), "{run:?}");
    }
}

#[test]
fn an_api_its_stage_and_their_log_group_are_no_cycle() {
    // The stage writes to the log group, whose name has the ID of the API.
    let text = "Transform: AWS::Serverless-2016-10-31
Conditions:
  IsOpen: !Equals [!Ref AWS::Region, eu-west-1]
Resources:
  Api:
    Type: AWS::Serverless::Api
    Properties:
      StageName: prod
      AccessLogSetting: {DestinationArn: !GetAtt Logs.Arn, Format: $context.requestId}
  Logs:
    Type: AWS::Logs::LogGroup
    Properties: {LogGroupName: !Sub \"/api/${Api}\"}
  One:
    Type: AWS::SNS::Topic
    Properties: {DisplayName: !If [IsOpen, !GetAtt Two.TopicName, none]}
    Metadata: {See: !Ref Two}
  Two:
    Type: AWS::SNS::Topic
    Properties: {DisplayName: !GetAtt One.TopicName}
";
    let folder = Folder::new("graph", "serverless").with("t.yaml", text);
    for stage in ["expand", "resolve"] {
        let run = folder.run(&["graph", "t.yaml", "--stage", stage]);
        assert_eq!((run.status, run.out.matches("color=red").count()), (0, 0), "{run:?}");
        assert!(!run.err.contains("FW0206"), "{run:?}");
    }
    let run = folder.run(&["check", "t.yaml"]);
    assert!(!run.out.contains("FW0206"), "{run:?}");
    // A cycle beside them is one all the same.
    let folder = Folder::new("graph", "serverless-cycle").with(
        "t.yaml",
        &format!("{text}  A:\n    Type: AWS::SNS::Topic\n    DependsOn: [B, Api]\n  B: {{Type: AWS::SNS::Topic, DependsOn: A}}\n"),
    );
    let run = folder.run(&["graph", "t.yaml"]);
    assert_eq!((run.status, run.out.matches("color=red").count()), (1, 2), "{run:?}");
    assert!(folder.run(&["check", "t.yaml"]).out.contains("circular dependency"), "{run:?}");
}
