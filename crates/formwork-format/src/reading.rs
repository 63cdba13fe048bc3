//! Parses a file before and after formatting.

use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath, codes};
use formwork_syntax::lossless::Syntax;
use formwork_syntax::{Document, Format, Tree, read};

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
    /// The tokens of YAML; empty for JSON.
    pub(crate) syntax: Syntax,
}

impl Reading {
    pub(crate) fn of(text: &str, path: &VirtualPath, limits: &Limits) -> Result<Reading, Refused> {
        let (mut sources, mut tree, mut found) = (SourceMap::new(), Tree::new(), Diagnostics::new());
        let file = sources.add(path.clone(), text).ok_or(Refused::Unproved("the text is too long"))?;
        let document = read(&mut tree, &sources, file, limits, &mut found);
        // White space does not depend on the meaning of a function: its node is in the tree, whatever its tag.
        found.retain(|one| one.code != codes::UNKNOWN_TAG);
        if document.is_well_formed || !found.has_errors() {
            let is_yaml = document.format == Format::Yaml;
            let syntax = if is_yaml { Syntax::of(text) } else { Syntax::default() };
            Ok(Reading { tree, document, syntax })
        } else {
            Err(Refused::NotWellFormed(Box::new(sources), Box::new(found)))
        }
    }
}
