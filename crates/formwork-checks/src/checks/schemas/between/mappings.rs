//! Event source mappings of Lambda, by the source and the function.

use super::{Fact, Other, Refusal};
use crate::checks::schemas::step::Step;
use crate::checks::schemas::walk::{At, Walk};

/// Without `VisibilityTimeout` and `Timeout`, in seconds.
const VISIBILITY: u64 = 30;
const TIMEOUT: u64 = 3;

pub(super) fn check(walk: &mut Walk<'_>, at: At) {
    const SOURCE: &str = "EventSourceArn";
    let Some(source) = walk.below(at.node, SOURCE) else { return };
    let Some(other) = walk.referred(source.node) else { return };
    match other.kind {
        "AWS::SQS::Queue" => of_queue(walk, at, source, other),
        "AWS::Kinesis::Stream" | "AWS::DynamoDB::Table" => of_stream(walk, at, other),
        _ => {}
    }
}

fn of_stream<'w>(walk: &mut Walk<'w>, at: At, stream: Other<'w>) {
    if walk.fact(Some(at.node), "StartingPosition") == Fact::Absent {
        let refusal = Refusal {
            place: at,
            message: "needs StartingPosition",
            why: "because its source is a stream",
            help: "add StartingPosition, such as `StartingPosition: LATEST`",
        };
        walk.refuse(&refusal, stream, "this stream");
    }
}

fn of_queue<'w>(walk: &mut Walk<'w>, at: At, source: At, queue: Other<'w>) {
    if let Some(place) = walk.below(at.node, "StartingPosition") {
        let refusal = Refusal {
            place,
            message: "does not apply to a queue",
            why: "only streams have a position to start from",
            help: "remove StartingPosition",
        };
        walk.under(&[Step::Key("StartingPosition")], |walk| walk.refuse(&refusal, queue, "this queue"));
    }
    batches(walk, at, queue);
    timeouts(walk, at, source, queue);
}

/// Checks the size of batches, and the time in which they are collected.
fn batches<'w>(walk: &mut Walk<'w>, at: At, queue: Other<'w>) {
    const SIZE: &str = "BatchSize";
    const WINDOW: &str = "MaximumBatchingWindowInSeconds";
    /// The greatest batch of a FIFO queue, and of others without a window.
    const MOST: u64 = 10;
    let Some(is_fifo) = walk.is_true(queue.properties, "FifoQueue") else { return };
    let window = walk.number_or(Some(at.node), WINDOW, 0);
    let size = walk.number_or(Some(at.node), SIZE, MOST);
    if let (true, Some(1..), Some(place)) = (is_fifo, window, walk.below(at.node, WINDOW)) {
        let refusal = Refusal {
            place,
            message: "does not apply to a FIFO queue",
            why: "Lambda collects batches of standard queues alone",
            help: "remove MaximumBatchingWindowInSeconds",
        };
        walk.under(&[Step::Key(WINDOW)], |walk| walk.refuse(&refusal, queue, "this FIFO queue"));
    }
    let (Some(size), Some(place)) = (size.filter(|&size| size > MOST), walk.below(at.node, SIZE)) else { return };
    if is_fifo {
        let message = format!("is {size}, more than the {MOST} of a FIFO queue");
        let refusal = Refusal {
            place,
            message: &message,
            why: "a batch of a FIFO queue has at most 10 messages",
            help: "write `BatchSize: 10`, or less",
        };
        walk.under(&[Step::Key(SIZE)], |walk| walk.refuse(&refusal, queue, "this FIFO queue"));
    } else if window == Some(0) {
        let message = format!("is {size}, which needs {WINDOW}");
        let refusal = Refusal {
            place,
            message: &message,
            why: "a batch of more than 10 messages is collected for at least 1 second",
            help: "add `MaximumBatchingWindowInSeconds: 1`, or write `BatchSize: 10`",
        };
        walk.under(&[Step::Key(SIZE)], |walk| walk.refuse(&refusal, queue, "this queue"));
    }
}

/// Checks that a message stays hidden as long as the function may run.
fn timeouts<'w>(walk: &mut Walk<'w>, at: At, source: At, queue: Other<'w>) {
    let function = walk.below(at.node, "FunctionName").and_then(|name| walk.referred(name.node));
    let Some(function) = function.filter(|other| other.kind == "AWS::Lambda::Function") else { return };
    let hidden = walk.number_or(queue.properties, "VisibilityTimeout", VISIBILITY);
    let running = walk.number_or(function.properties, "Timeout", TIMEOUT);
    let (Some(hidden), Some(running)) = (hidden, running) else { return };
    if hidden >= running {
        return;
    }
    let (queue_name, function_name) = (walk.name_of(queue), walk.name_of(function));
    let message =
        format!("is {queue_name}, which hides messages for {hidden} seconds, less than {function_name} may run");
    let why = format!(
        "Lambda: `Queue visibility timeout: {hidden} seconds is less than Function timeout: {running} seconds`"
    );
    let help = format!("write `VisibilityTimeout: {running}`, or more, in the properties of {queue_name}");
    let refusal = Refusal { place: source, message: &message, why: &why, help: &help };
    walk.under(&[Step::Key("EventSourceArn")], |walk| walk.refuse(&refusal, queue, "this queue"));
}
