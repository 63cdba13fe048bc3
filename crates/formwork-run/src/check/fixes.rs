//! Finds, writes and reports the fixes of templates.

use std::path::Path;

use crate::inputs::Input;
use crate::live::Live;
use crate::output;
use crate::terminal::{self, Form};
use formwork::{Fixed, Goal};
use formwork_project::{Failure, FileFailure};

use crate::check::CheckArgs;

pub(crate) type Fixing = Result<Fixed, Failure>;

pub(crate) fn is_stdin(template: &Path) -> bool {
    template == Path::new("-")
}

pub(crate) fn find_fixes(args: &CheckArgs, input: &Input, live: &mut Live) -> Result<Fixed, String> {
    let (analysis, _) = live.analyze(input, Goal::Check, None)?;
    Ok(analysis.fix(args.fixes.unsafe_fixes))
}

pub(crate) fn write_fixed(args: &CheckArgs, template: &Path, fixed: Fixed) -> Fixing {
    if !args.fixes.diff && !is_stdin(template) && fixed.before != fixed.after {
        let unwritten = |why: String| FileFailure::unfit(template, why).of_template();
        output::rewrite(template, &fixed.original, &fixed.bytes).map_err(|why| unwritten(why.into()))?;
    }
    Ok(fixed)
}

pub(crate) fn print_fixes(fixed: &Fixed, is_verbose: bool) {
    for one in &fixed.refused {
        let fix = one.finding.fix.as_ref().map_or("", |fix| &fix.message);
        terminal::say_line(&format!("{}: not fixed ({fix}): {}", place_of(&one.finding), one.reason));
    }
    for one in fixed.applied.iter().filter(|_| is_verbose) {
        let fix = one.fix.as_ref().map_or("", |fix| &fix.message);
        terminal::say_line(&format!("{}: fixed {}: {fix}", place_of(one), one.code));
    }
}

fn place_of(finding: &formwork::Finding) -> String {
    let place = &finding.place;
    let file = place.file.as_deref().unwrap_or_default();
    format!("{file}:{}:{}", place.line.unwrap_or_default(), place.column.unwrap_or_default())
}

/// Prints the fixed template of standard input, or the diff of the fixes.
pub(crate) fn print_fixed(args: &CheckArgs, fixed: &Fixed) -> Result<(), Failure> {
    if !args.fixes.diff {
        return output::write(None, |out| out.write_all(&fixed.bytes));
    }
    if fixed.before == fixed.after {
        return Ok(());
    }
    let file = fixed.applied.first().and_then(|one| one.place.file.clone()).unwrap_or_default();
    let text = formwork_report::line_diff::unified(&file, &fixed.before, &fixed.after);
    Ok(terminal::print(&text, Form::Plain)?)
}
