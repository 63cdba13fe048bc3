//! Whatever is read, it ends, and what is said of it has places in it.

use formwork::{Options, Stage};
use formwork_report::{Context, human, json, short};

use super::{Verdict, compile};

/// The law for any text, in all commands.
///
/// # Errors
/// In words.
pub fn quiet(text: &str) -> Verdict {
    for stage in [Stage::Expand, Stage::Resolve, Stage::Check] {
        let result = compile(text, &Options::default(), stage);
        let context = Context { sources: result.sources(), secrets: result.secrets(), color: false };
        for diagnostic in result.diagnostics() {
            let shown = human::render(diagnostic, &context);
            if shown.is_empty() || short::render(diagnostic, &context).lines().count() != 1 {
                return Err(format!("{shown} is not one line when it is short"));
            }
            let line = json::render(diagnostic, &context);
            if serde_json::from_str::<serde_json::Value>(&line).is_err() {
                return Err(format!("{line} is no JSON"));
            }
        }
        if !result.has_errors() {
            result.write(None, &mut |_| {});
        }
    }
    Ok(())
}
