//! Parsing of strings of a loop's body (reference/for-each.md#substitution; reference/map-and-merge.md#map-references).

use std::cell::OnceCell;
use std::ops::Range;

use formwork_template::placeholder::Scanner;
use formwork_template::sub_string::{self, Part};
use formwork_template::sub_text::SubText;
use rustc_hash::FxHashSet;

use super::Binding;

/// The placeholders of a string that are replaced by items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Syntax {
    /// `${}` and `&{}` at any place: in keys, and strings that are paths of artifacts.
    Placeholders,
    Sub,
    /// Both: in `Fn::Sub` as SAM CLI does it, and in the key of an `Fn::Map`.
    SubAndAmpersands,
}

#[derive(Debug, Default)]
pub(super) struct TextPlan {
    pub(super) pieces: Vec<Piece>,
    /// Set when it has variables that are not those of a loop, for any items.
    pub(super) is_open: bool,
    /// Set when it ends in a `${` that is never closed, as a string of `Fn::Sub`.
    pub(super) is_unclosed: bool,
    pub(super) has_attributes: bool,
    /// Most bytes of its literal parts.
    pub(super) fixed: usize,
    /// The string for plain items, as the string of a call and as a final one.
    segments: [OnceCell<Option<Segments>>; 2],
}

#[derive(Debug)]
pub(super) enum Piece {
    Text(Range<usize>),
    /// A variable of something else, or a part of it.
    OfVariable(Range<usize>),
    Literal(Range<usize>),
    Unknown(Range<usize>),
    ItemVariable(ItemVariable),
}

impl Piece {
    pub(super) fn write(&self, written: &str, as_call: bool, out: &mut SubText) {
        match self {
            Piece::OfVariable(range) if as_call => out.push_of_variable(&written[range.clone()]),
            Piece::Text(range) | Piece::OfVariable(range) => out.push_literal(&written[range.clone()]),
            Piece::Literal(range) => out.push(Part::Literal(&written[range.clone()])),
            Piece::Unknown(_) | Piece::ItemVariable(_) => {}
        }
    }
}

#[derive(Debug)]
pub(super) struct ItemVariable {
    pub(super) variable: usize,
    pub(super) name: Range<usize>,
    pub(super) is_attribute: bool,
    /// Set when only the alphanumeric characters of the item are inserted.
    pub(super) is_stripped: bool,
    /// Set inside a variable of something else.
    pub(super) of_variable: bool,
    /// Number of pieces after it that replace it when the item is not an object.
    pub(super) otherwise: usize,
}

impl TextPlan {
    /// Parses a string. Variables of the call itself, `own`, hide those of `Fn::Map`, and are hidden by those of
    /// `Fn::ForEach`.
    pub(super) fn new(text: &str, syntax: Syntax, bindings: &[Binding], own: &FxHashSet<&str>) -> TextPlan {
        let mut reader = Reader { text, in_variable: false, bindings, own, plan: TextPlan::default() };
        if syntax == Syntax::Placeholders {
            reader.placeholders(text);
        } else {
            reader.sub(syntax == Syntax::SubAndAmpersands);
        }
        let fixed = |piece: &Piece| match piece {
            Piece::Text(range) | Piece::OfVariable(range) | Piece::Literal(range) => range.len() + 4,
            Piece::Unknown(_) | Piece::ItemVariable(_) => 0,
        };
        let mut plan = reader.plan;
        plan.fixed = plan.pieces.iter().map(fixed).sum();
        plan.has_attributes =
            plan.pieces.iter().any(|piece| matches!(piece, Piece::ItemVariable(slot) if slot.is_attribute));
        plan
    }

    /// Returns the string `written` for plain items; `None` when other parts than whole items are inserted.
    pub(super) fn segments(&self, written: &str, as_call: bool) -> Option<&Segments> {
        self.segments[usize::from(as_call)].get_or_init(|| self.new_segments(written, as_call)).as_ref()
    }

    fn new_segments(&self, written: &str, as_call: bool) -> Option<Segments> {
        let mut segments = Segments::default();
        // No item has a part of a placeholder: the text before it ends there. A placeholder that the file does not
        // close is never closed.
        let mut text = SubText::default();
        for piece in &self.pieces {
            match piece {
                Piece::ItemVariable(slot) if !slot.is_attribute && !slot.is_stripped => {
                    segments.add(&mut text, as_call);
                    segments.items.push((slot.variable, segments.text.len()));
                }
                Piece::Unknown(_) | Piece::ItemVariable(_) => return None,
                piece => piece.write(written, as_call, &mut text),
            }
        }
        segments.add(&mut text, as_call);
        Some(segments)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    text: String,
    /// The variables, and the ends of the text before them.
    items: Vec<(usize, usize)>,
}

impl Segments {
    fn add(&mut self, text: &mut SubText, as_call: bool) {
        if as_call {
            text.finish();
        }
        self.text.push_str(text.as_str());
        text.clear();
    }

    pub(super) fn fill(&self, bindings: &[Binding], out: &mut String) {
        let mut at = 0;
        for &(variable, end) in &self.items {
            if at < end {
                out.push_str(&self.text[at..end]);
            }
            out.push_str(&bindings[variable].text);
            at = end;
        }
        out.push_str(&self.text[at..]);
    }

    pub(super) fn fixed(&self) -> usize {
        self.text.len()
    }

    pub(super) fn variables(&self) -> impl ExactSizeIterator<Item = usize> {
        self.items.iter().map(|&(variable, _)| variable)
    }

    /// Splits at the first dot that is not in an item. `None` when all dots are.
    pub(super) fn split_at_dot(&self) -> Option<(Segments, Segments)> {
        let (before, after) = self.text.split_once('.')?;
        let count = self.items.partition_point(|&(_, end)| end <= before.len());
        let (first, rest) = self.items.split_at(count);
        let rest = rest.iter().map(|&(variable, end)| (variable, end - before.len() - 1));
        Some((
            Segments { text: before.to_owned(), items: first.to_vec() },
            Segments { text: after.to_owned(), items: rest.collect() },
        ))
    }
}

struct Reader<'r> {
    text: &'r str,
    in_variable: bool,
    bindings: &'r [Binding],
    own: &'r FxHashSet<&'r str>,
    plan: TextPlan,
}

impl Reader<'_> {
    fn range(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }

    fn push_text(&mut self, part: &str) {
        if !part.is_empty() {
            let range = self.range(part);
            self.plan.pieces.push(if self.in_variable { Piece::OfVariable(range) } else { Piece::Text(range) });
        }
    }

    fn slot(&self, name: &str, mark: char) -> Option<ItemVariable> {
        let find = |is_attribute: bool| {
            // The range between the braces may be the rest of the text, once for each open one: it is compared only up
            // to the next one, whose names have no braces.
            let is_named = |binding: &Binding| {
                let rest = name.strip_prefix(&*binding.name);
                rest.is_some_and(|rest| if is_attribute { rest.starts_with('.') } else { rest.is_empty() })
            };
            let at = self.bindings.iter().rposition(is_named).filter(|_| !name.contains('{'))?;
            let binding = &self.bindings[at];
            let is_hidden = binding.of_map && (self.own.contains(&*binding.name) || self.own.contains(name));
            (!is_hidden && (binding.of_map || !is_attribute)).then_some(at)
        };
        let item = find(false);
        let variable = item.or_else(|| find(true))?;
        let (is_attribute, is_stripped) = (item.is_none(), mark == '&');
        let (name, of_variable) = (self.range(name), self.in_variable);
        Some(ItemVariable { variable, name, is_attribute, is_stripped, of_variable, otherwise: 0 })
    }

    fn sub(&mut self, takes_ampersands: bool) {
        self.plan.is_unclosed = sub_string::unclosed(self.text).is_some();
        for (part, written) in sub_string::written_parts(self.text) {
            match part {
                Part::Text(plain) if takes_ampersands => self.placeholders(plain),
                Part::Text(plain) => self.push_text(plain),
                Part::Literal(name) => self.plan.pieces.push(Piece::Literal(self.range(name))),
                Part::Variable(name) => {
                    let slot = self.slot(name, '$');
                    self.in_variable = true;
                    if let Some(slot) = slot {
                        let otherwise = usize::from(slot.is_attribute);
                        self.plan.pieces.push(Piece::ItemVariable(ItemVariable { otherwise, ..slot }));
                        if otherwise > 0 {
                            self.push_text(written);
                        }
                    } else {
                        self.plan.is_open = true;
                        if takes_ampersands { self.placeholders(written) } else { self.push_text(written) }
                    }
                    self.in_variable = false;
                }
            }
        }
    }

    /// Adds the pieces of `part`. The inside of a placeholder without an item is read again.
    fn placeholders(&mut self, part: &str) {
        // Open attributes: the start of their pieces, and the end of the text that is read in their place.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let (mut scanner, mut at) = (Scanner::new(part), 0);
        loop {
            let found = scanner.next_placeholder();
            let end = part.len() - found.map_or(0, |(_, found)| scanner.rest().len() + found.written.len());
            while let Some((slot, close)) = open.pop_if(|&mut (_, close)| close <= end) {
                self.push_text(&part[at.min(close)..close]);
                at = at.max(close);
                self.close(slot);
            }
            self.push_text(&part[at..end]);
            let Some((_, found)) = found else { return };
            let slot = found.name.and_then(|name| self.slot(name, found.mark));
            let is_item = slot.as_ref().is_some_and(|slot| !slot.is_attribute);
            if let Some(slot) = slot {
                if slot.is_attribute {
                    open.push((self.plan.pieces.len(), end + found.written.len()));
                }
                self.plan.pieces.push(Piece::ItemVariable(slot));
            }
            if is_item {
                at = end + found.written.len();
            } else {
                self.plan.pieces.push(Piece::Unknown(self.range(found.written)));
                at = end;
                scanner.enter(&found);
            }
        }
    }

    fn close(&mut self, slot: usize) {
        let behind = self.plan.pieces.len() - slot - 1;
        if let Some(Piece::ItemVariable(slot)) = self.plan.pieces.get_mut(slot) {
            slot.otherwise = behind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Segments;

    #[test]
    fn segments_are_split_at_the_first_dot_outside_of_items() {
        let split = |text: &str, items: &[(usize, usize)]| {
            let segments = Segments { text: text.to_owned(), items: items.to_vec() };
            let parts = segments.split_at_dot();
            parts.map(|(name, attribute)| (name.text, name.items, attribute.text, attribute.items))
        };
        let parts = |name: &str, before: &[(usize, usize)], attribute: &str, after: &[(usize, usize)]| {
            Some((name.to_owned(), before.to_vec(), attribute.to_owned(), after.to_vec()))
        };
        assert_eq!(split("ATable.Arn.B", &[(0, 1), (1, 11)]), parts("ATable", &[(0, 1)], "Arn.B", &[(1, 4)]));
        assert_eq!(split(".", &[(0, 0), (1, 1), (2, 1)]), parts("", &[(0, 0)], "", &[(1, 0), (2, 0)]));
        assert_eq!(split("Table", &[(0, 5)]), None);
    }
}
