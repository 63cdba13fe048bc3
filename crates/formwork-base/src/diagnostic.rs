//! One model for everything that a run has to say.

use crate::{Code, Frame, Severity, Span};

/// A place with a few words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is to be seen there; may be empty.
    pub text: String,
}

/// A change of the source that mends the fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, in a few words.
    pub message: String,
    /// Texts to put in place of spans, in source order.
    pub edits: Vec<(Span, String)>,
}

/// Something that a run has to say: data, rendered by front ends (`formwork-report`).
///
/// How one is worded: reference/diagnostics.md#wording. The message is one line without a full stop that
/// ends, where there is one, in the service's own sentence between backquotes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Its stable code.
    pub code: Code,
    /// How bad it is in this run.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where; `None` for what was given on the command line.
    pub primary: Option<Label>,
    /// Other places that help to see it.
    pub related: Vec<Label>,
    /// Iterations and module uses that lead there, outermost first.
    pub frames: Vec<Frame>,
    /// Why it is wrong.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Vec<String>,
    /// A change that mends it.
    pub fix: Option<Fix>,
    /// Path of the node in the template, such as `Resources.Queue.Properties`.
    pub path: Option<String>,
    /// How many times it was met, as by many iterations of one loop.
    pub count: u32,
}

impl Diagnostic {
    /// A diagnostic with the severity that its code has by itself.
    pub fn new(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.info().severity,
            message: message.into(),
            primary: None,
            related: Vec::new(),
            frames: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            fix: None,
            path: None,
            count: 1,
        }
    }

    /// With a place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Diagnostic {
        self.primary = (!span.is_none()).then(|| Label { span, text: String::new() });
        self
    }

    /// With words at the place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// With another place.
    #[must_use]
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        if !span.is_none() {
            self.related.push(Label { span, text: text.into() });
        }
        self
    }

    /// With a reason.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// With advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// With a change that mends it: `text` in place of `span`.
    #[must_use]
    pub fn fix(mut self, message: impl Into<String>, span: Span, text: impl Into<String>) -> Diagnostic {
        self.fix = Some(Fix { message: message.into(), edits: vec![(span, text.into())] });
        self
    }

    /// With another severity than its code has.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Diagnostic {
        self.severity = severity;
        self
    }

    /// With the contexts that lead there, outermost first.
    #[must_use]
    pub fn frames(mut self, frames: Vec<Frame>) -> Diagnostic {
        self.frames = frames;
        self
    }

    /// With the path of the node in the template.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Diagnostic {
        self.path = Some(path.into());
        self
    }

    /// Where it is; [`Span::NONE`] when it is about no place in a file.
    pub fn span(&self) -> Span {
        self.primary.as_ref().map_or(Span::NONE, |label| label.span)
    }
}
