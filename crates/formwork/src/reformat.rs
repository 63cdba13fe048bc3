//! Conversion of a document to another format.

use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};
use formwork_syntax::{Document, Format, Tree, write};

/// Writes a JSON or YAML document in `format`: the values stay, the layout does not. `None` when it is neither, or too
/// large for `limits`.
pub fn reformat(text: &str, format: Format, limits: &Limits) -> Option<String> {
    let Alone { tree, sources, document } = Alone::read(text, limits)?;
    document.is_well_formed.then(|| write::to_string(&tree, document.root, &document, &sources, format))
}

/// A document that is parsed by itself, and is not a template of a session.
pub(crate) struct Alone {
    pub(crate) tree: Tree,
    pub(crate) sources: SourceMap,
    pub(crate) document: Document,
}

impl Alone {
    /// Parses a text in spite of errors; `None` when it is too long.
    pub(crate) fn read(text: &str, limits: &Limits) -> Option<Alone> {
        let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
        let file = sources.add(VirtualPath::stdin(), text)?;
        let document = formwork_syntax::read(&mut tree, &sources, file, limits, &mut diagnostics);
        Some(Alone { tree, sources, document })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_texts() {
        let json = r#"{"Mark": "1", "Account": "012345670123", "At": "2025-01-31T10:00:00Z", "Types": {"T": {"a": {}, "b": null}}, "Version": 3}"#;
        let yaml = reformat(json, Format::Yaml, &Limits::default()).expect("a document");
        assert!(yaml.starts_with("Mark: \"1\"\nAccount: \"012345670123\"\n"), "{yaml}");
        let again = reformat(&yaml, Format::Json, &Limits::default()).expect("a document");
        let squeeze = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(squeeze(&again), squeeze(json));
        assert_eq!(reformat("{", Format::Yaml, &Limits::default()), None);
    }
}
