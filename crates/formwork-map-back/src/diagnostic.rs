//! Converts a finding of another tool to a diagnostic.

use formwork_base::{Diagnostic, Frame, FrameKind, OtherRule, Severity, SourceMap, Span, VirtualPath, codes};

use crate::finding::Level;
use crate::locate::authored_path;
use crate::merge::Merged;
use crate::site::{Site, SiteFrame};

/// Maximum number of paths of the output in a note.
const MOST_NAMED: usize = 5;

/// Returns the diagnostic for findings of one site; `sources` has the authored files.
pub fn diagnostic(merged: &Merged, sources: &SourceMap) -> Diagnostic {
    let finding = &merged.first.finding;
    let rule = OtherRule { tool: finding.tool.clone(), id: finding.rule.clone(), url: finding.url.clone() };
    let severity = match finding.level {
        Level::Error => Severity::Error,
        Level::Warning => Severity::Warning,
        Level::Note => Severity::Note,
    };
    let message = finding.message.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = if message.is_empty() { finding.rule.clone() } else { message };
    let mut diagnostic = Diagnostic::titled(codes::OTHER_TOOL, message).severity(severity).of_other_rule(rule);
    if let Some(site) = &merged.first.site {
        diagnostic = diagnostic.at(span(&site.file, site.line, site.column, sources));
        diagnostic = diagnostic.frames(site.frames.iter().map(|one| frame(one, sources)).collect());
        diagnostic.site = authored(site, sources);
    }
    if let Some(path) = &merged.first.path {
        diagnostic = diagnostic.path(path.clone());
    }
    diagnostic.count = u32::try_from(merged.count).unwrap_or(u32::MAX);
    diagnostic.note(note(merged))
}

fn note(merged: &Merged) -> String {
    let tool = &merged.first.finding.tool;
    let named: Vec<&str> = merged.instances.iter().take(MOST_NAMED).map(String::as_str).collect();
    let more = merged.instances.len().saturating_sub(MOST_NAMED);
    match (named.as_slice(), more) {
        ([], _) => format!("found by {tool} in the expanded template"),
        (_, 0) => format!("found by {tool} in the expanded template, at {}", named.join(", ")),
        (_, more) => format!("found by {tool} in the expanded template, at {} and {more} more", named.join(", ")),
    }
}

fn authored(site: &Site, sources: &SourceMap) -> Option<String> {
    let file = sources.find(&VirtualPath::new(&site.file))?;
    authored_path(sources.text(file), site.line, site.column)
}

/// Returns the span of the token at a location; no span when the file is not available.
fn span(file: &str, line: u32, column: u32, sources: &SourceMap) -> Span {
    let Some(file) = sources.find(&VirtualPath::new(file)) else { return Span::NONE };
    let text: &str = sources.text(file);
    let mut start = 0;
    for _ in 1..line {
        match text.get(start..).and_then(|rest| rest.find('\n')) {
            Some(end) => start += end + 1,
            None => return Span::NONE,
        }
    }
    let rest = text.get(start..).unwrap_or_default();
    let rest = rest.lines().next().unwrap_or_default();
    let at = rest.char_indices().nth(column.saturating_sub(1) as usize).map_or(rest.len(), |(at, _)| at);
    let len = token_len(rest.get(at..).unwrap_or_default());
    let from = sources.base(file) + (start + at) as u32;
    Span::new(from, from + len as u32)
}

/// Returns the length of the key or value at the beginning of a string.
fn token_len(text: &str) -> usize {
    if let Some(quote) = text.chars().next().filter(|first| matches!(first, '"' | '\'')) {
        return text.get(1..).and_then(|rest| rest.find(quote)).map_or(text.len(), |end| end + 2);
    }
    let ends = [": ", " #", ", ", " }", "]"].iter().filter_map(|end| text.find(end));
    let end = ends.min().unwrap_or(text.len());
    let token = text.get(..end).unwrap_or_default().trim_end();
    token.strip_suffix(':').unwrap_or(token).len()
}

fn frame(frame: &SiteFrame, sources: &SourceMap) -> Frame {
    const KINDS: [FrameKind; 9] = [
        FrameKind::Loop,
        FrameKind::Module,
        FrameKind::Package,
        FrameKind::Constant,
        FrameKind::Argument,
        FrameKind::Output,
        FrameKind::Override,
        FrameKind::Fact,
        FrameKind::Alias,
    ];
    Frame {
        kind: KINDS.get(usize::from(frame.kind)).copied().unwrap_or(FrameKind::Loop),
        name: frame.name.clone(),
        value: frame.value.clone(),
        index: frame.index,
        length: None,
        loop_name: frame.loop_name.clone(),
        span: frame.file.as_ref().map_or(Span::NONE, |file| span(file, frame.line, frame.column, sources)),
        item: Span::NONE,
    }
}
