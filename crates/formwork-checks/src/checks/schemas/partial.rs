//! Strings that are known in part (reference/schemas.md#partial): the literal parts of `Fn::Sub` and `Fn::Join`, and the
//! values of a parameter that its declaration lists.

mod alphabet;
mod ends;
mod parameter;
mod pieces;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_schemas::{Kind, Node};
use formwork_syntax::Function;
use formwork_syntax::function::Known;

use super::formats;
use super::walk::{At, Walk};
use super::words;
use super::words::quoted;
use alphabet::Alphabet;
pub(super) use ends::decide as ends_decide;
pub(super) use parameter::declared_values;
pub(super) use pieces::{Piece, of as pieces_of};

impl<'w> Walk<'w> {
    /// Checks a call that returns a string of which something is known.
    pub(super) fn partial(&mut self, schema: Node<'w>, at: At, function: Function) {
        let kinds = schema.kinds();
        if schema.has_alternatives() {
            return;
        }
        let takes_text = kinds.is_any() || kinds.has(Kind::String);
        match function {
            Function::Known(Known::Ref) => self.parameter_values(schema, at),
            Function::Known(Known::Sub | Known::Join) if takes_text && schema.values().is_none() => {
                if let Some(pieces) = pieces_of(self.tree, at.node) {
                    self.literal_parts(schema, at, &pieces);
                }
            }
            _ => {}
        }
    }

    fn literal_parts(&mut self, schema: Node<'w>, at: At, pieces: &[Piece]) {
        let length: usize = pieces.iter().map(Piece::least).sum();
        let subject = words::subject(&self.path, self.tree.text(self.id));
        if let Some(most) = schema.max_length().filter(|&most| length as u64 > most) {
            let Some(severity) = self.severity_of(codes::BOUND_OF_PROPERTY) else { return };
            let title = format!("{subject} has at least {length} characters, more than {most}");
            let diagnostic = Diagnostic::titled(codes::BOUND_OF_PROPERTY, title)
                .at(self.tree.span(at.node))
                .help(format!("write at most {most} characters"));
            return self.push(diagnostic, severity, "");
        }
        if let Some(pattern) = schema.pattern() {
            return self.pattern_of_parts(pattern.text(), at, pieces);
        }
        if let Some(format) = schema.format() {
            self.format_of_parts(format, at, pieces);
        }
    }

    /// Reports a literal part that no string of a format contains.
    pub(super) fn format_of_parts(&mut self, format: &str, at: At, pieces: &[Piece]) {
        if let Some(pattern) = formats::characters(format) {
            self.pattern_of_parts(pattern, at, pieces);
        }
    }

    /// Reports a literal part that no match of a pattern contains.
    pub(super) fn pattern_of_parts(&mut self, pattern: &str, at: At, pieces: &[Piece]) {
        let subject = words::subject(&self.path, self.tree.text(self.id));
        if let Some((text, help)) = ends::violated(pattern, pieces) {
            return self.wrong_end(pattern, at, text, help);
        }
        let Some(alphabet) = Alphabet::of(pattern) else { return };
        let wrong = pieces.iter().find_map(|piece| match piece {
            Piece::Text(text) => text.chars().find(|&character| !alphabet.has(character)).map(|found| (found, text)),
            Piece::Unknown(_) => None,
        });
        let Some((character, text)) = wrong else { return };
        let Some(severity) = self.severity_of(codes::PATTERN_OF_PROPERTY) else { return };
        let title = format!("{} in {subject} does not match its pattern", quoted(text));
        let diagnostic = Diagnostic::titled(codes::PATTERN_OF_PROPERTY, title)
            .at(self.tree.span(at.node))
            .note(format!("no match of `{}` contains `{}`", shown(pattern), character.escape_default()))
            .help(format!("remove `{}`", character.escape_default()));
        self.push(diagnostic, severity, "");
    }

    fn wrong_end(&mut self, pattern: &str, at: At, text: &str, help: String) {
        let Some(severity) = self.severity_of(codes::PATTERN_OF_PROPERTY) else { return };
        let subject = words::subject(&self.path, self.tree.text(self.id));
        let title = format!("{} in {subject} does not match its pattern", quoted(text));
        let diagnostic = Diagnostic::titled(codes::PATTERN_OF_PROPERTY, title)
            .at(self.tree.span(at.node))
            .note(format!("the pattern is `{}`", shown(pattern)))
            .help(help);
        self.push(diagnostic, severity, "");
    }
}
