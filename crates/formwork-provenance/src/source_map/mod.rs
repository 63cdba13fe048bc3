//! Source maps: the origin of every node of an output, in one file (reference/provenance.md#source-map).
//!
//! While the output is written, [`Recorder`] records for each key, scalar and call its place and its authored node, in
//! *segments*: rows relative to a *use*, so that the copies of a loop body share one. The rules and sources of the rows
//! are computed afterwards, once per segment (`json`).

mod json;
mod recorder;
mod rows;

pub use recorder::{Recorded, Recorder};

use formwork_base::FileId;

/// The header of a source map.
#[derive(Clone, Debug)]
pub struct Output {
    /// The stage, `expand` or `resolve`.
    pub stage: &'static str,
    /// The path of the output from the directory of the template; `stdout` for standard output.
    pub path: String,
    /// `yaml` or `json`.
    pub format: &'static str,
    /// SHA-256 of the output, in hexadecimal.
    pub sha256: String,
    /// SHA-256 of the files that were read, in hexadecimal, if it is not that of their decoded text.
    pub files: Vec<(FileId, String)>,
    /// The transform that made nodes of the output, if one did.
    pub by: Option<&'static str>,
    /// Logical IDs that end in a hash of the path of a local file. Packaging changes them.
    pub provisional: Vec<String>,
}

/// Returns the SHA-256 of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    formwork_base::hexadecimal(&<sha2::Sha256 as sha2::Digest>::digest(bytes))
}
