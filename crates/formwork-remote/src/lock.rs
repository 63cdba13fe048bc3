//! `formwork.lock`: the digest of every remote source of a project.

use std::fmt::Write as _;

use serde::Deserialize;

/// Its name. It stands in the project root.
pub const LOCK_FILE: &str = "formwork.lock";

/// The lock of a project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lock {
    /// Sources, sorted by address.
    sources: Vec<Locked>,
}

/// A source that is pinned.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    /// Where it came from.
    pub address: String,
    /// Its SHA-256 in hexadecimal.
    pub sha256: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    #[serde(default)]
    source: Vec<Locked>,
}

impl Lock {
    /// Reads a lock.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    pub fn parse(text: &str) -> Result<Lock, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        if file.version != 1 {
            return Err(format!("its version is {}, and this formwork knows version 1", file.version));
        }
        let mut lock = Lock::default();
        for source in file.source {
            let is_digest = source.sha256.len() == 64 && source.sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !is_digest {
                return Err(format!("the sha256 of {} is no digest", source.address));
            }
            let digest = source.sha256.to_ascii_lowercase();
            if lock.get(&source.address).is_some_and(|known| known != digest) {
                return Err(format!("{} stands twice with two digests", source.address));
            }
            lock.set(&source.address, &digest);
        }
        Ok(lock)
    }

    /// The lock as text; the same lock always gives the same bytes.
    pub fn to_text(&self) -> String {
        let mut text = String::from(
            "# Digests of remote modules, written by formwork. Commit it with the templates.\nversion = 1\n",
        );
        for source in &self.sources {
            let address = toml::Value::from(source.address.as_str());
            let _ = write!(text, "\n[[source]]\naddress = {address}\nsha256 = \"{}\"\n", source.sha256);
        }
        text
    }

    /// The digest of an address.
    pub fn get(&self, address: &str) -> Option<&str> {
        let at = self.sources.binary_search_by(|source| source.address.as_str().cmp(address)).ok()?;
        Some(&self.sources[at].sha256)
    }

    /// Pins an address.
    pub fn set(&mut self, address: &str, digest: &str) {
        let source = Locked { address: address.to_owned(), sha256: digest.to_owned() };
        match self.sources.binary_search_by(|known| known.address.as_str().cmp(address)) {
            Ok(at) => self.sources[at] = source,
            Err(at) => self.sources.insert(at, source),
        }
    }

    /// Everything that is pinned, by address.
    pub fn sources(&self) -> &[Locked] {
        &self.sources
    }

    /// Whether nothing is pinned.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }
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
    fn what_is_no_lock_is_refused() {
        for text in
            ["", "version = 2", "version = 1\n[[source]]\naddress = \"a\"\nsha256 = \"x\"", "version = 1\nmore = 2"]
        {
            assert!(Lock::parse(text).is_err(), "{text}");
        }
    }
}
