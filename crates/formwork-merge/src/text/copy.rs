//! Copies of authored text, with edits.

use formwork_base::{FileId, SourceMap, Span};
use formwork_syntax::{NodeId, Style, Tree, flags};

/// Places of authored text that are written differently.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    /// In order of their starts.
    all: Vec<(Span, String)>,
    nodes: Vec<NodeId>,
}

impl Edits {
    /// Writes a scalar with another text, with its own quotes if it has some.
    pub(crate) fn replace(&mut self, tree: &Tree, node: NodeId, text: String) {
        let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_' | '-'))
            && !text.starts_with('-');
        let written = match tree.style(node) {
            Style::Plain if is_plain => text,
            Style::Single => format!("'{}'", text.replace('\'', "''")),
            _ => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        };
        self.all.push((tree.span(node), written));
        self.nodes.push(node);
    }

    /// Leaves out the anchors: two files may use one name, and aliases are written as the values that they repeat.
    pub(crate) fn cut_anchors(&mut self, tree: &Tree) {
        self.all.extend(tree.anchor_spans().into_iter().map(|span| (span, String::new())));
        self.all.sort_by_key(|(span, _)| span.start());
    }

    pub(crate) fn changed(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.iter().copied()
    }

    /// Returns a part of a file, which begins at an offset, with the edits in it.
    pub(crate) fn applied(&self, sources: &SourceMap, file: FileId, part: &str, offset: usize) -> String {
        let start = sources.base(file) + offset as u32;
        let end = start + part.len() as u32;
        let first = self.all.partition_point(|(span, _)| span.start() < start);
        let mut out = String::with_capacity(part.len());
        let mut at = 0;
        for (span, text) in self.all[first..].iter().take_while(|(span, _)| span.end() <= end) {
            let (from, to) = ((span.start() - start) as usize, (span.end() - start) as usize);
            if from < at {
                continue;
            }
            out.push_str(&part[at..from]);
            out.push_str(text);
            at = to;
            if text.is_empty() && out.ends_with(' ') {
                at += part[at..].len() - part[at..].trim_start_matches(' ').len();
            }
            if text.is_empty() && part[at..].starts_with(['\n', '\r']) {
                out.truncate(out.trim_end_matches(' ').len());
            }
        }
        out.push_str(&part[at..]);
        out
    }
}

/// Returns `true` if the text of a node means the same in another place.
pub(crate) fn is_portable(tree: &Tree, node: NodeId) -> bool {
    !tree.is_alias(node) && !tree.has(node, flags::HAS_ALIAS)
}
