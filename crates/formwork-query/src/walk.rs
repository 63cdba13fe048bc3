//! Collects the names of a file in a walk over its tree. `sections` begins it, `values` visits the nodes below.

use formwork_syntax::{Entry, Kind, NodeId, Tree};
use formwork_template::reference;

use crate::locate::Locator;
use crate::names::{Declaration, Expects, Names, TextRange, Use};
use crate::parsed::ParsedFile;
use crate::symbol::SymbolKind;

/// The variables of a shorthand loop of the module language (reference/modules/copies.md#variables).
pub(crate) const SHORTHAND: [&str; 3] = ["Identifier", "Index", "Value"];

pub(crate) struct Walk<'i> {
    pub(crate) file: &'i ParsedFile,
    pub(crate) names: Names,
    /// The declaration around the current node.
    pub(crate) parent: Option<usize>,
    /// Names of all imports, and of the loops around them, in the order of the walk.
    pub(crate) imports: Vec<(String, Option<String>)>,
    /// Set if placeholders are replaced in every string.
    pub(crate) fills_strings: bool,
    /// Number of shorthand loops around the current node.
    pub(crate) shorthand: usize,
}

impl<'i> Walk<'i> {
    pub(crate) fn new(file: &'i ParsedFile) -> Walk<'i> {
        Walk { file, names: Names::default(), parent: None, imports: Vec::new(), fills_strings: false, shorthand: 0 }
    }

    pub(crate) fn tree(&self) -> &'i Tree {
        self.file.tree()
    }

    pub(crate) fn range(&self, node: NodeId) -> TextRange {
        self.file.text_range(self.tree().span(node))
    }

    pub(crate) fn push(&mut self, name: &str, range: TextRange, expects: Expects) {
        self.names.uses.push(Use { name: name.to_owned(), range, expects });
    }

    /// Adds a use that is the whole string of a node.
    pub(crate) fn push_text(&mut self, node: NodeId, expects: Expects) {
        let is_text = self.tree().is_scalar(node) || self.tree().kind(node) == Kind::Key;
        let Some(text) = is_text.then(|| self.tree().text(node)) else { return };
        let range = Locator::new(self.file, node).next(text);
        self.push(text, range, expects);
        self.placeholders(node);
    }

    pub(crate) fn declare(&mut self, kind: SymbolKind, name: &str, name_node: NodeId, range: TextRange) -> usize {
        let name_range = Locator::new(self.file, name_node).next(name);
        let declaration = Declaration {
            kind,
            name: name.to_owned(),
            detail: None,
            name_range,
            range,
            scopes: None,
            parent: self.parent,
        };
        self.names.declarations.push(declaration);
        self.names.declarations.len() - 1
    }

    pub(crate) fn declare_entry(&mut self, kind: SymbolKind, entry: Entry) -> usize {
        let range = self.entry_range(entry);
        let at = self.declare(kind, self.tree().text(entry.key), entry.key, range);
        self.placeholders(entry.key);
        at
    }

    pub(crate) fn entry_range(&self, entry: Entry) -> TextRange {
        let (key, value) = (self.range(entry.key), self.tree().site(entry.value));
        let end = if value.is_none() { key.end } else { self.file.text_range(value).end };
        key.start..end.max(key.end)
    }

    pub(crate) fn within(&mut self, declaration: usize, walk: impl FnOnce(&mut Walk<'i>)) {
        let outer = self.parent.replace(declaration);
        walk(self);
        self.parent = outer;
    }

    /// Returns the import that a name refers to: its own, that of the loop that generates it, or that of a copy.
    pub(crate) fn import(&self, head: &str) -> Option<usize> {
        let find = |name: &str| {
            self.imports.iter().position(|(known, in_loop)| known == name || in_loop.as_deref() == Some(name))
        };
        find(head).or_else(|| find(head.trim_end_matches(|c: char| c.is_ascii_digit())))
    }

    pub(crate) fn depends_on(&mut self, node: NodeId) {
        for name in reference::depends_on(self.tree(), node) {
            self.push_text(name.node, Expects::Dependency);
            self.shorthand_words(name.node);
        }
    }

    /// Adds placeholders of loops in a key or a name: `${Name}` and `&{Name}` (reference/for-each.md#substitution).
    pub(crate) fn placeholders(&mut self, node: NodeId) {
        let text = self.tree().text(node);
        let mut locator = Locator::new(self.file, node);
        for (at, _) in text.match_indices('{') {
            let Some(close) = text[at..].find('}') else { return };
            let name = &text[at + 1..at + close];
            if let Some(mark) = text[..at].chars().last().filter(|&mark| matches!(mark, '$' | '&')) {
                let range = locator.between(&format!("{mark}{{"), name, "}");
                self.push(name, range, Expects::LoopVariable);
            }
        }
    }

    /// Adds variables of shorthand loops in any string: `$Identifier`, `$Index`, `$Value.Name`.
    pub(crate) fn shorthand_words(&mut self, node: NodeId) {
        let text = self.tree().text(node);
        if self.shorthand == 0 || !text.contains('$') {
            return;
        }
        let mut locator = Locator::new(self.file, node);
        for (at, _) in text.match_indices('$') {
            let word = &text[at + 1..];
            let end = word.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(word.len());
            if SHORTHAND.contains(&&word[..end]) {
                let range = locator.between("$", &word[..end], "");
                self.push(&word[..end], range, Expects::LoopVariable);
            }
        }
    }
}

/// Returns `true` if a key of a section is a function whose entries replace it.
pub(crate) fn is_spliced(key: &str) -> bool {
    matches!(key, "Fn::Transform" | "Fn::Merge" | "Fn::Map")
}
