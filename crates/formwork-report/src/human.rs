//! Code frames.

use annotate_snippets::{Group, Level};
use formwork_base::{Diagnostic, FrameKind, Severity};

use crate::code_frame::{self, Label};
use crate::{Context, ITEM, cut, sentence};

/// A diagnostic with its place, the iterations that led there, the reason and advice. Ends in a
/// line break.
pub fn render(diagnostic: &Diagnostic, context: &Context<'_>) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let code = diagnostic.code.to_string();
    let title = level.primary_title(sentence(&diagnostic.message)).id(code.as_str());
    let pieces = code_frame::pieces(&labels(diagnostic), context);
    let mut group = code_frame::add(Group::with_title(title), &pieces);
    for note in notes(diagnostic) {
        group = group.element(Level::NOTE.message(sentence(&note)));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(sentence(help)));
    }
    let more = format!("formwork check --explain {code}");
    if diagnostic.severity != Severity::Note && diagnostic.code.info().page().is_some() {
        group = group.element(Level::NOTE.with_name("more").message(more));
    }
    format!("{}\n\n", code_frame::draw(group, context))
}

fn labels(diagnostic: &Diagnostic) -> Vec<Label> {
    let mut labels: Vec<Label> = Vec::new();
    if let Some(primary) = &diagnostic.primary {
        labels.push((primary.span, primary.text.clone(), true));
    }
    labels.extend(diagnostic.related.iter().map(|label| (label.span, label.text.clone(), false)));
    for frame in &diagnostic.frames {
        let words = match (frame.kind, &frame.value) {
            (FrameKind::Loop, Some(value)) => {
                let (name, value) = (cut(&frame.name, ITEM), cut(value, ITEM));
                format!("iteration {}: {name} = \"{value}\"", frame.index.unwrap_or(0) + 1)
            }
            (kind, _) => format!("{} {}", kind.name(), frame.name),
        };
        if !frame.span.is_none() && !labels.iter().any(|(span, text, _)| *span == frame.span && *text == words) {
            labels.push((frame.span, words, false));
        }
    }
    labels.retain(|(span, ..)| !span.is_none());
    for (_, text, _) in &mut labels {
        *text = sentence(text);
    }
    labels
}

fn notes(diagnostic: &Diagnostic) -> Vec<String> {
    let mut notes = diagnostic.notes.clone();
    if diagnostic.count > 1 && !diagnostic.frames.is_empty() {
        notes.push(format!("the same in {} iterations", diagnostic.count));
    }
    notes
}
