//! Markdown in which text of an author is never markup: a stranger may have written the template. All text of a
//! template, including file names, is escaped by [`code`], [`span`], [`cell`] or [`words`].

use formwork::display::{escape_for_display, escape_lines};

/// Returns a block of code.
pub fn code(text: &str) -> String {
    block("yaml", text)
}

/// Returns a block of code in another language.
pub fn block(language: &str, text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let text = escape_lines(&text);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}")
}

/// Returns inline code.
pub fn span(text: &str) -> String {
    let text = escape_for_display(text);
    let text = if text.is_empty() { "\"\"" } else { &*text };
    let fence = "`".repeat(longest_run(text) + 1);
    let is_bounded = |c: char| text.starts_with(c) || text.ends_with(c);
    let space = if is_bounded('`') || is_bounded(' ') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Returns code in a cell of a table, in which no character is a border.
pub fn cell(text: &str) -> String {
    span(text).replace('|', "\\|")
}

/// Returns inline words.
pub fn words(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = escape_for_display(&text);
    let mut out = String::with_capacity(text.len() + 8);
    for (at, c) in text.char_indices() {
        let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at + c.len_utf8()..).unwrap_or_default());
        let is_markup = match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '$' | '@' => true,
            // A heading, a list, a line; digits in front of a point are a list, too.
            '#' | '+' | '-' | '=' => before.is_empty(),
            ')' => is_number(before),
            '.' => is_number(before) || ends_with_www(before),
            // URLs are links without any markup.
            ':' => behind.starts_with("//"),
            _ => false,
        };
        if is_markup {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn ends_with_www(text: &str) -> bool {
    text.len().checked_sub(3).and_then(|at| text.get(at..)).is_some_and(|last| last.eq_ignore_ascii_case("www"))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// Converts Markdown of this module to text without marks, for clients that do not support Markdown.
pub fn plain(markdown: &str) -> String {
    let mut fence = None;
    let mut lines: Vec<String> = Vec::new();
    for line in markdown.split('\n') {
        let ticks = line.len() - line.trim_start_matches('`').len();
        let rest = line.get(ticks..).unwrap_or_default();
        match fence {
            Some(open) if ticks == open && rest.is_empty() => fence = None,
            Some(_) => lines.push(line.to_owned()),
            None if ticks > 2 && !rest.contains('`') => fence = Some(ticks),
            None => lines.push(plain_line(line)),
        }
    }
    lines.join("\n")
}

fn plain_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let behind = rest.get(ticks.max(c.len_utf8())..).unwrap_or_default();
        rest = behind;
        if ticks > 0 {
            let Some(end) = end_of_span(behind, ticks) else { continue };
            let text = behind.get(..end).unwrap_or_default();
            let inner = text.strip_prefix(' ').and_then(|text| text.strip_suffix(' '));
            out.push_str(&inner.unwrap_or(text).replace("\\|", "|"));
            rest = behind.get(end + ticks..).unwrap_or_default();
        } else if c == '\\' && behind.starts_with(|c: char| c.is_ascii_punctuation()) {
            out.extend(behind.chars().next());
            rest = behind.get(1..).unwrap_or_default();
        } else if c == '*' && behind.starts_with('*') {
            rest = behind.get(1..).unwrap_or_default();
        } else {
            out.push(c);
        }
    }
    out
}

fn end_of_span(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.find('`')?;
        let row = text.get(at..)?;
        let count = row.len() - row.trim_start_matches('`').len();
        if count == ticks {
            return Some(at);
        }
        at += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sentences_look_as_they_are() {
        assert_eq!(code("(parameter) Env: String"), "```yaml\n(parameter) Env: String\n```");
        assert_eq!((span("Env").as_str(), words("modules/net.yaml:12").as_str()), ("`Env`", "modules/net.yaml:12"));
        assert_eq!(words("The name, if any (see below)."), "The name, if any (see below).");
    }

    #[test]
    fn what_is_markup_is_escaped() {
        assert_eq!(words("![x](https://evil) <b>"), "!\\[x\\](https\\://evil) \\<b\\>");
        assert_eq!(words("1. a\n\n# b www.evil"), "1\\. a # b www\\.evil");
        assert_eq!(span("a`b"), "``a`b``");
        assert_eq!(code("```\n# x"), "````yaml\n```\n# x\n````");
    }

    #[test]
    fn plain_text_is_what_was_meant() {
        let mut random = fastrand::Rng::with_seed(3);
        let pieces =
            ["`", "``", "a", " ", "\\", "*", "**", "_", "[x](y)", "<b>", "www.", "https://e", "1.", "#", "|", "é"];
        for _ in 0..3000 {
            let text: String = (0..random.usize(1..8)).map(|_| pieces[random.usize(..pieces.len())]).collect();
            let in_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(plain(&words(&text)), in_line, "{text}");
            // The border of a cell is escaped.
            let shown = text.replace("\\|", "|");
            assert_eq!(plain(&format!("x {} y", span(&text))), format!("x {shown} y"), "{text}");
            assert_eq!(plain(&code(&text)), text);
        }
    }
}
