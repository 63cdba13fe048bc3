//! The literal characters that all matches of a pattern begin or end with.

use super::Piece;

/// Returns the literal part at an end of a string that does not have what every match of a pattern has there, and what
/// to write.
pub(super) fn violated<'p>(pattern: &str, pieces: &'p [Piece]) -> Option<(&'p str, String)> {
    if let (Some(end), Some(Piece::Text(last))) = (suffix(pattern), pieces.last())
        && !end.ends_with(last.as_str())
        && !last.ends_with(&end)
    {
        return Some((last, format!("write `{end}` at its end")));
    }
    if let (Some(start), Some(Piece::Text(first))) = (prefix(pattern), pieces.first())
        && !start.starts_with(first.as_str())
        && !first.starts_with(&start)
    {
        return Some((first, format!("write `{start}` at its start")));
    }
    None
}

/// Returns `true` if an end alone shows that a string matches a pattern, and `false` if it does not.
pub(in super::super) fn decide(pattern: &str, pieces: &[Piece]) -> Option<bool> {
    if violated(pattern, pieces).is_some() {
        return Some(false);
    }
    let end = suffix(pattern)?;
    // The pattern is about the end alone.
    let is_end = pattern.replace('\\', "").strip_suffix('$') == Some(end.as_str());
    let Some(Piece::Text(last)) = pieces.last().filter(|_| is_end) else { return None };
    last.ends_with(&end).then_some(true)
}

/// Returns the literal characters behind `^`.
fn prefix(pattern: &str) -> Option<String> {
    let mut literal = String::new();
    let mut rest = pattern.strip_prefix('^').filter(|_| is_one_branch(pattern))?.chars().peekable();
    while let Some(character) = rest.next() {
        let character = match character {
            '\\' => rest.next().filter(char::is_ascii_punctuation),
            other => is_literal(other).then_some(other),
        };
        // A quantifier makes it optional.
        let is_counted = rest.peek().is_some_and(|next| matches!(next, '?' | '*' | '{'));
        let Some(character) = character.filter(|_| !is_counted) else { break };
        literal.push(character);
        if rest.peek() == Some(&'+') {
            break;
        }
    }
    (!literal.is_empty()).then_some(literal)
}

/// Returns the literal characters before `$`.
fn suffix(pattern: &str) -> Option<String> {
    let mut characters: Vec<char> = pattern.strip_suffix('$').filter(|_| is_one_branch(pattern))?.chars().collect();
    let mut literal = Vec::new();
    while let Some(character) = characters.pop() {
        let slashes = characters.iter().rev().take_while(|&&before| before == '\\').count();
        match slashes {
            1 if character.is_ascii_punctuation() => {
                characters.pop();
                literal.push(character);
            }
            0 if is_literal(character) => literal.push(character),
            _ => break,
        }
    }
    literal.reverse();
    (!literal.is_empty()).then(|| literal.into_iter().collect())
}

/// Returns `true` unless the pattern has alternatives outside of groups, or flags.
fn is_one_branch(pattern: &str) -> bool {
    let mut depth = 0_i32;
    let mut is_escaped = false;
    for character in pattern.chars() {
        match character {
            _ if is_escaped => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '|' if depth == 0 => return false,
            _ => {}
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    !pattern.contains("(?")
}

fn is_literal(character: char) -> bool {
    !matches!(character, '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '^' | '$')
}

#[cfg(test)]
mod tests {
    use super::{prefix, suffix};

    #[test]
    fn ends_are_the_literal_characters_that_every_match_has() {
        for (pattern, start, end) in [
            (r"^.*\.fifo$", None, Some(".fifo")),
            (r"\.fifo$", None, Some(".fifo")),
            ("^https://", Some("https://"), None),
            ("^https?://.*$", Some("http"), None),
            ("^[a-z]+(\\.fifo)?$", None, None),
            ("^arn:aws|^x$", None, None),
            ("^a+b$", Some("a"), Some("b")),
            (r"^x\d$", Some("x"), None),
            ("^(?i)ab$", None, None),
            (r"a\\$", None, Some("a\\")),
        ] {
            assert_eq!(prefix(pattern).as_deref(), start, "start of {pattern}");
            assert_eq!(suffix(pattern).as_deref(), end, "end of {pattern}");
        }
    }
}
