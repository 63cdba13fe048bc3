//! `-o -`: standard output (reference/command-line.md#output).

use std::ffi::OsString;

/// The commands that write a file of `-o`, and else print.
const WRITERS: [&str; 9] =
    ["account", "completions", "expand", "graph", "migrate", "modules", "package", "resolve", "stack"];

/// Their options for it.
const OPTIONS: [&str; 3] = ["-o", "--output", "--output-template-file"];

/// The words without `-o -`: standard output is where a result goes without a file.
pub(crate) fn without_dash(words: Vec<OsString>) -> Vec<OsString> {
    if !words.get(1).is_some_and(|word| WRITERS.iter().any(|writer| word == writer)) {
        return words;
    }
    let (mut found, mut rest, mut is_over) = (Vec::new(), words.into_iter().peekable(), false);
    while let Some(word) = rest.next() {
        is_over |= word == "--";
        let text = word.to_str().unwrap_or_default();
        let is_whole = OPTIONS.iter().any(|option| text.strip_prefix(option).is_some_and(|rest| rest == "=-"));
        if !is_over && (is_whole || text == "-o-") {
            continue;
        }
        if !is_over && OPTIONS.contains(&text) && rest.next_if(|next| next == "-").is_some() {
            continue;
        }
        found.push(word);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_for_the_output_is_standard_output() {
        for (words, want) in [
            ("f expand t.yaml -o -", "f expand t.yaml"),
            ("f expand -o - -", "f expand -"),
            ("f package --output-template-file - t.yaml", "f package t.yaml"),
            ("f resolve -o- --output=-", "f resolve"),
            ("f expand t.yaml -o x", "f expand t.yaml -o x"),
            ("f expand - -o x -- -o -", "f expand - -o x -- -o -"),
            ("f deploy -o -", "f deploy -o -"),
        ] {
            let words = without_dash(words.split(' ').map(OsString::from).collect());
            let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            assert_eq!(words.join(" "), want);
        }
    }
}
