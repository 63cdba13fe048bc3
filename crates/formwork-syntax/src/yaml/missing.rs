//! An element of brackets without the comma in front of it, or a comma without the element in front of it.

use std::ops::Range;

use super::outline::Line;

pub(super) struct Missing {
    pub(super) what: &'static str,
    pub(super) help: String,
    pub(super) place: Range<usize>,
    /// The text to write at the start of the place.
    pub(super) text: &'static str,
}

const LONGEST: usize = 60;

/// Returns what is missing in brackets at an offset.
pub(super) fn element(text: &str, offset: usize) -> Option<Missing> {
    let line = Line::of(text, offset).range;
    let before = text.get(line.start..offset)?.trim_end();
    let rest = text.get(offset..line.end)?;
    if rest.starts_with(',') && before.ends_with(['[', ',']) {
        let is_join = before.ends_with("!Join [") || before.ends_with("Fn::Join: [");
        let help = if is_join {
            "write the delimiter in quotes: `\",\"`, or `\"\"` for none".to_owned()
        } else {
            "write the element, or remove the comma".to_owned()
        };
        let what =
            if is_join { "the delimiter of Fn::Join is missing" } else { "an element in front of a comma is missing" };
        return Some(Missing { what, help, place: offset..offset + 1, text: if is_join { "\",\"" } else { "\"\"" } });
    }
    let quote = before.chars().next_back().filter(|c| matches!(c, '"' | '\''))?;
    let is_next = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '"' | '\'' | '!'));
    let gap = offset - line.start - before.len();
    if !is_next || gap == 0 {
        return None;
    }
    let end = rest.find([',', ']', '}']).unwrap_or(rest.len());
    let next = rest[..end].trim_end();
    let behind = before.len() - before[..before.len() - 1].rfind(quote)?;
    let own = &before[before.len() - behind..];
    let start = line.start + before.len();
    let is_short = own.len() + next.len() <= LONGEST && !next.contains('`') && !own.contains('`');
    let help = if is_short { format!("write `{own}, {next}`") } else { "write a comma between the two".to_owned() };
    Some(Missing {
        what: "a comma is missing between two elements",
        help,
        place: start..offset + next.len(),
        text: ",",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_elements_are_missing() {
        for (text, at, want) in [
            ("A: [\"a\" \"b\"]", 8, Some("A: [\"a\", \"b\"]")),
            ("A: ['a' b]", 8, Some("A: ['a', b]")),
            ("A: !Join [ , [a]]", 11, Some("A: !Join [ \",\", [a]]")),
            ("A: [\"a\"b]", 7, None),
            ("A: [a b]", 6, None),
        ] {
            let fixed = element(text, at).map(|missing| {
                let mut fixed = text.to_owned();
                fixed.insert_str(missing.place.start, missing.text);
                fixed
            });
            assert_eq!(fixed.as_deref(), want, "{text}");
        }
    }
}
