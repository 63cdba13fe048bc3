//! Maps findings of other tools about an expansion to the authored lines (reference/map-back.md).
//!
//! The input is the JSON of a source map and the report of a tool, the output the report with authored locations. No
//! session is needed, so a report can be mapped without the template. No file is read here.
//!
//! [`SourceMap`] reads the file of `--source-map`. [`report`] detects report kinds; each has a file that reads and
//! rewrites it: `cfn_lint`, `sarif` (cfn-guard, checkov, trivy), `checkov`, `validate` (cloudformation-validate),
//! `events`, `lines`. A finding ([`ToolFinding`]) has a [`Target`] in the output; a [`Locator`] looks up its site,
//! [`Located`] is the finding with its site, and [`merged`] merges those of one site.
//!
//! `check --with` (`formwork_run::check`) writes the expansion and its map, runs the tools, and converts their findings to
//! diagnostics ([`diagnostic`](fn@diagnostic)): they carry an [`OtherRule`](formwork_base::OtherRule), whose ID
//! replaces the code in every form.

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
