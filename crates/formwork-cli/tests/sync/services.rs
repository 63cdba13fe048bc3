//! The services of a script: who is asked what, and what each function has.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::folder::{Folder, Run};
use crate::support::http::{self, Request, Response};

pub(crate) const LAYER: &str = "arn:aws:lambda:eu-west-1:111122223333:layer:Tools";
pub(crate) const MACHINE: &str = "arn:aws:states:eu-west-1:111122223333:stateMachine:Flow";

/// The services: who is asked what, and what each function has.
pub(crate) struct Services {
    url: String,
    pub(crate) calls: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Services {
    /// Services that answer as ours do, but for what `other` answers.
    pub(crate) fn start(other: impl Fn(&str, &Value) -> Option<(u16, Value)> + Clone + Send + 'static) -> Services {
        let calls: Arc<Mutex<Vec<(String, Value)>>> = Arc::default();
        let kept = Arc::clone(&calls);
        let port = http::listen(move |stream| {
            let (kept, other) = (Arc::clone(&kept), other.clone());
            http::converse(stream, |request, _| {
                let body = serde_json::from_slice(&request.body)
                    .unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&request.body).into_owned()));
                let call = name(request, &body);
                kept.lock().expect("the calls").push((call.clone(), body.clone()));
                let said = other(&call, &body);
                if let Some(stack) = call.strip_prefix("ListStackResources ") {
                    return Some(Response::new(200, resources(stack)).with("Content-Type", "text/xml"));
                }
                let (status, answer) = said.unwrap_or_else(|| ours(&call));
                let response = Response::new(status, answer.to_string()).with("Content-Type", "application/json");
                let code = answer["code"].as_str().unwrap_or_default();
                Some(if code.is_empty() { response } else { response.with("x-amzn-errortype", code) })
            });
        });
        Services { url: format!("http://127.0.0.1:{port}"), calls }
    }

    /// The calls, but for those that only look.
    pub(crate) fn pushes(&self) -> Vec<String> {
        let calls = self.calls.lock().expect("the calls");
        let names = calls.iter().map(|(call, _)| call.clone());
        names
            .filter(|call| !call.starts_with("GET ") && !call.starts_with("List") && !call.contains("Describe"))
            .collect()
    }

    pub(crate) fn body(&self, name: &str) -> Value {
        let calls = self.calls.lock().expect("the calls");
        let found = calls.iter().find(|(call, _)| call == name);
        found.unwrap_or_else(|| panic!("{name} is not among {calls:?}")).1.clone()
    }
}

fn name(request: &Request, body: &Value) -> String {
    let form = body.as_str().unwrap_or_default();
    let part = |name: &str| form.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    match (part("Action"), request.header("x-amz-target")) {
        (Some(action), _) => format!("{action} {}", part("StackName").unwrap_or_default()),
        (None, "") => format!("{} {}", request.method, request.target()),
        (None, target) => target.to_owned(),
    }
}

fn resources(stack: &str) -> String {
    let all: &[(&str, &str, &str)] = match stack {
        "shop" => &[
            ("Orders", "AWS::Lambda::Function", "shop-Orders"),
            ("Other", "AWS::Lambda::Function", "shop-Other"),
            ("Tools0123456789", "AWS::Lambda::LayerVersion", "arn:aws:lambda:eu-west-1:111122223333:layer:Tools:1"),
            ("Flow", "AWS::StepFunctions::StateMachine", MACHINE),
            ("Rest", "AWS::ApiGateway::RestApi", "rest1"),
            ("Web", "AWS::ApiGatewayV2::Api", "web1"),
            ("Child", "AWS::CloudFormation::Stack", "shop-child"),
        ],
        "pictures" => &[
            ("ordersFunction", "AWS::Lambda::Function", "pictures-orders"),
            ("usersFunction", "AWS::Lambda::Function", "pictures-users"),
            ("Plain", "AWS::Lambda::Function", "pictures-plain"),
            ("Zip", "AWS::Lambda::Function", "pictures-zip"),
        ],
        _ => &[("Orders", "AWS::Lambda::Function", "shop-child-Orders")],
    };
    let member = |(id, kind, name): &(&str, &str, &str)| {
        format!(
            "<member><LogicalResourceId>{id}</LogicalResourceId><ResourceType>{kind}</ResourceType><PhysicalResourceId>{name}</PhysicalResourceId><ResourceStatus>CREATE_COMPLETE</ResourceStatus><LastUpdatedTimestamp>2026-01-01T00:00:00Z</LastUpdatedTimestamp></member>"
        )
    };
    let members: String = all.iter().map(member).collect();
    format!(
        "<ListStackResourcesResponse xmlns=\"http://cloudformation.amazonaws.com/doc/2010-05-15/\"><ListStackResourcesResult><StackResourceSummaries>{members}</StackResourceSummaries></ListStackResourcesResult></ListStackResourcesResponse>"
    )
}

fn ours(call: &str) -> (u16, Value) {
    let settled = |layers: &[String]| {
        let layers: Vec<Value> = layers.iter().map(|arn| json!({"Arn": arn})).collect();
        json!({"CodeSha256": "other", "LastUpdateStatus": "Successful", "Layers": layers})
    };
    let answer = match call {
        "GET /2015-03-31/functions/shop-Other/configuration" => {
            settled(&["arn:aws:lambda:eu-west-1:1:layer:Else:7".to_owned(), format!("{LAYER}:1")])
        }
        "GET /2018-10-31/layers/Tools/versions/1" => {
            json!({"Content": {"CodeSha256": "other"}, "CompatibleRuntimes": ["python3.13"], "Description": ""})
        }
        "POST /2018-10-31/layers/Tools/versions" => json!({"LayerVersionArn": format!("{LAYER}:2")}),
        "POST /2015-03-31/functions/shop-Orders/versions" => json!({"Version": "7"}),
        "AWSStepFunctions.DescribeStateMachine" => json!({"definition": "{\"StartAt\": \"B\"}"}),
        "GET /restapis/rest1/stages" => json!({"item": [{"stageName": "prod"}, {"stageName": "beta"}]}),
        "GET /v2/apis/web1/stages" => {
            json!({"items": [{"stageName": "$default", "autoDeploy": true}, {"stageName": "beta"}]})
        }
        _ if call.ends_with("/configuration") || call.ends_with("/code") => settled(&[]),
        _ => json!({}),
    };
    (200, answer)
}

/// Syncs once.
pub(crate) fn sync(folder: &Folder, services: &Services, words: &[&str]) -> Run {
    let (words, environment) = words_of(services, words);
    folder.timed(&words, &environment)
}

/// The words and the environment of a run that syncs once.
pub(crate) fn words_of<'w>(services: &'w Services, words: &[&'w str]) -> (Vec<&'w str>, [(&'w str, &'w str); 7]) {
    let environment = [
        ("HOME", "/nonexistent"),
        ("AWS_EC2_METADATA_DISABLED", "true"),
        ("AWS_MAX_ATTEMPTS", "1"),
        ("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS"),
        ("AWS_SECRET_ACCESS_KEY", "a-secret-of-the-tests"),
        ("AWS_REGION", "eu-west-1"),
        ("AWS_ENDPOINT_URL", services.url.as_str()),
    ];
    ([&["sync", "--no-watch", "--poll-delay", "0.02"], words].concat(), environment)
}
