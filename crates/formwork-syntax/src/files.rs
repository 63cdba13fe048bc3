//! The files of a session, each read and parsed once, and the part of them that one run uses.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use formwork_base::{
    Diagnostic, Diagnostics, FileBytes, FileId, Host, IdMap, Limits, Origins, ReadError, SourceMap, SourceText, VirtualPath,
};
use rustc_hash::FxHashMap;

use crate::decode::{Encoding, decode};
use crate::document::{Document, Format};
use crate::tree::{Extent, NodeId, Tree};

/// Where the position space of a session is reset: long before its end.
const FULL: u32 = 1 << 31;

/// What a file is for a run. One path may be both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// A template, a module or an included file.
    Template,
    /// A file that was named beside the template.
    Side,
}

/// What identifies a file of a session: path, path as reports show it, and role.
type Name = (VirtualPath, Box<str>, Role);

/// What a session has read and parsed so far. A file that is replaced gets a new place in the position space;
/// all others keep theirs, and are neither read nor parsed again.
#[derive(Debug)]
pub struct FileCache {
    local: RefCell<FxHashMap<VirtualPath, Result<FileBytes, ReadError>>>,
    remote: RefCell<FxHashMap<String, Result<FileBytes, ReadError>>>,
    texts: RefCell<FxHashMap<Name, Known>>,
    next_base: Cell<u32>,
    reads: Cell<usize>,
    parses: Cell<usize>,
}

/// A file whose text is known.
#[derive(Clone, Debug)]
struct Known {
    bytes: FileBytes,
    text: Arc<SourceText>,
    encoding: Encoding,
    error: Option<Diagnostic>,
    parsed: Option<Parsed>,
}

/// What became of a file, in the tree of the run that parsed it or used it last.
#[derive(Clone, Debug)]
struct Parsed {
    tree: Arc<Tree>,
    outcome: Outcome,
}

/// What a reader made of a file in some tree.
#[derive(Clone, Debug)]
struct Outcome {
    limits: Limits,
    extents: (Extent, Extent),
    root: NodeId,
    format: Format,
    is_well_formed: bool,
    calls_modules: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Default for FileCache {
    fn default() -> FileCache {
        FileCache {
            local: RefCell::default(),
            remote: RefCell::default(),
            texts: RefCell::default(),
            next_base: Cell::new(1),
            reads: Cell::new(0),
            parses: Cell::new(0),
        }
    }
}

impl FileCache {
    /// A cache that knows no file.
    pub fn new() -> FileCache {
        FileCache::default()
    }

    /// Replaces the content of a file, whatever the host reports.
    pub fn set(&self, path: VirtualPath, bytes: FileBytes) {
        self.local.borrow_mut().insert(path, Ok(bytes));
    }

    /// Forgets the content of a file: it is read again when it is next asked for. What was parsed stays
    /// good if the content is the same.
    pub fn forget(&self, path: &VirtualPath) {
        self.local.borrow_mut().remove(path);
    }

    /// Returns the bytes of the file at `path`, read when they are first asked for.
    ///
    /// # Errors
    /// Those of the host.
    pub fn read(&self, host: &dyn Host, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        if let Some(known) = self.local.borrow().get(path) {
            return known.clone();
        }
        self.reads.set(self.reads.get() + 1);
        let read = host.read(path);
        self.local.borrow_mut().insert(path.clone(), read.clone());
        read
    }

    fn read_remote(&self, host: &dyn Host, address: &str) -> Result<FileBytes, ReadError> {
        if let Some(known) = self.remote.borrow().get(address) {
            return known.clone();
        }
        self.reads.set(self.reads.get() + 1);
        let read = host.read_remote(address);
        self.remote.borrow_mut().insert(address.to_owned(), read.clone());
        read
    }

    /// How often the host was asked for a file.
    pub fn reads(&self) -> usize {
        self.reads.get()
    }

    /// How often a text was parsed.
    pub fn parses(&self) -> usize {
        self.parses.get()
    }

    /// Makes room when little is left of the position space. Called when no run is in progress.
    pub fn make_room(&self) {
        if self.next_base.get() > FULL {
            self.texts.borrow_mut().clear();
            self.next_base.set(1);
        }
    }

    /// The text of a file with these bytes; `None` when the position space is full.
    fn text(&self, name: &Name, bytes: &FileBytes) -> Option<Known> {
        if let Some(known) = self.texts.borrow().get(name)
            && known.bytes == *bytes
        {
            return Some(known.clone());
        }
        let (text, encoding, error) = decode(bytes);
        let text = SourceText::new(name.0.clone(), &name.1, text, self.next_base.get())?;
        self.next_base.set(text.next_base());
        let known = Known { bytes: FileBytes::clone(bytes), text: Arc::new(text), encoding, error, parsed: None };
        self.texts.borrow_mut().insert(name.clone(), known.clone());
        Some(known)
    }
}

/// The files of one run, within one budget: templates, modules, includes, inserted files, archives, side files,
/// local and remote. Each is charged once, whether the session knew it or not.
pub struct Files<'c> {
    host: &'c dyn Host,
    cache: &'c FileCache,
    limits: Limits,
    run: RefCell<Run>,
}

#[derive(Default)]
struct Run {
    local: FxHashMap<VirtualPath, Result<FileBytes, ReadError>>,
    remote: FxHashMap<String, Result<FileBytes, ReadError>>,
    count: usize,
    bytes: u64,
    names: IdMap<FileId, Name>,
    parsed: BTreeMap<FileId, (Document, Outcome)>,
}

/// A file that has its place among those of a run.
#[derive(Debug)]
pub struct Loaded {
    /// The file.
    pub file: FileId,
    /// How it spells its characters.
    pub encoding: Encoding,
    /// Why it is not text; it has no span yet.
    pub error: Option<Diagnostic>,
}

impl<'c> Files<'c> {
    /// The files of a host, none of them used yet. `cache` has what the session knows of them.
    pub fn new(host: &'c dyn Host, cache: &'c FileCache, limits: &Limits) -> Files<'c> {
        Files { host, cache, limits: *limits, run: RefCell::default() }
    }

    /// Returns the bytes of the file at `path`, which is relative to the directory of the root template.
    ///
    /// # Errors
    /// Those of the host, and [`ReadError::Limit`] when the budget of the run is spent.
    pub fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        if let Some(known) = self.run.borrow().local.get(path) {
            return known.clone();
        }
        let read = self.charged(|| self.cache.read(self.host, path));
        self.run.borrow_mut().local.insert(path.clone(), read.clone());
        read
    }

    /// Returns the bytes at a remote address.
    ///
    /// # Errors
    /// Those of [`Files::read`].
    pub fn read_remote(&self, address: &str) -> Result<FileBytes, ReadError> {
        if let Some(known) = self.run.borrow().remote.get(address) {
            return known.clone();
        }
        let read = self.charged(|| self.cache.read_remote(self.host, address));
        self.run.borrow_mut().remote.insert(address.to_owned(), read.clone());
        read
    }

    /// Where the text of a file comes from, when its places are to be shown as they were authored.
    pub fn origins(&self, path: &VirtualPath) -> Option<Origins> {
        self.host.origins(path)
    }

    /// Whether the project pins what is at a remote address.
    pub fn is_pinned(&self, address: &str) -> bool {
        self.host.is_pinned(address)
    }

    /// Reads a file if the number of files allows it, and counts its bytes.
    fn charged(&self, read: impl FnOnce() -> Result<FileBytes, ReadError>) -> Result<FileBytes, ReadError> {
        if self.run.borrow().count >= self.limits.files {
            return Err(ReadError::Limit(format!(
                "more than {} files are read: a limit is exceeded",
                self.limits.files
            )));
        }
        let bytes = read();
        let mut run = self.run.borrow_mut();
        run.count += 1;
        let bytes = bytes?;
        run.bytes += bytes.len() as u64;
        if run.bytes > self.limits.read_bytes {
            return Err(ReadError::Limit(format!(
                "the files that are read have more than {} bytes in total: a limit is exceeded",
                self.limits.read_bytes
            )));
        }
        Ok(bytes)
    }

    /// Puts a file with these bytes among those of the run. `display` is its path as reports show it. `None`
    /// when the position space is full.
    pub fn load(
        &self,
        sources: &mut SourceMap,
        (path, display, role): (&VirtualPath, &str, Role),
        bytes: &FileBytes,
    ) -> Option<Loaded> {
        let name = (path.clone(), display.into(), role);
        let known = self.cache.text(&name, bytes)?;
        let file = sources.insert(known.text);
        self.run.borrow_mut().names.insert(file, name);
        Some(Loaded { file, encoding: known.encoding, error: known.error })
    }

    /// Adds the content of a file of the run to `tree`, parsed when the session does not know it. Errors
    /// with it is in `diagnostics` when it is first asked for.
    pub fn parse(
        &self,
        tree: &mut Tree,
        sources: &SourceMap,
        file: FileId,
        limits: &Limits,
        diagnostics: &mut Diagnostics,
    ) -> Document {
        if let Some((document, _)) = self.run.borrow().parsed.get(&file) {
            return *document;
        }
        let start = tree.extent();
        let outcome = if let Some(Parsed { tree: other, outcome }) = self.known(file, limits) {
            let root = tree.graft(&other, outcome.extents, outcome.root);
            if outcome.calls_modules {
                tree.note_modules();
            }
            Outcome { extents: (start, tree.extent()), root, ..outcome }
        } else {
            self.cache.parses.set(self.cache.parses.get() + 1);
            let mut found = diagnostics.of_same_run();
            let read = |tree: &mut Tree| crate::read::read(tree, sources, file, limits, &mut found);
            let (document, calls_modules) = tree.noting_modules(read);
            if found.is_cancelled() {
                // What was read of it is not the file.
                return Document { is_well_formed: false, ..document };
            }
            let Document { format, root, is_well_formed, .. } = document;
            let extents = (start, tree.extent());
            let diagnostics = found.iter().cloned().collect();
            Outcome { limits: *limits, extents, root, format, is_well_formed, calls_modules, diagnostics }
        };
        for found in &outcome.diagnostics {
            diagnostics.push(found.clone());
        }
        let document =
            Document { file, format: outcome.format, root: outcome.root, is_well_formed: outcome.is_well_formed };
        self.run.borrow_mut().parsed.insert(file, (document, outcome));
        document
    }

    /// What the session knows of a file that is parsed within these limits.
    fn known(&self, file: FileId, limits: &Limits) -> Option<Parsed> {
        let run = self.run.borrow();
        let texts = self.cache.texts.borrow();
        let parsed = texts.get(run.names.get(&file)?)?.parsed.as_ref()?;
        (parsed.outcome.limits == *limits).then(|| parsed.clone())
    }

    /// Lets the session know the files that were parsed into the tree of the run.
    pub fn keep(self, tree: &Arc<Tree>) {
        let Run { names, parsed, .. } = self.run.into_inner();
        let mut texts = self.cache.texts.borrow_mut();
        for (file, (_, outcome)) in parsed {
            if let Some(known) = names.get(&file).and_then(|name| texts.get_mut(name)) {
                known.parsed = Some(Parsed { tree: Arc::clone(tree), outcome });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting(Cell<u32>);

    impl Host for Counting {
        fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
            self.0.set(self.0.get() + 1);
            if path.as_str() == "missing" { Err(ReadError::NotFound) } else { Ok(vec![0; 10].into()) }
        }
    }

    #[test]
    fn a_file_is_read_once_a_session() {
        let (host, cache) = (Counting(Cell::default()), FileCache::new());
        for _run in 0..2 {
            let files = Files::new(&host, &cache, &Limits::default());
            for path in ["a", "missing", "a", "missing"] {
                assert_eq!(files.read(&VirtualPath::new(path)).is_ok(), path == "a");
            }
        }
        assert_eq!((host.0.get(), cache.reads()), (2, 2));
        cache.forget(&VirtualPath::new("a"));
        assert!(cache.read(&host, &VirtualPath::new("a")).is_ok());
        assert_eq!(host.0.get(), 3);
    }

    #[test]
    fn number_and_bytes_of_all_files_are_limited() {
        let read = |limits: Limits| {
            let (host, cache) = (Counting(Cell::default()), FileCache::new());
            let failed = || {
                let files = Files::new(&host, &cache, &limits);
                let read = |at: usize| files.read(&VirtualPath::new(&at.to_string()));
                (0..100).position(|at| matches!(read(at), Err(ReadError::Limit(_))))
            };
            let first = failed();
            assert_eq!(first, failed(), "what the session knows is charged as well");
            (first, host.0.get())
        };
        assert_eq!(read(Limits { files: 5, ..Limits::default() }), (Some(5), 5));
        assert_eq!(read(Limits { read_bytes: 45, ..Limits::default() }).0, Some(4));
    }

    /// A file with calls, anchors, aliases, merge keys, lost keys, short tags and an error.
    const YAML: &str = "A: &a {x: 1, y: !Sub '${z}'}\nB: {<<: *a, y: !Other [*a, !Ref P]}\nC: 1\nC: 2\nD: &k name\n*k : {Fn::Invoke: [M, {}]}\nE: [*k, null]\nF: !!bad x\n";

    #[test]
    fn what_was_parsed_is_the_same_in_every_tree() {
        let (host, cache) = (Counting(Cell::default()), FileCache::new());
        let limits = Limits::default();
        let (path, other) = (VirtualPath::new("t.yaml"), VirtualPath::new("o.json"));
        let bytes: FileBytes = YAML.as_bytes().to_vec().into();
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
            let of_file = |node: &NodeId| within.contains(tree.span(*node));
            let shape: Vec<String> = nodes
                .filter(of_file)
                .map(|node| {
                    let name = if tree.kind(node) == crate::Kind::Key { tree.text(node) } else { "" };
                    let frames = tree.frame_chain(tree.frame_of(node));
                    format!("{:?} {name} {:?} {:?} {frames:?}", tree.kind(node), tree.span(node), tree.anchor(node))
                })
                .collect();
            let lost: Vec<String> = tree.lost().map(|entry| tree.text(entry.key).to_owned()).collect();
            let found: Vec<Diagnostic> = diagnostics.iter().cloned().collect();
            let mut written = String::new();
            let format = Format::Yaml;
            let sink: crate::write::Sink<'_> = &mut |part| written.push_str(part);
            crate::write::write(&tree, document.root, &document, &sources, format, sink, &mut crate::write::NoRecord);
            let calls_modules = tree.calls_modules();
            files.keep(&Arc::new(tree));
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
