//! Digests of sources.

use sha2::{Digest, Sha256};

/// Returns the SHA-256 of bytes in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    formwork_base::hexadecimal(&Sha256::digest(bytes))
}
