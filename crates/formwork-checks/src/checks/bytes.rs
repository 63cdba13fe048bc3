//! The size of the expanded template (reference/structure.md#size).

use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::{Format, symbol, write};

use crate::Context;

/// Limit in bytes of a template that is sent without a bucket.
const INLINE: usize = 51_200;
/// 1 MB, the first reading.
const LARGE: usize = 1_000_000;
/// 1 MB, the second reading.
const MOST: usize = 1_048_576;

/// Runs only under `check`: the size is known when the output is written, which other commands do once.
pub(super) fn check(cx: &mut Context<'_>) {
    let Some(near) = cx.severity_of_code(codes::QUOTA_BYTES) else { return };
    // The first bound does not concern a deployment from a bucket.
    let least = if cx.selection.asks_for(codes::QUOTA_BYTES) { INLINE } else { LARGE };
    // Most templates are far below it, and need not be written for that.
    if write::at_most(cx.tree, cx.result, cx.sources).is_some_and(|most| most <= least as u64) {
        return;
    }
    let mut bytes = 0;
    write(cx, cx.document.format, &mut |part| bytes += part.len());
    if bytes <= least {
        return;
    }
    let (what, severity) = match bytes {
        bytes if bytes <= LARGE => (
            format!(
                "the expanded template has {bytes} bytes and needs a bucket: `1 validation error detected: Value at 'templateBody' failed to satisfy constraint: Member must have length less than or equal to {INLINE}`"
            ),
            near,
        ),
        ..=MOST => (
            format!("the expanded template has {bytes} bytes: CloudFormation accepts 1 MB, by some sources {LARGE}"),
            near,
        ),
        _ => (
            format!("the expanded template has {bytes} bytes: `Template may not exceed {MOST} bytes in size.`"),
            Severity::Error,
        ),
    };
    let dense = without_white_space(cx);
    let help = match bytes {
        _ if dense <= INLINE => "deploy it through an S3 bucket, or as JSON without white space",
        ..=MOST => "deploy it through an S3 bucket",
        _ => "split the stack, or use nested stacks",
    };
    let mut diagnostic = Diagnostic::new(codes::QUOTA_BYTES, what);
    if let Some(resources) = cx.tree.member(cx.result, symbol::RESOURCES) {
        diagnostic = diagnostic.at(cx.tree.span(resources.key));
        for note in super::quotas::shares(cx.tree, resources.value) {
            diagnostic = diagnostic.note(note);
        }
    }
    diagnostic = diagnostic.note(format!("as JSON without white space it has {dense} bytes")).help(help);
    cx.push(diagnostic, severity);
}

fn write(cx: &Context<'_>, format: Format, sink: write::Sink<'_>) {
    write::write(cx.tree, cx.result, &cx.document, cx.sources, format, sink, &mut write::NoRecord);
}

/// Returns the size as JSON without spaces and line ends between its tokens.
fn without_white_space(cx: &Context<'_>) -> usize {
    let (mut count, mut in_text, mut is_escaped) = (0, false, false);
    write(cx, Format::Json, &mut |part| {
        for byte in part.bytes() {
            if in_text {
                in_text = is_escaped || byte != b'"';
                is_escaped = !is_escaped && byte == b'\\';
            } else if byte.is_ascii_whitespace() {
                continue;
            } else {
                in_text = byte == b'"';
            }
            count += 1;
        }
    });
    count
}
