//! Suppressions in comments: `# formwork: allow FW0307 -- reason`.

use std::ops::Range;

use formwork_base::codes::CodePattern;
use formwork_base::suggest::nearest;
use formwork_base::{FileId, SourceMap, SourceText, Span};
use formwork_syntax::{Kind, Tree};

use super::{Scope, Suppression, sites};

const MARK: &str = SourceText::MARK;

pub(super) struct Comment {
    file: FileId,
    /// From the `#` to the end of the line.
    range: Range<usize>,
    /// The whole line.
    line: Range<usize>,
    is_alone: bool,
    /// A word of another tool in the place of `allow`: nothing is suppressed.
    other_word: Option<Range<usize>>,
}

const OTHER_WORDS: [&str; 17] = [
    "ignore",
    "ignore-file",
    "ignore-line",
    "ignore-next-line",
    "skip",
    "skip-file",
    "disable",
    "disable-file",
    "disable-line",
    "disable-next-line",
    "noqa",
    "nolint",
    "suppress",
    "exclude",
    "off",
    "allow-line",
    "allow-next-line",
];

/// Finds the comments that begin with `formwork: allow`, or another word with that meaning, in all files.
pub(super) fn find(tree: &Tree, sources: &SourceMap) -> Vec<Comment> {
    let mut found: Vec<Comment> = sources
        .files()
        .filter(|&file| !sources.is_hidden(file))
        .flat_map(|file| in_text(file, sources.text(file), sources.marks(file)))
        .collect();
    if found.is_empty() {
        return found;
    }
    // A `#` in a string does not begin a comment.
    let mut starts: Vec<u32> = found.iter().map(|one| position(sources, one.file, one.range.start)).collect();
    starts.sort_unstable();
    let mut quoted = Vec::new();
    let is_text = |kind| !matches!(kind, Kind::List | Kind::Map | Kind::Call);
    for node in sites::nodes(tree).filter(|&node| !tree.is_generated(node) && is_text(tree.kind(node))) {
        let span = tree.span(node);
        let text = sources.slice(span);
        // A comment may follow the mark of a block scalar.
        let header = if text.starts_with(['|', '>']) { text.find('\n').unwrap_or_default() as u32 } else { 0 };
        let first = starts.partition_point(|&start| start < span.start() + header);
        quoted.extend(starts[first..].iter().take_while(|&&start| start < span.end()));
    }
    quoted.sort_unstable();
    found.retain(|one| quoted.binary_search(&position(sources, one.file, one.range.start)).is_err());
    found
}

fn position(sources: &SourceMap, file: FileId, offset: usize) -> u32 {
    sources.base(file) + offset as u32
}

fn in_text(file: FileId, text: &str, marks: &[usize]) -> Vec<Comment> {
    let mut found: Vec<Comment> = Vec::new();
    for &mark in marks {
        let Some(before) = text[..mark].trim_end_matches([' ', '\t']).strip_suffix('#') else { continue };
        let words = text[mark + MARK.len()..].trim_start_matches([' ', '\t']);
        let word = &words[..words.find([' ', '\t', '\n', '\r']).unwrap_or(words.len())];
        let begins = text.len() - words.len();
        let other_word = match word {
            "allow" | "allow-file" => None,
            other if is_for_allow(other, &words[other.len()..]) => {
                Some(begins..begins + other.trim_end_matches(':').len())
            }
            _ => continue,
        };
        let line_start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let in_line = &before[line_start..];
        if !in_line.is_empty() && !in_line.ends_with([' ', '\t', '\u{feff}']) {
            continue;
        }
        let end = text[mark..].find(['\n', '\r']).map_or(text.len(), |at| mark + at);
        if found.last().is_some_and(|last| last.range.end == end) {
            continue;
        }
        let trimmed = in_line.trim_start_matches([' ', '\t', '\u{feff}']);
        let is_alone = trimmed.is_empty() || trimmed.starts_with('#');
        found.push(Comment { file, range: before.len()..end, line: line_start..end, is_alone, other_word });
    }
    found
}

/// Returns `true` if a word is meant as `allow`: a code follows it, or the comment ends.
fn is_for_allow(word: &str, rest: &str) -> bool {
    let word = word.trim_end_matches(':').to_ascii_lowercase();
    let rest = rest.lines().next().unwrap_or_default().trim();
    let first = rest.split([' ', '\t', ',']).next().unwrap_or_default();
    let is_code = first.starts_with(|c: char| c.is_ascii_uppercase()) && first.ends_with(|c: char| c.is_ascii_digit());
    let ends = rest.is_empty() || first == "--" || is_code;
    let is_near = || nearest(&word, ["allow", "allow-file"]).is_some() || word == "allow";
    ends && (OTHER_WORDS.contains(&word.as_str()) || is_near() || is_code && CodePattern::parse(first).is_some())
}

pub(super) fn add(tree: &Tree, sources: &SourceMap, comments: Vec<Comment>, all: &mut Vec<Suppression>) {
    let (others, comments): (Vec<Comment>, Vec<Comment>) =
        comments.into_iter().partition(|one| one.other_word.is_some());
    all.extend(others.iter().filter_map(|comment| with_other_word(sources, comment)));
    let mut ends: Vec<u32> =
        comments.iter().filter(|one| one.is_alone).map(|one| position(sources, one.file, one.range.end)).collect();
    ends.sort_unstable();
    // The node that follows each of them: the outermost of those that begin first.
    let mut next: Vec<Option<Span>> = vec![None; ends.len()];
    if !ends.is_empty() {
        sites::visit(tree, |site| {
            let before = ends.partition_point(|&end| end <= site.start());
            let Some(next) = before.checked_sub(1).map(|at| &mut next[at]) else { return };
            let rank = |span: Span| (span.start(), std::cmp::Reverse(span.end()));
            if next.is_none_or(|known| rank(site) < rank(known)) {
                *next = Some(site);
            }
        });
        // Comments one below the other act on the same node.
        for at in (1..ends.len()).rev() {
            next[at - 1] = next[at - 1].or(next[at]);
        }
    }
    for comment in comments {
        let file = sources.span(comment.file);
        let span = |range: &Range<usize>| {
            let at = |offset| position(sources, comment.file, offset);
            Span::new(at(range.start), at(range.end))
        };
        let scope = if is_of_file(sources, &comment) {
            Some(Scope::Node(file))
        } else if comment.is_alone {
            let end = position(sources, comment.file, comment.range.end);
            let found = ends.binary_search(&end).ok().and_then(|at| next[at]);
            found.filter(|span| file.contains(*span)).map(Scope::Node)
        } else {
            Some(Scope::Line(span(&comment.line)))
        };
        codes(sources, &comment, &span, scope, all);
    }
}

/// Returns the ineffective suppression of a comment with a word of another tool.
fn with_other_word(sources: &SourceMap, comment: &Comment) -> Option<Suppression> {
    let (text, word) = (sources.text(comment.file), comment.other_word.clone()?);
    let behind = text[word.end..comment.range.end].trim_start_matches(':');
    let list = behind.split("--").next().unwrap_or_default();
    let codes: Vec<&str> = list.split([',', ' ', '\t']).filter(|word| CodePattern::parse(word).is_some()).collect();
    let at = |offset| position(sources, comment.file, offset);
    let keyword = if text[word.clone()].ends_with("-file") { "allow-file" } else { "allow" };
    Some(Suppression {
        pattern: None,
        text: text[word.clone()].to_owned(),
        span: Span::new(at(word.start), at(word.end)),
        reason: None,
        removal: None,
        scope: None,
        instead: Some(match codes.as_slice() {
            [] => format!("# formwork: {keyword} CODE"),
            codes => format!("# formwork: {keyword} {}", codes.join(", ")),
        }),
    })
}

fn is_of_file(sources: &SourceMap, comment: &Comment) -> bool {
    let text = &sources.text(comment.file)[comment.range.clone()];
    text.contains("allow-file")
        && text.trim_start_matches(['#', ' ', '\t']).trim_start_matches(MARK).trim_start().starts_with("allow-file")
}

/// Adds the codes of a comment, each with the range to remove.
fn codes(
    sources: &SourceMap,
    comment: &Comment,
    span: &dyn Fn(&Range<usize>) -> Span,
    scope: Option<Scope>,
    all: &mut Vec<Suppression>,
) {
    let text = sources.text(comment.file);
    let words = &text[comment.range.clone()];
    let keyword = words.find("allow").unwrap_or_default();
    let behind = words[keyword..].find([' ', '\t']).map_or(words.len(), |at| keyword + at);
    let list = words[behind..].split("--").next().unwrap_or_default();
    let reason = words[behind..].split_once("--").map(|(_, reason)| reason.trim().to_owned());
    let list_end = comment.range.start + behind + list.trim_end().len();
    let mut codes: Vec<Range<usize>> = Vec::new();
    let mut at = comment.range.start + behind;
    for word in list.split([',', ' ', '\t']) {
        if !word.is_empty() {
            codes.push(at..at + word.len());
            // The rest is not a list of codes.
            if CodePattern::parse(word).is_none() {
                break;
            }
        }
        at += word.len() + 1;
    }
    if codes.is_empty() {
        codes.push(comment.range.start..comment.range.end);
    }
    for (number, code) in codes.iter().enumerate() {
        let removal = match (codes.get(number + 1), number) {
            (None, 0) => whole_comment(text, comment),
            (Some(next), _) => code.start..next.start,
            (None, _) => codes[number - 1].end..list_end,
        };
        all.push(Suppression {
            pattern: CodePattern::parse(&text[code.clone()]),
            text: text[code.clone()].to_owned(),
            span: span(code),
            reason: reason.clone().filter(|reason| !reason.is_empty()),
            removal: Some(span(&removal)),
            scope,
            instead: None,
        });
    }
}

/// Returns the range of a comment with the spaces before it; with its line, if it has nothing else.
fn whole_comment(text: &str, comment: &Comment) -> Range<usize> {
    let before = text[comment.line.start..comment.range.start].trim_end_matches([' ', '\t']);
    if !before.is_empty() {
        return comment.line.start + before.len()..comment.range.end;
    }
    let rest = &text[comment.range.end..];
    let line_break = if rest.starts_with("\r\n") { 2 } else { usize::from(!rest.is_empty()) };
    comment.line.start..comment.range.end + line_break
}
