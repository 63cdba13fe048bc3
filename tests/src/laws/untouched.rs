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
    if result.has_errors() || !result.is_unchanged() {
        return Ok(());
    }
    equal("nothing to do", &result.to_string(None), text)
}
