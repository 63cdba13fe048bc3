//! The files of a session, and the part of them that one run uses.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use formwork_base::{
    Diagnostic, Diagnostics, FileBytes, FileId, Host, IdMap, Limits, Origins, ReadError, SourceMap, VirtualPath, lock,
};
use rustc_hash::FxHashMap;

use crate::decode::Encoding;
use crate::document::Document;
use crate::read::read;
use crate::source::{Parsed, SourceContent, Sources};
use crate::tree::Tree;

/// The role of a file in a run. One path may have both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// A template, a module or an included file.
    Template,
    /// A file that was passed beside the template.
    Side,
}

/// The identity of a file of a run: path, path in reports, and role.
type Name = (VirtualPath, Box<str>, Role);

/// The content of a file, read at the first request. Concurrent requests wait for the first one.
type SharedRead = Arc<OnceLock<Result<Arc<SourceContent>, ReadError>>>;

/// The files of a host as one revision of a session sees them: each is read once, and never changes.
#[derive(Debug, Default)]
pub struct FileCache {
    sources: Arc<Sources>,
    local: Mutex<FxHashMap<VirtualPath, SharedRead>>,
    remote: Mutex<FxHashMap<String, SharedRead>>,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    reads: AtomicUsize,
    parses: AtomicUsize,
}

impl FileCache {
    /// Returns a cache without files. A file with the same content as another one of `sources` is not parsed again.
    pub fn new(sources: Arc<Sources>) -> FileCache {
        FileCache { sources, ..FileCache::default() }
    }

    /// Returns the next revision: each of these files has new content, or is read again at the next request. All others
    /// are unchanged.
    #[must_use]
    pub fn with(&self, changes: impl IntoIterator<Item = (VirtualPath, Option<FileBytes>)>) -> FileCache {
        let mut local = lock(&self.local).clone();
        for (path, bytes) in changes {
            match bytes {
                Some(bytes) => local.insert(path, Arc::new(OnceLock::from(Ok(self.sources.source(&bytes))))),
                None => local.remove(&path),
            };
        }
        FileCache {
            sources: Arc::clone(&self.sources),
            local: Mutex::new(local),
            remote: Mutex::new(lock(&self.remote).clone()),
            counts: Arc::clone(&self.counts),
        }
    }

    /// Returns the shared sources.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// Returns the file at `path`, which is read at the first request.
    ///
    /// # Errors
    /// The errors of the host.
    pub fn read(&self, host: &dyn Host, path: &VirtualPath) -> Result<Arc<SourceContent>, ReadError> {
        let slot = Arc::clone(lock(&self.local).entry(path.clone()).or_default());
        slot.get_or_init(|| self.source(host.read(path))).clone()
    }

    fn read_remote(&self, host: &dyn Host, address: &str) -> Result<Arc<SourceContent>, ReadError> {
        let slot = Arc::clone(lock(&self.remote).entry(address.to_owned()).or_default());
        slot.get_or_init(|| self.source(host.read_remote(address))).clone()
    }

    fn source(&self, read: Result<FileBytes, ReadError>) -> Result<Arc<SourceContent>, ReadError> {
        self.counts.reads.fetch_add(1, Ordering::Relaxed);
        read.map(|bytes| self.sources.source(&bytes))
    }

    /// Returns the number of requests to the host by this revision and those before it.
    pub fn reads(&self) -> usize {
        self.counts.reads.load(Ordering::Relaxed)
    }

    /// Returns the number of parsed files of this revision and those before it.
    pub fn parses(&self) -> usize {
        self.counts.parses.load(Ordering::Relaxed)
    }
}

/// The files that a run requested, on which its result depends.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dependencies {
    /// Local files that were read.
    pub found: Vec<VirtualPath>,
    /// Local files that could not be read. The result may change when one of them appears.
    pub missing: Vec<VirtualPath>,
    /// Remote addresses, read or not.
    pub remote: Vec<String>,
}

/// The files of one run, within one budget: templates, modules, includes, inserted files, archives, side files, local
/// and remote. Each is charged once, even if the session knew it already.
pub struct Files<'c> {
    host: &'c dyn Host,
    cache: &'c FileCache,
    limits: Limits,
    run: RefCell<RunFiles>,
}

#[derive(Default)]
struct RunFiles {
    local: FxHashMap<VirtualPath, Result<Arc<SourceContent>, ReadError>>,
    remote: FxHashMap<String, Result<Arc<SourceContent>, ReadError>>,
    count: usize,
    bytes: u64,
    /// The template, which is not charged.
    template: Option<(VirtualPath, Result<Arc<SourceContent>, ReadError>)>,
    files: FxHashMap<Name, FileId>,
    sources: IdMap<FileId, Arc<SourceContent>>,
    parsed: IdMap<FileId, Document>,
}

impl RunFiles {
    /// Returns the source that was read at a path, if its content is `bytes`.
    fn read(&self, path: &VirtualPath, bytes: &FileBytes) -> Option<Arc<SourceContent>> {
        let template = self.template.as_ref().filter(|(own, _)| own == path).map(|(_, read)| read);
        let read = template.or_else(|| self.local.get(path))?.as_ref().ok()?;
        read.bytes().is_same(bytes).then(|| Arc::clone(read))
    }
}

/// A file with a position in the run.
#[derive(Debug)]
pub struct Loaded {
    /// The file.
    pub file: FileId,
    /// The character encoding of the file.
    pub encoding: Encoding,
    /// The error when the file is not text; without a span.
    pub error: Option<Diagnostic>,
}

impl<'c> Files<'c> {
    /// Returns the files of a host, none of them used yet. `cache` has the files that the session knows.
    pub fn new(host: &'c dyn Host, cache: &'c FileCache, limits: &Limits) -> Files<'c> {
        Files { host, cache, limits: *limits, run: RefCell::default() }
    }

    /// Reads the template of the run, which is not charged.
    ///
    /// # Errors
    /// The errors of the host.
    pub fn read_template(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        let read = self.cache.read(self.host, path);
        let bytes = bytes_of(&read);
        self.run.borrow_mut().template = Some((path.clone(), read));
        bytes
    }

    /// Returns the bytes of the file at `path`, which is relative to the directory of the root template.
    ///
    /// # Errors
    /// The errors of the host, and [`ReadError::Limit`] when the budget of the run is spent.
    pub fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        if let Some(known) = self.run.borrow().local.get(path) {
            return bytes_of(known);
        }
        let read = self.charged(|| self.cache.read(self.host, path));
        let bytes = bytes_of(&read);
        self.run.borrow_mut().local.insert(path.clone(), read);
        bytes
    }

    /// Returns the bytes at a remote address.
    ///
    /// # Errors
    /// The errors of [`Files::read`].
    pub fn read_remote(&self, address: &str) -> Result<FileBytes, ReadError> {
        if let Some(known) = self.run.borrow().remote.get(address) {
            return bytes_of(known);
        }
        let read = self.charged(|| self.cache.read_remote(self.host, address));
        let bytes = bytes_of(&read);
        self.run.borrow_mut().remote.insert(address.to_owned(), read);
        bytes
    }

    /// Returns the origins of the text of a file, when its places are to be shown as authored.
    pub fn origins(&self, path: &VirtualPath) -> Option<Origins> {
        self.host.origins(path)
    }

    /// Returns `true` when the project pins the content at a remote address.
    pub fn is_pinned(&self, address: &str) -> bool {
        self.host.is_pinned(address)
    }

    fn charged(
        &self,
        read: impl FnOnce() -> Result<Arc<SourceContent>, ReadError>,
    ) -> Result<Arc<SourceContent>, ReadError> {
        if self.run.borrow().count >= self.limits.files {
            return Err(ReadError::Limit(format!(
                "more than {} files are read: a limit is exceeded",
                self.limits.files
            )));
        }
        let source = read();
        let mut run = self.run.borrow_mut();
        run.count += 1;
        let source = source?;
        run.bytes += source.bytes().len() as u64;
        if run.bytes > self.limits.read_bytes {
            return Err(ReadError::Limit(format!(
                "the files that are read have more than {} bytes in total: a limit is exceeded",
                self.limits.read_bytes
            )));
        }
        self.cache.sources.keep(&source);
        Ok(source)
    }

    /// Adds a file with these bytes to those of the run. `display` is its path in reports. Returns `None` when the
    /// position space is full.
    pub fn load(
        &self,
        sources: &mut SourceMap,
        (path, display, role): (&VirtualPath, &str, Role),
        bytes: &FileBytes,
    ) -> Option<Loaded> {
        let mut run = self.run.borrow_mut();
        // Files that the run read are sources already; others are found by their content.
        let source = run.read(path, bytes).unwrap_or_else(|| self.cache.sources.source(bytes));
        if role == Role::Side {
            // Nobody else holds it between two runs.
            self.cache.sources.keep(&source);
        }
        let name = (path.clone(), display.into(), role);
        let known = run.files.get(&name).copied().filter(|file| Arc::ptr_eq(&run.sources[file], &source));
        let (encoding, error) = (source.encoding(), source.error().cloned());
        let file = if let Some(known) = known {
            known
        } else {
            let file = sources.insert(path.clone(), display, Arc::clone(source.text()))?;
            run.files.insert(name, file);
            run.sources.insert(file, source);
            file
        };
        Some(Loaded { file, encoding, error })
    }

    /// Adds the content of a file of the run to `tree`, and parses it if that was not done before. Its errors are added
    /// to `diagnostics` at the first request of a run.
    pub fn parse(
        &self,
        tree: &mut Tree,
        sources: &SourceMap,
        file: FileId,
        limits: &Limits,
        diagnostics: &mut Diagnostics,
    ) -> Document {
        let mut run = self.run.borrow_mut();
        if let Some(document) = run.parsed.get(&file) {
            return *document;
        }
        let source = run
            .sources
            .get(&file)
            .map_or_else(|| self.cache.sources.source(&FileBytes::from(&**sources.text(file))), Arc::clone);
        let mut count = || {
            self.cache.counts.parses.fetch_add(1, Ordering::Relaxed);
        };
        // No other run will ask for it: it is read where it is used.
        if self.cache.sources.is_of_one_run() && !tree.is_unused() {
            count();
            let mut found = Diagnostics::new().cancelled_by(diagnostics.cancellation().clone());
            let mut document = read(tree, sources, file, limits, &mut found);
            document.is_well_formed &= !found.is_cancelled();
            diagnostics.append(found);
            run.parsed.insert(file, document);
            return document;
        }
        let parsed = source.parse(sources.path(file), limits, diagnostics.cancellation(), &mut count);
        let shift = sources.base(file) - SourceMap::FIRST_BASE;
        for found in &parsed.diagnostics {
            diagnostics.push(found.clone().shifted(shift));
        }
        let Parsed { root, format, is_well_formed, .. } = *parsed;
        let is_taken = self.cache.sources.is_of_one_run() && shift == 0 && tree.is_unused();
        let root = match if is_taken { source.take(parsed) } else { Err(parsed) } {
            Ok(parsed) => {
                *tree = parsed.tree;
                root
            }
            Err(parsed) => tree.graft(&parsed.tree, root, shift),
        };
        let document = Document { file, format, root, is_well_formed, is_united: false };
        run.parsed.insert(file, document);
        document
    }

    /// Returns the requested files, in order.
    pub fn dependencies(&self) -> Dependencies {
        let run = self.run.borrow();
        let (mut found, mut missing): (Vec<VirtualPath>, Vec<VirtualPath>) = (Vec::new(), Vec::new());
        let template = run.template.iter().map(|(path, read)| (path, read));
        for (path, read) in run.local.iter().chain(template) {
            let those = if read.is_ok() { &mut found } else { &mut missing };
            those.push(path.clone());
        }
        let mut remote: Vec<String> = run.remote.keys().cloned().collect();
        found.sort();
        missing.sort();
        remote.sort();
        found.dedup();
        missing.dedup();
        Dependencies { found, missing, remote }
    }
}

fn bytes_of(read: &Result<Arc<SourceContent>, ReadError>) -> Result<FileBytes, ReadError> {
    read.as_ref().map(|source| source.bytes().clone()).map_err(ReadError::clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl Host for Counting {
        fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            if path.as_str() == "missing" { Err(ReadError::NotFound) } else { Ok(vec![0; 10].into()) }
        }
    }

    #[test]
    fn a_file_is_read_once_a_session() {
        let (host, cache) = (Counting::default(), FileCache::default());
        for _run in 0..2 {
            let files = Files::new(&host, &cache, &Limits::default());
            for path in ["a", "missing", "a", "missing"] {
                assert_eq!(files.read(&VirtualPath::new(path)).is_ok(), path == "a");
            }
        }
        assert_eq!((host.0.load(Ordering::Relaxed), cache.reads()), (2, 2));
        let cache = cache.with([(VirtualPath::new("a"), None)]);
        assert!(cache.read(&host, &VirtualPath::new("a")).is_ok());
        assert_eq!(host.0.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn number_and_bytes_of_all_files_are_limited() {
        let read = |limits: Limits| {
            let (host, cache) = (Counting::default(), FileCache::default());
            let failed = || {
                let files = Files::new(&host, &cache, &limits);
                let read = |at: usize| files.read(&VirtualPath::new(&at.to_string()));
                (0..100).position(|at| matches!(read(at), Err(ReadError::Limit(_))))
            };
            let first = failed();
            assert_eq!(first, failed(), "what the session knows is charged as well");
            (first, host.0.load(Ordering::Relaxed))
        };
        assert_eq!(read(Limits { files: 5, ..Limits::default() }), (Some(5), 5));
        assert_eq!(read(Limits { read_bytes: 45, ..Limits::default() }).0, Some(4));
    }

    const YAML: &str = "A: &a {x: 1, y: !Sub '${z}'}\nB: {<<: *a, y: !Other [*a, !Ref P]}\nC: 1\nC: 2\nD: &k name\n*k : {Fn::Invoke: [M, {}]}\nE: [*k, null]\nF: !!bad x\n";

    #[test]
    fn what_was_parsed_is_the_same_in_every_tree() {
        let (host, cache) = (Counting::default(), FileCache::default());
        let limits = Limits::default();
        let (path, other) = (VirtualPath::new("t.yaml"), VirtualPath::new("o.json"));
        let bytes: FileBytes = YAML.as_bytes().to_vec().into();
        let _in_use = [&bytes, &"[]".into()].map(|bytes| cache.sources().source(bytes));
        let run = |first: &[u8]| {
            let files = Files::new(&host, &cache, &limits);
            let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
            let mut add = |path: &VirtualPath, bytes: FileBytes| {
                let name = (path, path.as_str(), Role::Template);
                let loaded = files.load(&mut sources, name, &bytes).expect("room");
                files.parse(&mut tree, &sources, loaded.file, &limits, &mut diagnostics)
            };
            add(&other, first.to_vec().into());
            let document = add(&path, FileBytes::clone(&bytes));
            let text = format!("{:?}", crate::Value::new(&tree, document.root));
            let nodes = (1..=tree.node_count() as u32).filter_map(|number| tree.node(number));
            let within = sources.span(document.file);
            let of_file = |node: &crate::NodeId| within.contains(tree.span(*node));
            let shape: Vec<String> = nodes
                .filter(of_file)
                .map(|node| {
                    let name = if tree.kind(node) == crate::Kind::Key { tree.text(node) } else { "" };
                    let frames = tree.frame_chain(tree.frame_of(node));
                    let frames: Vec<_> = frames.iter().map(|frame| sources.slice(frame.span)).collect();
                    let anchor = tree.anchor(node).map(|span| sources.slice(span));
                    let at = tree.span(node).start() - within.start();
                    format!(
                        "{:?} {name} {at} {} {anchor:?} {frames:?}",
                        tree.kind(node),
                        sources.slice(tree.span(node))
                    )
                })
                .collect();
            let lost: Vec<String> = tree.lost().map(|entry| tree.text(entry.key).to_owned()).collect();
            let place = |found: &Diagnostic| sources.slice(found.span()).to_owned();
            let found: Vec<_> = diagnostics.iter().map(|found| (found.message.clone(), place(found))).collect();
            let mut written = String::new();
            let format = crate::Format::Yaml;
            let sink: crate::write::Sink<'_> = &mut |part| written.push_str(part);
            crate::write::write(&tree, document.root, &document, &sources, format, sink, &mut crate::write::NoRecord);
            let calls_modules = tree.calls_modules();
            (text, shape, lost, found, written, calls_modules)
        };
        let first = run(b"{\"before\": [1, 2, {\"a\": \"b\"}]}");
        assert!(first.5 && first.2.contains(&"C".to_owned()), "{first:?}");
        assert_eq!(cache.parses(), 2);
        assert_eq!(run(b"[]"), first, "behind another text");
        assert_eq!(cache.parses(), 3);
        assert_eq!(run(b"[]"), first, "behind the same text");
        assert_eq!(cache.parses(), 3);
    }
}
