//! JSON errors of files that are not templates.

use formwork_base::{Diagnostics, Limits, LineIndex, codes};

use super::read::read;
use crate::tree::Tree;

/// Returns the reason why bytes that another reader rejected are not JSON: a clause with line and column, from 1. No
/// value is quoted.
pub fn why_not(bytes: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(bytes) else { return "it is not UTF-8 text".to_owned() };
    if text.trim().is_empty() {
        return "it is empty".to_owned();
    }
    let mut found = Diagnostics::new();
    read(&mut Tree::new(), text, 0, &Limits::default(), &mut found);
    let first = found.iter().filter(|one| one.code == codes::NOT_WELL_FORMED || one.code == codes::LIMIT);
    let Some(first) = first.min_by_key(|one| one.span().start()) else {
        return "it is not JSON".to_owned();
    };
    let (line, column) = LineIndex::new(text).line_column(text, first.span().start());
    // A number or word without quotes may be a secret.
    let title = if first.message.starts_with('`') { "this is not a value of JSON" } else { &first.message };
    format!("line {line}, column {column}: {title}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_has_its_place_and_no_value() {
        for (text, want) in [
            ("", "it is empty"),
            ("{\"a\": 1,}", "line 1, column 8: JSON does not have a comma in front of `}`"),
            ("{\n  \"a\": 'hunter2'\n}", "line 2, column 8: a string of JSON is in double quotes"),
            ("{a: 1}", "line 1, column 2: a key of JSON is in double quotes"),
            ("{\"a\": hunter2}", "line 1, column 7: a string of JSON is in double quotes"),
            ("{\"a\": 0x1F}", "line 1, column 7: this is not a value of JSON"),
            ("{\"a\": 1", "line 1, column 1: the bracket `{` is never closed"),
            ("{} {}", "line 1, column 4: the file has a second object"),
            ("hunter2", "line 1, column 1: a string of JSON is in double quotes"),
        ] {
            assert_eq!(why_not(text.as_bytes()), want, "{text}");
        }
    }
}
