//! Tests of columns of every unit against an implementation that counts character by character.

use crate::{ColumnUnit, LineColumn, LineIndex};
use proptest::prelude::*;

/// Returns line and column of the character at `offset` by walking the text from its start.
fn naive(text: &str, offset: usize, unit: ColumnUnit) -> LineColumn {
    let (mut line, mut column) = (0, 0);
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map_or(text.len(), |&(next, _)| next);
        if at == offset || next > offset {
            break;
        }
        let is_break = c == '\n' || c == '\r' && !text[next..].starts_with('\n');
        if is_break {
            (line, column) = (line + 1, 0);
        } else {
            column += match unit {
                ColumnUnit::Utf8 => c.len_utf8() as u32,
                ColumnUnit::Utf16 => c.len_utf16() as u32,
                ColumnUnit::Scalar => 1,
            };
        }
    }
    LineColumn { line, column }
}

fn texts() -> impl Strategy<Value = String> {
    let character =
        prop::sample::select(vec!['a', ' ', ':', '\n', '\r', 'é', '漢', '😀', '\u{feff}', '\u{2028}', '\u{301}']);
    prop::collection::vec(character, 0..40).prop_map(String::from_iter)
}

const UNITS: [ColumnUnit; 3] = [ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::Scalar];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn positions_are_those_of_a_walk(text in texts()) {
        let index = LineIndex::new(&text);
        for unit in UNITS {
            for offset in 0..=text.len() {
                prop_assert_eq!(index.position(&text, offset as u32, unit), naive(&text, offset, unit), "{} {:?}", offset, unit);
            }
        }
    }

    #[test]
    fn offsets_lead_back(text in texts()) {
        let index = LineIndex::new(&text);
        for unit in UNITS {
            for (offset, _) in text.char_indices() {
                // Between CR and LF is the end of a line: its offset is the one in front of both.
                let is_inside_break = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
                let expected = if is_inside_break { offset - 1 } else { offset };
                let position = index.position(&text, offset as u32, unit);
                prop_assert_eq!(index.offset(&text, position, unit) as usize, expected);
            }
        }
    }
}
