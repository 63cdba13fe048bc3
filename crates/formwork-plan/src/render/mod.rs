//! A plan for people, as JSON, and as a comment of a pull request. Renderers are pure and return strings.

pub mod json;
pub mod markdown;
pub mod text;
mod words;

use crate::plan::Plan;
use crate::refactor::Refactor;
use crate::summary::Summary;

/// A plan, and the other parts of a report.
#[derive(Clone, Copy, Debug)]
pub struct Report<'r> {
    /// Path of the template, as typed.
    pub template: &'r str,
    /// The plan.
    pub plan: &'r Plan<'r, 'r>,
    /// Parameters whose Defaults are used as values: name and value.
    pub defaults: &'r [(String, String)],
    /// Arguments that differ: name, old and new value.
    pub arguments: &'r [(String, String, String)],
    /// Gates that were hit.
    pub failed: &'r [&'static str],
    /// The requested refactoring, and the summary of the plan after it.
    pub refactor: Option<(&'r Refactor, Summary)>,
}
