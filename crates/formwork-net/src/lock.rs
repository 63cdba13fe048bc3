//! `formwork.lock`: the digest of every remote source of a project.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use formwork_base::display::mask_credentials;
use formwork_base::toml_slip::toml_slip;
use toml::{Table, Value};

/// The name of the lock file, which is in the project root.
pub const LOCK_FILE: &str = "formwork.lock";

/// The reason why a file is not a lock; a clause that does not quote the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LockFormatError {
    /// The file is not TOML: the reason and the position.
    NotToml(String),
    /// The version is not known.
    Version,
    /// The file has a key that no lock has.
    UnknownKey,
    /// `source` is not a list of tables.
    NotList,
    /// An entry of `source` is invalid.
    Entry {
        /// The number of the entry, from 1.
        number: usize,
        /// The error, as a predicate.
        what: &'static str,
    },
}

impl std::fmt::Display for LockFormatError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LockFormatError::NotToml(why) => f.write_str(why),
            LockFormatError::Version => f.write_str("its version is not 1, the only supported version"),
            LockFormatError::UnknownKey => f.write_str("it has a key other than `version` and `source`"),
            LockFormatError::NotList => f.write_str("`source` is not a list of tables"),
            LockFormatError::Entry { number, what } => write!(f, "entry {number} of `source` {what}"),
        }
    }
}

impl std::error::Error for LockFormatError {}

/// The lock of a project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lock {
    /// The SHA-256 of each pinned source, in hexadecimal, by its address.
    sources: BTreeMap<String, String>,
}

impl Lock {
    /// Parses a lock. No error quotes the file, since a file with the name of a lock need not be one.
    ///
    /// # Errors
    /// Describes the error in the file, and its place.
    pub(crate) fn parse(text: &str) -> Result<Lock, LockFormatError> {
        let table: Table =
            text.parse().map_err(|error: toml::de::Error| LockFormatError::NotToml(not_toml(text, &error)))?;
        let known_keys = |table: &Table, keys: &[&str]| table.keys().all(|key| keys.contains(&key.as_str()));
        if table.get("version").and_then(Value::as_integer) != Some(1) {
            return Err(LockFormatError::Version);
        }
        if !known_keys(&table, &["version", "source"]) {
            return Err(LockFormatError::UnknownKey);
        }
        let sources = match table.get("source") {
            None => &[][..],
            Some(Value::Array(sources)) => sources,
            Some(_) => return Err(LockFormatError::NotList),
        };
        let mut lock = Lock::default();
        for (at, source) in sources.iter().enumerate() {
            let wrong = |what: &'static str| LockFormatError::Entry { number: at + 1, what };
            let Some(source) = source.as_table().filter(|table| known_keys(table, &["address", "sha256"])) else {
                return Err(wrong("is not a table of `address` and `sha256`"));
            };
            let text = |key: &str| source.get(key).and_then(Value::as_str);
            let address = text("address").ok_or_else(|| wrong("has no `address`"))?;
            let digest = text("sha256")
                .filter(|text| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
                .ok_or_else(|| wrong("has a `sha256` that is not a digest"))?
                .to_ascii_lowercase();
            if lock.get(address).is_some_and(|known| known != digest) {
                return Err(wrong("has the same address as another entry, with a different digest"));
            }
            lock.set(address, &digest);
        }
        Ok(lock)
    }

    /// Returns the lock as TOML; the same lock always results in the same bytes.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::from(
            "# Digests of remote modules, written by formwork. Commit it with the templates.\nversion = 1\n",
        );
        for (address, sha256) in &self.sources {
            let address = toml::Value::from(address.as_str());
            let _ = write!(text, "\n[[source]]\naddress = {address}\nsha256 = \"{sha256}\"\n");
        }
        text
    }

    /// Returns the digest of an address. Credentials are ignored: an address that is signed again refers to the same
    /// source.
    pub(crate) fn get(&self, address: &str) -> Option<&str> {
        self.sources.get(&*mask_credentials(address)).map(String::as_str)
    }

    /// Pins an address, without its credentials.
    pub(crate) fn set(&mut self, address: &str, digest: &str) {
        self.sources.insert(mask_credentials(address).into_owned(), digest.to_owned());
    }

    /// Returns the addresses and digests of all pinned sources, by address.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sources.iter().map(|(address, sha256)| (address.as_str(), sha256.as_str()))
    }
}

/// Returns the position and the reason why a file is not TOML.
fn not_toml(text: &str, error: &toml::de::Error) -> String {
    let slip = toml_slip(text, error.span().unwrap_or_default(), error.message());
    format!("line {}, column {}: {}", slip.line, slip.column, slip.title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut lock = Lock::default();
        lock.set("s3://b/\"quoted\\key\"", &"1".repeat(64));
        lock.set("https://a.example/m.yaml", &"a".repeat(64));
        lock.set("https://a.example/m.yaml", &"b".repeat(64));
        let text = lock.to_text();
        assert_eq!(Lock::parse(&text), Ok(lock.clone()), "{text}");
        assert_eq!(lock.get("https://a.example/m.yaml"), Some("b".repeat(64).as_str()));
        assert_eq!(lock.get("https://a.example/n.yaml"), None);
    }

    #[test]
    fn credentials_are_not_written() {
        let mut lock = Lock::default();
        let address = |signature| format!("https://b.s3.amazonaws.com/m.yaml?versionId=1&X-Amz-Signature={signature}");
        lock.set(&address("canary"), &"a".repeat(64));
        let text = lock.to_text();
        assert!(!text.contains("canary"), "{text}");
        let read = Lock::parse(&text).expect("a lock");
        assert_eq!(read.get(&address("other")), Some("a".repeat(64).as_str()));
    }

    #[test]
    fn what_is_no_lock_is_refused() {
        for text in
            ["", "version = 2", "version = 1\n[[source]]\naddress = \"a\"\nsha256 = \"x\"", "version = 1\nmore = 2"]
        {
            assert!(Lock::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn errors_quote_nothing() {
        for text in [
            "SECRET=abc\0PATH=/bin",
            "version = 1\nSECRET = 1",
            "version = \"SECRET\"",
            "version = 1\nsource = \"SECRET\"",
            "version = 1\n[[source]]\naddress = \"SECRET\"\nsha256 = \"SECRET\"",
            "version = 1\nversion = 1 # SECRET",
        ] {
            let error = Lock::parse(text).expect_err("it is not a lock").to_string();
            assert!(!error.contains("SECRET"), "{error}");
        }
        assert_eq!(
            Lock::parse("version = 1\n=").map(drop).map_err(|error| error.to_string().starts_with("line 2, ")),
            Err(true)
        );
    }
}
