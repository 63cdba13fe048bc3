//! Serverless projects that are deployed as plain resources, against moto, which does not know the transform.
//!
//! Holds reference/serverless.md#where.

use std::collections::BTreeMap;

use serde_json::Value;

use super::moto::Moto;
use super::program::Folder;

/// A function behind an API.
const API: &str = "Transform: AWS::Serverless-2016-10-31
Resources:
  Orders:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: src
      Handler: app.handler
      Runtime: python3.13
      Events:
        List: {Type: HttpApi, Properties: {Path: /orders, Method: get}}
Outputs:
  Function: {Value: !GetAtt Orders.Arn}
";

/// A consumer of a queue, with a table and policies.
const QUEUE: &str = "Transform: AWS::Serverless-2016-10-31
Resources:
  Queue:
    Type: AWS::SQS::Queue
  Table:
    Type: AWS::Serverless::SimpleTable
  Consumer:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: src
      Handler: app.handler
      Runtime: python3.13
      Environment: {Variables: {TABLE: !Ref Table}}
      Policies:
        - DynamoDBCrudPolicy: {TableName: !Ref Table}
      Events:
        Messages: {Type: SQS, Properties: {Queue: !GetAtt Queue.Arn, BatchSize: 5}}
";

/// Functions of a loop.
const LOOP: &str = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Globals:
  Function: {Handler: app.handler, Runtime: python3.13}
Resources:
  Fn::ForEach::Functions:
    - Name
    - [Orders, Users, Carts]
    - ${Name}:
        Type: AWS::Serverless::Function
        Properties:
          CodeUri: src
          AutoPublishAlias: live
";

/// Types that moto's stacks do not list.
const UNLISTED: [&str; 3] = ["AWS::ApiGatewayV2::Api", "AWS::ApiGatewayV2::Stage", "AWS::Lambda::Alias"];

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns the types of resources by logical ID.
fn types(template: &Value) -> BTreeMap<String, String> {
    let resources = template["Resources"].as_object().expect("resources");
    let kind = |one: &Value| one["Type"].as_str().unwrap_or_default().to_owned();
    resources.iter().map(|(id, one)| (id.clone(), kind(one))).collect()
}

pub(crate) fn three_projects(moto: &Moto) {
    moto.boto3("import boto3; boto3.client('s3').create_bucket(Bucket='formwork-serverless')");
    for (name, template, count) in [("api", API, 5), ("queue", QUEUE, 5), ("loop", LOOP, 12)] {
        let folder = Folder::new(&format!("serverless-{name}")).with("t.yaml", template);
        std::fs::create_dir_all(folder.0.join("src")).expect("a directory");
        let folder = folder.with("src/app.py", "x = 1\n");
        let stack = format!("formwork-serverless-{name}");
        let bucket = ["--s3-bucket", "formwork-serverless"];
        let words = ["deploy", "t.yaml", "--serverless", "--stack-name", &stack, "--poll-delay", "0.05"];
        let run = moto.run(&folder, &[&words[..], &bucket, &["--capabilities", "CAPABILITY_IAM"]].concat());
        assert_eq!(run.status, 0, "{name}: {}", run.err);

        let words = ["package", "t.yaml", "--serverless", "--format", "json", "-q"];
        let translated = moto.run(&folder, &[&words[..], &bucket].concat());
        assert_eq!(translated.status, 0, "{name}: {}", translated.err);
        let wanted = json(&translated.out);
        assert!(types(&wanted).values().all(|kind| !kind.starts_with("AWS::Serverless::")), "{wanted}");
        assert_eq!(types(&wanted).len(), count, "{wanted}");

        let found = json(&moto.boto3(&format!(
            "import boto3, json
client = boto3.client('cloudformation')
pages = client.get_paginator('list_stack_resources').paginate(StackName='{stack}')
found = {{one['LogicalResourceId']: one['ResourceType'] for page in pages for one in page['StackResourceSummaries'] if one['LogicalResourceId']}}
body = client.get_template(StackName='{stack}')['TemplateBody']
print(json.dumps({{'Types': found, 'Body': body if isinstance(body, str) else json.dumps(body)}}))"
        )));
        let deployed: BTreeMap<String, String> = serde_json::from_value(found["Types"].clone()).expect("types");
        let mut listed = types(&wanted);
        listed.retain(|_, kind| !UNLISTED.contains(&kind.as_str()));
        assert_eq!(deployed, listed, "{name}");
        let folder = folder.with("sent.yaml", found["Body"].as_str().expect("a template"));
        let sent = folder.run(&["expand", "sent.yaml", "--format", "json", "-q"], &[]);
        assert_eq!(json(&sent.out), wanted, "{name}: {}", sent.err);
    }
}
