//! Dead-letter queues: of the kind of the queue.

use super::{Refusal, worded};
use crate::checks::schemas::step::Step;
use crate::checks::schemas::walk::{At, Walk};

const POLICY: &str = "RedrivePolicy";
const TARGET: &str = "deadLetterTargetArn";

pub(super) fn check(walk: &mut Walk<'_>, at: At) {
    let Some(policy) = walk.below(at.node, POLICY) else { return };
    let Some(target) = walk.below(policy.node, TARGET) else { return };
    let Some(other) = walk.referred(target.node).filter(|other| other.kind == "AWS::SQS::Queue") else { return };
    let (Some(own), Some(of_other)) =
        (walk.is_true(Some(at.node), "FifoQueue"), walk.is_true(other.properties, "FifoQueue"))
    else {
        return;
    };
    if own == of_other {
        return;
    }
    let message = format!("is {}, and the queue is {}", worded(of_other, "queue"), worded(own, "queue"));
    let name = walk.name_of(other);
    let help = if own {
        format!("write `FifoQueue: true` in the properties of {name}")
    } else {
        format!("use a standard queue, without `FifoQueue`, in the place of {name}")
    };
    let refusal = Refusal {
        place: target,
        message: &message,
        why: "the dead-letter queue of a FIFO queue is a FIFO queue, that of a standard queue a standard queue",
        help: &help,
    };
    walk.under(&[Step::Key(POLICY), Step::Key(TARGET)], |walk| walk.refuse(&refusal, other, "this queue"));
}
