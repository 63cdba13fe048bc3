//! Diagnostics that need no tree and no files: owned, with lines and columns in place of spans.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde::{Serialize, Serializer};

use crate::display::{ITEM, SENTENCE, cut, escape_for_display, mask_credentials};
use crate::{Code, Diagnostic, FileRange, Frame, FrameKind, Severity, SourceMap, Span};

/// A diagnostic for code without a session: a browser, another language, an editor. Its places are files, lines and
/// columns, and it has nothing that may not be shown.
///
/// `Display` writes one line, `template.yaml:7:7: error[FW0303]: ...`, without a line break. Serialized it is the
/// object that `--message-format json` prints (reference/diagnostics.md#forms).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The stable code.
    #[serde(skip)]
    pub code: Code,
    /// The code as a string; for a finding of another tool the tool's rule id.
    #[serde(rename = "code")]
    pub id: String,
    /// The other tool that reports the finding, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The severity in this run.
    #[serde(serialize_with = "severity")]
    pub severity: Severity,
    /// The title: the error in one clause.
    pub message: String,
    /// The place; without a file for a value passed on the command line.
    #[serde(flatten)]
    pub place: FindingPlace,
    /// The description of the place; may be empty.
    #[serde(skip)]
    pub label: String,
    /// Path of the node in the template, such as `Resources.Queue.Properties`.
    pub path: Option<String>,
    /// Path of the subject in the author's file.
    #[serde(skip)]
    pub site: Option<String>,
    /// The identity of the finding when lines move, if the report computes one.
    pub fingerprint: Option<String>,
    /// Iterations and module uses that lead to the place, outermost first.
    pub frames: Vec<FindingFrame>,
    /// The reasons.
    pub notes: Vec<String>,
    /// The fixes to try.
    pub help: Vec<String>,
    /// A change that fixes the error.
    pub fix: Option<FindingFix>,
    /// Other places that help to understand the error.
    pub related: Vec<FindingLabel>,
    /// The number of occurrences, such as iterations of one loop.
    pub count: u32,
    /// Address of the page about the code.
    pub url: String,
}

/// A place for people and editors. Lines and columns start at 1; columns count Unicode scalar values; the end is one
/// past the last character.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct FindingPlace {
    /// The file, as reports show its path.
    pub file: Option<String>,
    /// Line of the first character.
    pub line: Option<u32>,
    /// Column of the first character.
    pub column: Option<u32>,
    /// Line of the end.
    pub end_line: Option<u32>,
    /// Column of the end.
    pub end_column: Option<u32>,
    /// The place in bytes of the file, whose path is relative to the directory of the root template. Columns in other
    /// units come from the range and a [`LineIndex`](crate::LineIndex).
    #[serde(skip)]
    pub range: Option<FileRange>,
}

impl FindingPlace {
    /// Returns a place of which only the line and column of the beginning are known.
    pub fn of_line(file: Option<String>, line: Option<u32>, column: Option<u32>) -> FindingPlace {
        FindingPlace { file, line, column, ..FindingPlace::default() }
    }
}

/// A context that leads to a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct FindingFrame {
    /// The kind of the context.
    #[serde(serialize_with = "frame_kind")]
    pub kind: FrameKind,
    /// The loop variable, the import, the parameter or the nested stack.
    pub name: String,
    /// The item or value as a string, or the file of a module.
    pub value: Option<String>,
    /// Zero-based number of the iteration.
    pub index: Option<u32>,
    /// Name of the loop.
    #[serde(rename = "loop")]
    pub loop_name: Option<String>,
    /// The file of the loop or import, as reports show its path.
    pub file: Option<String>,
    /// The line of the frame.
    pub line: Option<u32>,
    /// The column of the frame.
    pub column: Option<u32>,
}

/// Another place that helps to understand the error.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct FindingLabel {
    /// The description of the place.
    pub message: String,
    /// The place.
    #[serde(flatten)]
    pub place: FindingPlace,
}

/// A change of the source that fixes the error.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct FindingFix {
    /// The effect of the change, in a few words.
    pub message: String,
    /// The replacements, in source order.
    pub edits: Vec<FindingEdit>,
    /// `true` when the change is certainly what the author means.
    #[serde(rename = "applicability", serialize_with = "applicability")]
    pub is_safe: bool,
}

/// A replacement of text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct FindingEdit {
    /// The text to replace.
    #[serde(flatten)]
    pub place: FindingPlace,
    /// The new text, as written to the file.
    pub text: String,
}

impl Diagnostic {
    /// Returns the diagnostic without its tree and files. Credentials of addresses are masked, except in the edits of
    /// its fix, which have to match the source.
    pub fn resolve(&self, sources: &SourceMap) -> Finding {
        let diagnostic = self.without_credentials().into_owned();
        let primary = diagnostic.primary.as_ref().map_or(Span::NONE, |label| label.span);
        let labels = diagnostic.related.into_iter();
        let other = diagnostic.other_rule.map(|other| *other);
        let own_id = || diagnostic.code.to_string();
        let own_url = || diagnostic.code.url();
        Finding {
            code: diagnostic.code,
            id: other.as_ref().map_or_else(own_id, |other| other.id.clone()),
            tool: other.as_ref().map(|other| other.tool.clone()),
            url: other.map_or_else(own_url, |other| other.url.unwrap_or_default()),
            severity: diagnostic.severity,
            message: diagnostic.message,
            place: place(primary, sources),
            label: diagnostic.primary.map(|label| label.text).unwrap_or_default(),
            path: diagnostic.path,
            site: diagnostic.site,
            fingerprint: None,
            frames: diagnostic.frames.into_iter().map(|item| frame(item, sources)).collect(),
            notes: diagnostic.notes,
            help: diagnostic.help,
            fix: diagnostic.fix.map(|fix| FindingFix {
                message: fix.message,
                is_safe: fix.is_safe,
                edits: fix
                    .edits
                    .into_iter()
                    .map(|(span, text)| FindingEdit { place: place(span, sources), text })
                    .collect(),
            }),
            related: labels
                .map(|label| FindingLabel { message: label.text, place: place(label.span, sources) })
                .collect(),
            count: diagnostic.count,
        }
    }

    /// Returns the diagnostic with the credentials of all addresses masked. Edits of a fix stay as they are: they have
    /// to match the source.
    pub fn without_credentials(&self) -> Cow<'_, Diagnostic> {
        if !self.words().any(|text| matches!(mask_credentials(text), Cow::Owned(_))) {
            return Cow::Borrowed(self);
        }
        let mut masked = self.clone();
        let labels = masked.primary.iter_mut().chain(&mut masked.related).map(|label| &mut label.text);
        let frames = masked.frames.iter_mut().flat_map(|frame| {
            [Some(&mut frame.name), frame.value.as_mut(), frame.loop_name.as_mut()].into_iter().flatten()
        });
        let texts = [&mut masked.message].into_iter().chain(labels).chain(frames);
        for text in texts.chain(&mut masked.notes).chain(&mut masked.help).chain(&mut masked.path) {
            *text = mask_credentials(text).into_owned();
        }
        Cow::Owned(masked)
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        let labels = self.primary.iter().chain(&self.related).map(|label| label.text.as_str());
        let frames = self.frames.iter().flat_map(|frame| {
            [Some(&frame.name), frame.value.as_ref(), frame.loop_name.as_ref()].into_iter().flatten()
        });
        let texts = [&self.message].into_iter().chain(frames).chain(&self.notes);
        texts.chain(&self.help).chain(&self.path).map(String::as_str).chain(labels)
    }
}

fn place(span: Span, sources: &SourceMap) -> FindingPlace {
    let Some(place) = sources.place(span) else { return FindingPlace::default() };
    FindingPlace {
        file: Some(mask_credentials(sources.display(place.file)).into_owned()),
        line: Some(place.line),
        column: Some(place.column),
        end_line: Some(place.end_line),
        end_column: Some(place.end_column),
        range: sources.file_range(span),
    }
}

fn frame(frame: Frame, sources: &SourceMap) -> FindingFrame {
    let FindingPlace { file, line, column, .. } = place(frame.span, sources);
    let Frame { kind, name, value, index, loop_name, .. } = frame;
    FindingFrame { kind, name, value, index, loop_name, file, line, column }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FindingPlace { file, line, column, .. } = &self.place;
        let mut text = match (file, line, column) {
            (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
            (Some(file), Some(line), None) => format!("{file}:{line}: "),
            (Some(file), None, _) => format!("{file}: "),
            (None, ..) => String::new(),
        };
        write!(text, "{}[{}]: {}", self.severity.name(), self.id, cut(&self.message, SENTENCE))?;
        let items: Vec<String> = self
            .frames
            .iter()
            .filter_map(|frame| Some(format!("{}={}", cut(&frame.name, ITEM), cut(frame.value.as_deref()?, ITEM))))
            .collect();
        if !items.is_empty() {
            write!(text, " [{}]", items.join(", "))?;
        }
        if self.count > 1 {
            write!(text, " ({} times)", self.count)?;
        }
        f.write_str(&escape_for_display(&text))
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn applicability<S: Serializer>(is_safe: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if *is_safe { "safe" } else { "unsafe" })
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn severity<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.name())
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn frame_kind<S: Serializer>(kind: &FrameKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{VirtualPath, codes};

    fn finding() -> Finding {
        let mut sources = SourceMap::new();
        sources.add(VirtualPath::new("first.yaml"), "a: b\n").expect("room");
        let file = sources.add(VirtualPath::new("second.yaml"), "Größe: 1\nb: 2\n").expect("room");
        let start = sources.base(file) + 9;
        Diagnostic::new(codes::DUPLICATE_KEY, "see https://user:secret@host/m.yaml\u{1b}")
            .at(Span::new(start, start + 1))
            .label("here")
            .help("remove it")
            .fix("remove it", Span::new(start, start + 1), "x")
            .resolve(&sources)
    }

    #[test]
    fn one_line_for_people() {
        assert_eq!(finding().to_string(), "second.yaml:1:8: warning[FW0003]: see https://****@host/m.yaml\\u{1b}");
    }

    #[test]
    fn one_object_for_programs() {
        let json = serde_json::to_value(finding()).expect("JSON");
        assert_eq!(json["code"], "FW0003");
        assert_eq!(json["message"], "see https://****@host/m.yaml\u{1b}");
        assert_eq!((&json["line"], &json["end_column"]), (&1.into(), &9.into()));
        assert_eq!(json["fix"]["edits"][0]["text"], "x");
    }

    #[test]
    fn bytes_are_those_of_the_file() {
        let range = finding().place.range.expect("a place");
        assert_eq!(range.to_string(), "second.yaml:9..10");
    }
}
