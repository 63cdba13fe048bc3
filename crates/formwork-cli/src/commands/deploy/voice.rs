//! What is said of a deployment, on standard error.

use std::cell::{Cell, RefCell};

use anstyle::{AnsiColor, Style};
use formwork::{Compilation, Severity, SourceMap};
use formwork_report::{Context, Remark, Summary, printable};
use serde_json::Value;

use super::secrets::Secrets;
use crate::args::{MessageFormatArg, ReportArgs};
use crate::report::Reporter;
use crate::terminal::{Form, say};

/// Says things in the form that was asked for. No secret is said.
pub(in crate::commands) struct Voice<'a> {
    args: &'a ReportArgs,
    has_color: bool,
    secrets: Secrets,
    said: Cell<Summary>,
    last_error: RefCell<Option<String>>,
    failures: RefCell<Vec<Value>>,
}

/// Colours of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Color {
    Red,
    Green,
    Yellow,
    Dim,
}

impl<'a> Voice<'a> {
    pub(in crate::commands) fn new(args: &'a ReportArgs, reporter: &Reporter<'_>) -> Voice<'a> {
        Voice {
            args,
            has_color: reporter.colors(),
            secrets: Secrets::default(),
            said: Cell::default(),
            last_error: RefCell::default(),
            failures: RefCell::default(),
        }
    }

    /// From now on these are masked.
    pub(super) fn hide(&mut self, secrets: Secrets) {
        self.secrets = secrets;
    }

    /// A text without secrets and without characters that act on a terminal.
    pub(super) fn clean(&self, text: &str) -> String {
        printable(&self.secrets.mask(text)).into_owned()
    }

    /// A text without secrets.
    pub(super) fn mask(&self, text: &str) -> String {
        self.secrets.mask(text)
    }

    /// Whether lines for people are printed.
    pub(super) fn is_for_people(&self) -> bool {
        self.args.message_format != MessageFormatArg::Json
    }

    /// A line for people; `object` for programs. Under `--quiet` neither.
    pub(super) fn line(&self, line: &str, object: impl FnOnce() -> Value) {
        if self.args.quiet {
            return;
        }
        if self.is_for_people() {
            say(&format!("{line}\n"), self.form());
        } else {
            say(&format!("{}\n", object()), Form::Json);
        }
    }

    /// A line for people alone. Under `--quiet` none.
    pub(super) fn tell(&self, line: &str) {
        if self.is_for_people() && !self.args.quiet {
            say(&format!("{line}\n"), self.form());
        }
    }

    /// A remark about a template; errors also under `--quiet`.
    pub(in crate::commands) fn remark(&self, remark: &Remark, about: Option<&Compilation>) {
        let mut said = self.said.get();
        match remark.severity {
            Severity::Error => said.errors += 1,
            Severity::Warning => said.warnings += 1,
            Severity::Note => said.notes += 1,
        }
        self.said.set(said);
        if remark.severity == Severity::Error {
            *self.last_error.borrow_mut() = Some(self.secrets.mask(&remark.message));
        }
        if self.args.quiet && remark.severity != Severity::Error {
            return;
        }
        let mut remark = remark.clone();
        remark.message = self.secrets.mask(&remark.message);
        for words in remark.notes.iter_mut().chain(&mut remark.help) {
            *words = self.secrets.mask(words);
        }
        let none = SourceMap::new();
        let context = match about {
            Some(about) => Context { sources: about.sources(), secrets: about.secrets(), color: self.has_color },
            None => Context { sources: &none, secrets: &[], color: self.has_color },
        };
        match self.args.message_format {
            MessageFormatArg::Human => say(&remark.to_human(&context), self.form()),
            MessageFormatArg::Short => say(&remark.to_short(&context), Form::Plain),
            MessageFormatArg::Json => say(&remark.to_json(&context), Form::Json),
        }
    }

    /// Keeps what failed, for programs: see [`Voice::failures`].
    pub(super) fn failed(&self, failure: Value) {
        self.failures.borrow_mut().push(failure);
    }

    /// The resources that failed or were refused.
    pub(super) fn failures(&self) -> Vec<Value> {
        self.failures.borrow().clone()
    }

    /// The message of the last error.
    pub(super) fn last_error(&self) -> Option<String> {
        self.last_error.borrow().clone()
    }

    /// How many remarks there were.
    pub(in crate::commands) fn said(&self) -> Summary {
        self.said.get()
    }

    fn form(&self) -> Form {
        Form::words(self.has_color)
    }

    /// A text in a colour, where there are colours.
    pub(super) fn paint(&self, text: &str, color: Color) -> String {
        if !self.has_color || text.is_empty() {
            return text.to_owned();
        }
        let style = match color {
            Color::Red => AnsiColor::Red.on_default().bold(),
            Color::Green => AnsiColor::Green.on_default(),
            Color::Yellow => AnsiColor::Yellow.on_default(),
            Color::Dim => Style::new().dimmed(),
        };
        format!("{style}{text}{style:#}")
    }
}
