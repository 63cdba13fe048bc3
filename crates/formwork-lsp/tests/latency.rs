//! How long answers take: for the program as it is released, `cargo test --release -p formwork-lsp --test it -- --ignored
//! latency --nocapture`. It prints figures and judges nothing, since machines differ.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Client, Folder, uri};

/// A template of about `bytes` bytes: resources, a loop, conditions.
fn template(bytes: usize) -> String {
    let mut text = String::from(
        "Transform: AWS::LanguageExtensions\nParameters:\n  Env: {Type: String, Default: dev}\nConditions:\n  IsProd: !Equals [!Ref Env, prod]\nResources:\n  Fn::ForEach::L:\n    - N\n    - [a, b, c]\n    - Topic${N}: {Type: AWS::SNS::Topic}\n",
    );
    let mut number = 0;
    while text.len() < bytes {
        text.push_str(&format!(
            "  Queue{number}:\n    Type: AWS::SQS::Queue\n    Condition: IsProd\n    Properties:\n      QueueName: !Sub \"queue-{number}-${{Env}}\"\n      RedrivePolicy: {{deadLetterTargetArn: !GetAtt Queue0.Arn, maxReceiveCount: 3}}\n"
        ));
        number += 1;
    }
    text
}

fn percentile(times: &mut [Duration], of_100: usize) -> Duration {
    times.sort_unstable();
    times[(times.len() * of_100 / 100).min(times.len() - 1)]
}

#[test]
#[ignore = "prints figures of a quiet machine"]
#[allow(clippy::print_stdout, reason = "it prints figures")]
fn latency() {
    for (bytes, samples) in [(69_000, 200), (1_000_000, 40)] {
        let text = template(bytes);
        let folder = Folder::new(&[("t.yaml", &text)]);
        let path = folder.path.join("t.yaml");
        let mut client = Client::in_folder(&folder.path, "utf-16", false);
        let began = Instant::now();
        client.open(&path, &text);
        client.diagnostics(&path);
        println!("{bytes} bytes: first diagnostics {:?}", began.elapsed());
        let last = text.matches('\n').count() - 2;
        let place = json!({"line": last, "character": 38});
        let mut keystrokes: Vec<Duration> = (0..samples)
            .map(|number| {
                let began = Instant::now();
                let piece = if number % 2 == 0 { "x" } else { "y" };
                let at = json!({"line": 2, "character": 34});
                client.change(&path, json!([{"range": {"start": at, "end": at}, "text": format!("# {piece}\n")}]));
                client.diagnostics(&path);
                began.elapsed()
            })
            .collect();
        println!("  keystroke p50 {:?} p99 {:?}", percentile(&mut keystrokes, 50), percentile(&mut keystrokes, 99));
        for method in [
            "textDocument/hover",
            "textDocument/completion",
            "textDocument/definition",
            "textDocument/references",
            "textDocument/documentSymbol",
            "textDocument/foldingRange",
            "textDocument/semanticTokens/full",
            "textDocument/inlayHint",
            "textDocument/codeLens",
            "formwork/map",
        ] {
            let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 60, "character": 0}});
            let params = json!({
                "textDocument": {"uri": uri(&path)}, "uri": uri(&path), "position": place, "range": range,
                "context": {"includeDeclaration": true}
            });
            let mut times: Vec<Duration> = (0..samples)
                .map(|_| {
                    let began = Instant::now();
                    client.request(method, params.clone()).unwrap();
                    began.elapsed()
                })
                .collect();
            println!("  {method} p50 {:?} p99 {:?}", percentile(&mut times, 50), percentile(&mut times, 99));
        }
        let status = client.request("formwork/status", Value::Null).unwrap();
        println!("  {status}");
        client.shut_down();
    }
}
