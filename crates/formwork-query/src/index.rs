//! What one file declares and uses.

use std::ops::Range;

use formwork_base::{Diagnostics, FileRange, Limits, LineIndex, SourceMap, Span, VirtualPath};
use formwork_syntax::{NodeId, Tree, decode};
use rustc_hash::FxHashMap;

use crate::loops::LoopKind;
use crate::symbol::SymbolKind;
use crate::walk::Walk;

/// A range of bytes in the text of the file.
pub(crate) type TextRange = Range<u32>;

/// What one file declares and uses, whatever other files hold.
#[derive(Debug)]
pub struct FileIndex {
    path: VirtualPath,
    sources: SourceMap,
    lines: LineIndex,
    tree: Tree,
    root: Option<NodeId>,
    is_well_formed: bool,
    pub(crate) names: Names,
}

/// Names of a file, in the order in which they are written.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) uses: Vec<Use>,
    pub(crate) loops: Vec<LoopDeclaration>,
    pub(crate) imports: Vec<Import>,
    /// Numbers of declarations by their names.
    by_name: FxHashMap<String, Vec<usize>>,
}

impl Names {
    /// Declarations with a name, in order.
    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = (usize, &Declaration)> {
        self.by_name.get(name).into_iter().flatten().map(|&at| (at, &self.declarations[at]))
    }

    /// Sorts what was found, once.
    pub(crate) fn finish(mut self) -> Names {
        self.uses.sort_by_key(|known| (known.range.start, known.range.end));
        for (at, declaration) in self.declarations.iter().enumerate() {
            self.by_name.entry(declaration.name.clone()).or_default().push(at);
        }
        self
    }
}

/// A declared name.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) kind: SymbolKind,
    pub(crate) name: String,
    pub(crate) detail: Option<String>,
    /// The name alone.
    pub(crate) name_range: TextRange,
    /// The whole declaration.
    pub(crate) range: TextRange,
    /// Where the name is visible; everywhere when `None`.
    pub(crate) scopes: Option<Vec<TextRange>>,
    /// What it is declared in, for outlines.
    pub(crate) parent: Option<usize>,
}

/// A place that names something.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) name: String,
    pub(crate) range: TextRange,
    pub(crate) expects: Expects,
}

/// What a place may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expects {
    /// What `Ref`, `Fn::GetAtt` and the text of `Fn::Sub` name.
    Value,
    /// What `DependsOn` names.
    Dependency,
    Condition,
    Mapping,
    Constant,
    Package,
    /// A loop variable alone: a placeholder in a key or a name.
    LoopVariable,
    SubVariable,
    /// An import of the file.
    Import,
    /// A parameter of the module of an import, by the number of the import.
    ModuleParameter(usize),
    /// A resource of the module of an import.
    ModuleResource(usize),
    /// An output of the module of an import.
    ModuleOutput(usize),
    /// The file of an import.
    ModuleFile(usize),
}

/// A loop as it is declared.
#[derive(Clone, Debug)]
pub(crate) struct LoopDeclaration {
    pub(crate) kind: LoopKind,
    pub(crate) name: Option<String>,
    pub(crate) variables: Vec<String>,
    /// The place by which an expansion names it: its key or function, or the key of what is repeated.
    pub(crate) site: TextRange,
    pub(crate) collection: Option<TextRange>,
    /// What is repeated.
    pub(crate) body: Vec<TextRange>,
}

/// A use of a module.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub(crate) name: String,
    /// Its declaration.
    pub(crate) declaration: usize,
    /// Its source as it is written.
    pub(crate) source: Option<String>,
}

impl FileIndex {
    /// Reads the bytes of a file. Broken text is indexed as far as it can be read.
    pub fn new(path: VirtualPath, bytes: &[u8], limits: &Limits) -> FileIndex {
        let (text, _, _) = decode::decode(bytes);
        FileIndex::from_text(path, &text, limits)
    }

    /// The same of text. It has no byte order mark: offsets count from the first character behind it.
    pub fn from_text(path: VirtualPath, text: &str, limits: &Limits) -> FileIndex {
        let (mut tree, mut sources) = (Tree::new(), SourceMap::new());
        let is_small = text.len() as u64 <= limits.file_bytes;
        let file = sources.add(path.clone(), if is_small { text } else { "" });
        let document =
            file.map(|file| formwork_syntax::read(&mut tree, &sources, file, limits, &mut Diagnostics::new()));
        let mut index = FileIndex {
            lines: LineIndex::new(text),
            path,
            sources,
            tree,
            root: document.map(|document| document.root),
            is_well_formed: is_small && document.is_some_and(|document| document.is_well_formed),
            names: Names::default(),
        };
        index.names = index.root.map_or_else(Names::default, |root| Walk::new(&index).run(root));
        index
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &VirtualPath {
        &self.path
    }

    /// Returns the text of the file, without a byte order mark.
    pub fn text(&self) -> &str {
        self.sources.files().next().map_or("", |file| self.sources.text(file))
    }

    /// Returns the lines of the file, for columns of any unit.
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// Returns whether the text could be read from end to end.
    pub fn is_well_formed(&self) -> bool {
        self.is_well_formed
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    pub(crate) fn root(&self) -> Option<NodeId> {
        self.root
    }

    pub(crate) fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Position of the file's first byte in its own tree.
    pub(crate) fn base(&self) -> u32 {
        self.sources.files().next().map_or(0, |file| self.sources.base(file))
    }

    pub(crate) fn text_range(&self, span: Span) -> TextRange {
        let base = self.base();
        span.start().saturating_sub(base)..span.end().saturating_sub(base)
    }

    pub(crate) fn file_range(&self, range: &TextRange) -> FileRange {
        FileRange::new(self.path.clone(), range.start, range.end)
    }
}

/// Whether a cursor at `offset` touches a range: inside of it or at its end.
pub(crate) fn touches(range: &TextRange, offset: u32) -> bool {
    (range.start..=range.end).contains(&offset)
}
