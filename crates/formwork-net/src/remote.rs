//! Reads a remote source from the lock, the cache and the network.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use formwork_base::display::mask_credentials;
use formwork_base::{FileBytes, lock};

use crate::address::Address;
use crate::cache::{Cache, remove};
use crate::digest::sha256;
use crate::https::{Fetch, Https, follow};
use crate::lock::Lock;
use crate::project_lock::{LockError, ProjectLock, Source};
use crate::{AllowList, RemoteError};

/// Reads objects of S3.
pub trait ObjectStore: Send + Sync {
    /// Returns the bytes of an object, at most `limit` of them.
    ///
    /// # Errors
    /// Describes why they are missing.
    fn read(&self, bucket: &str, key: &str, version: Option<&str>, limit: u64) -> Result<Vec<u8>, RemoteError>;
}

/// The places from which a run may read a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// The lock and the cache first; the network for what is missing in them.
    Locked,
    /// The lock and the cache only.
    Offline,
    /// The network always; the lock is updated.
    Update,
}

/// A source that was read.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The requested address.
    pub address: String,
    /// The SHA-256 in hexadecimal.
    pub sha256: String,
    /// The digest in the lock before.
    pub before: Option<String>,
    /// The content.
    pub bytes: FileBytes,
}

/// The remote sources of a template.
pub struct Remote {
    policy: Policy,
    allow: AllowList,
    https: Box<dyn Fetch>,
    s3: Box<dyn ObjectStore>,
    cache: Cache,
    lock: Arc<ProjectLock>,
    read: Mutex<Vec<Fetched>>,
    limit: u64,
}

impl Remote {
    /// Creates a reader of sources for the project of `lock`, at most `limit` bytes each.
    pub fn new(
        lock: Arc<ProjectLock>,
        user_cache: Option<PathBuf>,
        policy: Policy,
        allow: AllowList,
        s3: Box<dyn ObjectStore>,
        limit: u64,
    ) -> Remote {
        let cache = Cache::new(lock.root(), user_cache, limit);
        let https = Box::new(Https::new(&allow));
        Remote { policy, allow, https, s3, cache, lock, read: Mutex::default(), limit }
    }

    /// Returns the bytes at an address.
    ///
    /// # Errors
    /// When it is not allowed, cannot be fetched, or does not have the digest in the lock.
    pub fn read(&self, address: &str) -> Result<FileBytes, RemoteError> {
        let parsed = Address::parse(address)?;
        if self.policy != Policy::Offline && !self.allow.allows(&parsed) {
            return Err(RemoteError::NotAllowed(parsed.authority().to_owned()));
        }
        // Each source is read once in a run.
        if let Some(known) = self.fetched().iter().find(|known| known.address == address) {
            return Ok(known.bytes.clone());
        }
        let Source { sha256, bytes } = self.lock.source(address, || self.find(address, &parsed))?;
        let before = self.lock.before().get(address).map(str::to_owned);
        self.fetched().push(Fetched { address: address.to_owned(), sha256, before, bytes: bytes.clone() });
        Ok(bytes)
    }

    fn fetched(&self) -> MutexGuard<'_, Vec<Fetched>> {
        lock(&self.read)
    }

    /// Finds a source by the policy: in the cache, then in the network.
    fn find(&self, address: &str, parsed: &Address) -> Result<Source, RemoteError> {
        let pinned = self.lock.before().get(address).filter(|_| self.policy != Policy::Update);
        if let Some(digest) = pinned
            && let Some(bytes) = self.cache.get(digest)
        {
            return Ok(Source { sha256: digest.to_owned(), bytes });
        }
        if self.policy == Policy::Offline {
            return Err(RemoteError::Offline);
        }
        let bytes = match parsed {
            Address::Https(url) => follow(&*self.https, url, &self.allow, self.limit)?,
            Address::S3 { bucket, key, version } => self.s3.read(bucket, key, version.as_deref(), self.limit)?,
        };
        let found = sha256(&bytes);
        if let Some(wanted) = pinned.filter(|wanted| *wanted != found) {
            return Err(RemoteError::Changed { wanted: wanted.to_owned(), found });
        }
        self.cache.put(&found, &bytes);
        Ok(Source { sha256: found, bytes: bytes.into() })
    }

    /// Returns the sources that were read, in order.
    pub fn read_sources(&self) -> Vec<Fetched> {
        self.fetched().clone()
    }

    /// Adds the sources of this template to the lock, and writes it. Returns `true` if the lock changed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_lock(&self) -> Result<bool, LockError> {
        self.lock.change(|lock| {
            for source in self.fetched().iter() {
                lock.set(&source.address, &source.sha256);
            }
        })
    }

    /// Removes all sources that are not among `addresses` from the lock and the project's directory of sources.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn prune(&self, addresses: &BTreeSet<String>) -> Result<(), LockError> {
        let kept: BTreeSet<String> = addresses.iter().map(|address| mask_credentials(address).into_owned()).collect();
        let trouble = |error: std::io::Error| LockError::NotRemoved(error.to_string());
        // The lock is not changed if the sources cannot be removed.
        let mut surplus = Ok(Vec::new());
        self.lock.change(|lock| {
            let (mut rest, mut digests) = (Lock::default(), Vec::new());
            for (address, sha256) in lock.sources().filter(|(address, _)| kept.contains(*address)) {
                rest.set(address, sha256);
                digests.push(sha256.to_owned());
            }
            surplus = self.cache.surplus(&digests);
            if surplus.is_ok() {
                *lock = rest;
            }
        })?;
        surplus.and_then(|sources| remove(&sources)).map_err(trouble)
    }

    /// Stores every source that was read in the project's directory.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn vendor(&self) -> Result<(), LockError> {
        for source in self.fetched().iter() {
            self.cache
                .vendor(&source.sha256, &source.bytes)
                .map_err(|error| LockError::NotStored { address: source.address.clone(), why: error.to_string() })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicU32, Ordering};

    use url::Url;

    use super::*;
    use crate::https::Step;
    use crate::lock::LOCK_FILE;

    const MODULE: &str = "https://a.example/m.yaml";
    const MISSING: &str = "https://a.example/missing.yaml";

    #[derive(Clone)]
    struct Server {
        text: Arc<Mutex<&'static str>>,
        asked: Arc<AtomicU32>,
    }

    impl Fetch for Server {
        fn get(&self, url: &Url, _: u64) -> Result<Step, RemoteError> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            if url.as_str() == MISSING {
                return Err(RemoteError::Status(404));
            }
            Ok(Step::Body(self.text.lock().expect("a text").as_bytes().to_vec()))
        }
    }

    impl ObjectStore for Server {
        fn read(&self, bucket: &str, key: &str, _: Option<&str>, _: u64) -> Result<Vec<u8>, RemoteError> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            Ok(format!("{bucket}/{key}").into_bytes())
        }
    }

    struct World {
        folder: tempfile::TempDir,
        server: Server,
    }

    impl World {
        fn new() -> World {
            let server = Server { text: Arc::new(Mutex::new("one")), asked: Arc::default() };
            World { folder: tempfile::tempdir().expect("a directory"), server }
        }

        fn lock(&self) -> Result<Arc<ProjectLock>, LockError> {
            ProjectLock::read(self.folder.path()).map(Arc::new)
        }

        fn beside(&self, lock: &Arc<ProjectLock>, policy: Policy, allow: &[&str]) -> Remote {
            let cache = Some(self.folder.path().join("cache"));
            let allow = AllowList::new(allow.iter().copied());
            let (https, s3) = (Box::new(self.server.clone()), Box::new(self.server.clone()));
            Remote { https, ..Remote::new(Arc::clone(lock), cache, policy, allow, s3, 100) }
        }

        fn remote(&self, policy: Policy, allow: &[&str]) -> Remote {
            self.beside(&self.lock().expect("a sound lock"), policy, allow)
        }
    }

    #[test]
    fn a_second_run_needs_no_network() {
        let world = World::new();
        let first = world.remote(Policy::Locked, &["a.example"]);
        assert_eq!(first.read(MODULE).as_deref(), Ok(&b"one"[..]));
        assert_eq!(first.read(MODULE).as_deref(), Ok(&b"one"[..]));
        assert_eq!(first.write_lock(), Ok(true));
        assert_eq!(world.server.asked.load(Ordering::Relaxed), 1);
        let second = world.remote(Policy::Offline, &[]);
        assert_eq!(second.read(MODULE).as_deref(), Ok(&b"one"[..]));
        assert_eq!(second.write_lock(), Ok(false));
        assert_eq!(world.server.asked.load(Ordering::Relaxed), 1);
        assert_eq!(second.read("https://a.example/other"), Err(RemoteError::Offline));
    }

    #[test]
    fn templates_of_a_run_share_the_lock() {
        const OTHER: &str = "https://a.example/n.yaml";
        let world = World::new();
        let lock = world.lock().expect("a sound lock");
        let (first, second) =
            (world.beside(&lock, Policy::Locked, &["a.example"]), world.beside(&lock, Policy::Locked, &["a.example"]));
        first.read(MODULE).expect("fetched");
        assert_eq!(first.write_lock(), Ok(true));
        // The same for all, whatever the server responds meanwhile.
        *world.server.text.lock().expect("a text") = "two";
        assert_eq!(second.read(MODULE).as_deref(), Ok(&b"one"[..]));
        second.read(OTHER).expect("fetched");
        assert_eq!(world.server.asked.load(Ordering::Relaxed), 2);
        assert_eq!(second.read_sources()[0].before, None, "the run pinned it");
        // Nobody's pins are lost.
        assert_eq!(second.write_lock(), Ok(true));
        assert_eq!(first.write_lock(), Ok(false));
        let after = world.lock().expect("a sound lock");
        assert!(after.before().get(MODULE).is_some() && after.before().get(OTHER).is_some());
        assert_eq!(lock.before(), &Lock::default());
    }

    #[test]
    fn what_cannot_be_fetched_is_asked_for_once() {
        let world = World::new();
        let lock = world.lock().expect("a sound lock");
        for _ in 0..2 {
            assert_eq!(
                world.beside(&lock, Policy::Locked, &["a.example"]).read(MISSING),
                Err(RemoteError::Status(404))
            );
        }
        assert_eq!(world.server.asked.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn what_changed_is_refused_until_it_is_updated() {
        let world = World::new();
        let first = world.remote(Policy::Locked, &["a.example"]);
        first.read(MODULE).expect("fetched");
        first.write_lock().expect("written");
        fs::remove_dir_all(world.folder.path().join("cache")).expect("removed");
        *world.server.text.lock().expect("a text") = "two";
        let tampered = world.remote(Policy::Locked, &["a.example"]);
        assert!(matches!(tampered.read(MODULE), Err(RemoteError::Changed { .. })));
        let update = world.remote(Policy::Update, &["a.example"]);
        assert_eq!(update.read(MODULE).as_deref(), Ok(&b"two"[..]));
        assert_eq!(update.read_sources()[0].before, Some(sha256(b"one")));
        assert_eq!(update.write_lock(), Ok(true));
        let after = world.remote(Policy::Offline, &[]);
        assert_eq!(after.read(MODULE).as_deref(), Ok(&b"two"[..]));
    }

    #[test]
    fn nothing_is_asked_that_is_not_allowed() {
        let world = World::new();
        let remote = world.remote(Policy::Locked, &["b.example"]);
        assert_eq!(remote.read(MODULE), Err(RemoteError::NotAllowed("a.example".into())));
        assert_eq!(remote.read("s3://bucket/key"), Err(RemoteError::NotAllowed("bucket".into())));
        assert_eq!(remote.read("http://b.example/m"), Err(RemoteError::Scheme));
        assert_eq!(world.server.asked.load(Ordering::Relaxed), 0);
        assert_eq!(
            world.remote(Policy::Locked, &["bucket"]).read("s3://bucket/key").as_deref(),
            Ok(&b"bucket/key"[..])
        );
    }

    #[test]
    fn vendored_sources_need_no_cache() {
        let world = World::new();
        let first = world.remote(Policy::Locked, &["a.example"]);
        first.read(MODULE).expect("fetched");
        first.write_lock().expect("written");
        first.vendor().expect("stored");
        fs::remove_dir_all(world.folder.path().join("cache")).expect("removed");
        assert!(world.remote(Policy::Offline, &[]).read(MODULE).is_ok());
        let pruned = world.remote(Policy::Offline, &[]);
        pruned.prune(&BTreeSet::new()).expect("removed");
        assert_eq!(world.remote(Policy::Offline, &[]).read(MODULE), Err(RemoteError::Offline));
        fs::write(world.folder.path().join(LOCK_FILE), "version = 9").expect("written");
        assert!(world.lock().is_err());
    }
}
