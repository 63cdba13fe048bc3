//! `sync --code` against services of a script: which calls push the code of each kind of resource.
//!
//! Holds reference/sync.md#code, reference/sync.md#names, reference/sync.md#options.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::services::{LAYER, MACHINE, Services, sync};
use crate::support::folder::Folder;

const TEMPLATE: &str = "Transform: AWS::Serverless-2016-10-31
Resources:
  Orders:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: src, Handler: app.handler, Runtime: python3.13, AutoPublishAlias: live}
  Tools:
    Type: AWS::Serverless::LayerVersion
    Properties: {ContentUri: layer}
  Flow:
    Type: AWS::Serverless::StateMachine
    Properties: {DefinitionUri: flow.yaml}
  Rest:
    Type: AWS::Serverless::Api
    Properties: {StageName: prod, DefinitionUri: rest.yaml}
  Web:
    Type: AWS::Serverless::HttpApi
    Properties: {DefinitionUri: web.yaml}
  Child:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: child.yaml}
";

const CHILD: &str = "Resources:
  Orders:
    Type: AWS::Lambda::Function
    Properties: {Code: child, Handler: app.handler, Runtime: python3.13, Role: 'arn:aws:iam::111122223333:role/r'}
";

fn project(name: &str) -> Folder {
    let files = [
        ("template.yaml", TEMPLATE),
        ("child.yaml", CHILD),
        ("src/app.py", "x = 1\n"),
        ("child/app.py", "y = 1\n"),
        ("layer/python/tools.py", "z = 1\n"),
        ("flow.yaml", "StartAt: A\nStates:\n  A: {Type: Pass, End: true}\n"),
        ("rest.yaml", "openapi: 3.0.1\npaths: {}\n"),
        ("web.yaml", "openapi: 3.0.1\npaths: {}\n"),
        ("samconfig.toml", "version = 0.1\n[default.sync.parameters]\nstack_name = \"shop\"\nwatch = true\n"),
    ];
    files.into_iter().fold(Folder::new("sync", name), |folder, (name, text)| folder.with(name, text))
}

#[test]
fn every_kind_of_code() {
    let (folder, services) = (project("kinds"), Services::start(|_, _| None));
    let run = sync(&folder, &services, &["--code"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(
        services.pushes(),
        [
            "PUT /2015-03-31/functions/shop-Orders/code",
            "POST /2015-03-31/functions/shop-Orders/versions",
            "PUT /2015-03-31/functions/shop-Orders/aliases/live",
            "AWSStepFunctions.UpdateStateMachine",
            "PUT /restapis/rest1?mode=overwrite",
            "POST /restapis/rest1/deployments",
            "POST /restapis/rest1/deployments",
            "POST /2018-10-31/layers/Tools/versions",
            "PUT /2015-03-31/functions/shop-Other/configuration",
            "PUT /v2/apis/web1",
            "POST /v2/apis/web1/deployments",
            "PUT /2015-03-31/functions/shop-child-Orders/code",
        ]
        .map(str::to_owned)
        .to_vec()
        .sorted_like(&services.pushes())
    );
    assert_eq!(services.body("PUT /2015-03-31/functions/shop-Orders/aliases/live"), json!({"FunctionVersion": "7"}));
    let layer = services.body("POST /2018-10-31/layers/Tools/versions");
    assert_eq!(layer["CompatibleRuntimes"], json!(["python3.13"]));
    assert!(layer["Content"]["ZipFile"].is_string() && layer.get("Description").is_none(), "{layer}");
    assert_eq!(
        services.body("PUT /2015-03-31/functions/shop-Other/configuration"),
        json!({"Layers": ["arn:aws:lambda:eu-west-1:1:layer:Else:7", format!("{LAYER}:2")]})
    );
    let machine = services.body("AWSStepFunctions.UpdateStateMachine");
    assert_eq!(machine["stateMachineArn"], MACHINE);
    let definition: Value = serde_json::from_str(machine["definition"].as_str().expect("a text")).expect("JSON");
    assert_eq!(definition, json!({"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}));
    assert_eq!(services.body("PUT /restapis/rest1?mode=overwrite"), "openapi: 3.0.1\npaths: {}\n");
    assert_eq!(services.body("PUT /v2/apis/web1"), json!({"body": "openapi: 3.0.1\npaths: {}\n"}));
    assert_eq!(services.body("POST /v2/apis/web1/deployments"), json!({"stageName": "beta"}));
    for line in [
        "updated Orders: UpdateFunctionCode, UpdateAlias live to version 7\n",
        "updated Tools: PublishLayerVersion, UpdateFunctionConfiguration of shop-Other\n",
        "updated Flow: UpdateStateMachine\n",
        "updated Rest: PutRestApi, CreateDeployment for prod, CreateDeployment for beta\n",
        "updated Web: ReimportApi, CreateDeployment for beta\n",
        "updated Child/Orders: UpdateFunctionCode\n",
    ] {
        assert!(run.err.contains(line), "{line}{}", run.err);
    }
    let listed = services.calls.lock().expect("the calls");
    let listed: Vec<&str> =
        listed.iter().filter(|(call, _)| call.starts_with("List")).map(|(call, _)| &**call).collect();
    assert_eq!(listed, ["ListStackResources shop", "ListStackResources shop-child"], "one call for each stack");
}

/// Expected calls in the order in which they came, so that the order of resources does not count.
trait SortedLike {
    fn sorted_like(self, other: &[String]) -> Vec<String>;
}

impl SortedLike for Vec<String> {
    fn sorted_like(mut self, other: &[String]) -> Vec<String> {
        self.sort_by_key(|call| other.iter().position(|known| known == call));
        self
    }
}

/// The zip that a run sends is the one that Lambda is compared with.
#[test]
fn what_is_there_is_not_sent_again() {
    let (folder, services) = (project("same"), Services::start(|_, _| None));
    let run = sync(&folder, &services, &["--code", "--resource-id", "Orders"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let sent = services.body("PUT /2015-03-31/functions/shop-Orders/code");
    let zip = BASE64_STANDARD.decode(sent["ZipFile"].as_str().expect("a text")).expect("base64");
    let sum = BASE64_STANDARD.encode(Sha256::digest(&zip));
    std::fs::write(folder.path("sum"), &sum).expect("a file");
    // The name `Orders` stands for both functions of the project.
    assert_eq!(services.pushes().iter().filter(|call| call.ends_with("/code")).count(), 2);
    let again = Services::start(|call, _| {
        let is_asked = call.ends_with("/shop-Orders/configuration");
        let sum = std::fs::read_to_string(concat!(env!("CARGO_TARGET_TMPDIR"), "/sync/same/sum")).ok()?;
        is_asked.then(|| (200, json!({"CodeSha256": sum, "LastUpdateStatus": "Successful"})))
    });
    let run = sync(&folder, &again, &["--code", "--resource", "AWS::Serverless::Function"]);
    assert_eq!((run.status, again.pushes().len()), (0, 0), "{}", run.err);
    assert!(run.err.contains("Orders is up to date\n"), "{}", run.err);
}

/// A function that is being updated is waited for.
#[test]
fn updates_in_progress_end_first() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static LOOKS: AtomicUsize = AtomicUsize::new(0);
    let folder = project("busy");
    let services = Services::start(|call, _| {
        let is_asked = call.ends_with("/shop-Orders/configuration");
        let is_busy = is_asked && LOOKS.fetch_add(1, Ordering::SeqCst) < 3;
        is_busy.then(|| (200, json!({"CodeSha256": "other", "LastUpdateStatus": "InProgress"})))
    });
    let run = sync(&folder, &services, &["--code", "--resource", "AWS::Serverless::Function"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(LOOKS.load(Ordering::SeqCst), 4);
    assert_eq!(services.pushes().len(), 3);
}

#[test]
fn a_refusal_leaves_the_others() {
    let folder = project("refused");
    let services = Services::start(|call, _| match call {
        "PUT /2015-03-31/functions/shop-Orders/code" => {
            Some((409, json!({"code": "ResourceConflictException", "message": "An update is in progress"})))
        }
        "PUT /v2/apis/web1" => Some((403, json!({"code": "AccessDeniedException", "message": "You may not"}))),
        _ => None,
    });
    let run = sync(&folder, &services, &["--code"]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.err.contains("Orders was not updated: UpdateFunctionCode failed"), "{}", run.err);
    assert!(run.err.contains("An update is in progress") && run.err.contains("You may not"), "{}", run.err);
    assert!(run.err.contains("updated Child/Orders: UpdateFunctionCode"), "{}", run.err);
}

#[test]
fn arguments_that_contradict_each_other() {
    let (folder, services) = (project("usage"), Services::start(|_, _| None));
    for (words, why) in [
        (&["--resource-id", "Orders"][..], "pass --code as well"),
        (&["--resource", "AWS::Lambda::Function"][..], "pass --code as well"),
        (&["--no-execute"][..], "--no-execute deploys nothing"),
        (&["--watch", "--change-set-name", "x"][..], "--watch makes several"),
        (&["--code", "--offline"][..], "--offline wins"),
        (&["--code", "--resource-id", "Order"][..], "Order is not a resource whose code can be pushed"),
        (&["none.yaml"][..], "none.yaml: no such file"),
    ] {
        let run = sync(&folder, &services, words);
        assert!(run.status == 2 && run.err.contains(why), "{words:?}: {}", run.err);
    }
    assert!(services.calls.lock().expect("the calls").is_empty());
}
