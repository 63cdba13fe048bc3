//! The writer of trees.
//!
//! In the format of the source (`edit`) the new tree is walked beside the authored one: unchanged nodes are copied from
//! the source, byte for byte; replaced nodes are edited inside; copies of a loop's fragment are copied from the one
//! fragment, each line shifted; repeated text is copied from its first output (`copies`). Only nodes without source are
//! re-created. In the other format (`json`, `yaml`) all nodes are, and also in JSON that has each entry on its own line
//! (`json::lines`), for which the result is the same.
//!
//! Finished lines go to a sink as they come: a large output is never held in memory. A [`Recorder`] receives the place
//! of each node, for source maps, and costs nothing without one ([`NoRecord`]).

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
use crate::json::lines::step;
use crate::tree::{NodeId, Tree, flags};
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
    // Computed output is most often no more than a few times as long as its source.
    let mut out = Out::new(sink, recorder, 4 * sources.text(document.file).len());
    match format {
        format if format == document.format && !document.is_united => {
            write_in_place(tree, root, document, sources, &mut out);
        }
        Format::Json => json::write(tree, root, &mut out),
        Format::Yaml => yaml::write(tree, root, &mut out),
    }
    out.finish();
}

fn write_in_place<R: Recorder>(
    tree: &Tree,
    root: NodeId,
    document: &Document,
    sources: &SourceMap,
    out: &mut Out<'_, R>,
) {
    let text: &str = sources.text(document.file);
    if root == document.root && !tree.has(root, flags::EDITED) && !R::ON {
        return out.push(text);
    }
    match step(text).filter(|_| tree.has(document.root, flags::IN_LINES)) {
        Some(step) => {
            let source = json::DocumentLines { text, base: sources.base(document.file), step };
            json::write_as(tree, root, source, out);
            out.push(if text.ends_with('\n') { "\n" } else { "" });
        }
        None => edit::write(tree, root, document, sources, out),
    }
}

/// Writes the tree below `root` to a string.
pub fn to_string(tree: &Tree, root: NodeId, document: &Document, sources: &SourceMap, format: Format) -> String {
    let mut text = String::new();
    write(tree, root, document, sources, format, &mut |part| text.push_str(part), &mut NoRecord);
    text
}
