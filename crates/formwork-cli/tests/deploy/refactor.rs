//! `refactor`: what is found, what is sent, what is executed.
//!
//! Holds reference/refactor.md.

use serde_json::{Value, json};

use super::answers::{done, fails, interrupted, stack, template};
use super::program::{Case, Run};
use super::server::{Answer, Step, escaped};
use crate::schemas::schema::Schema;

const DEPLOYED: &str = r#"{"Parameters": {"Stage": {"Type": "String", "Default": "dev"}}, "Resources": {
  "Topic": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Stage"}}},
  "OrdersQ": {"Type": "AWS::SQS::Queue"}, "UsersQ": {"Type": "AWS::SQS::Queue"}},
  "Outputs": {"Old": {"Value": {"Fn::GetAtt": ["OrdersQ", "Arn"]}}}}"#;

/// What the author of the stack sent.
const ORIGINAL: &str = "Transform: AWS::LanguageExtensions
Resources:
  Topic:
    Type: AWS::SNS::Topic
  Fn::ForEach::Queues:
    - Name
    - [Orders, Users]
    - ${Name}Q: {Type: AWS::SQS::Queue}
";

/// The template of a topic that is renamed.
const RENAMED: &str = "Parameters:
  Stage: {Type: String, Default: dev}
Resources:
  # What people subscribe to.
  News:
    Type: AWS::SNS::Topic
    Properties: {DisplayName: !Ref Stage}
  OrdersQ: {Type: AWS::SQS::Queue}
  UsersQ: {Type: AWS::SQS::Queue, Properties: {DelaySeconds: 5}}
";

/// A call that is answered with these elements.
pub(crate) fn answer(action: &'static str, inside: &str) -> Step {
    Step { action, answer: Answer::Result(inside.to_owned()) }
}

fn looked_at() -> Vec<Step> {
    vec![stack("UPDATE_COMPLETE", &[("Stage", "dev")], &[]), template(DEPLOYED), answer("GetStackPolicy", "")]
}

/// The stack with another template and without parameters.
pub(crate) fn looked_at_as(body: &str) -> Vec<Step> {
    vec![stack("UPDATE_COMPLETE", &[], &[]), template(body), answer("GetStackPolicy", "")]
}

/// A refactor is created, and checked.
pub(crate) fn created(status: &str, reason: &str) -> Vec<Step> {
    let reason =
        if reason.is_empty() { String::new() } else { format!("<StatusReason>{}</StatusReason>", escaped(reason)) };
    vec![
        answer("CreateStackRefactor", "<StackRefactorId>r-1</StackRefactorId>"),
        answer("DescribeStackRefactor", "<Status>CREATE_IN_PROGRESS</Status>"),
        answer(
            "DescribeStackRefactor",
            &format!("<Status>{status}</Status>{reason}<ExecutionStatus>AVAILABLE</ExecutionStatus>"),
        ),
    ]
}

/// An action: the resource of a stack becomes one of a stack.
pub(crate) fn moved(old: (&str, &str), new: (&str, &str)) -> String {
    let side = |name: &str, (stack, id): (&str, &str)| {
        format!("<{name}><StackName>{stack}</StackName><LogicalResourceId>{id}</LogicalResourceId></{name}>")
    };
    format!(
        "<member><Action>MOVE</Action><Entity>RESOURCE</Entity><PhysicalResourceId>p-{}</PhysicalResourceId><Detection>AUTO</Detection><TagResources><member><Key>aws:cloudformation:logical-id</Key><Value>{}</Value></member></TagResources><ResourceMapping>{}{}</ResourceMapping></member>",
        old.1,
        new.1,
        side("Source", old),
        side("Destination", new)
    )
}

/// What a refactor is going to do.
pub(crate) fn actions(all: &[String]) -> Step {
    answer("ListStackRefactorActions", &format!("<StackRefactorActions>{}</StackRefactorActions>", all.concat()))
}

const ARN: &str = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop/1a2b";

fn topic_moves() -> Step {
    actions(&[moved((ARN, "Topic"), (ARN, "News"))])
}

/// A refactor is executed to its end.
pub(crate) fn executed(status: &str) -> Vec<Step> {
    vec![
        done("ExecuteStackRefactor"),
        answer(
            "DescribeStackRefactor",
            "<Status>CREATE_COMPLETE</Status><ExecutionStatus>EXECUTE_IN_PROGRESS</ExecutionStatus>",
        ),
        answer(
            "DescribeStackRefactor",
            &format!(
                "<Status>COMPLETE</Status><ExecutionStatus>{status}</ExecutionStatus><ExecutionStatusReason>a reason</ExecutionStatusReason>"
            ),
        ),
    ]
}

fn run(name: &str, template: &str, steps: Vec<Vec<Step>>, words: &[&str]) -> (Case, Run) {
    let case = Case::new(name).with("t.yaml", template);
    let all = ["refactor", "t.yaml", "--stack-name", "shop", "--poll-delay", "0.02"];
    let run = case.run(steps.into_iter().flatten().collect(), &[&all, words].concat());
    (case, run)
}

fn json_of(run: &Run) -> Value {
    let value: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err));
    Schema::read("refactor.json").hold(&value, "refactor");
    value
}

#[test]
fn a_rename_sends_the_deployed_template_with_other_names_alone() {
    let steps = vec![
        looked_at(),
        created("CREATE_COMPLETE", ""),
        vec![topic_moves()],
        executed("EXECUTE_COMPLETE"),
        vec![stack("UPDATE_IN_PROGRESS", &[], &[]), stack("UPDATE_COMPLETE", &[], &[])],
    ];
    let (_, run) = run("refactor-rename", RENAMED, steps, &["--yes", "-v"]);
    insta::assert_snapshot!(run.all());
    let sent: Value =
        serde_json::from_str(run.sent("CreateStackRefactor", "StackDefinitions.member.1.TemplateBody")).expect("JSON");
    let mut want: Value = serde_json::from_str(DEPLOYED).expect("JSON");
    let resources = want["Resources"].as_object_mut().expect("resources");
    let topic = resources.remove("Topic").expect("the topic");
    resources.insert("News".to_owned(), topic);
    assert_eq!(sent, want, "no edit besides the name");
}

#[test]
fn a_dry_run_reads_alone_and_writes_files_on_request() {
    let (case, run) = run("refactor-dry", RENAMED, vec![looked_at()], &["--dry-run", "--output-dir", "out"]);
    insta::assert_snapshot!(run.all());
    let template: Value = serde_json::from_str(&case.read("out/shop.template.json")).expect("JSON");
    assert!(template["Resources"]["News"].is_object() && template["Resources"]["Topic"].is_null());
    let mappings: Value = serde_json::from_str(&case.read("out/resource-mappings.json")).expect("JSON");
    let id = |id| json!({"StackName": "shop", "LogicalResourceId": id});
    assert_eq!(mappings, json!([{"Source": id("Topic"), "Destination": id("News")}]));
    let again = case.run(
        looked_at(),
        &[
            "refactor",
            "t.yaml",
            "--stack-name",
            "shop",
            "--dry-run",
            "--mapping-file",
            "out/resource-mappings.json",
            "--format",
            "json",
        ],
    );
    let value = json_of(&again);
    assert_eq!((&value["Result"], &value["HeldBack"]), (&json!("dry-run"), &json!(2)));
    assert_eq!(
        value["Mappings"][0]["destination"],
        json!({"stack": "shop", "logical_id": "News", "file": "t.yaml", "line": 5})
    );
}

/// Both queues get another name, and are equal.
fn queues() -> String {
    ORIGINAL
        .replace("${Name}Q", "Queue${Name}")
        .replace("Transform", "Parameters:\n  Stage: {Type: String, Default: dev}\nTransform")
        .replace("Type: AWS::SNS::Topic\n", "Type: AWS::SNS::Topic\n    Properties: {DisplayName: !Ref Stage}\n")
}

#[test]
fn equal_resources_of_a_loop_are_told_apart_by_their_items() {
    let steps = vec![looked_at(), vec![template(ORIGINAL)]];
    let (_, run) = run("refactor-items", &queues(), steps, &["--dry-run", "--format", "json"]);
    let value = json_of(&run);
    assert_eq!(value["Mappings"][0]["source"]["line"], 8, "of the deployed template");
    let names = |at: usize| {
        (
            value["Mappings"][at]["source"]["logical_id"].clone(),
            value["Mappings"][at]["destination"]["logical_id"].clone(),
        )
    };
    assert_eq!(
        (names(0), names(1)),
        ((json!("OrdersQ"), json!("QueueOrders")), (json!("UsersQ"), json!("QueueUsers")))
    );
    assert_eq!(run.sent("GetTemplate", "TemplateStage"), "Processed");
}

#[test]
fn what_the_serverless_transform_makes_is_renamed_with_its_resource() {
    let authored = "Transform: AWS::Serverless-2016-10-31
Resources:
  Orders:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: s3://code/orders.zip, Handler: index.handler, Runtime: nodejs22.x}
  Users: {Type: AWS::Serverless::SimpleTable}
";
    let case = Case::new("refactor-serverless").with("old.yaml", authored);
    let renamed = authored.replace("Orders:", "Purchases:").replace("Users:", "People:");
    let case = case.with("t.yaml", &renamed);
    let deployed = case.run(vec![], &["expand", "old.yaml", "--serverless", "--format", "json"]);
    let looked_at = [looked_at_as(&deployed.out), vec![template(authored)]].concat();
    let words = ["refactor", "t.yaml", "--stack-name", "shop", "--dry-run", "--format", "json"];
    let run = case.run(looked_at, &words);
    let value = json_of(&run);
    let rows = value["Mappings"].as_array().expect("a list").iter();
    let names = rows.map(|row| format!("{} {}", row["source"]["logical_id"], row["destination"]["logical_id"]));
    assert_eq!(
        names.collect::<Vec<String>>(),
        [r#""Orders" "Purchases""#, r#""OrdersRole" "PurchasesRole""#, r#""Users" "People""#],
        "{}",
        run.err
    );
    assert_eq!(value["Mappings"][1]["destination"]["line"], 3, "that of the function");
}

#[test]
fn what_is_not_certain_has_to_be_named() {
    let plain = RENAMED
        .replace("OrdersQ", "First")
        .replace("UsersQ", "Second")
        .replace(", Properties: {DelaySeconds: 5}", "")
        .replace("News", "Topic");
    let steps = vec![looked_at(), vec![template(DEPLOYED)]];
    let (_, unknown) = run("refactor-ambiguous", &plain, steps, &["--dry-run"]);
    insta::assert_snapshot!(unknown.told());
    let words = ["--dry-run", "--format", "json", "--map", "OrdersQ=First", "--map", "UsersQ=Second"];
    let (_, named) = run("refactor-named", &plain, vec![looked_at()], &words);
    assert_eq!(json_of(&named)["Mappings"].as_array().map(Vec::len), Some(2));
    let words = ["--dry-run", "--map", "OrderQ=First", "--map", "UsersQ=Topic", "--map", "Topic=Second"];
    let (_, wrong) = run("refactor-wrong", &plain, vec![looked_at()], &words);
    insta::assert_snapshot!(wrong.told());
}

#[test]
fn nothing_to_rename_is_a_success_and_creates_nothing() {
    let same = RENAMED.replace("News", "Topic");
    let (_, run) = run("refactor-nothing", &same, vec![looked_at()], &["--yes"]);
    assert_eq!((run.status, run.out.as_str()), (0, ""));
    assert!(run.err.contains("nothing to refactor"), "{}", run.err);
}

#[test]
fn nobody_is_asked_without_a_terminal() {
    let (_, run) = run("refactor-unattended", RENAMED, vec![], &[]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("pass --yes, --no-execute or --dry-run"), "{}", run.err);
}

#[test]
fn a_no_executes_nothing() {
    let case = Case::new("refactor-no").with("t.yaml", RENAMED);
    let steps = [looked_at(), created("CREATE_COMPLETE", ""), vec![topic_moves(), super::outputs::caller()]].concat();
    let words = ["refactor", "t.yaml", "--stack-name", "shop", "--poll-delay", "0.02", "--color", "never"];
    let run = case.run_and_answer(steps, "n\n", &words);
    assert_eq!(run.status, 1, "{}", run.out);
    assert!(run.out.contains("Execute 1 action on shop in eu-west-1, account 111122223333? [y/N]"), "{}", run.out);
    assert!(run.out.contains("nothing was executed"), "{}", run.out);
}

#[test]
fn a_refactor_is_executed_later() {
    let steps = vec![looked_at(), created("CREATE_COMPLETE", ""), vec![topic_moves()]];
    let (case, left) = run("refactor-later", RENAMED, steps, &["--no-execute"]);
    assert_eq!(left.status, 0, "{}", left.err);
    assert!(left.err.contains("run `formwork refactor --execute r-1`"), "{}", left.err);
    let described = |status: &str| {
        answer(
            "DescribeStackRefactor",
            &format!(
                "<Status>CREATE_COMPLETE</Status><ExecutionStatus>{status}</ExecutionStatus><StackIds><member>{ARN}</member></StackIds>"
            ),
        )
    };
    let steps =
        [vec![described("AVAILABLE"), topic_moves()], executed("SUCCEEDED"), vec![stack("UPDATE_COMPLETE", &[], &[])]]
            .concat();
    let words = ["refactor", "--execute", "r-1", "--yes", "--poll-delay", "0.02", "--format", "json"];
    let run = case.run(steps, &words);
    let value = json_of(&run);
    assert_eq!(
        (run.status, &value["Result"], &value["Stacks"]),
        (0, &json!("refactored"), &json!(["shop"])),
        "{}",
        run.err
    );
    let over = case.run(vec![described("EXECUTE_COMPLETE")], &words);
    assert!(over.status == 0 && over.err.contains("is already executed"), "{}", over.err);
    let outdated = case.run(vec![described("OBSOLETE")], &words);
    assert_eq!((outdated.status, &json_of(&outdated)["Result"]), (1, &json!("refused")), "{}", outdated.err);
    let refused = case.run(vec![], &["refactor", "--execute", "r-1", "--map", "A=B", "--yes"]);
    assert_eq!(refused.status, 2, "{}", refused.err);
}

#[test]
fn what_the_service_rejects_is_at_its_line() {
    let reason = "Resource News is not supported in refactor";
    let (_, run) = run("refactor-rejected", RENAMED, vec![looked_at(), created("CREATE_FAILED", reason)], &["--yes"]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn a_refactor_that_cannot_be_executed_is_not() {
    let without_id = vec![looked_at(), vec![answer("CreateStackRefactor", "")]];
    let (_, lost) = run("refactor-without-id", RENAMED, without_id, &["--yes"]);
    assert!(lost.status == 1 && lost.err.contains("has no ID; nothing was executed"), "{}", lost.err);
    let outdated = "<Status>CREATE_COMPLETE</Status><ExecutionStatus>OBSOLETE</ExecutionStatus>";
    let steps = vec![
        answer("CreateStackRefactor", "<StackRefactorId>r-1</StackRefactorId>"),
        answer("DescribeStackRefactor", outdated),
    ];
    let (case, obsolete) = run("refactor-obsolete", RENAMED, vec![looked_at(), steps], &["--yes", "--format", "json"]);
    assert_eq!((obsolete.status, &json_of(&obsolete)["Result"]), (1, &json!("refused")), "{}", obsolete.err);
    assert!(obsolete.err.contains("refactor r-1 cannot be executed: it is in OBSOLETE"), "{}", obsolete.err);
    let absent = fails("DescribeStackRefactor", "StackRefactorNotFoundException", "no such refactor");
    let absent = case.run(vec![absent], &["refactor", "--execute", "r-1", "--yes"]);
    assert!(absent.status == 1 && absent.err.contains("refactor r-1 does not exist"), "{}", absent.err);
    assert!(!absent.err.contains("is left"), "{}", absent.err);
}

#[test]
fn an_action_that_was_not_meant_is_not_executed() {
    let more = actions(&[moved((ARN, "Topic"), (ARN, "News")), moved((ARN, "OrdersQ"), (ARN, "Other"))]);
    let steps = vec![looked_at(), created("CREATE_COMPLETE", ""), vec![more]];
    let (_, run) = run("refactor-unmeant", RENAMED, steps, &["--yes", "--format", "json"]);
    let value = json_of(&run);
    assert_eq!((run.status, &value["Result"], &value["StackRefactorId"]), (1, &json!("failed"), &json!("r-1")));
    assert!(run.err.contains("1 action that is not in the mapping; nothing was executed"), "{}", run.err);
    // A word that nobody knows ends nothing.
    let unknown = "<member><Action>RETAG</Action><Entity>NEW</Entity></member>".to_owned();
    let steps = vec![
        looked_at(),
        created("CREATE_COMPLETE", ""),
        vec![actions(&[moved((ARN, "Topic"), (ARN, "News")), unknown])],
        executed("ROLLBACK_COMPLETE"),
    ];
    let (_, run) = self::run("refactor-rolled-back", RENAMED, steps, &["--yes"]);
    assert!(
        run.status == 1 && run.err.contains("ended in ROLLBACK_COMPLETE") && run.err.contains("a reason"),
        "{}",
        run.err
    );
    assert!(run.err.contains("RETAG"), "{}", run.err);
}

#[test]
fn ctrl_c_leaves_a_refactor_that_nobody_executes_or_one_that_goes_on() {
    let waits = interrupted(answer("DescribeStackRefactor", "<Status>CREATE_IN_PROGRESS</Status>"));
    let steps = vec![looked_at(), vec![answer("CreateStackRefactor", "<StackRefactorId>r-1</StackRefactorId>"), waits]];
    let (_, before) = run("refactor-interrupted", RENAMED, steps, &["--yes"]);
    assert_eq!(before.status, 130, "{}", before.err);
    assert!(before.err.contains("refactor r-1 is left, and nobody executes it"), "{}", before.err);
    let goes_on = "<Status>CREATE_COMPLETE</Status><ExecutionStatus>EXECUTE_IN_PROGRESS</ExecutionStatus>";
    let steps = vec![
        looked_at(),
        created("CREATE_COMPLETE", ""),
        vec![topic_moves(), done("ExecuteStackRefactor"), interrupted(answer("DescribeStackRefactor", goes_on))],
    ];
    let (_, after) = run("refactor-interrupted-later", RENAMED, steps, &["--yes", "--format", "json"]);
    assert_eq!((after.status, &json_of(&after)["Result"]), (130, &json!("failed")), "{}", after.err);
    assert!(after.err.contains("refactor r-1 goes on"), "{}", after.err);
}

#[test]
fn stacks_that_cannot_be_refactored_are_named() {
    let policy = vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        template(DEPLOYED),
        answer("GetStackPolicy", "<StackPolicyBody>{}</StackPolicyBody>"),
    ];
    let (_, run) = run("refactor-policy", RENAMED, vec![policy], &["--yes"]);
    assert!(run.status == 1 && run.err.contains("stack shop has a stack policy"), "{}", run.err);
    let (_, run) =
        self::run("refactor-stuck", RENAMED, vec![vec![stack("UPDATE_ROLLBACK_FAILED", &[], &[])]], &["--yes"]);
    assert!(run.status == 1 && run.err.contains("UPDATE_ROLLBACK_FAILED and cannot be refactored"), "{}", run.err);
    // Nobody may look at its policy: the service decides.
    let denied = vec![
        stack("UPDATE_IN_PROGRESS", &[], &[]),
        stack("UPDATE_COMPLETE", &[], &[]),
        template(DEPLOYED),
        fails("GetStackPolicy", "AccessDenied", "no"),
    ];
    let (_, run) = self::run("refactor-denied", RENAMED, vec![denied], &["--dry-run"]);
    assert!(run.status == 0 && run.err.contains("allow cloudformation:GetStackPolicy"), "{}", run.err);
}

#[test]
fn resources_move_between_stacks_and_nothing_else_changes() {
    let of = |name: &str, body: &str| {
        let stack = format!(
            "<Stacks><member><StackName>{name}</StackName><StackId>{name}</StackId><StackStatus>CREATE_COMPLETE</StackStatus></member></Stacks>"
        );
        vec![answer("DescribeStacks", &stack), template(body), answer("GetStackPolicy", "")]
    };
    let app = r#"{"Resources": {"Api": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Table"}}}, "Table": {"Type": "AWS::SQS::Queue"}}}"#;
    let data = r#"{"Resources": {"Key": {"Type": "AWS::SNS::Topic"}}}"#;
    let case = Case::new("refactor-move")
        .with("app.yaml", "Resources:\n  Api:\n    Type: AWS::SNS::Topic\n    Properties: {DisplayName: !ImportValue table}\n")
        .with("data.yaml", "Resources:\n  Key: {Type: AWS::SNS::Topic}\n  Table: {Type: AWS::SQS::Queue}\nOutputs:\n  Table: {Value: !Ref Table, Export: {Name: table}}\n");
    let words = ["refactor", "--stack", "app=app.yaml", "--stack", "data=data.yaml", "--yes", "--poll-delay", "0.02"];
    let read = [of("app", app), of("data", data)].concat();
    let steps = [
        read.clone(),
        created("CREATE_COMPLETE", ""),
        vec![actions(&[moved(("app", "Table"), ("data", "Table"))])],
        executed("EXECUTE_COMPLETE"),
        vec![stack("UPDATE_COMPLETE", &[], &[]), stack("UPDATE_COMPLETE", &[], &[])],
    ]
    .concat();
    let run = case.run(steps, &words);
    insta::assert_snapshot!(run.all());
    let edited = case.with("data.yaml", "Resources:\n  Key: {Type: AWS::SNS::Topic, Properties: {DisplayName: x}}\n  Table: {Type: AWS::SQS::Queue}\n  New: {Type: AWS::SQS::Queue, Properties: {DelaySeconds: 1}}\n");
    let run = edited.run(read, &words);
    insta::assert_snapshot!(run.told());
}
