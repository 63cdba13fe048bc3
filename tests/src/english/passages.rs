//! What is read as English in a file: comments, string literals and paragraphs.

/// A piece of English: a block of comment lines, a string literal, or a paragraph of Markdown.
#[derive(PartialEq, Eq, Debug)]
pub struct Passage {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Its content on one line, without marks of comments.
    pub text: String,
}

/// The comments and the string literals of a Rust file. A literal without a space is data.
pub fn in_rust(source: &str) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    // The line after the last comment, which the next comment line continues.
    let mut next_line = 0;
    let mut rest = source;
    let line_of = |rest: &str| source[..source.len() - rest.len()].matches('\n').count() + 1;
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("//") {
            let text = comment.lines().next().unwrap_or_default();
            let line = line_of(rest);
            let words = text.trim_start_matches(['/', '!']).trim();
            match passages.last_mut().filter(|_| next_line == line && !words.is_empty()) {
                Some(last) => {
                    last.text.push(' ');
                    last.text.push_str(words);
                }
                None => passages.push(Passage { line, text: words.to_owned() }),
            }
            next_line = if words.is_empty() { 0 } else { line + 1 };
            rest = &comment[text.len()..];
        } else if let Some((literal, after)) = string(rest) {
            if literal.contains(' ') {
                passages.push(Passage { line: line_of(rest), text: literal.replace("\\n", " ") });
            }
            rest = after;
        } else if let Some(after) = character(rest) {
            rest = after;
        } else {
            rest = &rest[c.len_utf8()..];
        }
    }
    passages
}

/// The content of a string literal at the beginning, and what follows it.
fn string(rest: &str) -> Option<(&str, &str)> {
    if let Some(raw) = rest.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let body = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", &raw[..hashes]);
        return body.split_once(end.as_str());
    }
    let body = rest.strip_prefix('"')?;
    let mut is_escaped = false;
    for (at, c) in body.char_indices() {
        match c {
            '"' if !is_escaped => return Some((&body[..at], &body[at + 1..])),
            c => is_escaped = c == '\\' && !is_escaped,
        }
    }
    None
}

/// What follows a character literal at the beginning; a lifetime is none.
fn character(rest: &str) -> Option<&str> {
    let body = rest.strip_prefix('\'')?;
    let mut chars = body.chars();
    if chars.next()? == '\\' {
        chars.next()?;
        return chars.as_str().split_once('\'').map(|(_, after)| after);
    }
    chars.as_str().strip_prefix('\'')
}

/// The paragraphs of a Markdown file, and the diagnostics in its blocks.
pub fn in_markdown(source: &str) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut is_open = false;
    for (at, line) in source.lines().enumerate() {
        let trimmed = line.trim_start();
        let mark = &trimmed[..trimmed.len() - trimmed.trim_start_matches('`').len()];
        if let Some(open) = fence {
            let is_message =
                ["error[FW", "warning[FW", "note[FW", "= note: ", "= help: "].iter().any(|x| line.contains(x));
            if trimmed.trim_end() == open {
                fence = None;
            } else if is_message {
                passages.push(Passage { line: at + 1, text: trimmed.to_owned() });
            }
            is_open = false;
        } else if mark.len() >= 3 {
            fence = Some(mark);
            is_open = false;
        } else if trimmed.is_empty() || trimmed.starts_with("<!--") {
            is_open = false;
        } else {
            let text = without_targets(trimmed);
            let is_own = trimmed.starts_with(['#', '|', '-', '*', '>']) || line.starts_with("    ");
            match passages.last_mut().filter(|_| is_open && !is_own) {
                Some(last) => {
                    last.text.push(' ');
                    last.text.push_str(&text);
                }
                None => passages.push(Passage { line: at + 1, text }),
            }
            is_open = !trimmed.starts_with(['#', '|']);
        }
    }
    passages
}

/// A line without the targets of its links and without tags.
fn without_targets(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("](").or_else(|| rest.find("<a ")) {
        let end = if rest[at..].starts_with("](") { ')' } else { '>' };
        out.push_str(&rest[..at]);
        out.push(' ');
        rest = rest[at..].split_once(end).map_or("", |(_, after)| after);
    }
    out + rest
}
