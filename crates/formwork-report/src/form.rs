//! The forms of output and of messages.

/// The form of some output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Text without colours.
    Plain,
    /// Text that may have the colours of Formwork.
    Styled,
    /// JSON.
    Json,
}

impl Form {
    /// Returns [`Form::Styled`] if `has_color`, else [`Form::Plain`].
    pub fn words(has_color: bool) -> Form {
        if has_color { Form::Styled } else { Form::Plain }
    }
}

/// The form of messages (reference/diagnostics.md#forms).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageFormat {
    /// Code frames for people.
    Human,
    /// A line per diagnostic.
    Short,
    /// A JSON object per diagnostic.
    Json,
    /// A SARIF document.
    Sarif,
    /// Annotations of GitHub.
    Github,
    /// A `JUnit` document.
    Junit,
}

impl MessageFormat {
    /// Returns `true` if the report is one document, written at the end of a run from everything that was found.
    pub fn is_document(self) -> bool {
        matches!(self, MessageFormat::Sarif | MessageFormat::Github | MessageFormat::Junit)
    }
}
