//! Whatever is read, it ends, and its reports have places in it.
//!
//! Holds reference/diagnostics.md#places.

use formwork::{Compilation, Goal, Options};
use formwork_base::display::{escape_json, escape_lines};
use formwork_report::{Context, human, json, short};

use super::{Verdict, compile};

/// The law for any text, in all commands.
///
/// # Errors
/// In words.
pub fn quiet(text: &str) -> Verdict {
    for stage in [Goal::Expand, Goal::Resolve, Goal::Check] {
        let result = compile(text, &Options::default(), stage);
        well_formed(&result)?;
        if let Ok(output) = result.output() {
            output.write(None, &mut |_| {});
        }
    }
    Ok(())
}

/// The law for the reports of a run: it can be shown, nothing in it acts on a terminal, and its places lie in
/// the files.
///
/// # Errors
/// In words.
pub fn well_formed(result: &Compilation) -> Verdict {
    let context = Context { sources: result.sources(), secrets: result.secrets(), color: false, width: None };
    for diagnostic in result.diagnostics() {
        let shown = human::render(diagnostic, &context);
        let short = short::render(diagnostic, &context);
        if shown.is_empty() || short.lines().count() != 1 {
            return Err(format!("{shown} is not one line when it is short"));
        }
        if escape_lines(&shown) != shown || escape_lines(&short) != short {
            return Err(format!("{shown:?} acts on a terminal"));
        }
        let line = json::render(diagnostic, &context);
        if serde_json::from_str::<serde_json::Value>(&line).is_err() || escape_json(&line) != line {
            return Err(format!("{line} is not JSON that can be shown"));
        }
        let places = diagnostic.primary.iter().chain(&diagnostic.related).map(|label| label.span);
        for span in places.chain(diagnostic.frames.iter().map(|frame| frame.span)) {
            if !span.is_none() && result.sources().place(span).is_none() {
                return Err(format!("{span:?} lies in no file: {}", diagnostic.message));
            }
        }
    }
    Ok(())
}
