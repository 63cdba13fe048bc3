//! Renderers of diagnostics and answers, one per file: code frames for people ([`human`]), one line each ([`short`]),
//! JSON for machines ([`json`]), documents for services that show the findings of a build ([`sarif`], [`junit`],
//! [`github`]; reference/diagnostics.md#forms); answers of [`explain`], [`rules`] and [`resource_type`].
//!
//! Renderers are pure: they return strings. Secrets are not shown: spans of `NoEcho` values are masked in source lines.
//! Names, paths and values are escaped for terminals ([`printable`]). Code frames show a window around each label, and
//! [`human::MOST`] diagnostics of a code. A diagnostic whose session is gone is rendered from a
//! [`Finding`](formwork_base::Finding).

mod baseline;
mod code_frame;
mod configuration_use;
mod credentials;
pub mod explain;
mod file_findings;
mod fingerprint;
mod form;
pub mod github;
pub mod human;
pub mod json;
pub mod junit;
pub mod line_diff;
mod mask;
mod notice;
pub mod resource_type;
pub mod rules;
pub mod sarif;
pub mod short;
mod summary;
mod window;
mod wrap;

pub use baseline::{Baseline, KnownFinding, Scope};
pub use configuration_use::ConfigurationUse;
pub use file_findings::{FileFindings, SuppressedFinding};
pub use fingerprint::Fingerprints;
pub use form::{Form, MessageFormat};
pub use notice::Notice;
pub use summary::Summary;
pub use wrap::{fold, lines_of_words};

use std::borrow::Cow;

use formwork_base::display::{SENTENCE, cut, escape_for_display, escape_json, mask_credentials};
use formwork_base::{SourceMap, Span};

/// The input of renderers besides the diagnostic.
#[derive(Clone, Copy, Debug)]
pub struct Context<'c> {
    /// The source files.
    pub sources: &'c SourceMap,
    /// Spans that are never shown.
    pub secrets: &'c [Span],
    /// Set to use colours.
    pub color: bool,
    /// The width of the terminal in columns, at which notes and helps are wrapped; `None` without a terminal.
    pub width: Option<usize>,
}

/// Escapes characters that act on a terminal or reorder what is shown. Messages of diagnostics contain names and items
/// of authors who may be hostile.
pub fn printable(text: &str) -> Cow<'_, str> {
    escape_for_display(text)
}

/// Prepares words of a diagnostic for people: printable, and of limited length.
fn sentence(text: &str) -> String {
    printable(&cut(&mask_credentials(text), SENTENCE)).into_owned()
}

/// Escapes characters in JSON that act on a terminal, for people who look at it. No value changes.
fn machine(json: serde_json::Result<String>) -> String {
    escape_json(&json.unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use formwork_base::{Diagnostic, Frame, FrameKind, VirtualPath, codes};

    use super::*;

    fn render_with(text: &str) -> [String; 3] {
        let mut sources = SourceMap::new();
        let file = sources.add(VirtualPath::new(text), format!("a: b {text}\n")).expect("room");
        let start = sources.base(file);
        let at = |from: u32| Span::new(start + from, start + from + 1);
        let frame = Frame {
            kind: FrameKind::Loop,
            name: text.into(),
            value: Some(text.into()),
            index: Some(0),
            length: Some(1),
            loop_name: Some(text.into()),
            span: at(0),
            item: at(3),
        };
        let diagnostic = Diagnostic::new(codes::DUPLICATE_PRODUCED_KEY, text)
            .at(at(0))
            .label(text)
            .related(at(3), text)
            .note(text)
            .help(text)
            .frames(vec![frame]);
        let context = Context { sources: &sources, secrets: &[], color: false, width: None };
        [
            human::render(&diagnostic, &context),
            short::render(&diagnostic, &context),
            json::render(&diagnostic, &context),
        ]
    }

    #[test]
    fn nothing_acts_on_a_terminal() {
        let [human, short, json] = render_with("a\u{1b}[31m\u{202e}b\u{9b}");
        for text in [&human, &short] {
            assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{text:?}");
        }
        assert_eq!(short.lines().count(), 1);
        assert_eq!(json.lines().count(), 1);
    }

    #[test]
    fn reports_lead_to_the_page() {
        let [human, _, json] = render_with("text");
        assert!(human.ends_with("  = more: formwork check --explain FW0303\n\n"), "{human}");
        let url = "https://github.com/formwork-cfn/formwork/blob/main/docs/diagnostics/FW0303.md";
        assert!(json.contains(&format!("\"url\":\"{url}\"")), "{json}");
    }
}
