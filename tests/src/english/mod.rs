//! The English of messages, pages and comments: words that the style of the project replaces, and where they occur.

mod passages;

pub use passages::{Passage, in_markdown, in_rust};

/// A phrase that is not written, and the words to write instead.
pub struct Phrase {
    /// Words separated by spaces, in lower case. `a|b` is either word, `~a|b` any word but these. `!a|b` at the
    /// beginning or the end is not part of the phrase: the word next to it must not be one of these.
    pub not: &'static str,
    /// What to write.
    pub write: &'static str,
}

const fn phrase(not: &'static str, write: &'static str) -> Phrase {
    Phrase { not, write }
}

/// Every phrase that is not written.
pub const PHRASES: &[Phrase] = &[
    phrase("!there is|are|was|were|be no !longer|more|less|matter", "is not a ..., does not exist"),
    phrase("truth value|values", "Boolean"),
    phrase("texts", "strings, files"),
    phrase("empty|plain|literal|computed text", "empty, plain, literal or computed string"),
    phrase("is|are|be a|no text !file", "is a string, is not a string"),
    phrase("member|members", "property, attribute, key, element, item, entry"),
    phrase("work|works|worked|working off|out", "expand, evaluate, resolve, compute"),
    phrase("put|puts in place", "inline, resolve"),
    phrase("give|gives|gave|given|giving", "return, generate; pass a value, the value passed"),
    phrase("make|makes|made one|a|two|no key|name|list|object|member|item|resource|copy", "generate"),
    phrase("stand|stands|stood|standing !for", "is, appears, is declared, is allowed"),
    phrase("say|says|said|saying|tell|tells|told|telling", "report, print, show"),
    phrase("service answers|asks|refuses|takes", "CloudFormation rejects this with, CloudFormation accepts"),
    phrase("circle|circles", "circular dependency, cycle"),
    phrase("there|stands twice", "duplicate"),
    phrase("twin|twins", "duplicate"),
    phrase("mend|mends|mended|mending", "fix, correct"),
    phrase("anew", "again, re-create, update"),
    phrase("side by side", "concurrently, in parallel"),
    phrase("at once !more", "concurrently, together, immediately"),
    phrase(
        "one|a ~of|in|with|without|that|by|for|from|to|is|as|at|on|or|and|may|has|into|than|after|before|from|what|when a|an line|item|file|stage|code|word|row|run|loop|resource",
        "one per line",
    ),
    phrase("is|are for nothing", "has no effect"),
    phrase("does|do nothing", "has no effect"),
    phrase("lack|lacks|lacked|lacking", "does not have, is missing"),
    phrase("there is|are none", "does not exist, is missing"),
    phrase("trouble", "error"),
    phrase("fault|faults", "error"),
    phrase("what is wrong", "the error, the errors"),
    phrase("key|keys of kms", "KMS key"),
    phrase("bucket|buckets of s3", "S3 bucket"),
    phrase("template|templates of rain", "rain template"),
    phrase("folder|folders", "directory"),
    phrase("blank|blanks", "space, empty line"),
    phrase("is|are told", "receives, is notified"),
];

/// Phrases that pages for users do not have, besides [`PHRASES`]: "names" as a verb, and clauses that begin with "what"
/// in place of a noun.
pub const ON_PAGES: &[Phrase] = &[
    phrase("names|named a|an|the|it|its|them|no|each|which|another", "is, has, lists, reports, refers to"),
    phrase("name|names|named what", "lists, reports"),
    phrase("that|which|`|note|warning|message|error names !of|and|that|are", "is, has, lists, reports, refers to"),
    phrase(
        "what is|are constant|unknown|captured|copied|written|deployed|reported",
        "the constant part, the values that",
    ),
];

/// Whether a page is for users: not for developers, not a rule, and not generated.
pub fn is_page_for_users(name: &str) -> bool {
    const OTHERS: [&str; 7] = [
        "docs/architecture.md",
        "docs/decisions.md",
        "docs/performance.md",
        "docs/deviations.md",
        "docs/reference/",
        "docs/diagnostics/",
        "docs/commands/",
    ];
    let is_other = OTHERS.iter().any(|other| name.starts_with(other));
    (name == "README.md" || name.starts_with("docs/")) && !is_other
}

/// What occurs in messages and comments for a good reason, and the reason. It is taken out before a passage is checked.
pub const EXCEPTIONS: &[(&str, &str)] = &[
    ("member must be a string", "sentence of CloudFormation"),
    ("must contain a Type member", "sentence of CloudFormation"),
    ("generates members of the {} section", "sentence of reference/map-and-merge.md#map-key"),
    ("refers to a file or folder that does not exist", "sentence of AWS CLI and SAM CLI"),
    ("Member must satisfy enum value set", "sentence of Lambda"),
    ("Member must satisfy regular expression", "sentence of CloudFormation"),
    ("members = ['crates/*']", "key of Cargo.toml"),
    ("say \\\"hi\\\"", "data of a test"),
    ("<member>", "XML of a service"),
    ("</member>", "XML of a service"),
    ("Given: ", "key of test files"),
    ("Folder", "logical ID in a fixture"),
    ("Twin", "logical ID in a fixture"),
];

/// Characters at which a clause may end: no phrase spans them.
const ENDS: &str = ".,;:()<>\"“”?!";

/// The words of a passage in lower case, without what is in backquotes or braces and without [`EXCEPTIONS`].
pub fn words(text: &str) -> Vec<String> {
    let text = EXCEPTIONS.iter().fold(text.to_owned(), |text, (exception, _)| text.replace(exception, " "));
    let mut plain = String::with_capacity(text.len());
    let (mut is_code, mut depth) = (false, 0_u32);
    for c in text.chars() {
        match c {
            '`' => {
                is_code = !is_code;
                plain.push_str(" ` ");
            }
            '{' if !is_code => depth += 1,
            '}' if !is_code && depth > 0 => {
                depth -= 1;
                plain.push_str(" ` ");
            }
            c if !is_code && depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain
        .split(char::is_whitespace)
        .flat_map(|word| word.split_inclusive(|c: char| ENDS.contains(c)))
        .flat_map(|word| {
            let is_end = word.ends_with(|c: char| ENDS.contains(c));
            let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-' && c != '`').to_lowercase();
            if is_end { vec![word, ".".to_owned()] } else { vec![word] }
        })
        .filter(|word| !word.is_empty())
        .collect()
}

/// The place of a phrase in some words: the first one and the number of them.
pub fn find(phrase: &Phrase, words: &[String]) -> Option<(usize, usize)> {
    let mut parts: Vec<&str> = phrase.not.split(' ').collect();
    let before = parts.first().and_then(|part| part.strip_prefix('!'));
    let after = parts.last().and_then(|part| part.strip_prefix('!')).filter(|_| parts.len() > 1);
    parts.retain(|part| !part.starts_with('!'));
    let is_one = |alternatives: &str, word: &str| alternatives.split('|').any(|one| one == word);
    let matches = |part: &str, word: &str| match part.strip_prefix('~') {
        Some(others) => word != "." && !is_one(others, word),
        None => is_one(part, word),
    };
    let count = parts.len();
    (0..(words.len() + 1).saturating_sub(count))
        .find(|&at| {
            let is_excluded = |others: Option<&str>, neighbour: Option<&String>| {
                others.zip(neighbour).is_some_and(|(others, word)| is_one(others, word))
            };
            parts.iter().zip(&words[at..]).all(|(part, word)| matches(part, word))
                && !is_excluded(before, at.checked_sub(1).and_then(|at| words.get(at)))
                && !is_excluded(after, words.get(at + count))
        })
        .map(|at| (at, count))
}
