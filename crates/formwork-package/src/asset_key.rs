//! Names of objects, derived from their content (reference/packaging.md#objects).

use formwork_base::hexadecimal;
use sha2::{Digest, Sha256};

use crate::archive::Entry;

/// A SHA-256.
pub type Hash = [u8; 32];

/// The part of an object's name that is derived from its content.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AssetKey(String);

impl AssetKey {
    /// Returns the name of a file that is uploaded unchanged: the hash of its bytes.
    pub fn of_file(hash: &Hash) -> AssetKey {
        AssetKey(hexadecimal(hash))
    }

    /// Returns the name of a zip: the hash of the list of its entries, each with path, mode and hash of its bytes.
    /// Neither the times of its files nor the version of the compressor are part of it.
    pub fn of_zip(entries: &[Entry], hashes: &[Hash]) -> AssetKey {
        debug_assert_eq!(entries.len(), hashes.len(), "every entry has a hash");
        let mut digest = Sha256::new();
        digest.update(b"formwork zip 1\n");
        for (entry, hash) in entries.iter().zip(hashes) {
            // Lengths precede strings, so that no two lists have the same encoding.
            digest.update(format!("{:o} {} ", entry.kind.mode(), entry.path.len()));
            digest.update(entry.path.as_bytes());
            digest.update(hash);
        }
        AssetKey(hexadecimal(&digest.finalize()))
    }

    /// Returns the key of the object: `[PREFIX/]HASH[.EXTENSION]`. Slashes around the prefix and doubled ones are
    /// removed.
    pub fn object_key(&self, prefix: Option<&str>, extension: Option<&str>) -> String {
        let parts = prefix.unwrap_or_default().split('/').filter(|part| !part.is_empty());
        let mut key = String::new();
        for part in parts {
            key.push_str(part);
            key.push('/');
        }
        key.push_str(&self.0);
        if let Some(extension) = extension {
            key.push('.');
            key.push_str(extension);
        }
        key
    }
}

/// Computes the SHA-256 of some bytes.
pub fn hash(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::EntryKind;

    fn entry(path: &str, kind: EntryKind) -> Entry {
        Entry { path: path.to_owned(), kind }
    }

    #[test]
    fn a_zip_is_named_by_paths_modes_and_bytes() {
        let file = EntryKind::File { is_executable: false };
        let key = |entries: &[Entry], hashes: &[Hash]| AssetKey::of_zip(entries, hashes);
        let one = key(&[entry("a", file), entry("b", file)], &[hash(b"1"), hash(b"2")]);
        assert_eq!(one, key(&[entry("a", file), entry("b", file)], &[hash(b"1"), hash(b"2")]));
        for other in [
            key(&[entry("a", file), entry("c", file)], &[hash(b"1"), hash(b"2")]),
            key(&[entry("a", file), entry("b", file)], &[hash(b"1"), hash(b"3")]),
            key(&[entry("a", file), entry("b", EntryKind::File { is_executable: true })], &[hash(b"1"), hash(b"2")]),
            key(&[entry("a", file)], &[hash(b"1")]),
        ] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn prefixes_are_normalised() {
        let key = AssetKey::of_file(&hash(b""));
        let name = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(key.object_key(None, None), name);
        assert_eq!(key.object_key(Some("/a//b/"), Some("template")), format!("a/b/{name}.template"));
    }
}
