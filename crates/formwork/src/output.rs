//! The output of a compilation.

use formwork_base::{Diagnostic, Severity};
use formwork_provenance::source_map;
use formwork_syntax::write::Sink;
use formwork_syntax::{Format, NodeId, Tree, Value};
use formwork_template::template::SERVERLESS;
use sha2::{Digest, Sha256};

use crate::compilation::Compilation;
use crate::encoder::Encoder;
use crate::minify::Minifier;
use crate::provisional;

/// The template of a compilation without errors, ready to be written.
#[derive(Clone, Copy, Debug)]
pub struct Output<'c> {
    pub(crate) compilation: &'c Compilation,
    pub(crate) tree: &'c Tree,
    pub(crate) root: NodeId,
}

/// The diagnostics of a compilation that cannot be written: at least one of them is an error.
#[derive(Clone, Debug)]
pub struct Failed<'c> {
    pub(crate) diagnostics: &'c [Diagnostic],
}

impl<'c> Failed<'c> {
    /// Returns all diagnostics, by file and position.
    pub fn diagnostics(&self) -> &'c [Diagnostic] {
        self.diagnostics
    }
}

impl std::fmt::Display for Failed<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut errors = self.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        let Some(first) = errors.next() else { return f.write_str("errors were found in another template") };
        write!(f, "{}: {}", first.code, first.message)?;
        match errors.count() {
            0 => Ok(()),
            1 => f.write_str(", and 1 more error"),
            more => write!(f, ", and {more} more errors"),
        }
    }
}

impl std::error::Error for Failed<'_> {}

impl Compilation {
    /// Returns the output, unless there are errors.
    ///
    /// # Errors
    /// When there are errors, with all diagnostics.
    pub fn output(&self) -> Result<Output<'_>, Failed<'_>> {
        if self.has_errors {
            return Err(Failed { diagnostics: &self.diagnostics });
        }
        Ok(Output { compilation: self, tree: &self.tree, root: self.root })
    }
}

impl Output<'_> {
    /// Writes the template in a format, its own by default. Finished parts go to `sink` in order.
    pub fn write(self, format: Option<Format>, sink: Sink<'_>) {
        self.compilation.write_root(self.tree, self.root, format, sink);
    }

    /// Returns the template as text.
    pub fn render(self, format: Option<Format>) -> String {
        let mut text = String::new();
        self.write(format, &mut |part| text.push_str(part));
        text
    }

    /// Returns the template as data, with functions by their long names. It can be serialized (`serde`).
    pub fn to_value(self) -> Value {
        Value::new(self.tree, self.root)
    }

    /// Returns the template as JSON without white space.
    pub fn minified(self) -> String {
        let (mut minifier, mut dense) = (Minifier::default(), String::new());
        self.write(Some(Format::Json), &mut |part| minifier.push(part, &mut dense));
        dense
    }

    /// Writes the template as bytes: those of the file when nothing changed, else in its encoding.
    pub fn write_bytes(self, format: Option<Format>, sink: &mut dyn FnMut(&[u8])) {
        self.compilation.write_root_bytes(self.tree, self.root, format, sink);
    }

    /// Writes the template in a format, its own by default, and returns its source map
    /// (reference/provenance.md#source-map). `path` is that of the output, from the directory of the template.
    pub fn write_with_map(self, format: Option<Format>, path: &str, sink: &mut dyn FnMut(&[u8])) -> Option<String> {
        let compilation = self.compilation;
        let document = compilation.document;
        let format = format.unwrap_or(document.format);
        let made = compilation.replay.as_ref().and_then(|replay| replay.transformed.as_ref());
        let made = made.filter(|made| made.root == self.root);
        let (result, encoding) = (self.root, compilation.encoding_in(format));
        let files = vec![(document.file, source_map::sha256(&compilation.bytes))];
        let mut digest = Sha256::new();
        compilation.in_session_of(self.tree, result, |session, _| {
            let mut encoder = Encoder::new(encoding, |part: &[u8]| {
                digest.update(part);
                sink(part);
            });
            let recorded = session.record(result, &document, format, &mut |text| encoder.push(text));
            encoder.finish();
            let output = source_map::Output {
                stage: compilation.goal.name(),
                path: path.to_owned(),
                format: format.name(),
                sha256: formwork_base::hexadecimal(&digest.finalize()),
                files,
                by: made.map(|_| SERVERLESS),
                provisional: made.map_or_else(Vec::new, |_| provisional::ids(self.tree, self.root)),
            };
            session.source_map(recorded, &output)
        })
    }
}
