//! What every stage of Formwork needs and none owns: positions in source text, virtual paths,
//! the [`Host`] through which files are read, and the one [`Diagnostic`] model.
//!
//! This crate knows nothing of YAML or of CloudFormation. It does no I/O. Begin reading in
//! [`source_map`].

pub mod cancellation;
pub mod codes;
mod consequences;
pub mod diagnostic;
pub mod diagnostics;
pub mod display;
pub mod file_bytes;
pub mod file_range;
pub mod finding;
pub mod frame;
pub mod goal;
mod hexadecimal;
pub mod host;
pub mod id_map;
pub mod json_pointer;
pub mod limits;
pub mod line_index;
mod lock;
pub mod origins;
mod path_step;
pub mod percent;
pub mod selection;
pub mod severities;
pub mod severity;
pub mod source_map;
mod source_text;
pub mod span;
pub mod suggest;
pub mod toml_slip;
pub mod virtual_path;
mod wildcard;

pub use cancellation::{Cancellation, Cancelled};
pub use codes::{Code, CodePattern};
pub use diagnostic::{Advice, Diagnostic, Fix, Label, OtherRule, ValueAdvice};
pub use diagnostics::Diagnostics;
pub use file_bytes::{FileBytes, FileText};
pub use file_range::FileRange;
pub use finding::Finding;
pub use frame::{Frame, FrameKind, MOST_CONTEXTS, keep_ends};
pub use goal::Goal;
pub use hexadecimal::hexadecimal;
pub use host::{Host, MemoryHost, ReadError};
pub use id_map::{IdMap, IdSet};
pub use limits::Limits;
pub use line_index::{ColumnUnit, LineColumn, LineIndex};
pub use lock::lock;
pub use origins::{OriginFile, OriginRow, Origins};
pub use path_step::{PathStep, dotted};
pub use selection::Selection;
pub use severities::Severities;
pub use severity::Severity;
pub use source_map::{FileId, Place, SourceMap};
pub use source_text::SourceText;
pub use span::Span;
pub use virtual_path::VirtualPath;
pub use wildcard::matches_wildcard;
