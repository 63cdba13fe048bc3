//! Loops and the size of the result.

use serde_json::json;

use crate::laws::resources;
use crate::run::{run, run_with};

/// What one iteration of a loop makes; `#` is its item.
const ITERATIONS: [&str; 3] = [
    "  F#:
    Type: AWS::Serverless::Function
    Condition: C
    Properties:
      InlineCode: x
      Handler: h
      Runtime: r
      AutoPublishAlias: live
      Events:
        A: {Type: Schedule, Properties: {Schedule: r, DeadLetterConfig: {Type: SQS}}}
        B: {Type: ScheduleV2, Properties: {ScheduleExpression: r, DeadLetterConfig: {Type: SQS}}}
        C: {Type: SNS, Properties: {Topic: t, SqsSubscription: true}}
        D: {Type: IoTRule, Properties: {Sql: s}}
        E: {Type: EventBridgeRule, Properties: {Pattern: {a: [b]}}}
        G: {Type: S3, Properties: {Bucket: !Ref B#, Events: [a, b]}}
        H: {Type: Cognito, Properties: {UserPool: !Ref P#, Trigger: PreSignUp}}
        I: {Type: SQS, Properties: {Queue: q}}
  B#: {Type: AWS::S3::Bucket}
  P#: {Type: AWS::Cognito::UserPool}
",
    "  S#:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition: {a: b}
      AutoPublishAlias: live
      Events:
        A: {Type: Schedule, Properties: {Schedule: r, DeadLetterConfig: {Type: SQS}}}
        B: {Type: ScheduleV2, Properties: {ScheduleExpression: r}}
        C: {Type: CloudWatchEvent, Properties: {Pattern: {a: [b]}}}
",
    "  T#: {Type: AWS::Serverless::SimpleTable}
  L#: {Type: AWS::Serverless::LayerVersion, Properties: {ContentUri: 's3://a/#'}}
",
];

#[test]
fn a_loop_becomes_what_its_iterations_become() {
    let translated = |text: &str| {
        let head = "Transform: AWS::Serverless-2016-10-31\nConditions: {C: !Equals [a, b]}\nResources:\n";
        let run = run(&format!("{head}{text}"), &[]);
        assert!(!run.diagnostics.has_errors(), "{:?}", run.diagnostics.iter().next());
        let mut output = run.output();
        output["Resources"].as_object_mut().map(std::mem::take).expect("resources")
    };
    for body in ITERATIONS {
        let all = ["Z", "A", "M"].map(|item| body.replace('#', item));
        let together = translated(&all.concat());
        let mut union = serde_json::Map::new();
        for one in &all {
            for (id, resource) in translated(one) {
                assert_eq!(union.insert(id.clone(), resource), None, "{id}");
            }
        }
        assert_eq!(together, union);
    }
}

#[test]
fn notifications_of_all_iterations_are_in_the_shared_bucket() {
    let body = "  F#: {Type: AWS::Serverless::Function, Properties: {InlineCode: x, Handler: h, Runtime: r, Role: r, Events: {E: {Type: S3, Properties: {Bucket: !Ref B, Events: a}}}}}\n";
    let text: String = ["Z", "A", "M"].iter().map(|item| body.replace('#', item)).collect();
    let found = resources(&format!("{text}  B: {{Type: AWS::S3::Bucket}}\n"));
    let bucket = &found["Resources"]["B"];
    let want = ["FZ", "FA", "FM"].map(|id| json!({ "Event": "a", "Function": { "Fn::GetAtt": [id, "Arn"] } }));
    assert_eq!(bucket["Properties"]["NotificationConfiguration"]["LambdaConfigurations"], json!(want));
    assert_eq!(bucket["DependsOn"], json!(["FZEPermission", "FAEPermission", "FMEPermission"]));
}

/// Returns a template of functions with events of all sorts.
fn many(functions: usize, events: usize) -> String {
    let kinds = [
        "{Type: S3, Properties: {Bucket: !Ref B, Events: a#, Filter: {S3Key: {Rules: []}}}}",
        "{Type: SNS, Properties: {Topic: t, SqsSubscription: true}}",
        "{Type: ScheduleV2, Properties: {ScheduleExpression: r}}",
        "{Type: Schedule, Properties: {Schedule: r, DeadLetterConfig: {Type: SQS}}}",
    ];
    let mut text = "Transform: AWS::Serverless-2016-10-31\nResources:\n  B: {Type: AWS::S3::Bucket}\n".to_owned();
    for function in 0..functions {
        let head = format!(
            "  F{function}: {{Type: AWS::Serverless::Function, Properties: {{InlineCode: x, Handler: h, Runtime: r, Role: r, Tags: {{a: b}}, PropagateTags: true, Events: {{"
        );
        let events = (0..events).zip(kinds.iter().cycle());
        let events = events.map(|(event, kind)| format!("E{event}: {}, ", kind.replace('#', &event.to_string())));
        text.push_str(&head);
        text.extend(events);
        text.push_str("}}}\n");
    }
    text
}

#[test]
fn many_events_are_translated() {
    let found = run(&many(500, 100), &[]);
    assert!(!found.diagnostics.has_errors(), "{:?}", found.diagnostics.iter().next());
    let output = found.output();
    let bucket = &output["Resources"]["B"]["Properties"]["NotificationConfiguration"]["LambdaConfigurations"];
    assert_eq!(bucket.as_array().map(Vec::len), Some(12_500));
}

#[test]
fn too_many_events_of_apis_are_refused() {
    let text = |count: usize| {
        let event = |number: usize| format!("E{number}: {{Type: Api, Properties: {{Path: /{number}, Method: get}}}}, ");
        let events: String = (0..count).map(event).collect();
        format!(
            "Transform: AWS::Serverless-2016-10-31\nResources:\n  F: {{Type: AWS::Serverless::Function, Properties: {{InlineCode: x, Handler: h, Runtime: r, Events: {{{events}}}}}}}\n"
        )
    };
    let found = run_with(&text(5_001), formwork_serverless::Settings::default());
    let titles: Vec<&str> = found.diagnostics.iter().map(|one| &*one.message).collect();
    assert_eq!(titles, ["the template has 5001 events of APIs, more than the limit of 5000"]);
    assert_eq!(found.root, found.authored);
    assert!(!run_with(&text(500), formwork_serverless::Settings::default()).diagnostics.has_errors());
}

#[test]
fn a_result_that_is_too_large_is_refused() {
    let limits = formwork_base::Limits { output_nodes: 5_000, ..Default::default() };
    let settings = || formwork_serverless::Settings { limits, ..Default::default() };
    let wide = format!("{}{{a: b}}", "{a: b}, ".repeat(500));
    let large = [
        many(10, 40),
        format!(
            "Transform: AWS::Serverless-2016-10-31\nResources:\n  B: {{Type: AWS::S3::Bucket}}\n  F: {{Type: AWS::Serverless::Function, Properties: {{InlineCode: x, Handler: h, Runtime: r, Events: {{E: {{Type: S3, Properties: {{Bucket: !Ref B, Events: [a, b, c, d], Filter: {{S3Key: [{wide}]}}}}}}}}}}}}\n"
        ),
        format!(
            "Transform: AWS::Serverless-2016-10-31\nGlobals: {{Function: {{Layers: [{wide}]}}}}\nResources:\n  F: {{Type: AWS::Serverless::Function, Properties: {{}}}}\n  G: {{Type: AWS::Serverless::Function, Properties: {{}}}}\n  H: {{Type: AWS::Serverless::Function, Properties: {{}}}}\n  I: {{Type: AWS::Serverless::Function, Properties: {{}}}}\n"
        ),
    ];
    for text in &large {
        let found = run_with(text, settings());
        let titles: Vec<&str> = found.diagnostics.iter().map(|one| &*one.message).collect();
        assert_eq!(titles, ["the result of the serverless transform exceeds the limit of 5000 nodes"]);
        assert_eq!(found.root, found.authored);
    }
    assert!(!run_with(&many(1, 10), settings()).diagnostics.has_errors());
}
