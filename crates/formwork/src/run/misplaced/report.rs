//! Reports of parts with a wrong indentation.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, SourceMap, Span, codes};
use formwork_syntax::Tree;

use super::{Found, Misplaced, Owner};

/// The whole lines of a part.
pub(super) struct Lines {
    first: u32,
    last: u32,
    /// The starts of the lines that are not empty.
    starts: Vec<Span>,
}

/// The most lines that a fix indents.
const MOST: usize = 2_000;

impl Lines {
    pub(super) fn of(sources: &SourceMap, part: Span) -> Option<Lines> {
        let file = sources.file_of(part)?;
        let (text, base) = (sources.text(file), sources.base(file));
        let start = text.get(..(part.start() - base) as usize)?.rfind('\n').map_or(0, |at| at + 1);
        let content = text.get(start..(part.end() - base) as usize)?.trim_end();
        let first = sources.place(part)?.line;
        let (mut at, mut count, mut starts) = (start, 0, Vec::new());
        for line in content.split_inclusive('\n') {
            if !line.trim().is_empty() {
                let place = base + u32::try_from(at).ok()?;
                starts.push(Span::new(place, place));
            }
            (at, count) = (at + line.len(), count + 1);
        }
        Some(Lines { first, last: first + count - 1, starts })
    }

    fn words(&self) -> String {
        match self.last - self.first {
            0 => format!("line {}", self.first),
            _ => format!("lines {} to {}", self.first, self.last),
        }
    }

    fn is(&self) -> &'static str {
        if self.first == self.last { "is" } else { "are" }
    }

    /// Returns the edits that indent the lines.
    fn indented(&self, by: usize) -> Vec<(Span, String)> {
        self.starts.iter().map(|&at| (at, " ".repeat(by))).collect()
    }

    /// Returns the edits that take spaces from the lines.
    fn dedented(&self, by: usize) -> Vec<(Span, String)> {
        let by = u32::try_from(by).unwrap_or_default();
        self.starts.iter().map(|at| (Span::new(at.start(), at.start() + by), String::new())).collect()
    }
}

pub(super) fn report(tree: &Tree, found: &Misplaced, lines: &Lines) -> Diagnostic {
    let name = shown(tree.text(found.key));
    let place = tree.span(found.key);
    let (code, title, sentence) = match &found.kind {
        Found::Unindented(owner) => {
            let what = match owner {
                Owner::Section => name.clone(),
                Owner::Resource => format!("resource {name}"),
                Owner::Parameter => format!("parameter {name}"),
                Owner::Output => format!("output {name}"),
            };
            let sentence = match owner {
                Owner::Section => format!("[/{name}] 'null' values are not allowed in templates"),
                Owner::Resource => {
                    format!("Template format error: [/Resources/{name}] resource definition is malformed")
                }
                Owner::Parameter => format!("[/Parameters/{name}] 'null' values are not allowed in templates"),
                Owner::Output => format!("[/Outputs/{name}] 'null' values are not allowed in templates"),
            };
            let title = format!("{what} is empty: {} {} at its own indentation", lines.words(), lines.is());
            (codes::NOT_AN_OBJECT, title, sentence)
        }
        Found::Section(outer) => {
            let sentence = match outer.as_str() {
                "Outputs" => "`Template format error: Every Outputs member must contain a Value object`".to_owned(),
                "Resources" => format!(
                    "Template format error: [/Resources/{name}] Every Resources object must contain a Type member."
                ),
                "Parameters" | "Conditions" | "Mappings" => {
                    format!("Template format error: Every {outer} object must contain a Type member.")
                }
                _ => format!("Invalid template resource property '{name}'"),
            };
            (codes::NOT_AN_OBJECT, format!("section {name} is inside of {outer}"), sentence)
        }
        Found::Resource { outer, is_property } => {
            let outer = shown(tree.text(*outer));
            let inside = if *is_property { format!("the properties of {outer}") } else { format!("resource {outer}") };
            let sentence = if *is_property {
                format!("#: extraneous key [{name}] is not permitted")
            } else {
                format!("Invalid template resource property '{name}'")
            };
            (codes::NOT_AN_OBJECT, format!("resource {name} is inside of {inside}"), sentence)
        }
    };
    let diagnostic = Diagnostic::titled(code, title).at(place).severity(Severity::Error);
    let diagnostic = if code.is_of_service() { diagnostic.quoting(&sentence) } else { diagnostic };
    let words = lines.words();
    match found.kind {
        Found::Unindented(_) => {
            let help = match found.by {
                2 => format!("indent {words} by two more spaces"),
                by => format!("indent {words} by {by} more spaces"),
            };
            with_fix(diagnostic.help(help), "indent the lines", lines.indented(found.by), lines)
        }
        Found::Section(_) | Found::Resource { .. } => {
            let help = match found.by {
                2 => format!("indent {words} by two spaces less"),
                by => format!("indent {words} by {by} spaces less"),
            };
            with_fix(diagnostic.help(help), "take the spaces from the lines", lines.dedented(found.by), lines)
        }
    }
}

fn with_fix(diagnostic: Diagnostic, message: &str, edits: Vec<(Span, String)>, lines: &Lines) -> Diagnostic {
    if lines.starts.len() > MOST { diagnostic } else { diagnostic.fix_all(message, edits) }
}
