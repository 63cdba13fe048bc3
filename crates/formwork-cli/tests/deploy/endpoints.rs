//! `list endpoints`: where functions and APIs are called.
//!
//! Holds reference/around.md#endpoints.

use serde_json::{Value, json};

use super::answers::{resources, stack, template};
use super::program::{Case, Run};
use super::server::{Answer, Step};
use crate::schemas::schema::Schema;

const FUNCTION: &str = "AWS::Lambda::Function";
const REST: &str = "AWS::ApiGateway::RestApi";
const HTTP: &str = "AWS::ApiGatewayV2::Api";

const TEMPLATE: &str = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Resources:
  Fn::ForEach::Workers:
    - Name
    - [Orders, Users]
    - ${Name}Worker:
        Type: AWS::Serverless::Function
        Properties:
          Handler: a.b
          Runtime: python3.13
          InlineCode: x
          Events:
            Get: {Type: Api, Properties: {Path: !Sub '/${Name}', Method: get}}
            Post: {Type: Api, Properties: {Path: !Sub '/${Name}', Method: POST}}
";

fn run(name: &str, steps: Vec<Step>, words: &[&str]) -> Run {
    Case::new(name).with("template.yaml", TEMPLATE).run(steps, &[&["list", "endpoints"], words].concat())
}

fn json_step(action: &'static str, status: u16, answer: &Value) -> Step {
    Step { action, answer: Answer::Json(status, answer.to_string()) }
}

const ORDERS: &str = "GET /2021-10-31/functions/shop-orders/url";
const STAGES: &str = "GET /restapis/a1b2/stages";

fn listed(more: &[(&str, &str, &str)]) -> Vec<Step> {
    let all = [&[("OrdersWorker", FUNCTION, "shop-orders"), ("ServerlessRestApi", REST, "a1b2")], more].concat();
    vec![stack("CREATE_COMPLETE", &[], &[]), resources(&all)]
}

fn of(run: &Run) -> Value {
    let value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err));
    Schema::read("list-endpoints.json").hold(&value, "endpoints");
    value
}

#[test]
fn functions_and_stages_of_apis() {
    let steps = || {
        let calls = vec![
            json_step(ORDERS, 200, &json!({"FunctionUrl": "https://x.lambda-url.eu-west-1.on.aws/"})),
            json_step(STAGES, 200, &json!({"item": [{"stageName": "Prod"}, {"stageName": "Stage"}]})),
        ];
        [listed(&[]), calls].concat()
    };
    let json = run("endpoints-json", steps(), &["shop", "--output", "json"]);
    assert_eq!(
        of(&json),
        json!([
            {"LogicalResourceId": "OrdersWorker", "PhysicalResourceId": "shop-orders",
                "CloudEndpoint": "https://x.lambda-url.eu-west-1.on.aws/", "Methods": "-"},
            {"LogicalResourceId": "ServerlessRestApi", "PhysicalResourceId": "a1b2",
                "CloudEndpoint": ["https://a1b2.execute-api.eu-west-1.amazonaws.com/Prod",
                    "https://a1b2.execute-api.eu-west-1.amazonaws.com/Stage"],
                "Methods": ["/Orders['get', 'post']", "/Users['get', 'post']"]},
        ])
    );
    let text = run("endpoints", steps(), &["shop"]);
    assert_eq!((text.status, text.err.as_str()), (0, ""));
    insta::assert_snapshot!(text.out);
}

#[test]
fn http_apis_and_functions_without_a_url() {
    let steps = [
        listed(&[("Http", HTTP, "c3d4")]),
        vec![
            json_step(ORDERS, 404, &json!({"__type": "ResourceNotFoundException", "message": "none"})),
            json_step(STAGES, 200, &json!({"item": []})),
            json_step(
                "GET /v2/apis/c3d4/stages",
                200,
                &json!({"items": [{"stageName": "$default"}], "nextToken": "t"}),
            ),
            json_step("GET /v2/apis/c3d4/stages?nextToken=t", 200, &json!({"items": [{"stageName": "v1"}]})),
        ],
    ];
    let run = run("endpoints-http", steps.concat(), &["shop", "--format", "json"]);
    let value = of(&run);
    assert_eq!((&value[0]["CloudEndpoint"], &value[1]["CloudEndpoint"]), (&json!("-"), &json!("-")));
    let want =
        ["https://c3d4.execute-api.eu-west-1.amazonaws.com", "https://c3d4.execute-api.eu-west-1.amazonaws.com/v1"];
    assert_eq!(value[2]["CloudEndpoint"], json!(want));
    assert_eq!(run.err, "");
}

#[test]
fn custom_domains_take_the_place_of_stages() {
    let mapping = ("Mapping", "AWS::ApiGateway::BasePathMapping", "m");
    let processed = r#"{"Resources": {"Mapping": {"Type": "AWS::ApiGateway::BasePathMapping",
        "Properties": {"RestApiId": {"Ref": "ServerlessRestApi"}, "DomainName": "api.example", "BasePath": "v1"}}}}"#;
    let none = json_step(ORDERS, 404, &json!({"__type": "ResourceNotFoundException"}));
    let steps = [listed(&[mapping]), vec![none, template(processed)]].concat();
    let run = run("endpoints-domain", steps, &["shop", "--format", "json"]);
    assert_eq!(of(&run)[1]["CloudEndpoint"], json!(["https://api.example/v1"]));
    assert_eq!(run.sent("GetTemplate", "TemplateStage"), "Processed");
}

#[test]
fn permissions_that_are_missing() {
    let denied = json!({"__type": "AccessDeniedException", "message": "not authorized"});
    let url = [listed(&[]), vec![json_step(ORDERS, 403, &denied), json_step(STAGES, 200, &json!({"item": []}))]];
    let url = run("endpoints-no-url", url.concat(), &["shop"]);
    assert!(url.status == 0 && url.err.contains("GetFunctionUrlConfig"), "{}", url.err);
    let stages = json_step(STAGES, 403, &denied);
    let none = json_step(ORDERS, 404, &json!({"__type": "ResourceNotFoundException"}));
    let stages = run("endpoints-no-stages", [listed(&[]), vec![none, stages]].concat(), &["shop"]);
    assert!(stages.status == 5 && stages.err.contains("the call was apigateway:GET"), "{}", stages.err);
}

#[test]
fn endpoints_of_the_expanded_template_need_no_stack() {
    let local = run("endpoints-local", vec![], &["--format", "json"]);
    let value = of(&local);
    let paths: Vec<&Value> = value.as_array().expect("a list").iter().map(|row| &row["LogicalResourceId"]).collect();
    assert_eq!(paths, ["OrdersWorker", "UsersWorker", "ServerlessRestApi"]);
    assert_eq!(value[2]["Methods"][0], "/Orders['get', 'post']");
    let more = "Resources:
  Flow:
    Type: AWS::Serverless::StateMachine
    Properties:
      Role: arn:aws:iam::111122223333:role/r
      Definition: {StartAt: A, States: {A: {Type: Pass, End: true}}}
      Events: {Start: {Type: Api, Properties: {Path: /flow, Method: post}}}
  Mock:
    Type: AWS::ApiGatewayV2::Api
    Properties: {Name: m, ProtocolType: HTTP}
  Route:
    Type: AWS::ApiGatewayV2::Route
    Properties: {ApiId: !Ref Mock, RouteKey: GET /nothing}
";
    let more = Case::new("endpoints-more").with("template.yaml", more);
    let value = of(&more.run(vec![], &["list", "endpoints", "--format", "json"]));
    let methods = |id: &str| {
        let row = value.as_array().expect("a list").iter().find(|row| row["LogicalResourceId"] == id);
        row.map_or_else(|| panic!("{id} is not among {value}"), |row| row["Methods"].clone())
    };
    assert_eq!(methods("ServerlessRestApi"), json!(["/flow['post']"]), "what calls no function");
    assert_eq!(methods("Mock"), json!(["/nothing['get']"]), "what has no integration");
    let broken = Case::new("endpoints-broken").with("template.yaml", "Resources: {A: {Type: !Nope x}}\n");
    let broken = broken.run(vec![], &["list", "endpoints"]);
    assert!(broken.status == 1 && broken.out.is_empty(), "{}", broken.err);
    let none = Case::new("endpoints-none").run(vec![], &["list", "endpoints", "-t", "t.yaml"]);
    assert_eq!((none.status, none.err.as_str()), (0, "note: there are no functions and no APIs\n\n"));
}
