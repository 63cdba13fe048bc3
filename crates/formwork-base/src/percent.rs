//! Percent-encoding (RFC 3986).

use std::fmt::Write as _;

/// Percent-encodes all bytes but unreserved ones and those of `kept`.
///
/// ```
/// assert_eq!(formwork_base::percent::encoded("a b/ü", b"/"), "a%20b/%C3%BC");
/// ```
pub fn encoded(text: &str, kept: &[u8]) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) || kept.contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

/// Decodes percent-escapes. Anything else is kept; bytes that are not UTF-8 are replaced.
///
/// ```
/// assert_eq!(formwork_base::percent::decoded("a%2Fb%20c%zz%4"), "a/b c%zz%4");
/// ```
pub fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = match (first, tail) {
            (b'%', [high, low, behind @ ..]) => {
                digit(*high).zip(digit(*low)).map(|(high, low)| (high << 4 | low, behind))
            }
            _ => None,
        };
        let (byte, behind) = escaped.unwrap_or((*first, tail));
        bytes.push(byte);
        rest = behind;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn digit(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|digit| digit as u8)
}
