//! A template and its local nested templates, compiled for their diagnostics.

use formwork::nested::PathErrors;
use formwork::{Analysis, Goal, Observer, Report};
use formwork_project::Failure;

use crate::inputs::Input;
use crate::live::Live;

/// Compiles a template and its local nested templates. The first report is that of the template.
///
/// # Errors
/// When account data is requested from AWS, and the request fails.
pub fn compile(
    live: &mut Live,
    input: &Input,
    goal: Goal,
    observer: Option<Observer<'_>>,
) -> Result<(Analysis<'static>, Vec<Report>), Failure> {
    let (mut analysis, mut root) = live.analyze(input, goal, observer)?;
    let nested = live.nested(input, &mut analysis, &mut root, goal, PathErrors::Reported)?;
    Ok((analysis, std::iter::once(root).chain(nested).collect()))
}
