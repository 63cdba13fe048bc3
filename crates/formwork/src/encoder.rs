//! Encodes text part by part.

use formwork_syntax::Encoding;

pub(crate) struct Encoder<S> {
    encoding: Encoding,
    sink: S,
    has_begun: bool,
    /// Text of an encoding that is only applied to the whole.
    held: String,
}

impl<S: FnMut(&[u8])> Encoder<S> {
    pub(crate) fn new(encoding: Encoding, sink: S) -> Encoder<S> {
        Encoder { encoding, sink, has_begun: false, held: String::new() }
    }

    pub(crate) fn push(&mut self, text: &str) {
        match self.encoding {
            Encoding::Utf8 => (self.sink)(text.as_bytes()),
            Encoding::Utf8Mark if self.has_begun => (self.sink)(text.as_bytes()),
            Encoding::Utf8Mark => (self.sink)(&self.encoding.encode(text)),
            Encoding::Utf16Le | Encoding::Utf16Be => self.held.push_str(text),
        }
        self.has_begun = true;
    }

    pub(crate) fn finish(mut self) {
        if !self.held.is_empty() {
            (self.sink)(&self.encoding.encode(&self.held));
        }
    }
}
