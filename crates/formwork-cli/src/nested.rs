//! A template and its local nested templates, compiled for their problems.

use formwork::nested::PathErrors;
use formwork::{Analysis, Goal, Report};

use crate::inputs::Input;
use crate::live::Live;

/// Compiles a template and its local nested templates. The reports are of the template first.
///
/// # Errors
/// When AWS is to be asked for account data and cannot be.
pub(crate) fn compile(live: &mut Live, input: &Input, goal: Goal) -> Result<(Analysis<'static>, Vec<Report>), String> {
    let (mut analysis, mut root) = live.analyze(input, goal, None)?;
    let nested = live.nested(input, &mut analysis, &mut root, goal, PathErrors::Reported)?;
    Ok((analysis, std::iter::once(root).chain(nested).collect()))
}
