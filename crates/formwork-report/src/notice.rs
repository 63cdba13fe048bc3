//! Reports about places of a template that are not diagnostics: what CloudFormation reports, and what happens to its
//! resources there.

use annotate_snippets::{Group, Level};
use formwork_base::display::without_error_numbers;
use formwork_base::display::{escape_json, mask_credentials};
use formwork_base::{Severity, Span};
use serde_json::json;

use crate::wrap::wrapped;
use crate::{Context, code_frame, credentials, printable, sentence};

/// A report about places of a template, without a code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The severity.
    pub severity: Severity,
    /// The message, on one line.
    pub message: String,
    /// Places with their words; the first one is primary.
    pub labels: Vec<(Span, String)>,
    /// The reasons.
    pub notes: Vec<String>,
    /// The advice.
    pub help: Vec<String>,
}

impl Notice {
    /// Creates an error without a place.
    pub fn error(message: impl Into<String>) -> Notice {
        Notice {
            severity: Severity::Error,
            message: without_error_numbers(message.into()),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Creates a warning without a place.
    pub fn warning(message: impl Into<String>) -> Notice {
        Notice { severity: Severity::Warning, ..Notice::error(message) }
    }

    /// Creates a note without a place.
    pub fn note(message: impl Into<String>) -> Notice {
        Notice { severity: Severity::Note, ..Notice::error(message) }
    }

    /// Adds a place and words for it.
    #[must_use]
    pub fn at(mut self, span: Span, words: impl Into<String>) -> Notice {
        if !span.is_none() {
            self.labels.push((span, words.into()));
        }
        self
    }

    /// Adds a reason.
    #[must_use]
    pub fn because(mut self, words: impl Into<String>) -> Notice {
        self.notes.push(without_error_numbers(words.into()));
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, words: impl Into<String>) -> Notice {
        self.help.push(words.into());
        self
    }

    /// Renders the notice as a code frame. Ends in an empty line.
    pub fn to_human(&self, context: &Context<'_>) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let labels: Vec<code_frame::Label> =
            self.labels.iter().enumerate().map(|(at, (span, words))| (*span, sentence(words), at == 0)).collect();
        let pieces = code_frame::pieces(&labels, context);
        let mut group = code_frame::add(Group::with_title(level.primary_title(sentence(&self.message))), &pieces);
        let last_line = code_frame::last_line(&pieces);
        for note in &self.notes {
            group = group.element(Level::NOTE.message(wrapped(&sentence(note), context, last_line)));
        }
        for help in &self.help {
            group = group.element(Level::HELP.message(wrapped(&sentence(help), context, last_line)));
        }
        format!("{}\n\n", code_frame::draw(group, &pieces, context))
    }

    /// Renders the notice on one line, which ends in a line break.
    pub fn to_short(&self, context: &Context<'_>) -> String {
        let place = self.labels.first().and_then(|(span, _)| context.sources.place(*span));
        let place = place.map_or_else(String::new, |place| {
            format!("{}:{}:{}: ", context.sources.display(place.file), place.line, place.column)
        });
        let line = format!("{place}{}: {}", self.severity.name(), self.message);
        printable(&mask_credentials(&line)).into_owned() + "\n"
    }

    /// Renders the notice as a JSON object on one line.
    pub fn to_json(&self, context: &Context<'_>) -> String {
        let place = |span: &Span| {
            let place = context.sources.place(*span)?;
            Some(json!({
                "file": credentials::path(place.file, context),
                "line": place.line,
                "column": place.column,
            }))
        };
        let mut object =
            json!({"code": null, "severity": self.severity.name(), "message": mask_credentials(&self.message)});
        let first = self.labels.first().and_then(|(span, _)| place(span));
        for name in ["file", "line", "column"] {
            object[name] = first.as_ref().map_or(json!(null), |first| first[name].clone());
        }
        object["notes"] =
            json!(self.notes.iter().chain(&self.help).map(|words| mask_credentials(words)).collect::<Vec<_>>());
        escape_json(&format!("{object}\n")).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use formwork_base::{SourceMap, VirtualPath};

    use super::*;

    #[test]
    fn every_form() {
        let mut sources = SourceMap::new();
        let file = sources.add(VirtualPath::new("t.yaml"), "Resources:\n  Topic:\n    Type: X\n").expect("room");
        let start = sources.base(file) + 13;
        let context = Context { sources: &sources, secrets: &[], color: false, width: None };
        let notice = Notice::error("it failed\u{1b}").at(Span::new(start, start + 5), "this").help("fix it");
        let human = notice.to_human(&context);
        assert!(human.starts_with("error: it failed"), "{human}");
        assert!(human.contains("--> t.yaml:2:3") && human.contains("help: fix it"), "{human}");
        assert!(!human.contains('\u{1b}'), "{human}");
        assert_eq!(notice.to_short(&context), "t.yaml:2:3: error: it failed\\u{1b}\n");
        let json: serde_json::Value = serde_json::from_str(&notice.to_json(&context)).expect("JSON");
        assert_eq!((json["line"].as_u64(), json["notes"][0].as_str()), (Some(2), Some("fix it")));
    }
}
