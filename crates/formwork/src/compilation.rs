//! The result of a run.

use formwork_base::{Diagnostic, FileBytes, SourceMap, Span};
use formwork_expand::for_each::LoopRun;
use formwork_syntax::write::{self, NoRecord, Sink};
use formwork_syntax::{Document, Encoding, Format, NodeId, Tree};
use formwork_template::Template;

/// The result of a run: a template, unless there are errors, and everything that is to be said.
#[derive(Debug)]
pub struct Compilation {
    pub(crate) tree: Tree,
    pub(crate) sources: SourceMap,
    pub(crate) document: Document,
    pub(crate) root: NodeId,
    pub(crate) template: Template,
    pub(crate) encoding: Encoding,
    pub(crate) bytes: FileBytes,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) has_errors: bool,
    pub(crate) secrets: Vec<Span>,
    pub(crate) loops: Vec<LoopRun>,
}

impl Compilation {
    /// Whether there are errors; then there is no right output.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Everything that is to be said, by file and position.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The files that were read.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Spans of text that no report may show.
    pub fn secrets(&self) -> &[Span] {
        &self.secrets
    }

    /// The format of the template.
    pub fn format(&self) -> Format {
        self.document.format
    }

    /// Loops that were unrolled: name, items of the first run, iterations over all runs.
    pub fn loops(&self) -> impl Iterator<Item = (&str, usize, u64)> {
        self.loops.iter().map(|run| {
            let key = self.tree.text(run.key);
            (formwork_syntax::function::loop_name(key).unwrap_or(key), run.items, run.iterations)
        })
    }

    /// Whether the template comes out as it went in.
    pub fn is_unchanged(&self) -> bool {
        self.root == self.document.root && !self.tree.has(self.root, formwork_syntax::flags::HAS_ALIAS)
    }

    /// Writes the template in a format, its own by default. Finished parts go to `sink` in order.
    pub fn write(&self, format: Option<Format>, sink: Sink<'_>) {
        let format = format.unwrap_or(self.document.format);
        write::write(&self.tree, self.root, &self.document, &self.sources, format, sink, &mut NoRecord);
    }

    /// The template as text.
    pub fn to_string(&self, format: Option<Format>) -> String {
        let mut text = String::new();
        self.write(format, &mut |part| text.push_str(part));
        text
    }

    /// The template as bytes: those of the file when nothing changed, else in its encoding.
    pub fn write_bytes(&self, format: Option<Format>, sink: &mut dyn FnMut(&[u8])) {
        let same_format = format.is_none_or(|format| format == self.document.format);
        if same_format && self.is_unchanged() {
            return sink(&self.bytes);
        }
        match self.encoding {
            Encoding::Utf8 => self.write(format, &mut |part| sink(part.as_bytes())),
            Encoding::Utf8Mark if same_format => {
                sink("\u{feff}".as_bytes());
                self.write(format, &mut |part| sink(part.as_bytes()));
            }
            encoding if same_format => sink(&encoding.encode(&self.to_string(format))),
            _ => self.write(format, &mut |part| sink(part.as_bytes())),
        }
    }

    /// The template as written, by its sections.
    pub fn template(&self) -> &Template {
        &self.template
    }
}
