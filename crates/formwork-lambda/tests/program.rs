//! The program `bootstrap` as Lambda runs it, by the Runtime API of `formwork local`.
#![cfg(all(unix, feature = "runtime"))]

use std::path::Path;
use std::sync::Arc;

use formwork_local::{
    CodeSource, Credentials, Function, Invocation, LaunchSettings, Log, PoolSettings, VariablesFile, invoke_once,
};
use serde_json::{Value, json};

fn function(code: &Path) -> Arc<Function> {
    Arc::new(Function {
        is_durable: false,
        id: "Expander".into(),
        name: None,
        runtime: Some("provided.al2023".into()),
        handler: Some("bootstrap".into()),
        code: CodeSource::Path(code.to_owned()),
        layers: Vec::new(),
        memory: 512,
        timeout: 10,
        variables: Vec::new(),
        place: None,
    })
}

fn invoke(event: &Value) -> Value {
    let folder = tempfile::tempdir().expect("a directory");
    std::fs::copy(env!("CARGO_BIN_EXE_bootstrap"), folder.path().join("bootstrap")).expect("the program");
    let launch = LaunchSettings {
        region: "eu-west-1".into(),
        account: "123456789012".into(),
        credentials: Some(Credentials::placeholder()),
        path: String::new(),
        variables: VariablesFile::default(),
        timeout_scale: 1.0,
        limits_memory: true,
        debugger: None,
    };
    let settings = PoolSettings { is_warm: false, concurrency: 1, warn: Arc::new(|_| {}) };
    let (invocation, log) = (Invocation::new(event.to_string()), Log::new(Vec::new()));
    let answer = invoke_once(launch, &function(folder.path()), invocation, settings, log);
    let answer = answer.expect("a process").expect("an answer");
    assert_eq!(answer.failure, None);
    serde_json::from_slice(&answer.payload).expect("JSON")
}

#[test]
fn requests_are_answered() {
    let loops = |items: Value| {
        json!({"requestId": "1", "templateParameterValues": {}, "params": {}, "fragment": {"Resources": {
            "Fn::ForEach::T": ["N", items, {"T${N}": {"Type": "AWS::SNS::Topic"}}]
        }}})
    };
    let answer = invoke(&loops(json!(["A"])));
    let expected = json!({"Resources": {"TA": {"Type": "AWS::SNS::Topic"}}});
    assert_eq!(answer, json!({"requestId": "1", "status": "success", "fragment": expected}));
    let answer = invoke(&loops(json!({"Ref": "Gone"})));
    assert_eq!(answer["status"], "failure");
}
