//! Findings of other tools about an expansion, on the lines that people wrote (reference/map-back.md).
//!
//! In go the JSON of a source map and the report of a tool, out comes the report with authored places. No session is
//! needed, so a report can be translated where no template is. Nothing is read here.
//!
//! [`SourceMap`] reads the file of `--source-map`. [`report`] detects report kinds; each has a file that reads and
//! rewrites it: `cfn_lint`, `sarif` (cfn-guard, checkov, trivy), `checkov`, `validate` (cloudformation-validate),
//! `events`, `lines`. A finding ([`ToolFinding`]) has a [`Target`] in the output; a [`Locator`] looks up its site,
//! [`Located`] is what the map has about it, and [`merged`] makes those of one site one.
//!
//! `check --with` (`formwork-check`) writes the expansion and its map, runs the tools, and makes diagnostics of what
//! they find ([`diagnostic`](fn@diagnostic)): they carry an [`OtherRule`](formwork_base::OtherRule), whose ID replaces
//! the code in every form.

mod cfn_lint;
mod checkov;
mod diagnostic;
mod events;
mod finding;
mod lines;
mod locate;
mod map;
mod merge;
mod paths;
pub mod report;
mod sarif;
mod site;
mod suppress;
mod validate;

pub use diagnostic::diagnostic;
pub use finding::{Level, Target, ToolFinding};
pub use lines::map_lines;
pub use locate::{Located, Locator, authored_path};
pub use map::{Entry, MapError, SourceMap};
pub use merge::{Merged, merged};
pub use site::{Site, SiteFrame, SiteSource};
pub use suppress::is_suppressed;
