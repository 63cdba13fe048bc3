//! What `CloudFormation` answers to the commands of a page where moto does not know the calls: ` ```sh scripted=NAME `.

use crate::deploy::answers::{self, Event, failed_events, stack, template};
use crate::deploy::refactor::{actions, answer, created, executed, looked_at_as, moved};
use crate::deploy::server::{Answer, Step};

/// The loop of the pages about renames, as it was deployed.
const DEPLOYED: &str =
    r#"{"Resources": {"OrdersQueue": {"Type": "AWS::SQS::Queue"}, "UsersQueue": {"Type": "AWS::SQS::Queue"}}}"#;

/// What the author of that stack sent.
const ORIGINAL: &str = "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Queues:
    - Name
    - [Orders, Users]
    - ${Name}Queue:
        Type: AWS::SQS::Queue
";

/// Two stacks before a table moves from one to the other.
const APP: &str = r#"{"Resources": {"Api": {"Type": "AWS::SNS::Topic"}, "Table": {"Type": "AWS::SQS::Queue"}}}"#;
const DATA: &str = r#"{"Resources": {"Key": {"Type": "AWS::SNS::Topic"}}}"#;

/// Returns the calls of a script, in their order, with their answers.
pub(crate) fn steps(name: &str) -> Vec<Step> {
    match name {
        "refactor-look" => look(),
        "refactor" => [look(), rename()].concat(),
        "refactor-look-and-do" => [look(), look(), rename()].concat(),
        "refactor-move" => relocate(),
        "validate" => validate(),
        "failed" => [failed(), failed()].concat(),
        "queue-outputs" => vec![stack("CREATE_COMPLETE", &[], &[("QueueName", "orders")]); 3],
        "loop-outputs" => vec![outputs_with_a_description()],
        _ => panic!("no script has the name {name}"),
    }
}

fn look() -> Vec<Step> {
    [looked_at_as(DEPLOYED), vec![template(ORIGINAL)]].concat()
}

fn rename() -> Vec<Step> {
    let renamed = |old, new| moved((answers::STACK_ID, old), (answers::STACK_ID, new));
    let all = [renamed("OrdersQueue", "QueueOrders"), renamed("UsersQueue", "QueueUsers")];
    let stable = vec![stack("UPDATE_COMPLETE", &[], &[])];
    [created("CREATE_COMPLETE", ""), vec![actions(&all)], executed("EXECUTE_COMPLETE"), stable].concat()
}

fn relocate() -> Vec<Step> {
    let of = |name: &str, body: &str| {
        let elements =
            format!("<StackName>{name}</StackName><StackId>{name}</StackId><StackStatus>CREATE_COMPLETE</StackStatus>");
        let stack = format!("<Stacks><member>{elements}</member></Stacks>");
        vec![answer("DescribeStacks", &stack), template(body), answer("GetStackPolicy", "")]
    };
    let moves = vec![actions(&[moved(("app", "Table"), ("data", "Table"))])];
    let stable = vec![stack("UPDATE_COMPLETE", &[], &[]), stack("UPDATE_COMPLETE", &[], &[])];
    let done = [created("CREATE_COMPLETE", ""), moves, executed("EXECUTE_COMPLETE"), stable];
    [of("app", APP), of("data", DATA), done.concat()].concat()
}

/// A change set is created, validated and deleted again.
fn validate() -> Vec<Step> {
    let change = |id| answers::Change::new("Add", id, "AWS::S3::Bucket");
    let changes = answers::ready(&[change("StoreLogs"), change("StoreData")]);
    let found = answers::operation_events(&[]);
    vec![stack("UPDATE_COMPLETE", &[], &[]), answers::created(), changes, found, answers::done("DeleteChangeSet")]
}

fn outputs_with_a_description() -> Step {
    let mut step = stack("CREATE_COMPLETE", &[], &[("OrdersName", "queue-Orders")]);
    if let Answer::Result(xml) = &mut step.answer {
        let value = "</OutputValue>";
        *xml = xml.replace(value, &format!("{value}<Description>The queue of orders</Description>"));
    }
    step
}

/// A creation that was rolled back because a bucket exists.
fn failed() -> Vec<Step> {
    let own = |event: Event| event.with("OperationId", "op-1");
    let bucket = |number, id, reason| own(Event::of(number, id, "AWS::S3::Bucket", "CREATE_FAILED").because(reason));
    let all = vec![
        own(Event::stack(10, "CREATE_IN_PROGRESS").because("User Initiated")),
        bucket(11, "StoreLogs", "shop-Logs already exists"),
        bucket(12, "StoreData", "Resource creation cancelled"),
        own(Event::stack(13, "ROLLBACK_IN_PROGRESS").because("The following resource(s) failed to create: [StoreLogs]")),
        own(Event::stack(14, "ROLLBACK_COMPLETE")),
    ];
    let of = |event: &Event| event.clone().with("OperationType", "CREATE_STACK").with("OperationStatus", "FAILED");
    let reported = failed_events(&all.iter().skip(1).take(2).map(of).collect::<Vec<_>>());
    vec![stack("ROLLBACK_COMPLETE", &[], &[]), answers::events(&all), reported]
}
