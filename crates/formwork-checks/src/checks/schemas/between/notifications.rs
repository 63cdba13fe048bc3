//! Notifications of buckets, which FIFO queues and topics do not take.

use super::Refusal;
use crate::checks::schemas::step::Step;
use crate::checks::schemas::walk::{At, Walk};
use formwork_syntax::Kind;

const CONFIGURATION: &str = "NotificationConfiguration";

/// The lists, the name of the target in their elements, its type, and the property that makes it a FIFO one.
const TARGETS: [(&str, &str, &str, &str, &str); 2] = [
    ("QueueConfigurations", "Queue", "AWS::SQS::Queue", "FifoQueue", "queue"),
    ("TopicConfigurations", "Topic", "AWS::SNS::Topic", "FifoTopic", "topic"),
];

pub(super) fn check(walk: &mut Walk<'_>, at: At) {
    let Some(configuration) = walk.below(at.node, CONFIGURATION) else { return };
    for (list, name, kind, fifo, word) in TARGETS {
        let Some(items) = walk.below(configuration.node, list) else { continue };
        if walk.tree.kind(items.node) != Kind::List {
            continue;
        }
        for (number, &item) in walk.tree.items(items.node).iter().enumerate() {
            let Some(place) = walk.below(item, name) else { continue };
            let Some(other) = walk.referred(place.node).filter(|other| other.kind == kind) else { continue };
            if walk.is_true(other.properties, fifo) != Some(true) {
                continue;
            }
            let message = format!("is a FIFO {word}");
            let help = format!("notify a standard {word}, or Amazon EventBridge");
            let refusal = Refusal {
                place,
                message: &message,
                why: "Amazon S3 notifies standard queues and topics alone",
                help: &help,
            };
            let steps = [Step::Key(CONFIGURATION), Step::Key(list), Step::Element(number), Step::Key(name)];
            walk.under(&steps, |walk| walk.in_context(item, |walk| walk.refuse(&refusal, other, "this one")));
        }
    }
}
