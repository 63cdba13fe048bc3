//! Reports about files that are not JSON.

use formwork_base::{Diagnostic, LineIndex, codes};

use super::Reader;
use crate::document::MOST_ERRORS;
use crate::json::slips::{Habit, Slip};

impl Reader<'_> {
    /// Reports a way of writing, once per file.
    pub(super) fn habit(&mut self, habit: Habit, slip: Slip) {
        match self.habits.iter_mut().find(|(known, ..)| *known == habit) {
            Some((.., more)) => *more += 1,
            None => self.habits.push((habit, slip, 0)),
        }
    }

    pub(super) fn error(&mut self, at: usize, why: &'static str) {
        self.slip(Slip::at(at, why));
    }

    /// Reports an error with its advice, unless [`MOST_ERRORS`] were reported before.
    pub(super) fn slip(&mut self, slip: Slip) {
        if self.slips == MOST_ERRORS {
            return;
        }
        self.slips += 1;
        let lines = self.lines.get_or_insert_with(|| LineIndex::new(self.text));
        let (line, column) = lines.line_column(self.text, slip.met as u32);
        let start = slip.at.start;
        // A byte order mark is invisible.
        let is_mark = self.text[start..].starts_with('\u{feff}');
        let why =
            if is_mark { "a byte order mark is in the middle of the file, outside a string".into() } else { slip.why };
        let help = if is_mark { Some("remove it".to_owned()) } else { slip.help };
        let end = self.text[start..].chars().next().map_or(start, |c| start + c.len_utf8()).max(slip.at.end);
        // CloudFormation counts one column past the offending character (recorded).
        let sentence = format!("Template format error: JSON not well-formed. (line {line}, column {})", column + 1);
        let diagnostic =
            Diagnostic::titled(codes::NOT_WELL_FORMED, why).quoting(&sentence).at(self.span(start, end)).label("here");
        let diagnostic = slip.note.into_iter().fold(diagnostic, Diagnostic::note);
        self.diagnostics.push(help.into_iter().fold(diagnostic, Diagnostic::help));
    }

    pub(super) fn fatal(&mut self, slip: Slip) {
        self.slip(slip);
        self.stop = true;
    }
}
