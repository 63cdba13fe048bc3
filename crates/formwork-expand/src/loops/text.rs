//! Keys and strings of a loop's body that take the items (reference/for-each.md#substitution;
//! reference/map-and-merge.md#map-references): each is taken apart once, and filled in every iteration.

use std::ops::Range;
use std::rc::Rc;

use formwork_base::codes;
use formwork_syntax::document::shown;
use formwork_syntax::{Kind, NodeId, Origin, Tree};
use formwork_template::logical_id;
use formwork_template::placeholder::{self, Scanner};
use formwork_template::sub_string::{self, Part};
use rustc_hash::FxHashSet;

use super::map_check::fault;
use super::{Binding, Expander};

/// Which placeholders of a string take items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Syntax {
    /// `${}` and `&{}`, wherever they are: keys, and strings that are paths of artifacts.
    Placeholders,
    /// The variables of `Fn::Sub`.
    Sub,
    /// Both: in `Fn::Sub` as SAM CLI does it, and in the key of an `Fn::Map`.
    SubAndAmpersands,
}

/// A string with the items of one iteration.
#[derive(Debug, Default)]
pub(super) struct Filled {
    pub(super) text: String,
    /// The first placeholder in it that belongs to no loop.
    pub(super) unknown: Option<String>,
    /// Names whose items have no place in a string.
    misfits: Vec<(String, Misfit)>,
}

/// Why an item has no place in a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Misfit {
    /// It is a list, an object or null.
    NoText,
    /// It does not have this key.
    NoAttribute,
}

/// A string of a loop's body, taken apart in one scope.
#[derive(Debug, Default)]
pub(super) struct TextPlan {
    pieces: Vec<Piece>,
    /// Whether it has variables that are none of a loop, whatever the items are.
    is_open: bool,
    /// Whether any of its slots is an attribute of an item.
    has_attributes: bool,
    /// Bytes that its strings add at most.
    fixed: usize,
}

#[derive(Debug)]
enum Piece {
    /// Text as it is written, variables of others included.
    Text(Range<usize>),
    /// What is after `${!`.
    Literal(Range<usize>),
    /// A placeholder that belongs to no loop; its string follows.
    Unknown(Range<usize>),
    /// An item, or an attribute of it.
    Slot(Slot),
}

impl Piece {
    /// Adds text that is not an item.
    fn write(&self, written: &str, as_call: bool, out: &mut String) {
        match self {
            Piece::Text(range) if as_call => sub_string::join(out, &written[range.clone()]),
            Piece::Text(range) => out.push_str(&written[range.clone()]),
            Piece::Literal(range) => {
                let part = Part::Literal(&written[range.clone()]);
                if as_call { part.write(out) } else { part.write_plain(out) }
            }
            Piece::Unknown(_) | Piece::Slot(_) => {}
        }
    }
}

#[derive(Debug)]
struct Slot {
    /// The number of the variable from the outermost.
    variable: usize,
    /// What is between the braces.
    name: Range<usize>,
    is_attribute: bool,
    /// Whether only letters and digits are put in.
    is_stripped: bool,
    /// The number of pieces after it that take its place when the item is not an object.
    otherwise: usize,
}

impl TextPlan {
    /// Takes a string apart. Variables of the call itself, `own`, hide those of `Fn::Map`, and are hidden by
    /// those of `Fn::ForEach`.
    fn new(text: &str, syntax: Syntax, bindings: &[Binding], own: &FxHashSet<&str>) -> TextPlan {
        let mut reader = Reader { text, bindings, own, plan: TextPlan::default() };
        if syntax == Syntax::Placeholders {
            reader.placeholders(text);
        } else {
            reader.sub(syntax == Syntax::SubAndAmpersands);
        }
        let fixed = |piece: &Piece| match piece {
            Piece::Text(range) | Piece::Literal(range) => range.len() + 4,
            Piece::Unknown(_) | Piece::Slot(_) => 0,
        };
        let mut plan = reader.plan;
        plan.fixed = plan.pieces.iter().map(fixed).sum();
        plan.has_attributes = plan.pieces.iter().any(|piece| matches!(piece, Piece::Slot(slot) if slot.is_attribute));
        plan
    }

    /// The string `written` where all items are plain; `None` when something else than whole items goes into it.
    pub(super) fn segments(&self, written: &str, as_call: bool) -> Option<Segments> {
        let mut segments = Segments::default();
        // No item ends in a dollar sign: what follows it is joined to nothing.
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(_) | Piece::Literal(_) => piece.write(written, as_call, &mut text),
                Piece::Slot(slot) if !slot.is_attribute && !slot.is_stripped => {
                    segments.text.push_str(&text);
                    text.clear();
                    segments.items.push((slot.variable, segments.text.len()));
                }
                Piece::Unknown(_) | Piece::Slot(_) => return None,
            }
        }
        segments.text.push_str(&text);
        Some(segments)
    }
}

/// A string whose items are all put in as they are.
#[derive(Debug, Default)]
pub(super) struct Segments {
    /// The text around the items.
    text: String,
    /// The variables, and where the text in front of them ends.
    items: Vec<(usize, usize)>,
}

impl Segments {
    /// Adds the string with the items, which are plain.
    pub(super) fn fill(&self, bindings: &[Binding], out: &mut String) {
        let mut at = 0;
        for &(variable, end) in &self.items {
            out.push_str(&self.text[at..end]);
            out.push_str(&bindings[variable].text);
            at = end;
        }
        out.push_str(&self.text[at..]);
    }

    /// Bytes that a string has but for the items.
    pub(super) fn fixed(&self) -> usize {
        self.text.len()
    }

    /// The number of its items.
    pub(super) fn items(&self) -> usize {
        self.items.len()
    }
}

struct Reader<'r> {
    text: &'r str,
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
            self.plan.pieces.push(Piece::Text(self.range(part)));
        }
    }

    fn slot(&self, name: &str, mark: char) -> Option<Slot> {
        let find = |variable: &str, is_attribute: bool| {
            let at = self.bindings.iter().rposition(|binding| *binding.name == *variable)?;
            let of_map = self.bindings[at].of_map;
            let is_hidden = of_map && (self.own.contains(variable) || self.own.contains(name));
            (!is_hidden && (of_map || !is_attribute)).then_some(at)
        };
        let item = find(name, false);
        let variable = item.or_else(|| find(name.split_once('.')?.0, true))?;
        let (is_attribute, is_stripped) = (item.is_none(), mark == '&');
        Some(Slot { variable, name: self.range(name), is_attribute, is_stripped, otherwise: 0 })
    }

    fn sub(&mut self, takes_ampersands: bool) {
        for part in sub_string::parts(self.text) {
            match part {
                Part::Text(plain) if takes_ampersands => self.placeholders(plain),
                Part::Text(plain) => self.push_text(plain),
                Part::Literal(name) => self.plan.pieces.push(Piece::Literal(self.range(name))),
                Part::Variable(name) => {
                    let inner = self.range(name);
                    let written = &self.text[inner.start - 2..=inner.end];
                    if let Some(slot) = self.slot(name, '$') {
                        let otherwise = usize::from(slot.is_attribute);
                        self.plan.pieces.push(Piece::Slot(Slot { otherwise, ..slot }));
                        if otherwise > 0 {
                            self.push_text(written);
                        }
                        continue;
                    }
                    self.plan.is_open = true;
                    if takes_ampersands { self.placeholders(written) } else { self.push_text(written) }
                }
            }
        }
    }

    /// The pieces of `part`. What is inside a placeholder that takes no item is read again.
    fn placeholders(&mut self, part: &str) {
        // Attributes that are open: where their pieces begin, and where what is read in their place ends.
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
                self.plan.pieces.push(Piece::Slot(slot));
            }
            if is_item {
                at = end + found.written.len();
            } else {
                self.plan.pieces.push(Piece::Unknown(self.range(found.written)));
                at = end;
                scanner.enter(part, &found);
            }
        }
    }

    fn close(&mut self, slot: usize) {
        let behind = self.plan.pieces.len() - slot - 1;
        if let Some(Piece::Slot(slot)) = self.plan.pieces.get_mut(slot) {
            slot.otherwise = behind;
        }
    }
}

impl Expander<'_, '_> {
    /// The pieces of a string, found once in each scope. `map` has the variables of its own call.
    pub(super) fn plan(&mut self, text: NodeId, map: Option<NodeId>, syntax: Syntax) -> Rc<TextPlan> {
        if let Some(plan) = self.plans.get(&(text, self.scope)) {
            return Rc::clone(plan);
        }
        let plan = Rc::new(self.plan_once(text, map, syntax));
        self.plans.insert((text, self.scope), Rc::clone(&plan));
        plan
    }

    /// The same for a string that is in one iteration alone.
    pub(super) fn plan_once(&self, text: NodeId, map: Option<NodeId>, syntax: Syntax) -> TextPlan {
        let tree = &*self.ev.tree;
        let own = map.into_iter().flat_map(|map| tree.entries(map)).map(|entry| tree.text(entry.key)).collect();
        TextPlan::new(tree.text(text), syntax, &self.bindings, &own)
    }

    /// Whether all variables of an `Fn::Sub` are those of loops.
    pub(super) fn is_closed(&self, plan: &TextPlan, text: NodeId) -> bool {
        let written = self.ev.tree.text(text);
        let is_item = |piece: &Piece| match piece {
            Piece::Slot(slot) if slot.is_attribute && !slot.is_stripped => self.attribute(slot, written).is_some(),
            _ => true,
        };
        !plan.is_open && (!plan.has_attributes || plan.pieces.iter().all(is_item))
    }

    /// A string with the items of this iteration: as the text of an `Fn::Sub` that stays, escaped so that no
    /// item is read as a variable, or as it is then. `None` when it is over a limit.
    pub(super) fn fill(&mut self, text: NodeId, plan: &TextPlan, as_call: bool) -> Option<Filled> {
        let size = self.charge_filled(text, plan)?;
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.reserve(size);
        Some(self.filled(self.ev.tree.text(text), plan, buffer, as_call))
    }

    /// Takes a string back that was filled in and is not needed anymore.
    pub(super) fn reuse(&mut self, filled: String) {
        self.buffer = filled;
    }

    /// Accounts for the bytes that a filled string has at most, escapes aside; `None` when it is over a limit.
    fn charge_filled(&mut self, text: NodeId, plan: &TextPlan) -> Option<usize> {
        // Short strings are not accounted for: most are, whichever items they take.
        let longest = self.bindings.last().map_or(0, |binding| binding.longest);
        let most = plan.fixed.saturating_add(plan.pieces.len().saturating_mul(longest));
        if !plan.has_attributes && self.ev.is_short(most as u64) {
            return Some(most);
        }
        let written = self.ev.tree.text(text);
        let size = |piece: &Piece| match piece {
            Piece::Slot(slot) => self.value(slot, written).and_then(Result::ok).map_or(0, str::len),
            _ => 0,
        };
        let size = plan.fixed + plan.pieces.iter().map(size).sum::<usize>();
        let fits = self.ev.charge_text(size as u64, text);
        self.stopped |= !fits;
        fits.then_some(size)
    }

    /// The same; `None` also when an item does not fit, which is reported.
    pub(super) fn fill_soundly(&mut self, text: NodeId, plan: &TextPlan, as_call: bool) -> Option<Filled> {
        let mut filled = self.fill(text, plan, as_call)?;
        let misfits = std::mem::take(&mut filled.misfits);
        let is_sound = misfits.is_empty();
        for (name, misfit) in misfits {
            match misfit {
                Misfit::NoText => self.report_no_text(text, &name),
                Misfit::NoAttribute => self.report_no_attribute(text, &name),
            }
        }
        is_sound.then_some(filled)
    }

    fn filled(&self, written: &str, plan: &TextPlan, buffer: String, as_call: bool) -> Filled {
        let mut filled = Filled { text: buffer, ..Filled::default() };
        let mut at = 0;
        while let Some(piece) = plan.pieces.get(at) {
            at += 1;
            match piece {
                Piece::Text(_) | Piece::Literal(_) => piece.write(written, as_call, &mut filled.text),
                Piece::Unknown(range) => {
                    filled.unknown.get_or_insert_with(|| written[range.clone()].to_owned());
                }
                Piece::Slot(slot) => {
                    if let Some(item) = self.plain_item(slot) {
                        filled.text.push_str(item);
                        at += slot.otherwise;
                        continue;
                    }
                    let Some(value) = self.value(slot, written) else { continue };
                    at += slot.otherwise;
                    match value {
                        Ok(item) if slot.is_stripped => {
                            filled.text.extend(item.chars().filter(char::is_ascii_alphanumeric));
                        }
                        Ok(item) if as_call => sub_string::join(&mut filled.text, &sub_string::escape(item)),
                        Ok(item) => filled.text.push_str(item),
                        Err(misfit) => filled.misfits.push((written[slot.name.clone()].to_owned(), misfit)),
                    }
                }
            }
        }
        filled
    }

    /// The item that is put in for a placeholder, when it is put in as it is wherever that is.
    #[inline]
    fn plain_item(&self, slot: &Slot) -> Option<&str> {
        let binding = &self.bindings[slot.variable];
        let is_whole = binding.is_plain && !slot.is_attribute && !slot.is_stripped;
        if is_whole { binding.text() } else { None }
    }

    /// What is put in for a placeholder; `None` for an attribute of something else.
    #[inline]
    fn value(&self, slot: &Slot, written: &str) -> Option<Result<&str, Misfit>> {
        if !slot.is_attribute {
            return Some(self.bindings[slot.variable].text().ok_or(Misfit::NoText));
        }
        let found = self.attribute(slot, written)?;
        Some(found.and_then(|item| text_of(self.ev.tree, item).ok_or(Misfit::NoText)))
    }

    fn attribute(&self, slot: &Slot, written: &str) -> Option<Result<NodeId, Misfit>> {
        let path = written[slot.name.clone()].split('.').skip(1);
        descend(self.ev.tree, self.bindings[slot.variable].item, path)
    }

    /// The value of a name with dots; `None` when its first part is not a variable with an object: then it
    /// is a name of the template.
    pub(super) fn attribute_of(&self, path: &str) -> Option<Result<NodeId, Misfit>> {
        let (name, rest) = path.split_once('.')?;
        descend(self.ev.tree, self.binding(name)?, rest.split('.'))
    }

    /// A key, seen from outside of the expansion, with the items.
    pub(super) fn text_now(&self, text: &str) -> String {
        let plan = TextPlan::new(text, Syntax::Placeholders, &self.bindings, &FxHashSet::default());
        self.filled(text, &plan, String::with_capacity(text.len()), false).text
    }

    /// A text with the letters and digits of the items put in for `&{}` alone.
    pub(super) fn ampersands_filled(&mut self, node: NodeId) -> NodeId {
        let plan = self.plan(node, None, Syntax::Placeholders);
        if self.charge_filled(node, &plan).is_none() {
            return node;
        }
        let text = placeholder::fill(self.ev.tree.text(node), |found| {
            let name = found.name.filter(|_| found.mark == '&')?;
            let item = self.binding(name).or_else(|| self.attribute_of(name)?.ok())?;
            Some(logical_id::stripped(text_of(self.ev.tree, item)?).into())
        });
        self.ev.tree.computed(&text, Origin::Generated(node, self.frame))
    }

    pub(super) fn report_no_attribute(&mut self, at: NodeId, path: &str) {
        let (name, attribute) = path.split_once('.').unwrap_or((path, ""));
        let (name, attribute) = (shown(name), shown(attribute));
        let sentence = format!("item of Fn::Map variable [{name}] has no attribute [{attribute}]");
        let members: Vec<String> = self.binding(&name).map_or_else(Vec::new, |item| {
            self.ev.tree.entries(item).take(5).map(|entry| shown(self.ev.tree.text(entry.key))).collect()
        });
        let diagnostic = fault(codes::MAP_NO_ATTRIBUTE, &format!("this item has no {attribute}"), &sentence)
            .at(self.ev.tree.span(at))
            .note(format!("its keys are {}", members.join(", ")))
            .help("add the key to every item, or choose with `Fn::If`");
        self.report(diagnostic);
    }

    fn report_no_text(&mut self, at: NodeId, name: &str) {
        let name = shown(name);
        let sentence =
            format!("Fn::Sub cannot insert the value of [{name}] because it is not a string, number or boolean");
        let diagnostic = fault(codes::MAP_NOT_TEXT, &format!("{name} is not a string here"), &sentence)
            .at(self.ev.tree.span(at))
            .help(format!("refer to one of its keys, `${{{name}.Member}}`, or use `!Ref {name}`"));
        self.report(diagnostic);
    }
}

/// What an item puts into a string; nothing when it is a list, an object or null.
pub(super) fn text_of(tree: &Tree, item: NodeId) -> Option<&str> {
    tree.is_scalar(item).then(|| tree.text_form(item))
}

fn descend<'p>(tree: &Tree, item: NodeId, mut path: impl Iterator<Item = &'p str>) -> Option<Result<NodeId, Misfit>> {
    let is_object = tree.kind(item) == Kind::Map;
    is_object.then(|| path.try_fold(item, |node, name| tree.get_text(node, name)).ok_or(Misfit::NoAttribute))
}
