//! Options of SAM CLI that are read in another form, or mean nothing here (reference/command-line.md#habits).

use std::ffi::OsString;

/// The values of `--language-extensions`.
const WHEN: [&str; 3] = ["auto", "always", "never"];

const EXTENSIONS: &str = "--language-extensions";

/// Options without an effect.
const IGNORED: [&str; 2] = ["--beta-features", "--no-beta-features"];

/// The words as they are read here, and notes about those that have no effect.
pub(crate) fn as_own(words: Vec<OsString>) -> (Vec<OsString>, Vec<String>) {
    let (words, notes) = super::sam_ignored::without_ignored(words);
    (in_own_form(words), notes)
}

/// The words with `--language-extensions` and `--no-language-extensions` as options with a value, and without what has no
/// effect. With `local generate-event`, `--help` behind an event is a value of it.
fn in_own_form(words: Vec<OsString>) -> Vec<OsString> {
    let words = with_event_help(words);
    let is_one = |word: &OsString| {
        let text = word.to_str().unwrap_or_default();
        IGNORED.contains(&text) || text == EXTENSIONS || text == "--no-language-extensions"
    };
    if !words.iter().any(is_one) {
        return words;
    }
    let (mut found, mut rest, mut is_over) = (Vec::new(), words.into_iter().peekable(), false);
    while let Some(word) = rest.next() {
        is_over |= word == "--";
        match word.to_str() {
            _ if is_over => found.push(word),
            Some(text) if IGNORED.contains(&text) => {}
            Some("--no-language-extensions") => found.push(format!("{EXTENSIONS}=never").into()),
            Some(EXTENSIONS) => {
                let value = rest.next_if(|next| next.to_str().is_some_and(|next| WHEN.contains(&next)));
                let value = value.map_or_else(|| "always".to_owned(), |value| value.to_string_lossy().into_owned());
                found.push(format!("{EXTENSIONS}={value}").into());
            }
            _ => found.push(word),
        }
    }
    found
}

fn with_event_help(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_name = |word: Option<&OsString>| word.is_some_and(|word| !word.as_encoded_bytes().starts_with(b"-"));
    let is_event = words.get(1).is_some_and(|word| word == "local")
        && words.get(2).is_some_and(|word| word == "generate-event")
        && is_name(words.get(3))
        && is_name(words.get(4));
    let asks = words.iter().skip(5).any(|word| word == "--help" || word == "-h");
    if is_event && asks {
        words.insert(5, "--".into());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(words: &str) -> String {
        let words = words.split(' ').map(OsString::from).collect();
        let own: Vec<String> = in_own_form(words).iter().map(|word| word.to_string_lossy().into_owned()).collect();
        own.join(" ")
    }

    #[test]
    fn options_of_sam_have_their_own_form() {
        for (words, want) in [
            ("f deploy --beta-features t.yaml", "f deploy t.yaml"),
            ("f deploy --language-extensions t.yaml", "f deploy --language-extensions=always t.yaml"),
            ("f deploy --language-extensions never t.yaml", "f deploy --language-extensions=never t.yaml"),
            ("f deploy --no-language-extensions", "f deploy --language-extensions=never"),
            ("f deploy -- --beta-features", "f deploy -- --beta-features"),
            ("f local generate-event s3 put --help", "f local generate-event s3 put -- --help"),
            ("f local generate-event s3 --help", "f local generate-event s3 --help"),
        ] {
            assert_eq!(own(words), want, "{words}");
        }
    }
}
