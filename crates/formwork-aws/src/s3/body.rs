//! Bodies of requests.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

/// Bytes of a frame. A stall of the body is detected between frames.
const FRAME: usize = 64 << 10;

pub(super) fn body(bytes: Bytes) -> SdkBody {
    if bytes.len() <= FRAME {
        return SdkBody::from(bytes);
    }
    SdkBody::retryable(move || SdkBody::from_body_1_x(Frames(bytes.clone())))
}

struct Frames(Bytes);

impl Body for Frames {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let left = &mut self.get_mut().0;
        let frame = left.split_to(left.len().min(FRAME));
        Poll::Ready((!frame.is_empty()).then(|| Ok(Frame::data(frame))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;
    use crate::runtime::runtime;

    #[test]
    fn frames_are_the_whole() {
        let whole: Bytes = (0..=255).cycle().take(2 * FRAME + 7).collect();
        let mut sent = body(whole.clone());
        assert_eq!(sent.content_length(), Some(whole.len() as u64));
        let again = sent.try_clone().expect("a body that can be sent again");
        let runtime = runtime().expect("a runtime");
        let first = runtime.block_on(sent.frame()).expect("a frame").expect("no error").into_data().expect("data");
        assert_eq!(first, whole[..FRAME]);
        assert_eq!(runtime.block_on(sent.collect()).expect("no error").to_bytes(), whole[FRAME..]);
        assert_eq!(runtime.block_on(again.collect()).expect("no error").to_bytes(), whole);
    }
}
