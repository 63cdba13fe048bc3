//! A `JUnit` document (reference/diagnostics.md#forms).

use std::fmt::Write;

use formwork_base::{Finding, Severity};

use crate::file_findings::FileFindings;

/// Renders one suite per template, in order, with a test case for each code and file; a template without findings has
/// one case that passes. Errors are failures, and with `is_strict` every finding is.
pub fn render(files: &[FileFindings], is_strict: bool) -> String {
    let suites: Vec<Suite<'_>> = files.iter().map(|file| Suite::new(file, is_strict)).collect();
    let (tests, failures) =
        suites.iter().fold((0, 0), |(tests, failures), suite| (tests + suite.cases.len(), failures + suite.failures()));
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"formwork\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">");
    for suite in &suites {
        suite.write(&mut text);
    }
    text + "</testsuites>\n"
}

struct Suite<'f> {
    name: &'f str,
    cases: Vec<Case<'f>>,
}

struct Case<'f> {
    class: &'f str,
    name: String,
    failures: Vec<&'f Finding>,
    others: Vec<&'f Finding>,
}

impl<'f> Suite<'f> {
    fn new(file: &'f FileFindings, is_strict: bool) -> Suite<'f> {
        let mut cases: Vec<(&str, Case<'f>)> = Vec::new();
        for finding in &file.findings {
            let class = finding.place.file.as_deref().unwrap_or(&file.file);
            let known = cases.iter().position(|(code, case)| *code == finding.id && case.class == class);
            let at = known.unwrap_or_else(|| {
                let name = finding.id.clone();
                cases.push((&finding.id, Case { class, name, failures: Vec::new(), others: Vec::new() }));
                cases.len() - 1
            });
            let case = &mut cases[at].1;
            let is_failure = is_strict || finding.severity == Severity::Error;
            if is_failure { case.failures.push(finding) } else { case.others.push(finding) }
        }
        let mut cases: Vec<Case<'f>> = cases.into_iter().map(|(_, case)| case).collect();
        if cases.is_empty() {
            let (failures, others) = (Vec::new(), Vec::new());
            cases.push(Case { class: &file.file, name: "check".to_owned(), failures, others });
        }
        Suite { name: &file.file, cases }
    }

    fn failures(&self) -> usize {
        self.cases.iter().filter(|case| !case.failures.is_empty()).count()
    }

    fn write(&self, text: &mut String) {
        let (name, tests, failures) = (escaped(self.name), self.cases.len(), self.failures());
        let _ = writeln!(
            text,
            "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">"
        );
        for case in &self.cases {
            case.write(text);
        }
        text.push_str("  </testsuite>\n");
    }
}

impl Case<'_> {
    fn write(&self, text: &mut String) {
        let (class, name) = (escaped(self.class), escaped(&self.name));
        let _ = write!(text, "    <testcase classname=\"{class}\" name=\"{name}\"");
        let short = |findings: &[&Finding]| {
            let lines: Vec<String> = findings.iter().map(|finding| escaped(&finding.to_string())).collect();
            lines.join("\n")
        };
        if self.failures.is_empty() && self.others.is_empty() {
            text.push_str("/>\n");
            return;
        }
        text.push_str(">\n");
        if let Some(first) = self.failures.first() {
            let message = escaped(&first.message);
            let lines = short(&self.failures);
            let _ = writeln!(text, "      <failure type=\"{name}\" message=\"{message}\">{lines}</failure>");
        }
        if !self.others.is_empty() {
            let _ = writeln!(text, "      <system-out>{}</system-out>", short(&self.others));
        }
        text.push_str("    </testcase>\n");
    }
}

/// Escapes the text of an element or attribute. Characters that XML 1.0 does not have, and all that act on a terminal,
/// become U+FFFD.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\n' | '\t' => safe.push(' '),
            c if formwork_base::display::is_unprintable(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                safe.push('\u{fffd}');
            }
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use formwork_base::{Diagnostic, SourceMap, VirtualPath, codes};

    use super::*;

    #[test]
    fn a_case_for_each_code_and_one_that_passes() {
        let mut sources = SourceMap::new();
        let file = sources.add(VirtualPath::new("a.yaml"), "a: b\n").expect("room");
        let at = sources.span(file);
        let error = |words: &str| Diagnostic::new(codes::NULL_VALUE, words).severity(Severity::Error).at(at);
        let warning = Diagnostic::new(codes::DUPLICATE_KEY, "w").severity(Severity::Warning).at(at);
        let findings = [error("a < \"b\" & \u{1b}"), error("c"), warning];
        let findings = findings.iter().map(|one| one.resolve(&sources)).collect();
        let files = [
            FileFindings { file: "a.yaml".into(), findings, suppressed: Vec::new(), is_read: true },
            FileFindings { file: "b.yaml".into(), findings: Vec::new(), suppressed: Vec::new(), is_read: true },
        ];
        let text = render(&files, false);
        assert!(text.contains("<testsuites name=\"formwork\" tests=\"3\" failures=\"1\""), "{text}");
        assert!(text.contains("<failure type=\"FW0107\" message=\"a &lt; &quot;b&quot; &amp; \u{fffd}\">"), "{text}");
        assert!(text.contains("<testcase classname=\"b.yaml\" name=\"check\"/>"), "{text}");
        assert!(text.contains("<system-out>a.yaml:1:1: warning[FW0003]: w</system-out>"), "{text}");
        assert!(render(&files, true).contains("tests=\"3\" failures=\"2\""));
    }
}
