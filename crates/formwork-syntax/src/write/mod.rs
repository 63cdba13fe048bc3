//! Tree to text.
//!
//! In the format that was read (`edit`) the new tree is walked beside the authored one: unchanged nodes are copied from
//! the source, byte for byte; replaced nodes are edited inside; copies of a loop's fragment are copied from the one
//! fragment, each line shifted; text that is written again is copied from where it was written before (`copies`). Only
//! nodes without source are re-created. In the other format (`json`, `yaml`) everything is.
//!
//! Finished lines go to a sink as they come: a large output is never held in memory. A [`Recorder`] receives where each
//! node begins, for source maps, and costs nothing without one ([`NoRecord`]).

mod copies;
mod edit;
mod json;
mod json_string;
mod most;
mod out;
mod scalar;
mod yaml;

use formwork_base::SourceMap;

use crate::document::{Document, Format};
use crate::tree::{NodeId, Tree};
pub use most::at_most;
use out::Out;
pub use out::{NoRecord, Part, Recorder, Sink};

/// Writes the tree below `root`, which came from `document`, in a format.
pub fn write<R: Recorder>(
    tree: &Tree,
    root: NodeId,
    document: &Document,
    sources: &SourceMap,
    format: Format,
    sink: Sink<'_>,
    recorder: &mut R,
) {
    // What is computed is most often no more than a few times as long as its source.
    let mut out = Out::new(sink, recorder, 4 * sources.text(document.file).len());
    match format {
        format if format == document.format => edit::write(tree, root, document, sources, &mut out),
        Format::Json => json::write(tree, root, &mut out),
        Format::Yaml => yaml::write(tree, root, &mut out),
    }
    out.finish();
}

/// The same, as one string.
pub fn to_string(tree: &Tree, root: NodeId, document: &Document, sources: &SourceMap, format: Format) -> String {
    let mut text = String::new();
    write(tree, root, document, sources, format, &mut |part| text.push_str(part), &mut NoRecord);
    text
}
