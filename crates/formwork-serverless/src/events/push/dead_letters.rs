//! `DeadLetterConfig`: the queue of events that could not be delivered.

use crate::events::event::Event;
use crate::iam;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::Value;

/// A queue for events, with what is made for it.
#[derive(Debug)]
pub(super) struct Queue {
    pub(super) arn: Value,
    pub(super) made: Option<Resource>,
}

/// Returns the queue of an event.
pub(super) fn queue(event: &Event<'_>) -> Result<Option<Queue>, Refusal> {
    let Some(config) = event.written("DeadLetterConfig") else { return Ok(None) };
    let (arn, kind) = (config.get("Arn"), config.get("Type"));
    let refuse = |sentence: &str, at: Option<&Value>| {
        Err(event.refuse(&event.id(), sentence, at.and_then(Value::origin).or(config.origin())))
    };
    if arn.is_some() && kind.is_some() {
        return refuse("You can either define 'Arn' or 'Type' property of DeadLetterConfig.", kind);
    }
    if kind.is_some_and(|kind| kind.text() != Some("SQS")) {
        return refuse("The only valid value for 'Type' property of DeadLetterConfig is 'SQS'.", kind);
    }
    if arn.is_none() && kind.is_none() {
        return refuse("No 'Arn' or 'Type' property provided for DeadLetterConfig.", None);
    }
    if let Some(arn) = arn.filter(|arn| !arn.is_null()) {
        return Ok(Some(Queue { arn: arn.clone(), made: None }));
    }
    let mut queue = event.makes("Queue", "AWS::SQS::Queue").from(config.origin());
    if let Some(name) = config.get("QueueLogicalId").filter(|name| !name.is_null() && name.text() != Some("")) {
        let Some(id) = name.text() else { return refuse("QueueLogicalId must be a string", Some(name)) };
        if !id.chars().all(|c| c.is_ascii_alphanumeric()) {
            let refusal = Refusal::new("Logical ids must be alphanumeric.").at(name.origin());
            return Err(refusal.of_resource(id));
        }
        id.clone_into(&mut queue.id);
    }
    Ok(Some(Queue { arn: queue.get_att("Arn"), made: Some(queue) }))
}

/// Returns the policy that lets a rule send to the queue.
pub(super) fn policy(event: &Event<'_>, queue: &Resource, rule: &Resource) -> Resource {
    let mut made = event.makes("QueuePolicy", "AWS::SQS::QueuePolicy").from(queue.origin);
    let statement = make::map([
        ("Action", "sqs:SendMessage".into()),
        ("Effect", "Allow".into()),
        ("Principal", make::map([("Service", "events.amazonaws.com".into())])),
        ("Resource", queue.get_att("Arn")),
        ("Condition", make::map([("ArnEquals", make::map([("aws:SourceArn", rule.get_att("Arn"))]))])),
    ]);
    made.set("PolicyDocument", iam::document(vec![statement]));
    made.set("Queues", make::list([queue.reference()]));
    made
}
