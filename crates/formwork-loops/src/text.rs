//! Keys and strings of a loop's body with items (reference/for-each.md#substitution;
//! reference/map-and-merge.md#map-references): each is parsed once, and filled in every iteration.

use std::rc::Rc;

use formwork_base::codes;
use formwork_base::display::shown;
use formwork_syntax::{Kind, NodeId, Origin, Tree};
use formwork_template::logical_id;
use formwork_template::placeholder;
use formwork_template::sub_text::SubText;
use rustc_hash::FxHashSet;

use super::Expander;
use super::map_check::error;
use super::plan::{ItemVariable, Piece, Syntax, TextPlan};

#[derive(Debug, Default)]
pub(super) struct Filled {
    pub(super) text: SubText,
    /// The first placeholder that belongs to no loop.
    pub(super) unknown: Option<String>,
    misfits: Vec<(String, Misfit)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Misfit {
    NoText,
    NoAttribute,
}

impl Expander<'_, '_> {
    /// Returns the pieces of a string, parsed once in each scope. `map` has the variables of its own call.
    pub(super) fn plan(&mut self, text: NodeId, map: Option<NodeId>, syntax: Syntax) -> Rc<TextPlan> {
        if let Some(plan) = self.strings.plans.get(&(text, self.scopes.current)) {
            return Rc::clone(plan);
        }
        let plan = Rc::new(self.plan_once(text, map, syntax));
        self.strings.plans.insert((text, self.scopes.current), Rc::clone(&plan));
        plan
    }

    pub(super) fn plan_once(&self, text: NodeId, map: Option<NodeId>, syntax: Syntax) -> TextPlan {
        let tree = &*self.ev.tree;
        let own = map.into_iter().flat_map(|map| tree.entries(map)).map(|entry| tree.text(entry.key)).collect();
        TextPlan::new(tree.text(text), syntax, &self.bindings, &own)
    }

    /// Returns `true` when an `Fn::Sub` becomes a string in each iteration: all its variables are those of loops. A
    /// call with a `${` that is never closed is kept, since its evaluation reports that.
    pub(super) fn is_closed(&self, plan: &TextPlan, text: NodeId) -> bool {
        let are_items = || {
            let written = self.ev.tree.text(text);
            plan.pieces.iter().all(|piece| match piece {
                Piece::ItemVariable(slot) if slot.is_attribute && !slot.is_stripped => {
                    self.attribute(slot, written).is_some()
                }
                _ => true,
            })
        };
        !plan.is_unclosed && !plan.is_open && (!plan.has_attributes || are_items())
    }

    /// Fills a string with the items of this iteration: as the string of an `Fn::Sub` that is kept, escaped so that no
    /// item is read as a variable, or as a final string. `None` when it exceeds a limit.
    pub(super) fn fill(&mut self, text: NodeId, plan: &TextPlan, as_call: bool) -> Option<Filled> {
        let size = self.charge_filled(text, plan)?;
        let mut buffer = std::mem::take(&mut self.strings.buffer);
        buffer.clear();
        buffer.reserve(size);
        Some(self.filled(self.ev.tree.text(text), plan, buffer, as_call))
    }

    pub(super) fn reuse(&mut self, filled: String) {
        self.strings.buffer = filled;
    }

    /// Charges the most bytes of a filled string, without escapes; `None` when it exceeds a limit.
    fn charge_filled(&mut self, text: NodeId, plan: &TextPlan) -> Option<usize> {
        // Short strings are not charged: most are, with any items.
        let longest = self.bindings.last().map_or(0, |binding| binding.longest);
        let most = plan.fixed.saturating_add(plan.pieces.len().saturating_mul(longest));
        if !plan.has_attributes && self.ev.is_short(most as u64) {
            return Some(most);
        }
        let written = self.ev.tree.text(text);
        let size = |piece: &Piece| match piece {
            Piece::ItemVariable(slot) => self.value(slot, written).and_then(Result::ok).map_or(0, str::len),
            _ => 0,
        };
        let size = plan.fixed + plan.pieces.iter().map(size).sum::<usize>();
        let fits = self.ev.charge_text(size as u64, text);
        self.stopped |= !fits;
        fits.then_some(size)
    }

    /// Fills a string; `None` also when an item does not fit, which is reported.
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
        if self.bindings.last().is_some_and(|binding| binding.are_plain)
            && let Some(segments) = plan.segments(written, as_call)
        {
            let mut text = buffer;
            segments.fill(&self.bindings, &mut text);
            return Filled { text: SubText::finished(text), ..Filled::default() };
        }
        let mut filled = Filled { text: SubText::new(buffer), ..Filled::default() };
        let mut at = 0;
        while let Some(piece) = plan.pieces.get(at) {
            at += 1;
            match piece {
                Piece::Text(_) | Piece::OfVariable(_) | Piece::Literal(_) => {
                    piece.write(written, as_call, &mut filled.text);
                }
                Piece::Unknown(range) => {
                    filled.unknown.get_or_insert_with(|| written[range.clone()].to_owned());
                }
                Piece::ItemVariable(slot) => {
                    let Some(value) = self.value(slot, written) else { continue };
                    at += slot.otherwise;
                    match value {
                        Ok(item) if slot.is_stripped => {
                            let letters: String = item.chars().filter(char::is_ascii_alphanumeric).collect();
                            if as_call && slot.of_variable {
                                filled.text.push_of_variable(&letters);
                            } else {
                                filled.text.push_literal(&letters);
                            }
                        }
                        Ok(item) => filled.text.push_literal(item),
                        Err(misfit) => filled.misfits.push((written[slot.name.clone()].to_owned(), misfit)),
                    }
                }
            }
        }
        if as_call {
            filled.text.finish();
        }
        filled
    }

    /// Returns the value of a placeholder; `None` for an attribute of something else.
    #[inline]
    fn value(&self, slot: &ItemVariable, written: &str) -> Option<Result<&str, Misfit>> {
        if !slot.is_attribute {
            return Some(self.bindings[slot.variable].text().ok_or(Misfit::NoText));
        }
        let found = self.attribute(slot, written)?;
        Some(found.and_then(|item| text_of(self.ev.tree, item).ok_or(Misfit::NoText)))
    }

    fn attribute(&self, slot: &ItemVariable, written: &str) -> Option<Result<NodeId, Misfit>> {
        let path = written[slot.name.clone()].split('.').skip(1);
        descend(self.ev.tree, self.bindings[slot.variable].item, path)
    }

    /// Returns the value of a name with dots; `None` when its first part is not a variable with an object: then it is a
    /// name of the template.
    pub(super) fn attribute_of(&self, path: &str) -> Option<Result<NodeId, Misfit>> {
        // The name may be the rest of a long text, once for each open placeholder in it.
        let first = self
            .bindings
            .iter()
            .rfind(|binding| path.strip_prefix(&*binding.name).is_some_and(|rest| rest.starts_with('.')))?;
        descend(self.ev.tree, first.item, path[first.name.len() + 1..].split('.'))
    }

    /// Returns a key with the items, outside of an expansion.
    pub(super) fn text_now(&self, text: &str) -> String {
        let plan = TextPlan::new(text, Syntax::Placeholders, &self.bindings, &FxHashSet::default());
        self.filled(text, &plan, String::with_capacity(text.len()), false).text.into_string()
    }

    /// Returns a string in which only `&{}` is replaced, by the alphanumeric characters of the items.
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
        let diagnostic = error(codes::MAP_NO_ATTRIBUTE, &format!("this item has no {attribute}"), &sentence)
            .at(self.ev.tree.span(at))
            .note(format!("its keys are {}", members.join(", ")))
            .help("add the key to every item, or choose with `Fn::If`");
        self.report(diagnostic);
    }

    fn report_no_text(&mut self, at: NodeId, name: &str) {
        let name = shown(name);
        let sentence =
            format!("Fn::Sub cannot insert the value of [{name}] because it is not a string, number or boolean");
        let diagnostic = error(codes::MAP_NOT_TEXT, &format!("{name} is not a string here"), &sentence)
            .at(self.ev.tree.span(at))
            .help(format!("refer to one of its keys, `${{{name}.Member}}`, or use `!Ref {name}`"));
        self.report(diagnostic);
    }
}

pub(super) fn text_of(tree: &Tree, item: NodeId) -> Option<&str> {
    tree.is_scalar(item).then(|| tree.text_form(item))
}

fn descend<'p>(tree: &Tree, item: NodeId, mut path: impl Iterator<Item = &'p str>) -> Option<Result<NodeId, Misfit>> {
    let is_object = tree.kind(item) == Kind::Map;
    is_object.then(|| path.try_fold(item, |node, name| tree.get_text(node, name)).ok_or(Misfit::NoAttribute))
}
