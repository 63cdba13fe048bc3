//! Files as values: the content of a file, read and parsed once, whoever uses it.

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
pub struct Source {
    bytes: FileBytes,
    text: Arc<SourceText>,
    encoding: Encoding,
    error: Option<Diagnostic>,
    /// Mostly one: a content may be read under several names and limits.
    parsed: Mutex<Vec<Arc<Parsed>>>,
    /// Whether it stays, though nobody uses it.
    is_kept: AtomicBool,
}

/// What a reader made of a source. Positions are those of a run whose first file it is.
#[derive(Debug)]
pub struct Parsed {
    limits: Limits,
    is_json: bool,
    /// The tree of this file alone.
    pub tree: Tree,
    /// The value of the file.
    pub root: NodeId,
    /// The language that it is written in.
    pub format: Format,
    /// Whether all of it could be read.
    pub is_well_formed: bool,
    /// The errors and warnings of its text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Source {
    /// A source with this content.
    pub fn new(bytes: FileBytes) -> Source {
        let (text, encoding, error) = decode(&bytes);
        Source {
            bytes,
            text: Arc::new(SourceText::new(text)),
            encoding,
            error,
            parsed: Mutex::default(),
            is_kept: AtomicBool::new(false),
        }
    }

    /// The content.
    pub fn bytes(&self) -> &FileBytes {
        &self.bytes
    }

    /// Its text, without a byte order mark.
    pub fn text(&self) -> &Arc<SourceText> {
        &self.text
    }

    /// How it spells its characters.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Why it is not text; it has no span yet.
    pub fn error(&self) -> Option<&Diagnostic> {
        self.error.as_ref()
    }

    /// The content as it was parsed, within limits, of a file at `path`. Who comes second waits for the first one, and
    /// parses nothing; `parses` is called when that is done here. The result of a run that was cancelled is a part of the
    /// file, which nobody else sees.
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

    /// Takes out what was parsed, if nobody else has it: who asks for it next parses again.
    pub(crate) fn take(&self, parsed: Arc<Parsed>) -> Result<Parsed, Arc<Parsed>> {
        lock(&self.parsed).retain(|known| !Arc::ptr_eq(known, &parsed));
        Arc::try_unwrap(parsed)
    }
}

/// The sources that sessions share: one for each content, as long as anybody uses it.
#[derive(Debug, Default)]
pub struct Sources {
    /// By a hash of the content.
    known: Mutex<FxHashMap<u64, Vec<Weak<Source>>>>,
    kept: Mutex<Kept>,
    /// Whether a run takes the tree of its template out, in the place of a copy.
    is_of_one_run: bool,
}

/// Sources that stay, though nobody uses them: those of files that several templates import.
#[derive(Debug, Default)]
struct Kept {
    sources: Vec<Arc<Source>>,
    bytes: usize,
}

/// Most bytes of sources that stay.
const MOST_KEPT: usize = 64 << 20;

/// How many hashes are known before those of sources that are gone are removed.
const FEW: usize = 1024;

impl Sources {
    /// No source yet.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// The same for the one run of one template: its tree becomes that of the run.
    pub fn of_one_run() -> Sources {
        Sources { is_of_one_run: true, ..Sources::default() }
    }

    pub(crate) fn is_of_one_run(&self) -> bool {
        self.is_of_one_run
    }

    /// The source with this content.
    pub fn source(&self, bytes: &FileBytes) -> Arc<Source> {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(&**bytes);
        let mut known = lock(&self.known);
        let same = |source: &Arc<Source>| source.bytes == *bytes;
        if let Some(source) = known.get(&hash).and_then(|those| those.iter().filter_map(Weak::upgrade).find(same)) {
            return source;
        }
        if known.len() >= FEW && known.len() == known.capacity() {
            known.retain(|_, those| those.iter().any(|source| source.strong_count() > 0));
        }
        let source = Arc::new(Source::new(bytes.clone()));
        let those = known.entry(hash).or_default();
        those.retain(|source| source.strong_count() > 0);
        those.push(Arc::downgrade(&source));
        source
    }

    /// Keeps a source for others that come later, as far as there is room.
    pub fn keep(&self, source: &Arc<Source>) {
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
        let source = Source::new("a: 1\n".into());
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
        let source = Source::new("{a: 1".into());
        let (limits, never) = (Limits::default(), Cancellation::never());
        let parse = |name: &str, limits: &Limits| source.parse(&VirtualPath::new(name), limits, &never, &mut || {});
        let yaml = parse("a.yaml", &limits);
        assert!(Arc::ptr_eq(&yaml, &parse("b.yaml", &limits)));
        let json = parse("a.json", &limits);
        assert_eq!((yaml.format, json.format), (Format::Yaml, Format::Json), "whose errors are reported");
        assert!(!Arc::ptr_eq(&yaml, &parse("a.yaml", &Limits { depth: 3, ..limits })));
    }
}
