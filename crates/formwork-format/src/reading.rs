//! Parses a file before and after formatting.

use std::ops::Range;

use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath, codes};
use formwork_syntax::{Document, Tree, read};

/// The reason why a file is not formatted.
#[derive(Debug)]
pub enum Refused {
    /// The file is not well-formed: the errors, with positions in the source map.
    NotWellFormed(Box<SourceMap>, Box<Diagnostics>),
    /// The result would not be the same template. This is an error of the formatter; the string is the reason.
    Unproved(&'static str),
}

pub(crate) struct Reading {
    pub(crate) tree: Tree,
    pub(crate) document: Document,
}

/// A scalar or key in the source of YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The range of its bytes; a tag may be in front of it.
    pub(crate) range: Range<usize>,
    pub(crate) is_block: bool,
    /// Set if its value ends with a line break.
    pub(crate) ends_with_break: bool,
}

impl Reading {
    pub(crate) fn of(text: &str, path: &VirtualPath, limits: &Limits) -> Result<Reading, Refused> {
        let (mut sources, mut tree, mut found) = (SourceMap::new(), Tree::new(), Diagnostics::new());
        let file = sources.add(path.clone(), text).ok_or(Refused::Unproved("the text is too long"))?;
        let document = read(&mut tree, &sources, file, limits, &mut found);
        // White space does not depend on the meaning of a function: its node is in the tree, whatever its tag.
        found.retain(|one| one.code != codes::UNKNOWN_TAG);
        if document.is_well_formed || !found.has_errors() {
            Ok(Reading { tree, document })
        } else {
            Err(Refused::NotWellFormed(Box::new(sources), Box::new(found)))
        }
    }

    /// Returns the scalars and keys of the source, in order. Entries that a duplicate key replaced are included, since
    /// all nodes are in the tree.
    pub(crate) fn scalars(&self) -> Vec<Written> {
        use formwork_syntax::{Kind, Style};
        let base = SourceMap::FIRST_BASE;
        let nodes = (1..=self.tree.node_count()).filter_map(|number| self.tree.node(number as u32));
        let mut scalars: Vec<Written> = nodes
            .filter(|&node| {
                let is_text = self.tree.is_scalar(node) || matches!(self.tree.kind(node), Kind::Key | Kind::Null);
                is_text && !self.tree.is_generated(node) && self.tree.style(node) != Style::Tag
            })
            .filter_map(|node| {
                let span = self.tree.span(node);
                if span.is_empty() || span.is_none() {
                    return None;
                }
                let range = (span.start() - base) as usize..(span.end() - base) as usize;
                let is_block = matches!(self.tree.style(node), Style::Literal | Style::Folded);
                let ends_with_break = self.tree.text(node).ends_with('\n');
                Some(Written { range, is_block, ends_with_break })
            })
            .collect();
        scalars.sort_by_key(|written| (written.range.start, written.range.end));
        scalars.dedup_by_key(|written| written.range.start);
        scalars
    }
}
