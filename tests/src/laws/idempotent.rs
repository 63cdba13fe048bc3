//! What is expanded stays as it is: `expand(expand(x)) = expand(x)`, byte for byte.

use formwork::{Options, Stage};

use super::{Verdict, equal, output};

/// The law for one template.
///
/// # Errors
/// In words.
pub fn idempotent(text: &str) -> Verdict {
    for stage in [Stage::Expand, Stage::Resolve] {
        let Some(once) = output(text, &Options::default(), stage) else { continue };
        let Some(twice) = output(&once, &Options::default(), stage) else {
            return Err(format!("the output has errors in {}\n--- template\n{text}\n--- output\n{once}", stage.name()));
        };
        equal(&format!("{} twice of\n{text}", stage.name()), &once, &twice)?;
    }
    Ok(())
}
