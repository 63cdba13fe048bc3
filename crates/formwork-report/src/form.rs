//! The form of what is printed.

/// The form of a text.
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
    /// Text with or without colours.
    pub fn words(has_color: bool) -> Form {
        if has_color { Form::Styled } else { Form::Plain }
    }
}

/// The form of messages (reference/diagnostics.md#forms).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageFormat {
    /// Code frames for people.
    Human,
    /// A line each.
    Short,
    /// A JSON object each.
    Json,
    /// One SARIF document.
    Sarif,
    /// Annotations of GitHub.
    Github,
    /// One `JUnit` document.
    Junit,
}

impl MessageFormat {
    /// Whether a report in it is made at the end of a run, of everything that was found.
    pub fn is_document(self) -> bool {
        matches!(self, MessageFormat::Sarif | MessageFormat::Github | MessageFormat::Junit)
    }
}
