//! Patterns with `*` and `?`.

/// Returns `true` when a pattern matches a whole string. `*` matches any characters; `is_one(p, c)` decides whether the
/// character `p` of the pattern, `?` among others, matches the character `c`.
pub fn matches_wildcard(pattern: &str, text: &str, is_one: impl Fn(char, char) -> bool) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(&c) = text.get(t) {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&one) if is_one(one, c) => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, t) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).unwrap_or_default().iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_any_characters() {
        let matches = |pattern, text| matches_wildcard(pattern, text, |p, c| p == c || p == '?');
        assert!(matches("a*b*c", "axxbyyc") && !matches("a*b*c", "axxbyy"));
        assert!(matches("a?c", "abc") && !matches("a?c", "ac"));
        assert!(matches("*", "") && matches("**", "x") && !matches("", "x"));
    }
}
