//! Contents of files that are read and parsed once for all of their users.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};

use formwork_base::{
    Cancellation, Diagnostic, Diagnostics, FileBytes, Limits, SourceMap, SourceText, VirtualPath, lock,
};
use rustc_hash::{FxHashMap, FxHasher};

use crate::decode::{Encoding, decode};
use crate::document::Format;
use crate::read::{Read, is_json, read_text};
use crate::tree::{NodeId, Tree};

/// The content of a file. It never changes: other content is another source.
#[derive(Debug)]
pub struct SourceContent {
    bytes: FileBytes,
    text: Arc<SourceText>,
    encoding: Encoding,
    error: Option<Diagnostic>,
    /// Mostly one: a content may be read under several names and limits.
    parsed: Mutex<Vec<Arc<Parsed>>>,
    /// Set for a source that is kept though it is not in use.
    is_kept: AtomicBool,
}

/// The result of parsing a source. Positions are those of a run whose first file it is.
#[derive(Debug)]
pub struct Parsed {
    limits: Limits,
    is_json: bool,
    /// The tree of this file alone.
    pub tree: Tree,
    /// The root node.
    pub root: NodeId,
    /// The language as which the file was read.
    pub format: Format,
    /// `true` when the whole file could be read.
    pub is_well_formed: bool,
    /// The errors and warnings of its text.
    pub diagnostics: Vec<Diagnostic>,
}

impl SourceContent {
    /// Decodes a content.
    pub fn new(bytes: FileBytes) -> SourceContent {
        let (text, encoding, error) = decode(&bytes);
        SourceContent {
            bytes,
            text: Arc::new(SourceText::new(text)),
            encoding,
            error,
            parsed: Mutex::default(),
            is_kept: AtomicBool::new(false),
        }
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &FileBytes {
        &self.bytes
    }

    /// Returns the text, without a byte order mark.
    pub fn text(&self) -> &Arc<SourceText> {
        &self.text
    }

    /// Returns the character encoding.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the error when the content is not text; without a span.
    pub fn error(&self) -> Option<&Diagnostic> {
        self.error.as_ref()
    }

    /// Parses the content of a file at `path`, within limits. Concurrent and later requests wait for the first one and
    /// parse nothing; `parses` is called when parsing is done here. The result of a cancelled run is a part of the
    /// file, which is not shared.
    pub fn parse(
        &self,
        path: &VirtualPath,
        limits: &Limits,
        cancellation: &Cancellation,
        parses: &mut dyn FnMut(),
    ) -> Arc<Parsed> {
        let is_json = is_json(path.extension());
        let mut parsed = lock(&self.parsed);
        if let Some(known) = parsed.iter().find(|known| known.limits == *limits && known.is_json == is_json) {
            return Arc::clone(known);
        }
        parses();
        let mut tree = Tree::new();
        let mut found = Diagnostics::new().cancelled_by(cancellation.clone());
        let text = (&**self.text.text(), SourceMap::FIRST_BASE);
        let Read { format, root, is_well_formed } = read_text(&mut tree, text, is_json, limits, &mut found);
        tree.shrink();
        let is_whole = !found.is_cancelled();
        let is_well_formed = is_well_formed && is_whole;
        let diagnostics = found.iter().cloned().collect();
        let one = Arc::new(Parsed { limits: *limits, is_json, tree, root, format, is_well_formed, diagnostics });
        if is_whole {
            parsed.push(Arc::clone(&one));
        }
        one
    }

    /// Removes a parsed file that is not in use elsewhere: the next request parses again.
    pub(crate) fn take(&self, parsed: Arc<Parsed>) -> Result<Parsed, Arc<Parsed>> {
        lock(&self.parsed).retain(|known| !Arc::ptr_eq(known, &parsed));
        Arc::try_unwrap(parsed)
    }
}

/// The sources that sessions share: one per content, as long as it is in use.
#[derive(Debug, Default)]
pub struct Sources {
    known: Mutex<FxHashMap<u64, Vec<Weak<SourceContent>>>>,
    kept: Mutex<Kept>,
    /// Set when a run takes the tree of its template out in place of a copy.
    is_of_one_run: bool,
}

/// Sources that are kept though they are not in use: those of files that several templates import.
#[derive(Debug, Default)]
struct Kept {
    sources: Vec<Arc<SourceContent>>,
    bytes: usize,
}

const MOST_KEPT: usize = 64 << 20;

/// Number of hashes up to which those of dropped sources are not removed.
const FEW: usize = 1024;

impl Sources {
    /// Returns an empty collection.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Returns an empty collection for the one run of one template, whose tree becomes that of the run.
    pub fn of_one_run() -> Sources {
        Sources { is_of_one_run: true, ..Sources::default() }
    }

    pub(crate) fn is_of_one_run(&self) -> bool {
        self.is_of_one_run
    }

    /// Returns the source with this content.
    pub fn source(&self, bytes: &FileBytes) -> Arc<SourceContent> {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(&**bytes);
        let mut known = lock(&self.known);
        let same = |source: &Arc<SourceContent>| source.bytes == *bytes;
        if let Some(source) = known.get(&hash).and_then(|those| those.iter().filter_map(Weak::upgrade).find(same)) {
            return source;
        }
        if known.len() >= FEW && known.len() == known.capacity() {
            known.retain(|_, those| those.iter().any(|source| source.strong_count() > 0));
        }
        let source = Arc::new(SourceContent::new(bytes.clone()));
        let those = known.entry(hash).or_default();
        those.retain(|source| source.strong_count() > 0);
        those.push(Arc::downgrade(&source));
        source
    }

    /// Keeps a source for later runs, as long as the kept ones are not too large.
    pub fn keep(&self, source: &Arc<SourceContent>) {
        if source.is_kept.load(Ordering::Relaxed) {
            return;
        }
        let mut kept = lock(&self.kept);
        if kept.bytes + source.bytes.len() <= MOST_KEPT && !source.is_kept.swap(true, Ordering::Relaxed) {
            kept.bytes += source.bytes.len();
            kept.sources.push(Arc::clone(source));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_content_is_one_source_as_long_as_it_is_used() {
        let sources = Sources::new();
        let (one, same) = (sources.source(&"a: 1\n".into()), sources.source(&"a: 1\n".into()));
        assert!(Arc::ptr_eq(&one, &same));
        assert!(!Arc::ptr_eq(&one, &sources.source(&"a: 2\n".into())));
        let weak = Arc::downgrade(&one);
        drop((one, same));
        assert!(weak.upgrade().is_none());
        let one = sources.source(&"a: 1\n".into());
        sources.keep(&one);
        let weak = Arc::downgrade(&one);
        drop(one);
        assert!(weak.upgrade().is_some(), "it stays");
    }

    #[test]
    fn what_nobody_else_has_is_taken_out_and_parsed_again() {
        let source = SourceContent::new("a: 1\n".into());
        let (limits, never) = (Limits::default(), Cancellation::never());
        let mut count = 0;
        let mut parse = || source.parse(&VirtualPath::new("a.yaml"), &limits, &never, &mut || count += 1);
        let (one, other) = (parse(), parse());
        let one = source.take(one).expect_err("another one has it");
        drop(other);
        assert!(source.take(one).is_ok_and(|parsed| parsed.is_well_formed));
        assert!(parse().is_well_formed);
        assert_eq!(count, 2);
    }

    #[test]
    fn a_source_is_parsed_once_for_its_name_and_limits() {
        let source = SourceContent::new("{a: 1".into());
        let (limits, never) = (Limits::default(), Cancellation::never());
        let parse = |name: &str, limits: &Limits| source.parse(&VirtualPath::new(name), limits, &never, &mut || {});
        let yaml = parse("a.yaml", &limits);
        assert!(Arc::ptr_eq(&yaml, &parse("b.yaml", &limits)));
        let json = parse("a.json", &limits);
        assert_eq!((yaml.format, json.format), (Format::Yaml, Format::Json), "whose errors are reported");
        assert!(!Arc::ptr_eq(&yaml, &parse("a.yaml", &Limits { depth: 3, ..limits })));
    }
}
