//! A plan as text for people, as JSON, and as a comment of a pull request. Renderers are pure and return text.

pub mod json;
pub mod markdown;
pub mod text;
mod words;

use crate::plan::Plan;
use crate::refactor::Refactor;
use crate::summary::Summary;

/// A plan, and what a report has besides.
#[derive(Clone, Copy, Debug)]
pub struct Report<'r> {
    /// The template, as it was typed.
    pub template: &'r str,
    /// The plan.
    pub plan: &'r Plan<'r, 'r>,
    /// Parameters whose Defaults are used as values: name and value.
    pub defaults: &'r [(String, String)],
    /// Arguments that differ: name, old and new value.
    pub arguments: &'r [(String, String, String)],
    /// Gates that were hit.
    pub failed: &'r [&'static str],
    /// The refactoring that was asked for, and what is left to do after it.
    pub refactor: Option<(&'r Refactor, Summary)>,
}
