//! Detection of strings that may have a placeholder of `Fn::Sub` or of a loop.

/// Returns `true` when a string has a `${` or `&{`.
pub fn has_placeholder(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Most strings are short and have no brace: looking at eight bytes in one step costs less than preparing a
    // search.
    if let (Some(first), Some(last), 8..=16) = (bytes.first_chunk(), bytes.last_chunk(), bytes.len())
        && !has_brace(u64::from_le_bytes(*first))
        && !has_brace(u64::from_le_bytes(*last))
    {
        return false;
    }
    if bytes.len() <= 16 {
        return bytes.windows(2).any(is_placeholder_start);
    }
    let is_placeholder = |at: usize| at > 0 && is_placeholder_start(&bytes[at - 1..=at]);
    memchr::memchr_iter(b'{', bytes).any(is_placeholder)
}

fn is_placeholder_start(pair: &[u8]) -> bool {
    matches!(pair, b"${" | b"&{")
}

fn has_brace(word: u64) -> bool {
    const ONES: u64 = u64::MAX / 255;
    let word = word ^ (ONES * u64::from(b'{'));
    word.wrapping_sub(ONES) & !word & (ONES << 7) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_found_wherever_they_begin() {
        for len in 0..40 {
            for at in 0..len {
                for (text, expected) in [("${", true), ("&{", true), ("{{", false), ("{$", false), ("$x", false)] {
                    let mut whole = "a{é"[..len.min(2)].to_owned();
                    whole.truncate(len.min(at));
                    whole.extend(std::iter::repeat_n('{', at - whole.len()));
                    whole.push_str(text);
                    whole.extend(std::iter::repeat_n('x', len - at));
                    assert_eq!(has_placeholder(&whole), expected, "{whole}");
                }
            }
        }
    }
}
