//! `plan` and `diff` (reference/plan.md): both sides, places, reasons, refactorings, gates.

use serde_json::{Value, json};

use crate::support::folder::{Folder, Run};

const OLD: &str = "Transform: AWS::LanguageExtensions
Parameters:
  Names: {Type: CommaDelimitedList, Default: 'a,b,c'}
  Key: {Type: String, NoEcho: true, Default: hunter2}
Resources:
  Fn::Merge:
    - Fn::Map:
        Collection: !Ref Names
        Key: Topic${Index}
        Fragment:
          Type: AWS::SNS::Topic
          Properties: {TopicName: !Sub 't-${Value}', DisplayName: x}
  Fn::ForEach::Queues:
    - Name
    - !Ref Names
    - Queue${Name}: {Type: AWS::SQS::Queue, Properties: {QueueName: !Ref Name}}
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: orders
      BillingMode: PAY_PER_REQUEST
      KeySchema: [{AttributeName: Id, KeyType: HASH}]
      AttributeDefinitions: [{AttributeName: Id, AttributeType: S}]
  Alarm:
    Type: AWS::CloudWatch::Alarm
    Properties:
      ComparisonOperator: GreaterThanThreshold
      EvaluationPeriods: 1
      Dimensions: [{Name: Table, Value: !Ref Orders}]
";

fn folder(name: &str) -> Folder {
    Folder::new("plan", name)
        .with("old.yaml", OLD)
        .with("new.yaml", &OLD.replace("TableName: orders", "TableName: shop"))
}

fn json_of(run: &Run) -> Value {
    assert_eq!(run.status, 0, "{run:?}");
    serde_json::from_str(&run.out).expect("JSON")
}

fn change<'v>(plan: &'v Value, id: &str) -> &'v Value {
    let changes = plan["changes"].as_array().expect("changes");
    changes.iter().find(|change| change["id"] == id).unwrap_or_else(|| panic!("{id} is not in {plan:#}"))
}

#[test]
fn a_template_its_expansion_and_itself_are_the_same() {
    let folder = folder("same");
    let expanded = folder.run(&["expand", "old.yaml"]);
    let folder = folder.with("expanded.yaml", &expanded.out);
    for other in ["old.yaml", "expanded.yaml"] {
        let run = folder.run(&["diff", "old.yaml", other]);
        assert_eq!((run.status, run.out.as_str()), (0, format!("{other}: nothing changes\n").as_str()), "{run:?}");
    }
}

#[test]
fn changes_have_actions_places_and_reasons() {
    let folder = folder("actions");
    let words = ["plan", "old.yaml", "new.yaml", "--against-parameter-overrides", "Names=a,c", "--format", "json"];
    let plan = json_of(&folder.run(&words));
    let orders = change(&plan, "Orders");
    assert_eq!(
        (&orders["action"], &orders["action_reason"], &orders["data"]),
        (&json!("replace"), &json!("create-only"), &json!("lost"))
    );
    assert_eq!(orders["properties"][0]["origin"]["line"], 20);
    assert_eq!(orders["replace_paths"], json!(["Properties.TableName"]));
    let alarm = change(&plan, "Alarm");
    assert_eq!((&alarm["action"], &alarm["because"]), (&json!("update"), &json!(["replacement of Orders"])));
    assert_eq!(alarm["properties"][0]["kind"], "reference");
    let queue = change(&plan, "Queueb");
    assert_eq!((&queue["action"], &queue["because"]), (&json!("delete"), &json!(["argument Names"])));
    assert_eq!(queue["old_origin"]["frames"], json!([{"kind": "loop", "name": "Name", "value": "b"}]));
    assert_eq!(plan["arguments"], json!([{"name": "Names", "old": "a,b,c", "new": "a,c"}]));
    let shift = &plan["shifts"][0];
    assert_eq!(
        (&shift["loop"], &shift["instead"], &shift["ids"]),
        (&json!("Fn::Map"), &json!("Topic${Value}"), &json!(["Topic1"]))
    );
    assert_eq!((&shift["key"]["line"], &shift["collection"]["line"]), (&json!(9), &json!(8)));
    assert_eq!(plan["summary"]["replace"], 2);
}

#[test]
fn values_of_secrets_are_not_shown() {
    let folder = folder("secrets");
    let folder = folder.with("other.yaml", &OLD.replace("hunter2", "hunter3"));
    for format in ["text", "json", "markdown"] {
        let run = folder.run(&["plan", "old.yaml", "other.yaml", "--format", format]);
        assert!(run.out.contains("****") && !run.out.contains("hunter"), "{run:?}");
    }
}

/// Its references stay in the output, and CloudFormation sends the new value all the same.
#[test]
fn a_secret_with_another_value_changes_what_uses_it() {
    let uses = "  Db:\n    Type: AWS::RDS::DBInstance\n    Properties:\n      DBInstanceClass: db.t3.micro\n      \
                MasterUserPassword: !Ref Key\n      DBName: !Sub 'x-${Key}'\n      Engine: mysql\n";
    let folder = Folder::new("plan", "secret-uses").with("old.yaml", &format!("{OLD}{uses}"));
    let passed = ["--against-parameter-overrides", "Key=hunter3"];
    let plan = json_of(&folder.run(&[&["plan", "old.yaml", "--format", "json"][..], &passed].concat()));
    let change = change(&plan, "Db");
    assert_eq!((&change["action"], &change["because"]), (&json!("replace"), &json!(["argument Key"])));
    let properties: Vec<_> = change["properties"].as_array().expect("properties").iter().collect();
    let seen: Vec<_> = properties.iter().map(|one| (&one["path"], &one["kind"], &one["old"], &one["new"])).collect();
    let sub = json!({"Fn::Sub": "x-${Key}"});
    assert_eq!(
        seen,
        [
            (&json!("Properties.MasterUserPassword"), &json!("changed"), &json!("****"), &json!("****")),
            (&json!("Properties.DBName"), &json!("residual"), &sub, &sub),
        ]
    );
    assert_eq!(plan["changes"].as_array().map(Vec::len), Some(1));
    // What `expand` prints is the same, and so is a template with itself.
    for stage in ["expand", "resolve"] {
        let words: &[&str] = if stage == "expand" { &passed } else { &["old.yaml"] };
        let run = folder.run(&[&["diff", "old.yaml", "--stage", stage], words].concat());
        assert_eq!(run.status, 0, "{run:?}");
    }
}

#[test]
fn a_refactoring_leaves_what_the_author_meant() {
    let folder = folder("refactor");
    let words =
        ["plan", "old.yaml", "--against-parameter-overrides", "Names=a,c", "--refactor", "out", "--stack-name", "shop"];
    let run = folder.run(&[&words[..], &["--format", "json"]].concat());
    let plan = json_of(&run);
    let mappings: Vec<String> = plan["refactor"]["mappings"]
        .as_array()
        .expect("mappings")
        .iter()
        .map(|pair| format!("{} {} {}", pair["source"], pair["destination"], pair["reason"]).replace('"', ""))
        .collect();
    assert_eq!(mappings, ["Topic1 Topic1Old displaced", "Topic2 Topic1 shift"]);
    assert_eq!((&plan["refactor"]["after"]["replace"], &plan["refactor"]["after"]["delete"]), (&json!(0), &json!(2)));
    let pairs: Value = serde_json::from_slice(&folder.contents()["out/resource-mappings.json"]).expect("JSON");
    assert_eq!(pairs[1]["Destination"], json!({"StackName": "shop", "LogicalResourceId": "Topic1"}));
    let run = folder.run(&[
        "plan",
        "out/shop.template.json",
        "old.yaml",
        "--parameter-overrides",
        "Names=a,c",
        "--format",
        "json",
    ]);
    let left = json_of(&run);
    let ids: Vec<&Value> = left["changes"].as_array().expect("changes").iter().map(|change| &change["id"]).collect();
    assert_eq!(ids, ["Topic1Old", "Queueb"]);
}

#[test]
fn gates_decide_the_status_and_not_the_report() {
    let folder = folder("gates");
    let plain = folder.run(&["plan", "old.yaml", "new.yaml"]);
    assert_eq!(plain.status, 0, "{plain:?}");
    for (gates, status) in [("data", 1), ("replacement,broadening", 1), ("broadening", 0), ("any", 1)] {
        let run = folder.run(&["plan", "old.yaml", "new.yaml", "--fail-on", gates]);
        assert_eq!(run.status, status, "{run:?}");
        assert!(run.out.ends_with(&plain.out), "{run:?}");
    }
    let run = folder.run(&["plan", "old.yaml", "new.yaml", "--fail-on", "replacement,data", "--no-schemas"]);
    assert_eq!((run.status, run.out.contains("effect")), (0, false), "{run:?}");
    assert_eq!(folder.run(&["diff", "old.yaml", "new.yaml"]).status, 1);
    assert_eq!(folder.run(&["plan", "old.yaml", "new.yaml", "--fail-on", "nothing"]).status, 2);
}

#[test]
fn errors_of_a_side_leave_no_plan() {
    let folder =
        folder("errors").with("bad.yaml", "Resources: {A: {Type: AWS::SNS::Topic, Properties: {X: !Ref Nowhere}}}\n");
    for words in [["plan", "old.yaml", "bad.yaml"], ["plan", "bad.yaml", "old.yaml"]] {
        let run = folder.run(&words);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{run:?}");
        assert!(run.err.contains("Nowhere"), "{run:?}");
    }
    for words in [
        &["plan", "old.yaml"][..],
        &["plan", "gone.yaml", "old.yaml"],
        &["plan", "old.yaml", "--git", "no-such-revision"],
    ] {
        let run = folder.run(words);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{run:?}");
    }
}

#[test]
fn findings_are_diagnostics() {
    let folder = folder("findings");
    let words =
        ["plan", "old.yaml", "new.yaml", "--against-parameter-overrides", "Names=a,c", "--message-format", "short"];
    let run = folder.run(&words);
    let codes: Vec<&str> =
        run.err.lines().filter_map(|line| line.split_once('[')?.1.split_once(']')).map(|it| it.0).collect();
    assert_eq!(codes, ["FW1210", "FW1211", "FW1211"], "{run:?}");
    let quiet = OLD.replace("TableName: orders", "TableName: shop # formwork: allow FW1211 -- it is empty");
    let folder = folder.with("new.yaml", &quiet);
    let run = folder.run(&words);
    assert_eq!(run.err.matches("FW1211").count(), 1, "{run:?}");
}

fn git(folder: &Folder, words: &[&str]) {
    let mut command = folder.command("git");
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"]).args(words);
    assert!(command.output().expect("git runs").status.success(), "{words:?}");
}

#[test]
fn a_revision_has_its_own_modules_values_and_nested_templates() {
    let folder = Folder::new("plan", "git")
        .with("stacks/mods/m.yaml", "Parameters: {Name: {Type: String}}\nResources:\n  Queue: {Type: AWS::SQS::Queue, Properties: {QueueName: !Ref Name, DelaySeconds: 1}}\n")
        .with("stacks/t.yaml", "Modules:\n  Box: {Source: ./mods/m.yaml, Properties: {Name: !Ref Stage}}\nParameters: {Stage: {Type: String}}\nResources:\n  Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: ./child.yaml}}\n")
        .with("stacks/child.yaml", "Resources:\n  Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: a}}\n")
        .with("stacks/p.json", "{\"Stage\": \"dev\"}");
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-qm", "one"]);
    let folder = folder
        .with("stacks/mods/m.yaml", "Parameters: {Name: {Type: String}}\nResources:\n  Queue: {Type: AWS::SQS::Queue, Properties: {QueueName: !Ref Name, DelaySeconds: 2}}\n")
        .with("stacks/child.yaml", "Resources:\n  Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: b}}\n")
        .with("stacks/p.json", "{\"Stage\": \"prod\"}")
        .with("stacks/fresh.yaml", "Resources: {Topic: {Type: AWS::SNS::Topic}}\n");
    let words = |revision| {
        ["plan", "stacks/t.yaml", "--git", revision, "--parameters-file", "stacks/p.json", "--format", "json"]
    };
    let plan = json_of(&folder.run(&words("HEAD")));
    let queue = change(&plan, "BoxQueue");
    assert_eq!((&queue["action"], &queue["origin"]["file"]), (&json!("replace"), &json!("mods/m.yaml")));
    assert!(queue["because"].as_array().is_some_and(|why| why.contains(&json!("file mods/m.yaml"))), "{queue}");
    let topic = change(&plan, "Topic");
    assert_eq!((&topic["stack"], &topic["action"]), (&json!(["Child"]), &json!("replace")));
    assert_eq!(change(&plan, "Child")["action"], "update");
    let fresh = json_of(&folder.run(&["plan", "stacks/fresh.yaml", "--git", "HEAD", "--format", "json"]));
    assert_eq!(change(&fresh, "Topic")["action"], "create");
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-qm", "two"]);
    for revision in ["HEAD~1", "HEAD~1...", "HEAD~1..HEAD", "HEAD~1...HEAD"] {
        assert_eq!(json_of(&folder.run(&words(revision)))["changes"], plan["changes"], "{revision}");
    }
    let run = folder.run(&words("nowhere"));
    assert!(run.status == 2 && run.err.contains("Git does not know the revision nowhere"), "{run:?}");
}

#[test]
fn a_recorded_stack_is_the_old_side() {
    let template = "Parameters: {Stage: {Type: String}, Secret: {Type: String, NoEcho: true}}\nResources:\n  Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: !Sub '${Stage}-t'}}\n";
    let record = json!({
        "formwork_stack": 1, "StackName": "shop", "StackId": "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop/1",
        "Region": "eu-west-1", "AccountId": "111122223333", "StackStatus": "CREATE_COMPLETE", "Template": template,
        "Parameters": [
            {"ParameterKey": "Stage", "ParameterValue": "prod"}, {"ParameterKey": "Secret", "ParameterValue": "****"},
        ],
        "Resources": [{
            "LogicalResourceId": "Topic", "PhysicalResourceId": "arn:aws:sns:eu-west-1:111122223333:prod-t",
            "ResourceType": "AWS::SNS::Topic", "ResourceStatus": "CREATE_COMPLETE",
        }],
        "Tags": [], "Capabilities": [], "Nested": {},
    });
    let mut review = record.clone();
    review["StackStatus"] = json!("REVIEW_IN_PROGRESS");
    review["Template"] = json!({});
    let folder = Folder::new("plan", "stack")
        .with("t.yaml", &template.replace("-t'", "-topic'"))
        .with("shop.json", &record.to_string())
        .with("review.json", &review.to_string())
        .with("empty.yaml", "Resources: {Other: {Type: AWS::SQS::Queue}}\n")
        .with("other.json", "{\"formwork_stack\": 2}");
    let plan = json_of(&folder.run(&["plan", "t.yaml", "--stack-snapshot", "shop.json", "--format", "json"]));
    let topic = change(&plan, "Topic");
    assert_eq!(topic["physical_id"], "arn:aws:sns:eu-west-1:111122223333:prod-t");
    assert_eq!(
        (&topic["properties"][0]["old"], &topic["properties"][0]["new"]),
        (&json!("prod-t"), &json!("prod-topic"))
    );
    // A comment has no links to places in the deployed template.
    let comment = folder.run(&["plan", "empty.yaml", "--stack-snapshot", "shop.json", "--format", "markdown"]).out;
    assert!(comment.contains("(`stack shop, line 3`)") && !comment.contains("stack%20shop"), "{comment}");
    // A stack that only has a change set has nothing yet: everything is created.
    let plan = json_of(&folder.run(&["plan", "t.yaml", "--stack-snapshot", "review.json", "--format", "json"]));
    assert_eq!((&plan["summary"]["create"], &change(&plan, "Topic")["action"]), (&json!(1), &json!("create")));
    let run = folder.run(&["plan", "t.yaml", "--stack-snapshot", "other.json"]);
    assert!(run.status == 2 && run.err.contains("other.json is not a recorded stack"), "{run:?}");
}

#[test]
fn what_is_gone_is_reported_where_it_was() {
    const KEPT: &str = "Resources:\n  Topic: {Type: AWS::SNS::Topic}\n";
    let old = format!("{KEPT}  Queue: {{Type: AWS::SQS::Queue}}\n");
    let record = json!({"formwork_stack": 1, "StackName": "shop", "StackStatus": "CREATE_COMPLETE", "Template": old});
    let folder = Folder::new("plan", "gone")
        .with("deep/old.yaml", &old)
        .with("deep/t.yaml", &old)
        .with("shop.json", &record.to_string());
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-qm", "one"]);
    let folder = folder.with("deep/t.yaml", KEPT);
    let of = |words: &[&str], format: &str| {
        let run = folder.run(&[words, &["--message-format", format]].concat());
        assert_eq!(run.status, 0, "{run:?}");
        run.err
    };
    let what = ": warning[FW1211]: the data of Queue is lost: it is deleted\n1 warning\n";
    let files = ["plan", "deep/old.yaml", "deep/t.yaml"];
    assert_eq!(of(&files, "short"), format!("deep/old.yaml:3:3{what}"));
    assert!(of(&files, "github").starts_with("::warning file=deep/old.yaml,line=3,"));
    let commit = ["plan", "deep/t.yaml", "--git", "HEAD"];
    let short = of(&commit, "short");
    assert!(short.ends_with(&format!(":deep/t.yaml:3:3{what}")), "{short}");
    // GitHub shows files of the new commit alone.
    assert!(of(&commit, "github").starts_with("::warning file=deep/t.yaml,line=1,"));
    let sarif: Value = serde_json::from_str(&of(&commit, "sarif")).expect("SARIF");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "deep/t.yaml");
    assert!(result["message"]["text"].as_str().is_some_and(|text| text.contains(":deep/t.yaml:3\n")), "{result}");
    let stack = ["plan", "deep/t.yaml", "--stack-snapshot", "shop.json"];
    assert_eq!(of(&stack, "short"), format!("deep/t.yaml:1:1{what}"));
    assert!(of(&stack, "json").contains("\"it was at stack shop, line 3\""));
}

#[test]
fn changes_follow_into_nested_stacks_and_out_of_them() {
    let root = "Resources:\n  Table: {Type: AWS::DynamoDB::Table, Properties: {TableName: one, KeySchema: [{AttributeName: id, KeyType: HASH}], AttributeDefinitions: [{AttributeName: id, AttributeType: S}], BillingMode: PAY_PER_REQUEST}}\n  Net: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: child.yaml, Parameters: {Name: !GetAtt Table.Arn}}}\n  User: {Type: AWS::SNS::Topic, Properties: {TopicName: !Sub 'x-${Net.Outputs.Topic}'}}\n  Other: {Type: AWS::SNS::Topic, Properties: {DisplayName: !GetAtt Net.Outputs.Fixed}}\n";
    let child = "Parameters: {Name: {Type: String}}\nResources:\n  Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: !Ref Name}}\nOutputs: {Topic: {Value: !GetAtt Topic.TopicName}, Fixed: {Value: x}}\n";
    let folder = Folder::new("plan", "nested-follow")
        .with("old/root.yaml", root)
        .with("old/child.yaml", child)
        .with("new/root.yaml", &root.replace("one", "two"))
        .with("new/child.yaml", child);
    let plan = json_of(&folder.run(&["plan", "old/root.yaml", "new/root.yaml", "--format", "json"]));
    let found: Vec<String> = plan["changes"]
        .as_array()
        .expect("changes")
        .iter()
        .map(|change| format!("{} {} {} {}", change["stack"], change["id"], change["action"], change["because"]))
        .collect();
    assert_eq!(
        found,
        [
            r#"[] "Table" "replace" []"#,
            r#"[] "Net" "update" ["replacement of Table"]"#,
            r#"["Net"] "Topic" "replace" ["argument Name"]"#,
            r#"[] "User" "replace" ["output Net.Topic"]"#,
        ]
    );
    let same = folder.run(&["plan", "old/root.yaml", "old/root.yaml", "--fail-on", "any"]);
    assert_eq!(same.status, 0, "{same:?}");
}
