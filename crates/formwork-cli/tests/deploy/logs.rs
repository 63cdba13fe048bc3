//! `logs`: lines of functions, of loops, and of other resources.
//!
//! Holds reference/around.md#logs.

use serde_json::{Value, json};

use super::answers::{followed, interrupted, no_stack, resources, stack};
use super::outputs::caller;
use super::program::{Case, Run};
use super::server::{Answer, Step};
use crate::schemas::schema::Schema;

const FUNCTION: &str = "AWS::Lambda::Function";
const NESTED: &str = "AWS::CloudFormation::Stack";
const NESTED_ID: &str = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-Inner/5e6f";

/// A loop of functions, an API and a state machine.
const TEMPLATE: &str = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Resources:
  Fn::ForEach::Workers:
    - Name
    - [Orders, Users]
    - ${Name}Worker:
        Type: AWS::Serverless::Function
        Properties: {Handler: a.b, Runtime: python3.13, InlineCode: x}
  Mailer:
    Type: AWS::Serverless::Function
    Properties: {Handler: a.b, Runtime: python3.13, InlineCode: x}
";

fn case(name: &str) -> Case {
    Case::new(name).with("template.yaml", TEMPLATE)
}

fn run(name: &str, steps: Vec<Step>, words: &[&str]) -> Run {
    case(name).run(steps, &[&["logs", "shop"], words].concat())
}

fn json_step(action: &'static str, answer: &Value) -> Step {
    Step { action, answer: Answer::Json(200, answer.to_string()) }
}

fn refused(action: &'static str, code: &str, message: &str) -> Step {
    Step { action, answer: Answer::Json(400, json!({"__type": code, "message": message}).to_string()) }
}

/// A page of lines: time, ID, message; and the token of the page behind it.
fn lines(lines: &[(i64, &str, &str)], next: Option<&str>) -> Step {
    let event = |(time, id, message): &(i64, &str, &str)| json!({"logStreamName": "s", "timestamp": 1_769_853_600_000 + time, "message": message, "ingestionTime": 1, "eventId": id});
    let mut page = json!({"events": lines.iter().map(event).collect::<Vec<_>>(), "searchedLogStreams": []});
    if let Some(next) = next {
        page["nextToken"] = next.into();
    }
    json_step("FilterLogEvents", &page)
}

/// The stack, and the log group of each function: a configured one, or the usual one.
fn look() -> Vec<Step> {
    vec![
        stack("CREATE_COMPLETE", &[], &[]),
        resources(&[
            ("OrdersWorker", FUNCTION, "shop-orders"),
            ("UsersWorker", FUNCTION, "shop-users"),
            ("Mailer", FUNCTION, "shop-mailer"),
            ("MailerRole", "AWS::IAM::Role", "shop-mailer-role"),
            ("Api", "AWS::ApiGateway::RestApi", "a1b2"),
            ("Http", "AWS::ApiGatewayV2::Api", "c3d4"),
            ("Flow", "AWS::StepFunctions::StateMachine", "arn:flow"),
        ]),
    ]
}

const ORDERS: &str = "GET /2015-03-31/functions/shop-orders/configuration";
const USERS: &str = "GET /2015-03-31/functions/shop-users/configuration";
const MAILER: &str = "GET /2015-03-31/functions/shop-mailer/configuration";

/// The documents that `FilterLogEvents` was asked with.
fn asked(run: &Run) -> Vec<Value> {
    let is_filter = |request: &&super::server::Request| request[0].1 == "FilterLogEvents";
    run.requests.iter().filter(is_filter).map(|request| serde_json::from_str(&request[1].1).expect("JSON")).collect()
}

#[test]
fn lines_of_all_functions_are_merged_by_time() {
    // The first group has one page more, which is read when its lines are used up.
    let pages = vec![
        json_step(ORDERS, &json!({"LoggingConfig": {"LogGroup": "/shop/orders"}})),
        json_step(USERS, &json!({"LoggingConfig": {}})),
        refused(MAILER, "AccessDeniedException", "no"),
        lines(&[(0, "a", "START\n"), (5, "d", "two\r\nlines \u{1b}[31m\n")], Some("t")),
        lines(&[(1, "b", "a\ttab")], None),
        lines(&[], Some("x")),
        lines(&[], None),
        lines(&[(9, "e", "END\n")], None),
    ];
    let run = run("logs", [look(), pages].concat(), &[]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    insta::assert_snapshot!(run.out);
    let asked = asked(&run);
    let groups: Vec<&Value> = asked.iter().map(|body| &body["logGroupName"]).collect();
    assert_eq!(
        groups,
        [
            "/shop/orders",
            "/aws/lambda/shop-users",
            "/aws/lambda/shop-mailer",
            "/aws/lambda/shop-mailer",
            "/shop/orders"
        ]
    );
    assert_eq!((&asked[0]["limit"], &asked[4]["nextToken"]), (&json!(10_000), &json!("t")));
    assert!(asked[0]["startTime"].is_i64() && asked[0].get("endTime").is_none());
}

#[test]
fn lines_for_programs() {
    let steps = [look(), vec![json_step(MAILER, &json!({})), lines(&[(0, "a", "x\u{1b}\n")], None)]].concat();
    let run = run("logs-json", steps, &["-n", "Mailer", "--output", "json"]);
    let line: Value = serde_json::from_str(&run.out).expect("an object");
    Schema::read("logs.json").hold(&line, "logs");
    let want = json!({"time": "2026-01-31T10:00:00.000Z", "timestamp": 1_769_853_600_000_i64, "logical_id": "Mailer",
        "log_group": "/aws/lambda/shop-mailer", "log_stream": "s", "message": "x\u{1b}", "event_id": "a"});
    assert_eq!(line, want);
    assert!(!run.out.contains('\u{1b}'), "{}", run.out);
}

#[test]
fn a_loop_names_all_its_functions() {
    for word in ["Workers", "Fn::ForEach::Workers"] {
        let steps = [
            look(),
            vec![json_step(ORDERS, &json!({})), json_step(USERS, &json!({})), lines(&[], None), lines(&[], None)],
        ];
        let run = run("logs-loop", steps.concat(), &["--name", word]);
        assert_eq!((run.status, run.err.as_str(), asked(&run).len()), (0, "", 2), "{word}");
    }
}

#[test]
fn names_of_resources() {
    let physical = [look(), vec![json_step(MAILER, &json!({})), lines(&[], None)]].concat();
    assert_eq!(run("logs-physical", physical, &["-n", "shop-mailer", "-n", "Mailer"]).status, 0);
    let unknown = run("logs-unknown", look(), &["-n", "Nope"]);
    assert_eq!((unknown.status, unknown.out.as_str()), (1, ""));
    insta::assert_snapshot!(unknown.err);
    let silent = run("logs-silent", look(), &["-n", "MailerRole"]);
    assert!(silent.status == 1 && silent.err.contains("MailerRole (AWS::IAM::Role) has no logs"), "{}", silent.err);
    let inner = vec![
        stack("CREATE_COMPLETE", &[], &[]),
        resources(&[("Inner", NESTED, NESTED_ID)]),
        resources(&[("Mailer", FUNCTION, "shop-mailer")]),
        json_step(MAILER, &json!({})),
        lines(&[(0, "a", "x")], None),
    ];
    let inner = run("logs-nested", inner, &["-n", "Inner/Mailer"]);
    assert_eq!(inner.out, "2026-01-31T10:00:00.000Z Inner/Mailer x\n");
}

#[test]
fn apis_and_state_machines_when_they_are_named() {
    let rest = [
        look(),
        vec![
            json_step("GET /restapis/a1b2/stages", &json!({"item": [{"stageName": "Prod"}, {"stageName": "Stage"}]})),
            lines(&[], None),
            lines(&[], None),
        ],
    ];
    let rest = run("logs-rest", rest.concat(), &["-n", "Api"]);
    let groups: Vec<Value> = asked(&rest).iter().map(|body| body["logGroupName"].clone()).collect();
    assert_eq!(groups, ["API-Gateway-Execution-Logs_a1b2/Prod", "API-Gateway-Execution-Logs_a1b2/Stage"]);
    let stage = json!({"stageName": "$default", "accessLogSettings": {"destinationArn": "arn:aws:logs:eu-west-1:1:log-group:http:*"}});
    let http = [look(), vec![json_step("GET /v2/apis/c3d4/stages", &json!({"items": [stage]})), lines(&[], None)]];
    assert_eq!(asked(&run("logs-http", http.concat(), &["-n", "Http"]))[0]["logGroupName"], "http");
    let flow = json!({"loggingConfiguration": {"destinations": [{"cloudWatchLogsLogGroup": {"logGroupArn": "arn:aws:logs:eu-west-1:1:log-group:/flow:*"}}]}});
    let flow = [look(), vec![json_step("DescribeStateMachine", &flow), lines(&[], None)]];
    assert_eq!(asked(&run("logs-flow", flow.concat(), &["-n", "Flow"]))[0]["logGroupName"], "/flow");
    let none = [look(), vec![json_step("DescribeStateMachine", &json!({}))]].concat();
    let none = run("logs-flow-none", none, &["-n", "Flow"]);
    assert_eq!((none.status, none.err.as_str()), (0, "note: Flow has no log group\n\n"));
}

#[test]
fn times_and_patterns_are_passed_on() {
    let steps = [look(), vec![json_step(MAILER, &json!({})), lines(&[], None)]].concat();
    let words = ["-n", "Mailer", "-s", "2026-01-31 10:00:00", "-e", "2026-01-31T12:00:00+01:00", "--filter", "ERROR"];
    let asked = asked(&run("logs-times", steps, &words));
    assert_eq!(asked[0]["startTime"], 1_769_853_600_000_i64);
    assert_eq!(asked[0]["endTime"], 1_769_857_200_000_i64);
    assert_eq!(asked[0]["filterPattern"], "ERROR");
    let wrong = run("logs-wrong", vec![], &["-s", "sometime"]);
    assert!(wrong.status == 2 && wrong.err.contains("`sometime` is not a time"), "{}", wrong.err);
    let traces = run("logs-traces", vec![], &["--include-traces"]);
    assert!(traces.status == 2 && traces.err.contains("Formwork does not print traces"), "{}", traces.err);
}

#[test]
fn a_log_group_alone_needs_no_stack() {
    let steps = vec![lines(&[(0, "a", "x")], None)];
    let run = case("logs-group").run(steps, &["logs", "--cw-log-group", "/my/group"]);
    assert_eq!((run.status, run.out.as_str()), (0, "2026-01-31T10:00:00.000Z /my/group x\n"), "{}", run.err);
    let missing =
        vec![refused("FilterLogEvents", "ResourceNotFoundException", "The specified log group does not exist.")];
    let missing = case("logs-group-missing").run(missing, &["logs", "--cw-log-group", "/my/group"]);
    assert_eq!((missing.status, missing.err.as_str()), (0, "note: log group /my/group does not exist\n\n"));
    let nameless = case("logs-nameless").run(vec![], &["logs"]);
    assert!(nameless.status == 2 && nameless.err.contains("the stack has no name"), "{}", nameless.err);
}

#[test]
fn a_tail_goes_on_until_somebody_ends_it() {
    let missing = || refused("FilterLogEvents", "ResourceNotFoundException", "no such group");
    let steps = [
        look(),
        vec![
            json_step(MAILER, &json!({})),
            missing(),
            missing(),
            lines(&[(0, "a", "one"), (7, "b", "two")], None),
            refused("FilterLogEvents", "ThrottlingException", "Rate exceeded"),
            lines(&[(7, "b", "two"), (7, "c", "three")], None),
            interrupted(lines(&[], None)),
        ],
    ];
    let run = run("logs-tail", steps.concat(), &["-n", "Mailer", "--tail"]);
    assert_eq!(run.status, 130, "{}", run.err);
    let printed: Vec<&str> = run.out.lines().filter_map(|line| line.rsplit(' ').next()).collect();
    assert_eq!(printed, ["one", "two", "three"]);
    assert_eq!(run.err.matches("Mailer has no logs yet").count(), 1, "{}", run.err);
    assert!(run.err.contains("FilterLogEvents is throttled"), "{}", run.err);
    assert_eq!(asked(&run)[4]["startTime"], 1_769_853_600_007_i64);
}

#[test]
fn lies_about_logs() {
    // Pages that repeat end; unknown keys and missing ones are not errors.
    let repeated = [
        look(),
        vec![json_step(MAILER, &json!({})), lines(&[(0, "a", "x")], Some("t")), lines(&[(0, "a", "x")], Some("t"))],
    ];
    let repeated = run("logs-repeated", repeated.concat(), &["-n", "Mailer"]);
    assert_eq!((repeated.status, repeated.out.lines().count()), (0, 1), "{}", repeated.out);
    assert!(repeated.err.contains("returns an incomplete listing"), "{}", repeated.err);
    let odd = json_step("FilterLogEvents", &json!({"events": [{"new": 1}, "x"], "nextToken": null}));
    let odd = run("logs-odd", [look(), vec![json_step(MAILER, &json!({})), odd]].concat(), &["-n", "Mailer"]);
    assert_eq!(odd.status, 0, "{}", odd.err);
    let denied = refused("FilterLogEvents", "AccessDeniedException", "not authorized to perform: logs:FilterLogEvents");
    let denied = run("logs-denied", [look(), vec![json_step(MAILER, &json!({})), denied]].concat(), &["-n", "Mailer"]);
    assert!(denied.status == 5 && denied.err.contains("the call was logs:FilterLogEvents"), "{}", denied.err);
    let none = vec![stack("CREATE_COMPLETE", &[], &[]), followed(resources(&[]), "")];
    let none = run("logs-none", none, &[]);
    assert_eq!((none.status, none.err.as_str()), (0, "note: stack shop has no functions\n\n"));
    let absent = run("logs-absent", vec![no_stack(), caller()], &[]);
    assert_eq!(absent.status, 1, "{}", absent.err);
}
