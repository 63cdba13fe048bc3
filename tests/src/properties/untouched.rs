//! A template in which there is nothing to do comes out byte for byte.
//!
//! Holds reference/values.md#untouched.

use formwork::{Goal, Options};

use super::{Verdict, compile, equal};

/// The law for one template: its output, written once, has nothing left to do.
///
/// # Errors
/// In words.
pub fn untouched(text: &str) -> Verdict {
    let result = compile(text, &Options::default(), Goal::Expand);
    match result.output() {
        Ok(output) if result.is_unchanged() => equal("nothing to do", &output.render(None), text),
        _ => Ok(()),
    }
}
