//! The example that deploys Formwork as a macro: built, packaged and run as on its page
//! (reference/macro.md#deploy). The compiler is a stand-in; `formwork-lambda` tests the program itself.
#![cfg(feature = "local")]

use std::io::Read;
use std::path::Path;
use std::process::Command;

use super::project::{Project, errors};

/// In the place of the program that is compiled: answers one request after the other, and names its template.
const BOOTSTRAP: &str = r#"#!/usr/bin/env python3
import json, os, urllib.request
base = "http://" + os.environ["AWS_LAMBDA_RUNTIME_API"] + "/2018-06-01/runtime/invocation/"
while True:
    with urllib.request.urlopen(base + "next") as asked:
        id, event = asked.headers["Lambda-Runtime-Aws-Request-Id"], json.load(asked)
    answer = json.dumps({"requestId": event["requestId"], "sections": sorted(event["fragment"])}).encode()
    urllib.request.urlopen(urllib.request.Request(base + id + "/response", answer)).read()
"#;

fn example() -> Project {
    let project = Project::new("macro");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/macro");
    for name in ["template.yaml", "events/request.json"] {
        let text = std::fs::read_to_string(folder.join(name)).expect("a file of the example");
        project.write(&format!("examples/macro/{name}"), &text);
    }
    project.write("Cargo.toml", "[workspace]\nmembers = ['crates/*']\n");
    project.write(".formworkignore", "/target\n");
    project.write("target/debug/large", "left out");
    project.write("program", BOOTSTRAP);
    let made = "$CARGO_TARGET_DIR/x86_64-unknown-linux-gnu/release";
    project.tool(
        "cargo",
        &format!("test -e target && exit 1; mkdir -p {made}; cp program {made}/bootstrap; chmod +x {made}/bootstrap"),
    );
    project
}

#[test]
fn the_macro_is_built_packaged_and_run() {
    let project = example();
    project.build(&["examples/macro/template.yaml"]);
    let expected = "cargo build --release --target x86_64-unknown-linux-gnu --bin bootstrap --package formwork-lambda";
    assert_eq!(project.lines(), [expected]);
    let built = "examples/macro/.formwork/build/template.yaml";
    assert!(project.read(built).contains("CodeUri: Expander\n"), "{}", project.read(built));

    let words = ["package", built, "--s3-bucket", "file:store", "--bucket-name", "bucket", "-o", "packaged.yaml"];
    let output = project.run(&words);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let packaged = project.read("packaged.yaml");
    let object =
        packaged.split("CodeUri: s3://bucket/").nth(1).and_then(|rest| rest.lines().next()).expect("an object");
    let zip = std::fs::File::open(project.folder().join("store").join(object)).expect("the object");
    let mut zip = zip::ZipArchive::new(zip).expect("a zip");
    let mut program = zip.by_name("bootstrap").expect("the program");
    assert_eq!(program.unix_mode().map(|mode| mode & 0o777), Some(0o755));
    let mut text = String::new();
    program.read_to_string(&mut text).expect("text");
    assert_eq!(text, BOOTSTRAP);

    if !Command::new("/usr/bin/env")
        .arg("python3")
        .arg("-V")
        .env("PATH", "/usr/bin:/bin")
        .output()
        .is_ok_and(|ran| ran.status.success())
    {
        eprintln!("skipped: python3 does not run, which is the stand-in for the program");
        return;
    }
    let output = project.run(&["local", "invoke", "Expander", "-t", built, "-e", "examples/macro/events/request.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["requestId"], "5a1f2c5e-6a0f-4c55-8f2c-0c6f4b8f2f10");
    assert_eq!(answer["sections"], serde_json::json!(["Parameters", "Resources"]));
}
