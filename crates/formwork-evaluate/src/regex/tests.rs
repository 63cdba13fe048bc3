//! Patterns of both dialects: their matches, and the reasons for rejecting them.

use super::*;

fn java(pattern: &str, text: &str) -> Match {
    Pattern::new(pattern, Dialect::Java, 200_000)
        .map_or_else(|invalid| Match::Unknown(invalid.0), |pattern| pattern.matches(text))
}

fn python(pattern: &str, text: &str) -> Match {
    let compiled = Pattern::new(pattern, Dialect::Python, 200_000);
    compiled.map_or_else(|why| panic!("{pattern}: {why}"), |compiled| compiled.matches(text))
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
        (r"arn:(aws|aws-cn):iam::\d{12}:role/[\w+=,.@-]+", "arn:aws:iam::123456789012:role/x", "arn:aws:iam::1:role/x"),
    ] {
        assert_eq!(java(pattern, yes), Match::Yes, "{pattern} {yes}");
        assert_eq!(java(pattern, no), Match::No, "{pattern} {no}");
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
        assert!(matches!(java(pattern, "a"), Match::Unknown(_)), "{pattern}");
    }
}

#[test]
fn says_why_on_one_line() {
    for (pattern, why) in [("[z-a]", "range in a character class"), ("(", "a group is not closed"), ("*a", "repeat")] {
        let Match::Unknown(found) = java(pattern, "a") else { panic!("{pattern} compiles") };
        assert!(found.contains(why) && !found.contains('\n') && found.len() < 80, "{pattern}: {found}");
    }
}

#[test]
fn a_match_takes_so_many_steps() {
    let of = |steps| Pattern::new(r"(?:((?:a|a)+)\1b|a+)", Dialect::Java, steps).expect("a pattern");
    assert!(matches!(of(2_000).matches(&"a".repeat(17)), Match::Unknown(_)));
    assert_eq!(of(200_000).matches(&"a".repeat(15)), Match::Yes);
}

#[test]
fn hostile_patterns_end() {
    let long = format!("{}!", "a".repeat(5000));
    for pattern in ["^([a-z]+)*$", r"(a*)*\1b", "(?=(a+)+$)a+b", "(x+x+)+y", r"((a|aa)+)+(?<!b)c"] {
        assert_ne!(java(pattern, &long), Match::Yes, "{pattern}");
    }
}

#[test]
fn patterns_that_no_engine_compiles() {
    for pattern in [
        "[a-", "[", "(", "(a", "a)", "*a", "+", "a|*b", "(?:*a)", "(*a)", "[z-a]", "a\\", "[a\\", "a{3,1}", "^[a-z",
        "([a-z]+", "a(b))", "|?",
    ] {
        assert!(Pattern::error(pattern, Dialect::Java).is_some(), "{pattern}");
    }
}

#[test]
fn patterns_that_some_engine_compiles() {
    for pattern in [
        "",
        "a",
        "[]a]",
        "[^]a]",
        "[a-z]",
        "[a-]",
        "[-a]",
        "[\\w-]",
        "[a-z&&[^b]]",
        "[[:alpha:]]",
        "[[]",
        "a{",
        "{",
        "a{2}",
        "{2}",
        "a{2,}",
        "a{1,3}?",
        "a++",
        "a*?",
        "(?i)a",
        "(?<name>a)+",
        "(?:a|b)*",
        "(?=a)b",
        "\\Q[(\\E*",
        "]",
        "}",
        "\\(",
        "[(]",
        "^*",
        "a|",
        "(|a)",
        "x{a}",
        "[a-\\d]",
        "[\\]]",
        "[.-_]",
        "[^^]",
        r"[\p{Alpha}-K-c]",
        r"[\x41-!]",
        "(?x:[# ]#)a",
        "\\x{41}",
        "(?<!a)b",
        "()*",
    ] {
        assert_eq!(Pattern::error(pattern, Dialect::Java), None, "{pattern}");
    }
}

#[test]
fn matches_as_in_python() {
    for (pattern, yes, no) in [
        ("[a-z-]+$", "web-a", "Web"),
        ("^[a-z]+$", "web\n", "web\n\n"),
        (r"[a-z]+\Z", "web", "web\n"),
        (r"\w+$", "größe", "a-b"),
        (r"(?a)\w+$", "size", "größe"),
        (r"\w\Z", "²", "\u{301}"),
        (r"\s$", "\u{1c}", "\u{200b}"),
        (r"(?a)\s$", "\t", "\u{1c}"),
        (r"a\b.é", "a é", "aéé"),
        (r"\d\Bx", "1x", "1 x"),
        (r"\0101|\101$", "A", "\u{8}"),
        ("[[&&]--~~a]", "&--~~a]", "b"),
        ("[]a]+$", "]a", "b"),
        (r"[\b]$", "\u{8}", "b"),
        (r"[^\W\d]+$", "ab", "a1"),
        ("a{,2}$", "aa", "aaa"),
        ("a{$|{}b", "{}b", "a"),
        ("a{2}?$", "aa", "a"),
        ("a++a|b", "b", "aa"),
        ("(?P<n>a)(?P=n)$", "aa", "ab"),
        (r"(a)\1b", "aab", "ab"),
        ("(a)?(?:b|c)$", "ac", "d"),
        ("(?i)topic(?-i:A)$", "TOPICA", "topica"),
        ("(?x) a b # words\n c$", "abc", "a b c"),
        ("(?m:^b$)|a(?m:$)\n^b", "b", "a\nb"),
        ("(?s)a.b|c", "a\nb", "b"),
        ("a(?#words)*b", "aab", "a?b"),
        ("(?<=a)b|a(?<!b)c", "ac", "b"),
    ] {
        assert_eq!(python(pattern, yes), Match::Yes, "{pattern} {yes}");
        assert_eq!(python(pattern, no), Match::No, "{pattern} {no}");
    }
}

#[test]
fn finds_what_python_does_not_compile() {
    for (pattern, why) in [
        ("*a", "nothing to repeat"),
        ("^*", "nothing to repeat"),
        ("a**", "multiple repeat"),
        ("a{3,1}", "min repeat greater than max repeat"),
        ("a{99999999999}", "the repetition number is too large"),
        ("[a", "unterminated character set"),
        ("[z-a]", "bad character range: its ends are reversed"),
        (r"[\w-a]", "bad character range: an end of it is a set"),
        ("(a", "missing ), unterminated subpattern"),
        ("a)", "unbalanced parenthesis"),
        (r"\p{L}", r"bad escape \p"),
        (r"\x4", r"incomplete escape \x4"),
        (r"\400", r"octal escape value \400 outside of range 0-0o377"),
        ("\\", "bad escape (end of pattern)"),
        ("(?<n>a)", "unknown extension ?<n"),
        ("(?P<1>a)", "bad character in group name '1'"),
        ("(?P<n>a)(?P<n>b)", "redefinition of group name 'n'"),
        ("(?P=n)", "unknown group name 'n'"),
        (r"(a\1)", "cannot refer to an open group"),
        (r"(a)\2", "invalid group reference 2"),
        ("(?<=a|bc)", "look-behind requires fixed-width pattern"),
        ("a(?i)b", "global flags not at the start of the expression"),
        ("(?au)a", "ASCII and UNICODE flags are incompatible"),
        ("(?L)a", "cannot use LOCALE flag with a str pattern"),
        ("(?(1)a)", "invalid group reference 1"),
        ("(a)(?(1)a|b|c)", "conditional backref with more than two branches"),
    ] {
        assert_eq!(Pattern::error(pattern, Dialect::Python).as_deref(), Some(why), "{pattern}");
    }
}

#[test]
fn leaves_undecided_what_it_cannot_translate() {
    let deep = format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000));
    let conditions = format!("(){}a{}", "(?(1)".repeat(100_000), ")".repeat(100_000));
    for pattern in [
        r"\N{DIGIT ONE}",
        r"(?i)(a)\1",
        "(?=a)*",
        r"((a)\2?)+\2",
        r"\ud800",
        r"a\z",
        "(?i)é",
        "(a)?(?(1)b|c)",
        &deep,
        &conditions,
    ] {
        assert!(matches!(python(pattern, "a"), Match::Unknown(_)), "{pattern}");
    }
    assert!(matches!(python("(?i)k", "\u{212a}"), Match::Unknown(_)));
    assert!(matches!(python(r"\B", ""), Match::Unknown(_)));
}

/// Constructs with a meaning in one of the dialects, or in the engine alone.
const PIECES: &str = r"a b ( ) (?: (?= (?<= (?<! (?! (?> * + ? {1,3} {2,} {,2} | [a-c] [^b] [[a]&&b] . \1 \2 (?P<n>
    (?P=n) (?<m> \k<m> \k<-1> (?(1) (?( (?(?=a) (?&n) (?(DEFINE) \g<1> (?R) \K \G ^ $ \b \A \z \Z (?~ (*FAIL) é (?i)
    (?x) (?s) \d \R \X \h \p{L} ++ *+ (?<=a|bc) (?#c)";

/// The engine panics for some expressions that it compiles. Each of them is rejected.
#[test]
fn no_pattern_makes_the_engine_panic() {
    let pieces: Vec<&str> = PIECES.split_whitespace().collect();
    let mut state = 88_172_645_463_325_252_u64;
    let mut below = move |count: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % count
    };
    let mut ran = 0;
    for _ in 0..20_000 {
        let mut expression: String = (0..=below(12)).map(|_| pieces[below(pieces.len())]).collect();
        let open = expression.matches('(').count().saturating_sub(expression.matches(')').count());
        expression.push_str(&")".repeat(open));
        let value: String = (0..below(6)).map(|_| ["a", "b", "é", "c", "\n"][below(5)]).collect();
        for dialect in [Dialect::Java, Dialect::Python] {
            if let Ok(pattern) = Pattern::new(&expression, dialect, 2_000) {
                ran += usize::from(!matches!(pattern.matches(&value), Match::Unknown(_)));
            }
        }
    }
    assert!(ran > 1_000, "{ran}");
    for pattern in [r"(#(\2?)){1,3}", r"\k<n>", r"(a)*\1", r"(a\1)+", r"((a)+)\2", r"(?:(a))?\1", r"(?=(a))\1", r"\1"] {
        assert!(matches!(java(pattern, "aa"), Match::Unknown(_)), "{pattern}");
    }
    for pattern in ["(a)(?:b)", r"(a)b\1", r"(?<n>a)\k<n>", "((a)+)*", r"((a))\2", r"(a)|b\1"] {
        assert!(!matches!(java(pattern, "aa"), Match::Unknown(_)), "{pattern}");
    }
}
