//! Decoding of the bytes of files.

use formwork_base::{Diagnostic, FileBytes, FileText, codes};

/// The character encoding of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-8 with a byte order mark.
    Utf8Mark,
    /// UTF-16, least byte first, with a byte order mark.
    Utf16Le,
    /// UTF-16, most significant byte first, with a byte order mark.
    Utf16Be,
}

impl Encoding {
    /// Encodes `text`, with a byte order mark if the encoding has it.
    pub fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::Utf8Mark => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            Encoding::Utf16Le => ['\u{feff}']
                .into_iter()
                .chain(text.chars())
                .collect::<String>()
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect(),
            Encoding::Utf16Be => ['\u{feff}']
                .into_iter()
                .chain(text.chars())
                .collect::<String>()
                .encode_utf16()
                .flat_map(u16::to_be_bytes)
                .collect(),
        }
    }
}

/// Decodes a file, without its byte order mark. Invalid bytes become U+FFFD, with a diagnostic for the first of them,
/// which has no span yet, but line and column in its message. UTF-8 without a mark is not copied.
pub fn decode(bytes: &FileBytes) -> (FileText, Encoding, Option<Diagnostic>) {
    if let Some(text) = bytes.as_text().filter(|text| !text.starts_with('\u{feff}')) {
        return (text.clone(), Encoding::Utf8, None);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        let (text, error) = decode_utf16(rest, u16::from_le_bytes);
        return (FileText::from(text), Encoding::Utf16Le, error);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        let (text, error) = decode_utf16(rest, u16::from_be_bytes);
        return (FileText::from(text), Encoding::Utf16Be, error);
    }
    let (rest, encoding) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => (rest, Encoding::Utf8Mark),
        None => (&**bytes, Encoding::Utf8),
    };
    match std::str::from_utf8(rest) {
        Ok(text) => (FileText::from(text), encoding, None),
        Err(error) => {
            let good = String::from_utf8_lossy(&rest[..error.valid_up_to()]);
            let line = good.lines().count().max(1);
            let byte = rest[error.valid_up_to()];
            let diagnostic = Diagnostic::new(
                codes::BAD_ENCODING,
                format!("the file is not UTF-8: the byte 0x{byte:02X} in line {line} is not part of a character"),
            )
            .note("templates are read as UTF-8, or as UTF-16 with a byte order mark")
            .help("save the file as UTF-8");
            (String::from_utf8_lossy(rest).into_owned().into(), encoding, Some(diagnostic))
        }
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (String, Option<Diagnostic>) {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len() / 2);
    let mut broken = !rest.is_empty();
    for decoded in char::decode_utf16(pairs.iter().map(|&pair| unit(pair))) {
        text.push(decoded.unwrap_or_else(|_| {
            broken = true;
            '\u{fffd}'
        }));
    }
    let error = broken.then(|| {
        Diagnostic::new(codes::BAD_ENCODING, "the file is not well-formed UTF-16").help("save the file as UTF-8")
    });
    (text, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_comes_back() {
        for encoding in [Encoding::Utf8, Encoding::Utf8Mark, Encoding::Utf16Le, Encoding::Utf16Be] {
            let bytes = encoding.encode("a: é😀\n");
            let (text, found, error) = decode(&bytes.into());
            assert_eq!((&*text, found, error), ("a: é😀\n", encoding, None));
        }
    }

    #[test]
    fn names_the_first_bad_byte() {
        let (_, _, error) = decode(&b"a: b\nc: \xe9\n".into());
        assert!(error.expect("an error").message.contains("byte 0xE9 in line 2"));
    }
}
