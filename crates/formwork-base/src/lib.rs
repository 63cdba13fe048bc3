//! The foundation of every stage of Formwork: positions in source text, virtual paths, the [`Host`] through which files
//! are read, and the one [`Diagnostic`] model.
//!
//! This crate knows nothing of YAML or of CloudFormation. It does no I/O.
//!
//! # Places
//!
//! Begin reading in [`source_map`]: all files of a run are in one position space, so that a [`Span`] is two numbers,
//! and [`SourceMap`] returns file, line and column. [`LineIndex`] finds columns by binary search among the characters
//! of more than one byte, not from the start of the line. A [`Frame`] is a context in which a place is seen: an
//! iteration, a use of a module, a nested stack. When a build generated a template, [`Host::origins`] has the authored
//! places of its text, and [`SourceMap::redirect`] shows those.
//!
//! # Diagnostics
//!
//! A [`Diagnostic`] has code, severity, message, places, frames, notes, advice and a fix. The sentence of
//! CloudFormation is in the notes, in backquotes. [`codes`] is the one table of codes; each has a page in
//! `src/codes/pages`, from which `cargo xtask codegen` generates `docs/diagnostics`, and `crates/formwork/tests/pages`
//! runs the examples of every page. [`severities`] is the one table of severities by goal, and [`Selection`] has the
//! codes that the user selected.
//!
//! [`Diagnostics`] counts repeated diagnostics at the same place, so that a loop of a thousand iterations reports an
//! error once. It looks for near names ([`suggest`]) with a bound on the names that it compares: pass them lazily. A
//! [`Finding`] needs no session: it is the diagnostic that the short and JSON forms print.
//!
//! All stages check [`Diagnostics::is_cancelled`] in their loops: for each line or token, include, iteration, evaluated
//! node, checked entry. [`Cancellation::after`] cancels after a number of checks:
//! `crates/formwork/tests/cancellation.rs` does so at 200 steps of each stage and counts the checks after it. The crate
//! `formwork` turns it into [`Cancelled`]; partial results are not kept.
//!
//! # Output to terminals
//!
//! [`display`] escapes what acts on a terminal and masks credentials of addresses; renderers use it for every name,
//! path and value. A file of parameter values is never quoted ([`SourceMap::hide`]).
//!
//! # Bounds
//!
//! [`Limits`] are checked before work is done. Nodes and symbols are numbered one after another: tables beside a tree
//! are vectors or an [`IdMap`], which keeps neighbours beside each other.

pub mod cancellation;
pub mod codes;
mod consequences;
pub mod diagnostic;
pub mod diagnostics;
pub mod display;
mod fact;
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
mod span_set;
pub mod suggest;
pub mod toml_slip;
pub mod virtual_path;
mod wildcard;

pub use cancellation::{Cancellation, Cancelled};
pub use codes::{Code, CodePattern};
pub use diagnostic::{Advice, Diagnostic, Fix, Label, OtherRule, ValueAdvice};
pub use diagnostics::{Diagnostics, Places};
pub use fact::Fact;
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
pub use span_set::SpanSet;
pub use virtual_path::VirtualPath;
pub use wildcard::matches_wildcard;
