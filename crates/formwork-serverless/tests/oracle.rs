//! The stored answers are those that AWS's translator returns today.

use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value};

use crate::cases::{areas, compare, directory};

/// Names the Python of an environment with the translator.
const PYTHON: &str = "FORMWORK_SAM_ORACLE";

#[test]
fn the_translator_answers_as_stored() {
    let Ok(python) = std::env::var(PYTHON) else {
        eprintln!("SKIPPED: {PYTHON} does not name a Python with aws-sam-translator");
        return;
    };
    let suites = std::env::var("FORMWORK_CONFORMANCE").unwrap_or_else(|_| "../../../shared/conformance".to_owned());
    let oracle = Path::new(&suites).join("serverless/oracle.py");
    let script = directory().with_file_name("expect.py");
    let output = Command::new(python).arg(script).arg(oracle).arg("--print").output().expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found: Map<String, Value> = Map::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let area: Map<String, Value> = serde_json::from_str(line).expect("JSON");
        found.extend(area);
    }
    for (area, text, answers) in areas() {
        let now = found.get(&area).and_then(Value::as_object).expect("an answer for each area");
        assert_eq!(*now, answers, "{area}");
        let (_, wrong) = compare(&text, now);
        assert!(wrong.is_empty(), "{area}: {}", wrong.join("\n"));
    }
}
