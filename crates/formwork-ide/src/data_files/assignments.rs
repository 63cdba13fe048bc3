//! Words such as `A=b ParameterKey=C,ParameterValue=d` (reference/command-line.md#parameter-values).

use std::ops::Range;

/// Returns the names of the assignments in a text, each with its range there. Spaces inside of quotes do not end a
/// word.
pub(super) fn names(text: &str) -> Vec<(&str, Range<usize>)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut quote = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) if at < text.len() => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ if c.is_whitespace() => {
                found.extend(name_of(text, start..at));
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    found
}

fn name_of(text: &str, word: Range<usize>) -> Option<(&str, Range<usize>)> {
    const KEY: &str = "ParameterKey=";
    let source = text.get(word.clone())?;
    let (start, rest) = match source.strip_prefix(KEY) {
        Some(rest) => (word.start + KEY.len(), rest),
        None => (word.start, source),
    };
    let end = rest.find(['=', ','])?;
    let name = rest.get(..end).filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()))?;
    Some((name, start..start + end))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn words_end_at_spaces_outside_of_quotes() {
        let found = names("A=b  C=\"d E=f\" ParameterKey=G,ParameterValue=h nothing");
        assert_eq!(found, [("A", 0..1), ("C", 5..6), ("G", 28..29)]);
    }
}
