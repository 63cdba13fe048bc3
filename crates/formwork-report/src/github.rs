//! Annotations of GitHub workflows, one per line (reference/diagnostics.md#forms).

use std::fmt::Write;

use formwork_base::display::{SENTENCE, cut};
use formwork_base::{Finding, Severity};

use crate::file_findings::{FileFindings, all};
use crate::{Summary, printable};

/// Returns the commands that annotate the files of a repository. GitHub shows ten of each level, so the worst are
/// first, and a summary is last. `relative` turns the path of a file into one from the root of the repository.
pub fn render(files: &[FileFindings], summary: &Summary, relative: &dyn Fn(&str) -> String) -> String {
    let mut text = String::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        for finding in all(files).filter(|finding| finding.severity == severity) {
            text += &annotation(finding, relative);
        }
    }
    match summary.words() {
        words if words.is_empty() => text,
        words => text + &words + "\n",
    }
}

fn annotation(finding: &Finding, relative: &dyn Fn(&str) -> String) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let (mut properties, place) = (String::new(), &finding.place);
    if let Some(file) = &place.file {
        let _ = write!(properties, "file={},", property(&relative(file)));
    }
    if let (Some(line), Some(end_line)) = (place.line, place.end_line) {
        let _ = write!(properties, "line={line},endLine={end_line},");
        if let (true, Some(column), Some(end)) = (line == end_line, place.column, place.end_column) {
            let _ = write!(properties, "col={column},endColumn={},", end.max(column));
        }
    }
    let _ = write!(properties, "title={}", property(&finding.id));
    let help = finding.help.iter().map(|help| format!("\nhelp: {help}"));
    let words = cut(&finding.message, SENTENCE).into_owned() + &help.collect::<String>();
    format!("::{level} {properties}::{}\n", data(&words))
}

/// Escapes the message of a command. A line break has its own escape there; whatever else acts on a terminal is
/// escaped, too.
fn data(text: &str) -> String {
    let plain = |text: &str| printable(text).replace('%', "%25");
    let line = |text: &str| text.split('\r').map(plain).collect::<Vec<_>>().join("%0D");
    text.split('\n').map(line).collect::<Vec<_>>().join("%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use formwork_base::{Diagnostic, SourceMap, Span, VirtualPath, codes};

    use super::*;

    #[test]
    fn commands_are_escaped_as_the_host_reads_them() {
        let text = "50%: a, b\r\n::error::c\u{1b}%0A";
        assert_eq!(data(text), "50%25: a, b%0D%0A::error::c\\u{1b}%250A");
        assert_eq!(property(text), "50%25%3A a%2C b%0D%0A%3A%3Aerror%3A%3Ac\\u{1b}%250A");
    }

    #[test]
    fn errors_are_first_and_escaped() {
        let mut sources = SourceMap::new();
        let file = sources.add(VirtualPath::new("a,b:c.yaml"), "Key: value\nnext: 1\n").expect("room");
        let start = sources.base(file);
        let note = Diagnostic::new(codes::DUPLICATE_KEY, "100%, a note").severity(Severity::Note);
        let error = Diagnostic::new(codes::NULL_VALUE, "a: b, c").severity(Severity::Error).help("write\u{1b} it");
        let note = note.at(Span::new(start, start + 14));
        let error = error.at(Span::new(start + 5, start + 10));
        let findings = vec![note.resolve(&sources), error.resolve(&sources)];
        let files = [FileFindings { file: "a,b:c.yaml".into(), findings, suppressed: Vec::new(), is_read: true }];
        let summary = Summary { errors: 1, notes: 1, ..Summary::default() };
        let text = render(&files, &summary, &|path| format!("deep/{path}"));
        assert_eq!(
            text,
            "::error file=deep/a%2Cb%3Ac.yaml,line=1,endLine=1,col=6,endColumn=11,title=FW0107::a: b, c%0Ahelp: write\\u{1b} it\n\
             ::notice file=deep/a%2Cb%3Ac.yaml,line=1,endLine=2,title=FW0003::100%25, a note\n\
             1 error\n"
        );
    }
}
