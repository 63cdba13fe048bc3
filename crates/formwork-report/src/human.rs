//! Code frames.

use annotate_snippets::{Group, Level};
use formwork_base::display::{ITEM, cut};
use formwork_base::{Code, Diagnostic, Frame, FrameKind, MOST_CONTEXTS, Severity};

use crate::code_frame::{self, Label};
use crate::credentials;
use crate::wrap::{fold, wrapped};
use crate::{Context, sentence};

/// Renders a diagnostic with its place, the iterations that led there, its notes and help. Ends in a line break.
pub fn render(diagnostic: &Diagnostic, context: &Context<'_>) -> String {
    let diagnostic = &*diagnostic.without_credentials();
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let other = diagnostic.other_rule.as_deref();
    let code = other.map_or_else(|| diagnostic.code.to_string(), |other| sentence(&other.id));
    let title = level.primary_title(sentence(&diagnostic.message)).id(code.as_str());
    let pieces = code_frame::pieces(&labels(diagnostic), context);
    let mut group = code_frame::add(Group::with_title(title), &pieces);
    let last_line = code_frame::last_line(&pieces);
    for note in notes(diagnostic, context) {
        group = group.element(Level::NOTE.message(wrapped(&sentence(&note), context, last_line)));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(wrapped(&sentence(help), context, last_line)));
    }
    let more = format!("formwork check --explain {code}");
    if let Some(url) = other.and_then(|other| other.url.as_deref()) {
        group = group.element(Level::NOTE.with_name("more").message(sentence(url)));
    } else if diagnostic.severity != Severity::Note && diagnostic.code.info().page().is_some() {
        group = group.element(Level::NOTE.with_name("more").message(more));
    }
    let drawn = code_frame::draw(group, &pieces, context);
    // Frames stay as they are.
    let (title, frame) = drawn.split_once('\n').unwrap_or((&drawn, ""));
    let title = context.width.map_or(std::borrow::Cow::Borrowed(title), |width| fold(title, width));
    if frame.is_empty() { format!("{title}\n\n") } else { format!("{title}\n{frame}\n\n") }
}

/// Keeps a report readable: the first diagnostics of each code are drawn, and the others are counted
/// (reference/diagnostics.md#forms).
#[derive(Debug, Default)]
pub struct Cap {
    counts: Vec<(Code, usize)>,
}

/// The largest number of diagnostics of a code that are drawn.
pub const MOST: usize = 50;

impl Cap {
    /// Counts a diagnostic, and returns `true` if it is to be drawn.
    pub fn admits(&mut self, diagnostic: &Diagnostic) -> bool {
        self.admits_code(diagnostic.code)
    }

    /// Counts a diagnostic of a code, and returns `true` if it is to be drawn.
    pub fn admits_code(&mut self, code: Code) -> bool {
        let at = self.counts.iter().position(|(known, _)| *known == code).unwrap_or(self.counts.len());
        if at == self.counts.len() {
            self.counts.push((code, 0));
        }
        let count = &mut self.counts[at].1;
        *count += 1;
        *count <= MOST
    }

    /// Returns a line for each code with the number of diagnostics that were not drawn; empty when all were.
    pub fn rest(&self) -> String {
        let hidden = self.counts.iter().filter(|(_, count)| *count > MOST);
        let lines = hidden.map(|(code, count)| {
            format!("{code}: and {} more; `--message-format short` shows more of them\n", count - MOST)
        });
        let text: String = lines.collect();
        if text.is_empty() { text } else { text + "\n" }
    }
}

fn labels(diagnostic: &Diagnostic) -> Vec<Label> {
    let mut labels: Vec<Label> = Vec::new();
    if let Some(primary) = &diagnostic.primary {
        labels.push((primary.span, primary.text.clone(), true));
    }
    labels.extend(diagnostic.related.iter().map(|label| (label.span, label.text.clone(), false)));
    // A chain of modules may have any length: its ends are shown, and a note has all of it.
    let count = diagnostic.frames.len();
    let shown = |at: usize| count <= MOST_FRAMES || at < MOST_FRAMES / 2 || at >= count - MOST_FRAMES / 2;
    for (_, frame) in diagnostic.frames.iter().enumerate().filter(|&(at, _)| shown(at)) {
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

const MOST_FRAMES: usize = 6;

fn notes(diagnostic: &Diagnostic, context: &Context<'_>) -> Vec<String> {
    let mut notes = diagnostic.notes.clone();
    notes.extend(import_chain(diagnostic, context));
    if diagnostic.count > 1 && !diagnostic.frames.is_empty() {
        notes.push(format!("the same in {} iterations", diagnostic.count));
    }
    notes
}

/// The imports that lead to the place: `template.yaml > Net (vpc.yaml) > Sub (subnet.yaml)`
/// (reference/modules/README.md#errors).
fn import_chain(diagnostic: &Diagnostic, context: &Context<'_>) -> Option<String> {
    const MOST: usize = 8;
    let modules: Vec<&Frame> = diagnostic.frames.iter().filter(|frame| frame.kind == FrameKind::Module).collect();
    let root = context.sources.files().next().map(|file| credentials::path(file, context).into_owned())?;
    let mut links = vec![root];
    for (at, frame) in modules.iter().enumerate() {
        if modules.len() > MOST && at == MOST / 2 {
            let is_cut = diagnostic.frames.len() >= MOST_CONTEXTS;
            let more = if is_cut { "more".to_owned() } else { format!("{} more", modules.len() - MOST) };
            links.push(format!("… {more}"));
        }
        if modules.len() <= MOST || at < MOST / 2 || at >= modules.len() - MOST / 2 {
            links.push(format!("{} ({})", cut(&frame.name, ITEM), frame.value.as_deref().unwrap_or_default()));
        }
    }
    (links.len() > 1).then(|| format!("imported by {}", links.join(" > ")))
}

#[cfg(test)]
mod tests {
    use formwork_base::codes;

    use super::*;

    #[test]
    fn diagnostics_of_a_code_are_drawn_up_to_a_number() {
        let mut cap = Cap::default();
        let many = Diagnostic::new(codes::NULL_VALUE, "");
        let drawn = (0..1000).filter(|_| cap.admits(&many)).count();
        assert!(cap.admits(&Diagnostic::new(codes::DUPLICATE_KEY, "")));
        assert_eq!(drawn, MOST);
        let rest = cap.rest();
        assert!(rest.contains(": and 950 more;") && rest.lines().count() == 2, "{rest}");
    }
}
