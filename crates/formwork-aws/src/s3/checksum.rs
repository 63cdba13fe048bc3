//! Checksums of content.

use std::fmt;

use base64::display::Base64Display;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use formwork_base::hexadecimal;

/// The SHA-256 of a content. S3 writes it in Base64, a signature in hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Checksum([u8; 32]);

impl Checksum {
    pub(crate) fn of(bytes: &[u8]) -> Checksum {
        Checksum(Sha256::digest(bytes).into())
    }

    pub(crate) fn hex(&self) -> String {
        hexadecimal(&self.0)
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Base64Display::new(&self.0, &BASE64_STANDARD).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_nothing() {
        let nothing = Checksum::of(b"");
        assert_eq!(nothing.to_string(), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        assert_eq!(nothing.hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
