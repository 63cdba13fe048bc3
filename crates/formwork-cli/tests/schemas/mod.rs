//! What commands print for programs, and files that they read, against `docs/schemas` (reference/json-output.md#schemas).
//!
//! The templates are those of the reference, of the fixtures and of the examples. The schemas are read strictly here: a key
//! that no schema has is an error, although readers ignore it.
#![cfg(all(feature = "aws", feature = "local", unix))]

pub(crate) mod blocks;
pub(crate) mod schema;
mod snapshots;

use std::fs;

use serde_json::Value;

use crate::support::folder::{Folder, Run};
use blocks::{Block, repository};
use schema::Schema;

/// Holds every line against the schema of diagnostics; returns how many there are.
fn holds_lines(schema: &Schema, text: &str, about: &str) -> usize {
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{about}: {error}: {line}"));
            schema.hold(&value, about);
        })
        .count()
}

/// Parses what a command prints on standard output, unless it is nothing.
fn document(run: &Run) -> Option<Value> {
    (!run.out.is_empty()).then(|| serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.out)))
}

/// A directory with all templates of the repository's pages and fixtures, `templates/0.yaml` and so on.
fn templates(name: &str, is_wanted: impl Fn(&Block) -> bool) -> (Folder, Vec<String>) {
    let (mut folder, mut names) = (Folder::new("schemas", name), Vec::new());
    for (at, block) in blocks::templates().iter().filter(|block| is_wanted(block)).enumerate() {
        let name = format!("templates/{at}.yaml");
        folder = folder.with(&name, &block.text);
        names.push(name);
    }
    (folder, names)
}

fn examples() -> Vec<String> {
    let directories = fs::read_dir(repository().join("examples")).expect("the examples").flatten();
    let path = directories.map(|entry| entry.path().join("template.yaml")).filter(|path| path.is_file());
    path.map(|path| path.canonicalize().expect("a path").display().to_string()).collect()
}

#[test]
fn diagnostics() {
    let schema = Schema::read("diagnostics.json");
    let (folder, names) = templates("diagnostics", |_| true);
    assert!(names.len() > 500, "{}", names.len());
    // Some of the templates take long on a machine that does other work, too.
    let output = folder.formwork(&["check", "templates", "--strict", "--message-format", "json"]).output();
    let output = output.expect("the program");
    assert!(holds_lines(&schema, &String::from_utf8_lossy(&output.stdout), "check") > 500);
    let folder = folder.with("formwork.toml", "strict = true\n");
    let run = folder.run(&["check", "templates/0.yaml", "--message-format", "json"]);
    assert!(run.out.contains("\"configuration\""), "{}", run.out);
    holds_lines(&schema, &run.out, "check with a file");
}

#[test]
fn answers_of_explain() {
    let schema = Schema::read("explain.json");
    let folder = Folder::new("schemas", "explain");
    let (mut statuses, mut count) = (Vec::new(), 0);
    for template in examples() {
        let expanded = template.replace("template.yaml", "expanded.yaml");
        let Ok(text) = fs::read_to_string(expanded) else { continue };
        let names = text.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        for name in names.filter_map(|line| line.trim().split(':').next()) {
            for stage in ["resolve", "expand"] {
                let run = folder.run(&["explain", &template, name, "--format", "json", "--stage", stage]);
                let Some(answer) = document(&run) else { continue };
                schema.hold(&answer, name);
                statuses.push(answer["status"].as_str().expect("a status").to_owned());
                count += 1;
            }
        }
        for line in [1, 8, 12] {
            let run = folder.run(&["explain", &template, "--at", &format!("{template}:{line}"), "--format", "json"]);
            if let Some(answers) = document(&run) {
                schema.hold(&answers, "--at");
            }
        }
    }
    let absent = "Conditions: {No: !Equals [a, b]}\nResources:\n  A: {Type: AWS::SNS::Topic, Condition: No}\n  B: {Type: AWS::SNS::Topic}\n";
    let folder = folder.with("absent.yaml", absent);
    let answer = document(&folder.run(&["explain", "absent.yaml", "A", "--format", "json"])).expect("an answer");
    schema.hold(&answer, "absent");
    statuses.push(answer["status"].as_str().expect("a status").to_owned());
    assert!(count > 20, "{count}");
    for status in ["present", "residual", "absent"] {
        assert!(statuses.iter().any(|known| known == status), "no answer is {status}");
    }
}

#[test]
fn source_maps() {
    let schema = Schema::read("source-map.json");
    let (folder, mut names) = templates("source-maps", |block| block.text.contains("Fn::ForEach"));
    names.truncate(60);
    names.extend(examples());
    let mut count = 0;
    for (name, command) in names.iter().flat_map(|name| [(name, "expand"), (name, "resolve")]) {
        let _ = fs::remove_file(folder.path("map.json"));
        folder.run(&[command, name, "-o", "out.yaml", "--source-map", "map.json"]);
        // No map is written with an error.
        let Ok(map) = fs::read_to_string(folder.path("map.json")) else { continue };
        schema.hold(&serde_json::from_str(&map).expect("JSON"), name);
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn plans_of_package() {
    let schema = Schema::read("package-plan.json");
    let template = "Resources:
  A: {Type: AWS::Lambda::Function, Properties: {Code: src, Handler: a.b, Role: r, Runtime: python3.13}}
  N: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: nested.yaml}}
  S: {Type: AWS::StepFunctions::StateMachine, Properties: {DefinitionS3Location: flow.json, RoleArn: r}}
";
    let folder = Folder::new("schemas", "plan")
        .with("template.yaml", template)
        .with("nested.yaml", "Resources: {T: {Type: AWS::SNS::Topic}}\n")
        .with("flow.json", "{}")
        .with("src/a.py", "x = 1\n");
    let run = folder.run(&["package", "--plan", "--s3-bucket", "bucket"]);
    let plan = document(&run).unwrap_or_else(|| panic!("{}", run.err));
    schema.hold(&plan, "plan");
    let kinds: Vec<&Value> = plan["artifacts"].as_array().expect("a list").iter().map(|one| &one["kind"]).collect();
    assert!(kinds.len() >= 3 && kinds.contains(&&"zip".into()) && kinds.contains(&&"template".into()), "{kinds:?}");
}

#[test]
fn rules() {
    let (folder, names) = templates("rules", |block| block.text.contains("\nRules:"));
    let schemas = ["check", "solve", "table"].map(|name| (name, Schema::read(&format!("rules-{name}.json"))));
    let mut counts = [0; 3];
    for name in &names {
        for ((command, schema), count) in schemas.iter().zip(&mut counts) {
            let run = folder.run(&["rules", command, name, "--format", "json"]);
            if let Some(report) = document(&run) {
                schema.hold(&report, name);
                *count += 1;
            }
        }
    }
    assert!(counts.iter().all(|count| *count >= 10), "{counts:?} of {}", names.len());
}

#[test]
fn configurations() {
    let schema = Schema::read("config-show.json");
    let folder = Folder::new("schemas", "configuration")
        .with("formwork.toml", "strict = true\nignore = [\"FW0307\", \"FW0408\"]\n");
    let mut count = 0;
    for entry in fs::read_dir(repository().join("docs/commands")).expect("the pages").flatten() {
        let name = entry.file_name().to_string_lossy().replace(".md", "");
        let title = fs::read_to_string(entry.path()).expect("a page");
        let Some(command) = title.lines().next().and_then(|line| line.strip_prefix("# formwork ")) else { continue };
        let words: Vec<&str> =
            ["config", "show"].into_iter().chain(command.split(' ')).chain(["--format", "json"]).collect();
        let run = folder.run(&words);
        if let Some(shown) = document(&run) {
            schema.hold(&shown, &name);
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}

/// A snapshot that the program reads without a finding is one for the schema.
#[test]
fn account_snapshots() {
    let schema = Schema::read("account-snapshot.json");
    let mut folder = Folder::new("schemas", "snapshots").with("t.yaml", "Resources: {T: {Type: AWS::SNS::Topic}}\n");
    let mut counts = [0; 2];
    for block in blocks::all().iter().filter(|block| block.text.contains("FormworkAccountSnapshot")) {
        let Some(text) = formwork::reformat(&block.text, formwork::Format::Json, &formwork::Limits::default()) else {
            continue;
        };
        let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
        folder = folder.with("account.yaml", &block.text);
        let run = folder.run(&["check", "t.yaml", "--account", "account.yaml", "--message-format", "short"]);
        if run.out.contains("FW06") {
            counts[1] += usize::from(!schema.is_valid(&value));
        } else {
            schema.hold(&value, &block.page);
            counts[0] += 1;
        }
    }
    assert!(counts[0] > 3, "{counts:?}");
}

#[test]
fn deployments() {
    let (lines, results) = (Schema::read("diagnostics.json"), Schema::read("deployment.json"));
    let (mut counts, mut keys) = ([0; 2], Vec::new());
    let events = Schema::read("events.json");
    for (name, value) in snapshots::json() {
        if name.contains("deploy__events__") {
            events.hold(&value, &name);
        } else if name.contains("deploy__diagnose__") {
            Schema::read("diagnosis.json").hold(&value, &name);
        } else if value.get("StackName").is_some() {
            results.hold(&value, &name);
            counts[0] += 1;
        } else {
            lines.hold(&value, &name);
            keys.extend(value.as_object().and_then(|object| object.keys().next().cloned()));
            counts[1] += 1;
        }
    }
    assert!(counts[0] >= 4 && counts[1] >= 4, "{counts:?}");
    for key in ["event", "change", "resource", "summary"] {
        assert!(keys.iter().any(|known| known == key), "no line has {key}: {keys:?}");
    }
}

/// Lists of an expanded template; those of a deployed one are held in `tests/deploy`.
#[test]
fn lists_without_a_stack() {
    let folder = Folder::new("schemas", "lists");
    let mut count = 0;
    for template in examples() {
        for command in ["resources", "endpoints"] {
            let schema = Schema::read(&format!("list-{command}.json"));
            let run = folder.run(&["list", command, "-t", &template, "--format", "json"]);
            if let Some(list) = document(&run) {
                schema.hold(&list, &template);
                count += 1;
            }
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn graphs() {
    let schema = Schema::read("graph.json");
    let folder = Folder::new("schemas", "graphs");
    let mut count = 0;
    for template in examples() {
        for more in
            [&[][..], &["--with", "parameters,outputs,conditions,imports", "--nested"], &["--collapse", "loops"]]
        {
            let words: Vec<&str> = ["graph", &template, "--format", "json"].iter().chain(more).copied().collect();
            if let Some(graph) = document(&folder.run(&words)) {
                schema.hold(&graph, &template);
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}

/// Each template as new, as gone and as it was, and a loop whose keys shift.
#[test]
fn plans() {
    let schema = Schema::read("plan.json");
    let other = "Parameters: {Stage: {Type: String, Default: dev}}\nResources:\n  T: {Type: AWS::SNS::Topic, Properties: {TopicName: a}}\n";
    let shifting = |items: &str| {
        format!(
            "Transform: [AWS::LanguageExtensions, Formwork]\nResources:\n  Fn::ForEach::Q:\n    - [I, Name]\n    - [{items}]\n    - \"Q${{I}}\": {{Type: AWS::SQS::Queue, Properties: {{QueueName: !Ref Name}}}}\n"
        )
    };
    let folder = Folder::new("schemas", "plans")
        .with("other.yaml", other)
        .with("renamed.yaml", &other.replace("T:", "Topic:").replace("dev", "prod"))
        .with("before.yaml", &shifting("b, c"))
        .with("after.yaml", &shifting("a, b, c"));
    let mut pairs =
        vec![("other.yaml".to_owned(), "renamed.yaml".to_owned()), ("before.yaml".to_owned(), "after.yaml".to_owned())];
    for template in examples() {
        pairs.push(("other.yaml".to_owned(), template.clone()));
        pairs.push((template, "other.yaml".to_owned()));
    }
    let mut count = 0;
    for (old, new) in &pairs {
        let run = folder.run(&["plan", old, new, "--format", "json", "--fail-on", "any", "--refactor", "moves"]);
        if let Some(plan) = document(&run) {
            schema.hold(&plan, new);
            count += 1;
        }
        let _ = fs::remove_dir_all(folder.path("moves"));
    }
    assert!(count >= 20, "{count} of {}", pairs.len());
}

/// What `--stack-snapshot` reads in tests and pages is what the schema describes.
#[test]
fn stack_snapshots() {
    let schema = Schema::read("stack-snapshot.json");
    let blocks = blocks::all();
    let snapshots = blocks.iter().filter(|block| block.text.contains("\"formwork_stack\""));
    let values = snapshots.filter_map(|block| serde_json::from_str::<Value>(&block.text).ok());
    for value in values {
        schema.hold(&value, "a page");
    }
    let own = serde_json::json!({
        "formwork_stack": 1, "StackName": "shop", "StackId": "arn:aws:cloudformation:eu-west-1:123456789012:stack/shop/1",
        "Region": "eu-west-1", "AccountId": "123456789012", "StackStatus": "CREATE_COMPLETE", "Template": {"Resources": {}},
        "Parameters": [{"ParameterKey": "Stage", "ParameterValue": "dev"}], "Tags": [], "Capabilities": [], "Nested": {},
        "Resources": [{"LogicalResourceId": "T", "PhysicalResourceId": "t", "ResourceType": "AWS::SNS::Topic", "ResourceStatus": "CREATE_COMPLETE"}],
    });
    schema.hold(&own, "a snapshot");
}

/// The schemas are what they claim to be: a validator of others reads them, in the Python of `FORMWORK_SARIF`.
#[test]
fn the_schemas_follow_their_own_schema() {
    let Some(place) = std::env::var_os("FORMWORK_SARIF").map(std::path::PathBuf::from) else {
        assert!(std::env::var_os("FORMWORK_REQUIRE_SARIF").is_none(), "FORMWORK_SARIF is not set");
        eprintln!("SKIPPED: FORMWORK_SARIF does not name a directory with bin/python3 that has jsonschema");
        return;
    };
    let script = "import json, sys, jsonschema\nfor name in sys.argv[1:]:\n    schema = json.load(open(name))\n    \
                  jsonschema.validators.validator_for(schema).check_schema(schema)\n";
    let names = schema::names().into_iter().map(|name| repository().join("docs/schemas").join(name));
    let output = std::process::Command::new(place.join("bin/python3")).args(["-c", script]).args(names).output();
    let output = output.expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Without this, a schema that takes everything would pass.
#[test]
fn wrong_documents_are_refused() {
    let schema = Schema::read("package-plan.json");
    let artifact = serde_json::json!({
        "template": "t.yaml", "resource": "A", "property": "Code", "path": "src", "kind": "zip", "object": null, "bytes": 1
    });
    let plan = |artifact: &Value| serde_json::json!({"artifacts": [artifact]});
    assert!(schema.is_valid(&plan(&artifact)));
    for (key, value) in [("kind", "tar".into()), ("bytes", "1".into()), ("more", Value::Null)] {
        let mut wrong = artifact.clone();
        wrong[key] = value;
        assert!(!schema.is_valid(&plan(&wrong)), "{key}");
    }
    let mut missing = artifact.clone();
    missing.as_object_mut().expect("an object").shift_remove("object");
    assert!(!schema.is_valid(&plan(&missing)));
    for name in schema::names() {
        let schema = Schema::read(&name);
        assert!(!schema.is_valid(&Value::Null) && !schema.is_valid(&serde_json::json!({"unknown": 1})), "{name}");
    }
}
