//! Findings of other tools about an expansion, on the lines that people wrote (reference/map-back.md).
//!
//! [`SourceMap`] reads the file of `--source-map`. [`report`] detects report kinds; each has a file: `cfn_lint`, `sarif`
//! (cfn-guard, checkov, trivy), `validate` (cloudformation-validate), `events`, `lines`. A finding has a [`Target`] in the
//! output; [`Located`] is what the map has about it, and [`merged`] makes those of one site one. Nothing is read here.

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
