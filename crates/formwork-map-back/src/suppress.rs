//! Comments that suppress findings of a tool.

use crate::locate::Located;

/// Returns `true` if a comment in the tool's own syntax in the authored file suppresses a finding: on its line or the
/// one above, and for checkov anywhere in the entry. `text` is the content of the file.
pub fn is_suppressed(located: &Located, text: &str) -> bool {
    let Some(site) = &located.site else { return false };
    let finding = &located.finding;
    let (word, last) = match finding.tool.to_ascii_lowercase() {
        tool if tool.contains("checkov") => (format!("checkov:skip={}", finding.rule), located.last_line),
        tool if tool.contains("trivy") => (format!("trivy:ignore:{}", finding.rule), None),
        _ => return false,
    };
    let (first, last) = (site.line.saturating_sub(2) as usize, last.unwrap_or(site.line).max(site.line) as usize);
    let lines = text.lines().skip(first).take(last.saturating_sub(first));
    lines.filter_map(|line| line.split_once('#')).any(|(_, comment)| {
        comment.match_indices(&word).any(|(at, _)| {
            let behind = comment.get(at + word.len()..).unwrap_or_default();
            !behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        })
    })
}
