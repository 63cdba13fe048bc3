//! `AllowedPattern`: Java's regular expressions, run with `fancy-regex` in bounded time.
//!
//! Java's `\d \w \s \b` are ASCII, its classes have other names, and it has a few escapes of its
//! own: a pattern is translated first. What cannot be translated is reported, never ignored.

mod flags;

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

use formwork_evaluate::{BoundedRegex, Match};

use super::pattern_syntax;
use flags::{Flags, Opening};

/// Java's ends of lines.
const ENDS_OF_LINES: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// Steps of backtracking that all matches of one value may take together: a few milliseconds.
const STEPS: usize = 200_000;
/// Steps that one match may take, however many there are.
const STEPS_OF_ONE: usize = 2_000;

/// A compiled pattern.
#[derive(Debug)]
pub struct Pattern {
    compiled: Result<BoundedRegex, String>,
    /// Whether lines of a value matter: Java has other ends of lines.
    is_of_lines: bool,
    /// Whether something follows a dollar: in Java that may be a last line break.
    goes_on_after_end: bool,
    /// Whether it looks for boundaries of words: versions of Java differ in which characters beyond ASCII are in one.
    has_boundary: bool,
}

impl Pattern {
    /// Compiles a pattern of Java, for so many matches: the more there are, the fewer steps each may
    /// take.
    pub fn compile(source: &str, matches: usize) -> Pattern {
        let steps = (STEPS / matches.max(1)).max(STEPS_OF_ONE);
        let translated = translate(source);
        let is = |what: fn(&Translated) -> bool| translated.as_ref().is_ok_and(what);
        let (is_of_lines, goes_on_after_end) = (is(|it| it.is_of_lines), is(|it| it.goes_on_after_end));
        let has_boundary = is(|it| it.has_boundary);
        let compiled =
            translated.and_then(|translated| BoundedRegex::new(&format!(r"\A(?:{})\z", translated.text), steps));
        Pattern { compiled, is_of_lines, goes_on_after_end, has_boundary }
    }

    /// Whether the whole of `text` matches.
    pub fn matches(&self, text: &str) -> Match {
        match &self.compiled {
            Err(why) => Match::Unknown(why.clone()),
            // Nor does Java find the start of a line in an empty value.
            Ok(_) if self.is_of_lines && (text.is_empty() || text.contains(ENDS_OF_LINES)) => {
                Match::Unknown("the flag `m` is only supported for values of one line".into())
            }
            Ok(_) if self.goes_on_after_end && text.ends_with(ENDS_OF_LINES) => {
                Match::Unknown("a `$` before other parts is only supported for values of one line".into())
            }
            Ok(_) if self.has_boundary && !text.is_ascii() => {
                Match::Unknown("`\\b` and `\\B` are only supported for values of ASCII".into())
            }
            Ok(regex) => regex.is_match(text),
        }
    }
}

/// What is left of a pattern.
type Characters<'s> = Peekable<Chars<'s>>;

/// Where a character of a pattern is.
#[derive(Clone, Copy)]
struct Place {
    is_in_class: bool,
    flags: Flags,
}

/// A pattern as the engine reads it.
struct Translated {
    text: String,
    is_of_lines: bool,
    goes_on_after_end: bool,
    has_boundary: bool,
}

/// Rewrites what Java spells otherwise.
fn translate(source: &str) -> Result<Translated, String> {
    let mut out = String::with_capacity(source.len() + 16);
    let mut chars = source.chars().peekable();
    // For each open character class whether it is an intersection; and whether one has just been opened.
    let (mut classes, mut is_start) = (Vec::new(), false);
    // Whether an alternative begins here.
    let mut is_next_begin = true;
    let (mut flags, mut outer) = (Flags::default(), Vec::new());
    let (mut is_of_lines, mut goes_on_after_end, mut has_boundary) = (false, false, false);
    while let Some(c) = chars.next() {
        let is_first = std::mem::take(&mut is_start);
        let is_begin = std::mem::replace(&mut is_next_begin, "(|".contains(c));
        let is_in_class = !classes.is_empty();
        match c {
            '\\' => {
                let Some(next) = chars.next() else { return Err("it ends in a backslash".into()) };
                has_boundary |= !is_in_class && "bB".contains(next);
                escape(next, &mut chars, Place { is_in_class, flags }, &mut out)?;
            }
            '[' => {
                classes.push(false);
                is_start = true;
                out.push('[');
                if chars.peek() == Some(&'^') {
                    out.push('^');
                    chars.next();
                }
                match chars.peek() {
                    // A bracket right after the opening one is literal.
                    Some(']') => {
                        out.push_str(r"\]");
                        chars.next();
                    }
                    // `[:alpha:]` is a class of these characters in Java; with two colons it is one in the engine, too.
                    Some(':') => out.push(':'),
                    _ => {}
                }
            }
            ']' if is_in_class => {
                classes.pop();
                out.push(']');
            }
            ']' => out.push_str(r"\]"),
            '&' if classes.last() == Some(&true) => {
                return Err("another `&` in an intersection is not supported".into());
            }
            '&' if is_in_class && chars.peek() == Some(&'&') => {
                chars.next();
                if is_first || chars.peek().is_none_or(|next| "&]".contains(*next)) {
                    return Err("`&&` without a set on either side is not supported".into());
                }
                if let Some(intersects) = classes.last_mut() {
                    *intersects = true;
                }
                out.push_str("&&");
            }
            '-' if is_in_class && flags.folds_all() => {
                return Err("a range is not supported with the flags `iu`".into());
            }
            '-' if is_in_class && chars.peek() == Some(&'-') => {
                return Err("`--` in a character class is not supported".into());
            }
            // Set operators of the engine that Java does not have, and what Java takes for no range.
            '-' if is_in_class && chars.peek() == Some(&'[') => out.push_str(r"\-"),
            '~' if is_in_class && chars.peek() == Some(&'~') => {
                out.push('\\');
                out.push(c);
            }
            c if is_in_class && flags.folds_ascii() => range(c, &mut chars, &mut out)?,
            c if is_in_class => out.push(c),
            '(' => match flags::opening(&mut chars, flags)? {
                Opening::Group(text, inner) => {
                    out.push_str(&text);
                    outer.push(std::mem::replace(&mut flags, inner));
                }
                Opening::Rest(rest) => {
                    let of_engine = rest.of_engine(flags);
                    // The engine would not take them back at the end of the group.
                    if !of_engine.is_empty() && !outer.is_empty() {
                        return Err("the flags `iu` are not supported for the rest of a group".into());
                    }
                    if !of_engine.is_empty() {
                        let _ = write!(out, "(?{of_engine})");
                    }
                    flags = rest;
                }
            },
            ')' => {
                out.push(')');
                flags = outer.pop().unwrap_or_default();
            }
            '.' => out.push_str(flags.dot()),
            '{' if is_begin => return Err("`{` has nothing in front of it to repeat".into()),
            '{' if !is_repetition(chars.clone()) => return Err("`{` is not followed by `n}`, `n,}` or `n,m}`".into()),
            c if c.is_ascii_alphabetic() => push_char(c, Place { is_in_class, flags }, &mut out),
            '$' if !is_in_class => {
                goes_on_after_end |= chars.peek().is_some();
                out.push('$');
            }
            c => out.push(c),
        }
        is_of_lines |= flags.is_of_lines;
    }
    Ok(Translated { text: out, is_of_lines, goes_on_after_end, has_boundary })
}

/// Whether these characters are the bounds of a repetition and the brace behind them.
fn is_repetition(chars: Characters<'_>) -> bool {
    let mut is_closed = false;
    let is_inside = |c: &char| {
        is_closed = *c == '}';
        !is_closed
    };
    let inside: String = chars.take_while(is_inside).collect();
    let is_plain = inside.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    let bounds = pattern_syntax::bounds(&inside).filter(|_| is_closed && is_plain);
    bounds.is_some_and(|(least, most)| most.is_none_or(|most| least <= most))
}

/// A character of a class in which case does not matter, or a range that begins with it.
fn range(first: char, chars: &mut Characters<'_>, out: &mut String) -> Result<(), String> {
    let mut ahead = chars.clone();
    let (last, is_range) = match (ahead.next(), ahead.next()) {
        (Some('-'), Some(last)) if last != ']' && last != '[' => (last, true),
        _ => (first, false),
    };
    if last == '\\' {
        return Err("a range to an escape is not supported where case does not matter".into());
    }
    out.push(first);
    if is_range {
        let _ = write!(out, "-{last}");
        chars.next();
        chars.next();
    }
    for (from, to, other) in [('a', 'z', 'A'), ('A', 'Z', 'a')] {
        let (low, high) = (first.max(from), last.min(to));
        if low <= high {
            let swapped = |c: char| char::from((c as u8) - (from as u8) + (other as u8));
            let _ = write!(out, "{}-{}", swapped(low), swapped(high));
        }
    }
    Ok(())
}

fn escape(c: char, chars: &mut Characters<'_>, place: Place, out: &mut String) -> Result<(), String> {
    let Place { is_in_class, flags } = place;
    // Inside a class an ASCII set is written without its brackets.
    let set = |out: &mut String, inside: &str, negated: bool| match (is_in_class, negated) {
        (true, false) => out.push_str(inside),
        (true, true) => {
            out.push_str("[^");
            out.push_str(inside);
            out.push(']');
        }
        (false, negated) => {
            out.push_str(if negated { "[^" } else { "[" });
            out.push_str(inside);
            out.push(']');
        }
    };
    if flags.folds_all() && "wWdDsShHpP".contains(c) {
        return Err(format!("`\\{c}` is not supported with the flags `iu`"));
    }
    match c {
        'd' => set(out, "0-9", false),
        'D' => set(out, "0-9", true),
        'w' => set(out, "a-zA-Z0-9_", false),
        'W' => set(out, "a-zA-Z0-9_", true),
        's' => set(out, r" \t\n\x0B\f\r", false),
        'S' => set(out, r" \t\n\x0B\f\r", true),
        'h' => set(out, r" \t\xA0\u{1680}\u{180e}\u{2000}-\u{200a}\u{202f}\u{205f}\u{3000}", false),
        'H' => set(out, r" \t\xA0\u{1680}\u{180e}\u{2000}-\u{200a}\u{202f}\u{205f}\u{3000}", true),
        'Z' if !is_in_class => out.push_str(r"\z"),
        'R' if !is_in_class => out.push_str(r"(?:\r\n|[\n\x0B\f\r\x{85}\x{2028}\x{2029}])"),
        'b' | 'B' | 'A' | 'z' | 'G' if !is_in_class => {
            out.push('\\');
            out.push(c);
        }
        'Q' => loop {
            match chars.next() {
                None => break,
                Some('\\') if chars.peek() == Some(&'E') => {
                    chars.next();
                    break;
                }
                Some(literal) => push_char(literal, place, out),
            }
        },
        'E' => {}
        'c' => {
            let Some(control) = chars.next() else { return Err("`\\c` does not name a character".into()) };
            push_code(u32::from(control) ^ 64, place, out)?;
        }
        '0' => {
            let digits: String = std::iter::from_fn(|| chars.next_if(|c| ('0'..='7').contains(c))).take(3).collect();
            let code = u32::from_str_radix(&digits, 8).map_err(|_| "`\\0` needs octal digits".to_owned())?;
            push_code(code, place, out)?;
        }
        'u' => push_code(utf16(chars)?, place, out)?,
        'x' => {
            let digits: String = if chars.peek() == Some(&'{') {
                chars.next();
                chars.by_ref().take_while(|&c| c != '}').collect()
            } else {
                chars.by_ref().take(2).collect()
            };
            let code = u32::from_str_radix(&digits, 16).map_err(|_| "`\\x` needs hexadecimal digits".to_owned())?;
            push_code(code, place, out)?;
        }
        'e' => out.push_str(r"\x1B"),
        'a' => out.push_str(r"\x07"),
        'p' | 'P' => property(c == 'P', chars, place, out)?,
        'k' | '1'..='9' if flags.ignores_case() => {
            return Err("a reference to a group is not supported where case does not matter".into());
        }
        'k' => out.push_str(r"\k"),
        'N' | 'X' => return Err(format!("`\\{c}` is not supported")),
        '1'..='9' if chars.peek().is_some_and(char::is_ascii_digit) => {
            return Err(format!("a digit behind the reference `\\{c}` is not supported"));
        }
        '1'..='9' => {
            out.push('\\');
            out.push(c);
        }
        't' | 'n' | 'r' | 'f' => {
            out.push('\\');
            out.push(c);
        }
        'v' => set(out, r"\n\x0B\f\r\x{85}\x{2028}\x{2029}", false),
        c if c.is_ascii_alphabetic() => return Err(format!("`\\{c}` is not an escape")),
        c => push_char(c, place, out),
    }
    // The other case would be written between both ends.
    if is_in_class && flags.folds_ascii() && "xu0Q".contains(c) && chars.peek() == Some(&'-') {
        return Err("a range from an escape is not supported where case does not matter".into());
    }
    // After a set a dash is itself, never the middle of a range.
    if is_in_class && "dDwWsShHvpP".contains(c) && chars.next_if_eq(&'-').is_some() {
        out.push_str(r"\-");
    }
    Ok(())
}

fn push_literal(c: char, out: &mut String) {
    match c {
        // With a backslash they are ends of words in the engine.
        '<' => out.push_str(r"\x3C"),
        '>' => out.push_str(r"\x3E"),
        c if c.is_ascii_punctuation() => out.extend(['\\', c]),
        c => out.push(c),
    }
}

/// A literal character; a letter in both cases where case does not matter.
fn push_char(c: char, Place { is_in_class, flags }: Place, out: &mut String) {
    if !flags.folds_ascii() || !c.is_ascii_alphabetic() {
        return push_literal(c, out);
    }
    let both = [c, if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }];
    out.push_str(if is_in_class { "" } else { "[" });
    out.extend(both);
    out.push_str(if is_in_class { "" } else { "]" });
}

fn push_code(code: u32, place: Place, out: &mut String) -> Result<(), String> {
    let c = char::from_u32(code).ok_or_else(|| format!("U+{code:04X} is not a character"))?;
    if c.is_ascii_punctuation() || c.is_ascii_alphanumeric() {
        push_char(c, place, out);
    } else {
        let _ = write!(out, r"\x{{{code:X}}}");
    }
    Ok(())
}

/// The code of a character after `\u`: of one beyond U+FFFF both halves are written, `\uD83D\uDE00`.
fn utf16(chars: &mut Characters<'_>) -> Result<u32, String> {
    let unit = |chars: &mut Characters<'_>| {
        let digits: String = chars.by_ref().take(4).collect();
        let is_unit = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u16::from_str_radix(&digits, 16).ok().filter(|_| is_unit)
    };
    let missing = || "`\\u` needs four hexadecimal digits".to_owned();
    let first = unit(chars).ok_or_else(missing)?;
    let mut ahead = chars.clone();
    if (ahead.next(), ahead.next()) == (Some('\\'), Some('u'))
        && let Some(second) = unit(&mut ahead)
        && let Some(Ok(whole)) = char::decode_utf16([first, second]).next()
        && whole > '\u{ffff}'
    {
        *chars = ahead;
        return Ok(u32::from(whole));
    }
    Ok(u32::from(first))
}

/// `\p{...}`: POSIX and Java classes as ASCII sets, Unicode ones by their name.
fn property(
    negated: bool,
    chars: &mut Characters<'_>,
    Place { is_in_class, flags }: Place,
    out: &mut String,
) -> Result<(), String> {
    let name: String = if chars.peek() == Some(&'{') {
        chars.next();
        chars.by_ref().take_while(|&c| c != '}').collect()
    } else {
        chars.next().map(String::from).unwrap_or_default()
    };
    const CASES: [&str; 10] = [
        "Lower",
        "Upper",
        "javaLowerCase",
        "javaUpperCase",
        "javaTitleCase",
        "IsLowercase",
        "IsUppercase",
        "Lu",
        "Ll",
        "Lt",
    ];
    let bare = name.strip_prefix("Is").unwrap_or(&name);
    if flags.ignores_case() && (CASES.contains(&name.as_str()) || CASES.contains(&bare)) {
        return Err(format!("the class `\\p{{{name}}}` is not supported where case does not matter"));
    }
    let ascii = match name.as_str() {
        "Lower" | "javaLowerCase" => Some("a-z"),
        "Upper" | "javaUpperCase" => Some("A-Z"),
        "Alpha" => Some("a-zA-Z"),
        "Digit" => Some("0-9"),
        "Alnum" => Some("a-zA-Z0-9"),
        "Punct" => Some(r"!-/:-@\[-`{-\x7E"),
        "Graph" => Some(r"!-\x7E"),
        "Print" => Some(r" -\x7E"),
        "Blank" => Some(r" \t"),
        "Cntrl" => Some(r"\x00-\x1F\x7F"),
        "XDigit" => Some("0-9a-fA-F"),
        "Space" | "javaWhitespace" => Some(r" \t\n\x0B\f\r"),
        "ASCII" => Some(r"\x00-\x7F"),
        _ => None,
    };
    // Java's own lower and upper case are those of Unicode.
    let ascii = ascii.filter(|_| !name.starts_with("java") || name == "javaWhitespace");
    if let Some(ascii) = ascii {
        let open = match (is_in_class, negated) {
            (true, false) => "",
            (false, false) => "[",
            (_, true) => "[^",
        };
        out.push_str(open);
        out.push_str(ascii);
        if !open.is_empty() {
            out.push(']');
        }
        return Ok(());
    }
    let unicode = match name.as_str() {
        "javaLowerCase" | "IsLowercase" => "Lowercase".to_owned(),
        "javaUpperCase" | "IsUppercase" => "Uppercase".to_owned(),
        "javaLetter" | "IsAlphabetic" => "Alphabetic".to_owned(),
        "javaDigit" | "IsDigit" => "Nd".to_owned(),
        name => {
            let bare = name
                .strip_prefix("Is")
                .or_else(|| name.strip_prefix("general_category="))
                .or_else(|| name.strip_prefix("gc="))
                .unwrap_or(name);
            if name.starts_with("In") || name.starts_with("java") || bare.is_empty() {
                return Err(format!("the class `\\p{{{name}}}` is not supported"));
            }
            bare.to_owned()
        }
    };
    out.push_str(if negated { r"\P{" } else { r"\p{" });
    out.push_str(&unicode);
    out.push('}');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, text: &str) -> Match {
        Pattern::compile(pattern, 1).matches(text)
    }

    #[test]
    fn means_what_java_means() {
        for (pattern, yes, no) in [
            ("[a-z]+", "abc", "abc1"),
            (r"\d{3}", "123", "١٢٣"),
            (r"\w+", "a_1", "é"),
            (r"^(\d{1,3}\.){3}\d{1,3}$", "10.0.0.1", "10.0.0"),
            (r"[\w-]+@[\w.]+", "a-b@c.d", "a b@c"),
            (r"[\w-\.]+", "a-b.c", "a b"),
            (r"\Qa.b\E+", "a.bb", "axb"),
            (r"(?!aws)[a-z-]+", "my-name", "aws-name"),
            (r"[a-z&&[^bc]]+", "ad", "ab"),
            (r"\p{Alpha}\p{Digit}", "a1", "é1"),
            (r"[^\s]+", "ab", "a b"),
            (r"\u0041\x42\0103", "ABC", "abc"),
            (r"(?i)abc", "ABC", "ABD"),
            (r"(?i)k", "K", "\u{212a}"),
            (r"(?iu)k", "\u{212a}", "l"),
            (r"(?i)[b-d_]+", "BcD_", "a"),
            (r"(?i)[^b-d]+", "aE", "C"),
            (r"(?i)[!-Z]", "a", "{"),
            (r"(?i)[Y-b]+", "yzZB", "c"),
            (r"(?i)[Y-Y]+", "yY", "-"),
            (r"a(?i:b)c", "aBc", "abC"),
            (r"(?:(?i)a)b", "Ab", "AB"),
            (r"(?i)a(?-i)b", "Ab", "AB"),
            (r"(?i)\x41\Qb\E", "aB", "b"),
            (r"a.c", "a-c", "a\rc"),
            (r"a.c", "a\u{b}c", "a\u{2028}c"),
            (r"(?d)a.c", "a\rc", "a\nc"),
            (r"(?s).+", "two\r\nlines", ""),
            (r"(?m)^a$", "a", "b"),
            (r"[.-[1-k]]+", ".-5", "/"),
            (r"[{]a{2}b{1,2}c{0,}", "{aab", "{ab"),
            (r"(?<first>a)\k<first>", "aa", "ab"),
            (r"[]a]+", "]a", "b"),
            (r"a++b", "aab", "aa"),
            (r"\bfoo\b.*", "foo bar", "foobar"),
            (r"[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\t]*", "a\u{1f600}b", "\u{7}"),
            (r"\<a[^\<\>]\>", "<ab>", "<a<>"),
            (r"\uD83D\uDE00", "\u{1f600}", "\u{1f601}"),
            ("[[:alpha:]]+", "alpha:", "b"),
            (r"\Boo|a(?=b)\Bb", "ab", "oo"),
            (r".*", "any", "two\nlines"),
            (r"|[a-z]+", "", "A"),
            (
                r"arn:(aws|aws-cn):iam::\d{12}:role/[\w+=,.@-]+",
                "arn:aws:iam::123456789012:role/x",
                "arn:aws:iam::1:role/x",
            ),
        ] {
            assert_eq!(check(pattern, yes), Match::Yes, "{pattern} {yes}");
            assert_eq!(check(pattern, no), Match::No, "{pattern} {no}");
        }
    }

    #[test]
    fn says_what_it_cannot_check() {
        for pattern in [
            r"\p{InGreek}",
            "(",
            r"\y",
            r"\X",
            "(?P<n>a)",
            "(?#words)a",
            "(?x) a",
            "(?U)a",
            r"(?i)(a)\1",
            r"(?i)\p{Lower}",
            r"(a)\11",
            "[&&a]",
            "[a&&]",
            "(?iu)[a-z]",
            r"((a)\2?)+\2",
            r"(a\1?)+",
            "[+--]",
            "[b&&[b]&c]",
            "a{,2}",
            "a{2,1}",
            "a{2",
            "a{+2}",
            "{2}",
        ] {
            assert!(matches!(check(pattern, "a"), Match::Unknown(_)), "{pattern}");
        }
    }

    #[test]
    fn says_why_on_one_line() {
        for (pattern, why) in
            [("[z-a]", "invalid character class range"), ("(", "opening parenthesis"), ("*a", "repeat")]
        {
            let Match::Unknown(found) = check(pattern, "a") else { panic!("{pattern} compiles") };
            assert!(found.contains(why) && !found.contains('\n') && found.len() < 80, "{pattern}: {found}");
        }
    }

    #[test]
    fn many_items_take_no_more_steps_than_one() {
        // Each item is almost too much for a match of its own.
        let pattern = Pattern::compile(r"(?:((?:a|a)+)\1b|a+)", 200);
        assert!(matches!(pattern.matches(&"a".repeat(17)), Match::Unknown(_)));
        assert_eq!(Pattern::compile(r"(?:((?:a|a)+)\1b|a+)", 1).matches(&"a".repeat(15)), Match::Yes);
    }

    #[test]
    fn hostile_patterns_end() {
        let long = format!("{}!", "a".repeat(5000));
        for pattern in ["^([a-z]+)*$", r"(a*)*\1b", "(?=(a+)+$)a+b", "(x+x+)+y", r"((a|aa)+)+(?<!b)c"] {
            assert_ne!(check(pattern, &long), Match::Yes, "{pattern}");
        }
    }
}
