//! The identity of a finding when lines move.

use std::collections::HashMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// Makes fingerprints: SHA-256 of rule, file, authored path, and the number among those of which all are the same.
#[derive(Debug, Default)]
pub(crate) struct Fingerprints(HashMap<[String; 3], usize>);

impl Fingerprints {
    pub(crate) fn of(&mut self, rule: &str, file: &str, path: &str) -> String {
        let parts = [rule.to_owned(), file.to_owned(), path.to_owned()];
        let count = self.0.entry(parts).or_insert(0);
        *count += 1;
        let mut hash = Sha256::new();
        for part in [rule, file, path, &count.to_string()] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hexadecimal(&hash.finalize())
    }
}

/// SHA-256 of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
