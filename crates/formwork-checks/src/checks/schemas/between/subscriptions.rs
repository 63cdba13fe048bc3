//! Subscriptions of topics: which queues and protocols a FIFO topic takes.

use super::{Fact, Other, Refusal};
use crate::checks::schemas::step::Step;
use crate::checks::schemas::walk::{At, Walk};
use formwork_syntax::{Kind, NodeId};

/// Checks a resource `AWS::SNS::Subscription`.
pub(super) fn check(walk: &mut Walk<'_>, at: At) {
    let topic = walk.below(at.node, "TopicArn").and_then(|topic| walk.referred(topic.node));
    let Some(topic) = topic.filter(|topic| topic.kind == "AWS::SNS::Topic") else { return };
    if let Some(is_fifo) = walk.is_true(topic.properties, "FifoTopic") {
        subscription(walk, at.node, is_fifo, topic);
    }
}

/// Checks the subscriptions that are written in a topic.
pub(super) fn of_topic(walk: &mut Walk<'_>, at: At) {
    const LIST: &str = "Subscription";
    let (Some(is_fifo), Some(list)) = (walk.is_true(Some(at.node), "FifoTopic"), walk.below(at.node, LIST)) else {
        return;
    };
    let own = Other { id: walk.id, kind: "AWS::SNS::Topic", properties: Some(at.node) };
    if walk.tree.kind(list.node) != Kind::List {
        return;
    }
    for (number, &item) in walk.tree.items(list.node).iter().enumerate() {
        if walk.tree.kind(item) == Kind::Map && walk.is_plain_object(item) {
            walk.under(&[Step::Key(LIST), Step::Element(number)], |walk| {
                walk.in_context(item, |walk| subscription(walk, item, is_fifo, own));
            });
        }
    }
}

fn subscription<'w>(walk: &mut Walk<'w>, node: NodeId, is_fifo: bool, topic: Other<'w>) {
    let Fact::Literal(protocol) = walk.fact(Some(node), "Protocol") else { return };
    let label = if is_fifo { "this FIFO topic" } else { "this standard topic" };
    if is_fifo && protocol != "sqs" {
        let Some(place) = walk.below(node, "Protocol") else { return };
        let message = format!("is {protocol}, which a FIFO topic does not deliver to");
        let refusal = Refusal {
            place,
            message: &message,
            why: "a FIFO topic delivers to queues of Amazon SQS alone",
            help: "write `Protocol: sqs` with a queue as its Endpoint",
        };
        return walk.under(&[Step::Key("Protocol")], |walk| walk.refuse(&refusal, topic, label));
    }
    if is_fifo || protocol != "sqs" {
        return;
    }
    let Some(place) = walk.below(node, "Endpoint") else { return };
    let Some(queue) = walk.referred(place.node).filter(|queue| queue.kind == "AWS::SQS::Queue") else { return };
    if walk.is_true(queue.properties, "FifoQueue") == Some(true) {
        let help = format!("write `FifoTopic: true` in the properties of {}", walk.name_of(topic));
        let refusal = Refusal {
            place,
            message: "is a FIFO queue, and the topic is a standard topic",
            why: "SNS: `FIFO SQS Queues can not be subscribed to standard SNS topics`",
            help: &help,
        };
        walk.under(&[Step::Key("Endpoint")], |walk| walk.refuse(&refusal, queue, "this FIFO queue"));
    }
}
