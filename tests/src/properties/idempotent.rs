//! What is expanded stays as it is: `expand(expand(x)) = expand(x)`, byte for byte.
//!
//! Holds reference/values.md#laws.

use formwork::{Goal, Options, codes};

use super::{Verdict, compile, equal, output, text_of};

/// The law for one template.
///
/// # Errors
/// In words.
pub fn idempotent(text: &str) -> Verdict {
    for stage in [Goal::Expand, Goal::Resolve] {
        let result = compile(text, &Options::default(), stage);
        // Lookups that fail and may never be made keep the transform; once they are gone, so is it.
        let has_failures = result.diagnostics().iter().any(|found| {
            found.code == codes::KEPT_FOR_TRANSFORM && found.notes.iter().any(|note| note.contains("may never be made"))
        });
        if result.has_errors() || has_failures {
            continue;
        }
        let once = text_of(&result, None)?;
        let Some(twice) = output(&once, &Options::default(), stage) else {
            return Err(format!("the output has errors in {}\n--- template\n{text}\n--- output\n{once}", stage.name()));
        };
        equal(&format!("{} twice of\n{text}", stage.name()), &once, &twice)?;
    }
    Ok(())
}
