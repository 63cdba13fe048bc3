//! `SNS`: a subscription of a topic, of the function itself or of a queue that the function reads.

use crate::context::{Context, Translated};
use crate::events::event::Event;
use crate::events::polling;
use crate::iam::{self, Role};
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::shown;
use crate::value::Value;

/// Properties that the subscription has as they are.
const SAME: [&str; 4] = ["Region", "FilterPolicy", "FilterPolicyScope", "RedrivePolicy"];

/// Messages of a batch.
const BATCH: i64 = 10;

/// Translates an event.
pub(super) fn translate(cx: &mut Context, event: &Event<'_>, role: Option<&mut Role>) -> Translated {
    let topic = event.written("Topic").unwrap_or_default();
    let Some(wanted) = event.get("SqsSubscription") else {
        let mut permission = event.permission("Permission", "sns.amazonaws.com");
        permission.set("SourceArn", topic.clone());
        return Ok(vec![permission, subscription(event, "lambda", event.target.arn.clone(), topic)]);
    };
    let mut made = Vec::new();
    let (arn, url) = if wanted.map().is_some() {
        let (Some(arn), Some(url)) = (own(wanted, "QueueArn"), own(wanted, "QueueUrl")) else {
            return Err(event.refuse(event.name, "No QueueARN or QueueURL provided.", wanted.origin()));
        };
        (arn.clone(), url.clone())
    } else {
        let queue = event.makes("Queue", "AWS::SQS::Queue");
        let names = (queue.get_att("Arn"), queue.reference());
        made.push(queue);
        names
    };
    made.insert(0, mapping(event, wanted, arn.clone()));
    made.push(policy(event, wanted, &topic, (arn.clone(), url))?);
    made.push(subscription(event, "sqs", arn, topic));
    let managed = iam::managed_arn(&cx.parameters.partition, "service-role/AWSLambdaSQSQueueExecutionRole");
    polling::grant(role, vec![managed], Vec::new());
    Ok(made)
}

/// Returns an entry of `SqsSubscription` that is neither null, `false`, zero nor empty.
fn own<'v>(wanted: &'v Value, name: &str) -> Option<&'v Value> {
    wanted.get(name).filter(|value| value.is_true())
}

fn subscription(event: &Event<'_>, protocol: &str, endpoint: Value, topic: Value) -> Resource {
    let mut made = event.makes("", "AWS::SNS::Subscription");
    made.set("Endpoint", endpoint);
    made.set("Protocol", protocol);
    made.set("TopicArn", topic);
    for name in SAME {
        made.set_some(name, event.written(name));
    }
    made
}

fn mapping(event: &Event<'_>, wanted: &Value, arn: Value) -> Resource {
    let mut made = event.makes("EventSourceMapping", "AWS::Lambda::EventSourceMapping");
    made.set("BatchSize", own(wanted, "BatchSize").cloned().unwrap_or_else(|| BATCH.into()));
    // Whatever `Enabled` is.
    made.set("Enabled", true);
    made.set("EventSourceArn", arn);
    made.set("FunctionName", event.target.name.clone());
    made
}

/// Returns the policy that lets the topic send to the queue, of which `queue` has the ARN and the URL.
fn policy(event: &Event<'_>, wanted: &Value, topic: &Value, queue: (Value, Value)) -> Result<Resource, Refusal> {
    let mut made = event.makes("QueuePolicy", "AWS::SQS::QueuePolicy");
    if let Some(name) = own(wanted, "QueuePolicyLogicalId") {
        made.id = shown::plain(name);
        if name.text().is_none() || !made.id.chars().all(|c| c.is_ascii_alphanumeric()) {
            let refusal = Refusal::new("Logical ids must be alphanumeric.").at(name.origin());
            return Err(refusal.of_resource(&made.id));
        }
    }
    let statement = make::map([
        ("Action", "sqs:SendMessage".into()),
        ("Effect", "Allow".into()),
        ("Principal", "*".into()),
        ("Resource", queue.0),
        ("Condition", make::map([("ArnEquals", make::map([("aws:SourceArn", topic.clone())]))])),
    ]);
    made.set("PolicyDocument", iam::document(vec![statement]));
    made.set("Queues", make::list([queue.1]));
    Ok(made)
}
