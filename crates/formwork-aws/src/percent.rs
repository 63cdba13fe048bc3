//! Percent-encoding as signatures want it: everything but the unreserved characters.

use std::fmt::Write;

/// Encodes what is not unreserved (RFC 3986), byte by byte. Characters of `kept` stay.
pub(crate) fn encode(text: &str, kept: &[u8]) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) || kept.contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}
