//! Times on the command line.

use jiff::Timestamp;

/// Parses a time (reference/around.md#times).
///
/// # Errors
/// The message lists the accepted forms.
pub fn time_word(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    let wrong = || {
        format!(
            "`{text}` is not a time\n  help: write `10m`, `2h ago`, `yesterday`, or a time in UTC such as `2026-01-31 10:00:00`"
        )
    };
    formwork_deploy::moment::parse(text, now).ok_or_else(wrong)
}
