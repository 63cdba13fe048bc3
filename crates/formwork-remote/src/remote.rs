//! Reading a remote source: lock, cache, network.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use formwork_base::display::mask_credentials;
use formwork_base::{FileBytes, ReadError};
use formwork_disk::{read_inside, replace};

use crate::digest::sha256;
use crate::https::{Fetch, follow};
use crate::{Address, AllowList, Cache, LOCK_FILE, Lock, RemoteError};

/// Most bytes of a lock file.
const LOCK_BYTES: u64 = 64 << 20;

/// Reads objects of S3.
pub trait ObjectStore {
    /// The bytes of an object, at most `limit` of them.
    ///
    /// # Errors
    /// Describes why they are missing.
    fn read(&self, bucket: &str, key: &str, version: Option<&str>, limit: u64) -> Result<Vec<u8>, RemoteError>;
}

/// What a run may do to get a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// The lock and the cache first; the network for what is missing in them.
    Locked,
    /// Nothing but the lock and the cache.
    Offline,
    /// The network always; the lock takes what comes.
    Update,
}

/// A source that was read.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Its address as it was asked for.
    pub address: String,
    /// Its digest.
    pub sha256: String,
    /// What the lock had for it before.
    pub before: Option<String>,
    /// What it holds.
    pub bytes: FileBytes,
}

/// Remote sources of a run.
pub struct Remote {
    policy: Policy,
    allow: AllowList,
    https: Box<dyn Fetch>,
    s3: Box<dyn ObjectStore>,
    cache: Cache,
    path: PathBuf,
    before: Lock,
    state: RefCell<State>,
    limit: u64,
}

#[derive(Default)]
struct State {
    lock: Lock,
    read: Vec<Fetched>,
}

impl Remote {
    /// Sources of the project in `root`, at most `limit` bytes each.
    ///
    /// # Errors
    /// When there is a lock file that cannot be read.
    pub fn new(
        root: &Path,
        user_cache: Option<PathBuf>,
        policy: Policy,
        allow: AllowList,
        https: Box<dyn Fetch>,
        s3: Box<dyn ObjectStore>,
        limit: u64,
    ) -> Result<Remote, String> {
        let path = root.join(LOCK_FILE);
        let before = match read_inside(root, &path, LOCK_BYTES) {
            Ok(bytes) => String::from_utf8(bytes)
                .map_err(|_| "it is not UTF-8 text".to_owned())
                .and_then(|text| Lock::parse(&text))
                .map_err(|why| format!("{} cannot be used: {why}", path.display()))?,
            Err(ReadError::NotFound) => Lock::default(),
            Err(error) => return Err(format!("{} cannot be read: {error}", path.display())),
        };
        let state = RefCell::new(State { lock: before.clone(), read: Vec::new() });
        let cache = Cache::new(root, user_cache, limit);
        Ok(Remote { policy, allow, https, s3, cache, path, before, state, limit })
    }

    /// The bytes at an address.
    ///
    /// # Errors
    /// When it is not allowed, cannot be fetched, or is not what the lock pins.
    pub fn read(&self, address: &str) -> Result<FileBytes, RemoteError> {
        let parsed = Address::parse(address)?;
        let port = parsed.url().and_then(url::Url::port);
        if self.policy != Policy::Offline && !self.allow.allows(parsed.authority(), port) {
            return Err(RemoteError::NotAllowed(parsed.authority().to_owned()));
        }
        // What was read in this run is not read again.
        if let Some(known) = self.state.borrow().read.iter().find(|known| known.address == address) {
            return Ok(known.bytes.clone());
        }
        let pinned = self.state.borrow().lock.get(address).map(str::to_owned);
        let is_wanted = |_: &&str| self.policy != Policy::Update;
        if let Some(stored) = pinned.as_deref().filter(is_wanted).and_then(|digest| self.cache.get(digest)) {
            self.note(address, &sha256(&stored), &stored);
            return Ok(stored);
        }
        if self.policy == Policy::Offline {
            return Err(RemoteError::Offline);
        }
        let bytes = match &parsed {
            Address::Https(url) => follow(&*self.https, url, &self.allow, self.limit)?,
            Address::S3 { bucket, key, version } => self.s3.read(bucket, key, version.as_deref(), self.limit)?,
        };
        let found = sha256(&bytes);
        if let Some(wanted) = pinned.filter(|wanted| *wanted != found && self.policy != Policy::Update) {
            return Err(RemoteError::Changed { wanted, found });
        }
        self.cache.put(&found, &bytes);
        let bytes = FileBytes::from(bytes);
        self.note(address, &found, &bytes);
        Ok(bytes)
    }

    fn note(&self, address: &str, digest: &str, bytes: &FileBytes) {
        let mut state = self.state.borrow_mut();
        state.lock.set(address, digest);
        let before = self.before.get(address).map(str::to_owned);
        let (address, sha256) = (address.to_owned(), digest.to_owned());
        state.read.push(Fetched { address, sha256, before, bytes: bytes.clone() });
    }

    /// Whether the lock pinned an address before this run.
    pub fn is_pinned(&self, address: &str) -> bool {
        self.before.get(address).is_some()
    }

    /// What was read, in order.
    pub fn read_sources(&self) -> Vec<Fetched> {
        self.state.borrow().read.clone()
    }

    /// Writes the lock with what was read for the first time. True when it changed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_lock(&self) -> Result<bool, String> {
        self.write(&self.state.borrow().lock)
    }

    /// Removes everything from the lock and the project's directory of sources that is not among `addresses`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn prune(&self, addresses: &BTreeSet<String>) -> Result<(), String> {
        let mut lock = Lock::default();
        let state = self.state.borrow();
        let kept: BTreeSet<String> = addresses.iter().map(|address| mask_credentials(address).into_owned()).collect();
        for source in state.lock.sources().iter().filter(|source| kept.contains(&source.address)) {
            lock.set(&source.address, &source.sha256);
        }
        self.write(&lock)?;
        let digests: Vec<&str> = lock.sources().iter().map(|source| source.sha256.as_str()).collect();
        self.cache.keep_vendored(&digests).map_err(|error| format!("old sources cannot be removed: {error}"))
    }

    fn write(&self, lock: &Lock) -> Result<bool, String> {
        if *lock == self.before {
            return Ok(false);
        }
        let trouble = |error: std::io::Error| format!("{} cannot be written: {error}", self.path.display());
        replace(&self.path, |file| file.write_all(lock.to_text().as_bytes())).map_err(trouble)?;
        Ok(true)
    }

    /// Stores every source that was read with the project.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn vendor(&self) -> Result<(), String> {
        for source in &self.state.borrow().read {
            self.cache
                .vendor(&source.sha256, &source.bytes)
                .map_err(|error| format!("{} cannot be stored: {error}", source.address))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::fs;
    use std::rc::Rc;

    use url::Url;

    use super::*;
    use crate::https::Step;

    const MODULE: &str = "https://a.example/m.yaml";

    #[derive(Clone)]
    struct Server {
        text: Rc<RefCell<&'static str>>,
        asked: Rc<Cell<u32>>,
    }

    impl Fetch for Server {
        fn get(&self, _: &Url, _: u64) -> Result<Step, RemoteError> {
            self.asked.set(self.asked.get() + 1);
            Ok(Step::Body(self.text.borrow().as_bytes().to_vec()))
        }
    }

    impl ObjectStore for Server {
        fn read(&self, bucket: &str, key: &str, _: Option<&str>, _: u64) -> Result<Vec<u8>, RemoteError> {
            self.asked.set(self.asked.get() + 1);
            Ok(format!("{bucket}/{key}").into_bytes())
        }
    }

    struct World {
        folder: tempfile::TempDir,
        server: Server,
    }

    impl World {
        fn new() -> World {
            let server = Server { text: Rc::new(RefCell::new("one")), asked: Rc::default() };
            World { folder: tempfile::tempdir().expect("a directory"), server }
        }

        fn opened(&self, policy: Policy, allow: &[&str]) -> Result<Remote, String> {
            let cache = Some(self.folder.path().join("cache"));
            let allow = AllowList::new(allow.iter().copied());
            let (https, s3) = (Box::new(self.server.clone()), Box::new(self.server.clone()));
            Remote::new(self.folder.path(), cache, policy, allow, https, s3, 100)
        }

        fn remote(&self, policy: Policy, allow: &[&str]) -> Remote {
            self.opened(policy, allow).expect("a sound lock")
        }
    }

    #[test]
    fn a_second_run_needs_no_network() {
        let world = World::new();
        let first = world.remote(Policy::Locked, &["a.example"]);
        assert_eq!(first.read(MODULE).as_deref(), Ok(&b"one"[..]));
        assert_eq!(first.read(MODULE).as_deref(), Ok(&b"one"[..]));
        assert_eq!(first.write_lock(), Ok(true));
        assert_eq!(world.server.asked.get(), 1);
        let second = world.remote(Policy::Offline, &[]);
        assert_eq!(second.read(MODULE).as_deref(), Ok(&b"one"[..]));
        assert_eq!(second.write_lock(), Ok(false));
        assert_eq!(world.server.asked.get(), 1);
        assert_eq!(second.read("https://a.example/other"), Err(RemoteError::Offline));
    }

    #[test]
    fn what_changed_is_refused_until_it_is_updated() {
        let world = World::new();
        let first = world.remote(Policy::Locked, &["a.example"]);
        first.read(MODULE).expect("fetched");
        first.write_lock().expect("written");
        fs::remove_dir_all(world.folder.path().join("cache")).expect("removed");
        *world.server.text.borrow_mut() = "two";
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
        assert_eq!(world.server.asked.get(), 0);
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
        assert!(world.opened(Policy::Offline, &[]).is_err());
    }
}
