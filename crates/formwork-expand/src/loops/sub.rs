//! `Fn::Sub` in a loop's body: the items go into its text (reference/for-each.md#substitution;
//! reference/map-and-merge.md#map-references).

use std::ops::Range;
use std::rc::Rc;

use formwork_base::codes;
use formwork_evaluate::{Compat, Outcome, Visibility};
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, Kind, NodeId, Origin, Tree};
use formwork_template::sub_string::{self, Part};

use super::map_check::fault;
use super::{Binding, Expander};

impl Expander<'_, '_> {
    /// `Fn::Sub`: the items go into its text, escaped so that they are never read as variables.
    pub(super) fn sub(&mut self, node: NodeId, argument: NodeId) -> NodeId {
        let (text, map) = match *self.ev.tree.items(argument) {
            [] => (argument, None),
            [text, ref rest @ ..] => (text, rest.first().copied()),
        };
        let is_alone = map.is_none() && text == argument;
        let written = text;
        let (plan, text) = match self.named(text) {
            Some(named) => (Some(self.plan_of(named, map, false)), named),
            None => (self.plan(text, map), text),
        };
        if is_alone {
            let Some(plan) = plan else { return node };
            if self.is_closed(&plan, text) {
                let filled = self.fill_plan(text, &plan, false).unwrap_or_default();
                return self.ev.tree.computed(&filled, Origin::Generated(node, self.frame));
            }
            // Other variables are left: nothing is known without them.
            let filled = self.fill_plan(text, &plan, true).unwrap_or_default();
            let text = self.ev.tree.computed(&filled, Origin::Generated(written, self.frame));
            return self.ev.tree.call_like(node, text, self.frame);
        }
        let new_text = match plan {
            Some(plan) => {
                let filled = self.fill_plan(text, &plan, true).unwrap_or_default();
                self.ev.tree.computed(&filled, Origin::Generated(written, self.frame))
            }
            None => text,
        };
        let mut items = vec![new_text];
        if let Some(map) = map {
            items.push(self.sub_map(map, text));
        }
        let list = self.list(argument, &items);
        let call = self.ev.tree.call_like(node, list, self.frame);
        match self.ev.with_sight(Visibility::Constant, |ev| ev.resolve_silently(call)) {
            Outcome::Known(value) => value,
            Outcome::Residual(left) => left,
            _ => call,
        }
    }

    /// With `Formwork` declared, a text with every `&{}` of a loop filled in: it may be part of the name of
    /// a variable, `${Queue&{Name}.Arn}`. `None` when there is none.
    fn named(&mut self, text: NodeId) -> Option<NodeId> {
        let is_text = self.rules.formwork && self.uses.is_touched(text) && self.ev.tree.kind(text) == Kind::String;
        if !is_text || !self.ev.tree.text(text).contains("&{") {
            return None;
        }
        let written = self.ev.tree.text(text).to_owned();
        if !self.ev.charge_text(self.filled_size(&written), text) {
            self.stopped = true;
            return None;
        }
        let filled = self.ampersands_filled(&written);
        Some(self.ev.tree.computed(&filled, Origin::Generated(text, self.frame)))
    }

    /// The parts of a text that takes items; `None` when it takes none. `map` has the variables of the
    /// call itself.
    fn plan(&mut self, text: NodeId, map: Option<NodeId>) -> Option<Rc<SubPlan>> {
        if !self.uses.is_touched(text) || self.ev.tree.kind(text) != Kind::String {
            return None;
        }
        let fills_ampersand = self.ev.settings.compat == Compat::Sam;
        Some(self.plan_of(text, map, fills_ampersand))
    }

    /// The parts of a text, found once.
    pub(super) fn plan_of(&mut self, text: NodeId, map: Option<NodeId>, fills_ampersand: bool) -> Rc<SubPlan> {
        if let Some(plan) = self.plans.get(&text) {
            return Rc::clone(plan);
        }
        let own = |name: &str| map.is_some_and(|map| self.ev.tree.get_text(map, name).is_some());
        let plan = Rc::new(SubPlan::new(self.ev.tree.text(text), &self.bindings, own, fills_ampersand));
        self.plans.insert(text, Rc::clone(&plan));
        plan
    }

    /// Whether the loops' variables are all that a text has.
    pub(super) fn is_closed(&self, plan: &SubPlan, text: NodeId) -> bool {
        plan.is_closed
            && (!plan.has_attributes || {
                let written = self.ev.tree.text(text);
                plan.pieces.iter().all(|piece| match piece {
                    Piece::Attribute(number, range) => {
                        self.attribute(*number, &written[range.clone()]) != Attribute::NoObject
                    }
                    _ => true,
                })
            })
    }

    /// The text with the items of this iteration: as the text of a call that stays, or as what the
    /// call yields. `None` when an item does not fit, which was reported, or text is over a limit.
    pub(super) fn fill_plan(&mut self, text: NodeId, plan: &SubPlan, as_call: bool) -> Option<String> {
        let size = self.plan_size(text, plan);
        if !self.ev.charge_text(size, text) {
            self.stopped = true;
            return None;
        }
        let mut misfits = Vec::new();
        let tree = &*self.ev.tree;
        let written = tree.text(text);
        let mut filled = String::with_capacity(size as usize);
        let add = if as_call { sub_string::join } else { String::push_str };
        for piece in &plan.pieces {
            let (item, name) = match piece {
                Piece::Text(range) => {
                    let part = &written[range.clone()];
                    if plan.fills_ampersand {
                        let part = self.filled(part);
                        add(&mut filled, &part.text);
                        misfits.extend(part.misfits);
                    } else {
                        add(&mut filled, part);
                    }
                    continue;
                }
                Piece::Literal(range) => {
                    let part = Part::Literal(&written[range.clone()]);
                    if as_call {
                        part.write(&mut filled);
                    } else {
                        part.write_plain(&mut filled);
                    }
                    continue;
                }
                Piece::Item(number) => (self.bindings[*number].item, &*self.bindings[*number].name),
                Piece::Attribute(number, range) => {
                    let name = &written[range.clone()];
                    match self.attribute(*number, name) {
                        Attribute::Found(item) => (item, name),
                        Attribute::Missing => {
                            misfits.push((name.to_owned(), Misfit::NoAttribute));
                            continue;
                        }
                        // The item is no object: an attribute of something else.
                        Attribute::NoObject => {
                            Part::Variable(name).write(&mut filled);
                            continue;
                        }
                    }
                }
            };
            match self.inserted(item) {
                Ok(item) if as_call => add(&mut filled, &sub_string::escape(item)),
                Ok(item) => add(&mut filled, item),
                Err(misfit) => misfits.push((name.to_owned(), misfit)),
            }
        }
        let is_sound = misfits.is_empty();
        self.report_misfits(text, misfits);
        is_sound.then_some(filled)
    }

    /// What an item puts into a text.
    pub(super) fn inserted(&self, item: NodeId) -> Result<&str, Misfit> {
        let tree = &*self.ev.tree;
        if tree.is_scalar(item) && tree.kind(item) != Kind::Null {
            Ok(tree.text_form(item))
        } else {
            Err(Misfit::NoText)
        }
    }

    pub(super) fn report_misfits(&mut self, at: NodeId, misfits: Vec<(String, Misfit)>) {
        for (name, misfit) in misfits {
            match misfit {
                Misfit::NoText => self.report_no_text(at, &name),
                Misfit::NoAttribute => self.report_no_attribute(at, &name),
            }
        }
    }

    /// Bytes that a filled text has at most, escapes aside.
    fn plan_size(&self, text: NodeId, plan: &SubPlan) -> u64 {
        let tree = &*self.ev.tree;
        let written = tree.text(text);
        let size = |piece: &Piece| match piece {
            Piece::Text(range) if plan.fills_ampersand => self.filled_size(&written[range.clone()]),
            Piece::Text(range) | Piece::Literal(range) => range.len() as u64 + 4,
            Piece::Item(number) => tree.text_form(self.bindings[*number].item).len() as u64,
            Piece::Attribute(number, range) => match self.attribute(*number, &written[range.clone()]) {
                Attribute::Found(item) => tree.text_form(item).len() as u64,
                _ => range.len() as u64 + 4,
            },
        };
        plan.pieces.iter().map(size).sum()
    }

    /// Bytes that a text has at most when all its placeholders are filled.
    pub(super) fn filled_size(&self, text: &str) -> u64 {
        let longest =
            self.bindings.iter().map(|binding| self.ev.tree.text_bytes_below(binding.item)).max().unwrap_or(0);
        let placeholders = text.matches('{').count() as u64;
        text.len() as u64 + placeholders.saturating_mul(longest)
    }

    /// What `x.a.b` names below the item of a variable.
    fn attribute(&self, number: usize, path: &str) -> Attribute {
        descend(self.ev.tree, self.bindings[number].item, path.split('.').skip(1))
    }

    /// What `path` names, its first word a variable.
    pub(super) fn attribute_of(&self, path: &str) -> Attribute {
        let found = path.split_once('.').and_then(|(name, rest)| Some((self.binding(name)?, rest)));
        found.map_or(Attribute::NoObject, |(item, rest)| descend(self.ev.tree, item, rest.split('.')))
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
            .note(format!("its members are {}", members.join(", ")))
            .help("give every item the member, or choose with `Fn::If`");
        self.report(diagnostic);
    }

    fn report_no_text(&mut self, at: NodeId, name: &str) {
        let name = shown(name);
        let sentence =
            format!("Fn::Sub cannot insert the value of [{name}] because it is not a string, number or boolean");
        let diagnostic = fault(codes::MAP_NOT_TEXT, &format!("{name} is no text here"), &sentence)
            .at(self.ev.tree.span(at))
            .help(format!("name a member of it, `${{{name}.Member}}`, or use `!Ref {name}`"));
        self.report(diagnostic);
    }

    /// The values of a map of variables; its names stay. An entry with the name of an identifier of
    /// `Fn::ForEach` has no use: the item took its place in the text.
    /// Beside a variable of `Fn::Map` what the text does not name goes, too.
    fn sub_map(&mut self, map: NodeId, text: NodeId) -> NodeId {
        if self.ev.tree.kind(map) != Kind::Map {
            return map;
        }
        let tree = &*self.ev.tree;
        let of_map = self.bindings.last().is_some_and(|binding| binding.of_map);
        let is_used = |entry: &Entry| {
            let name = tree.text(entry.key);
            let is_named = || sub_string::parts(tree.text(text)).any(|part| part == Part::Variable(name));
            (!of_map || is_named())
                && self
                    .bindings
                    .iter()
                    .rev()
                    .find(|binding| *binding.name == *name)
                    .is_none_or(|binding| binding.of_map)
        };
        let entries: Vec<Entry> = tree.entries(map).filter(is_used).collect();
        if entries.len() == tree.len(map) && !self.uses.is_touched(map) {
            return map;
        }
        let entries: Vec<Entry> =
            entries.into_iter().map(|entry| Entry { key: entry.key, value: self.or_no_value(entry.value) }).collect();
        let style = self.ev.tree.style(map);
        self.ev.tree.map(&entries, style, Origin::Generated(map, self.frame))
    }
}

/// Why an item has no place in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Misfit {
    /// It is a list, an object or null.
    NoText,
    /// It has no such member.
    NoAttribute,
}

/// What a name with dots stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Attribute {
    /// The first word names no variable that holds an object: it is a name of the template.
    NoObject,
    /// The object has no such member.
    Missing,
    /// This.
    Found(NodeId),
}

fn descend<'p>(tree: &Tree, item: NodeId, mut path: impl Iterator<Item = &'p str>) -> Attribute {
    if tree.kind(item) != Kind::Map {
        return Attribute::NoObject;
    }
    path.try_fold(item, |node, name| tree.get_text(node, name)).map_or(Attribute::Missing, Attribute::Found)
}

/// The text of an `Fn::Sub` in a loop body, taken apart.
#[derive(Debug)]
pub(super) struct SubPlan {
    pieces: Vec<Piece>,
    /// Whether it has no variables but the loops'.
    is_closed: bool,
    /// Whether attributes of loops' variables are among them.
    has_attributes: bool,
    /// Whether `&{}` takes items too: in keys, and as SAM CLI does it.
    fills_ampersand: bool,
}

#[derive(Debug)]
enum Piece {
    /// Text as it is written, variables of others included.
    Text(Range<usize>),
    /// What stands behind `${!`.
    Literal(Range<usize>),
    /// The item of a loop, by its number from the outermost.
    Item(usize),
    /// A member of the object that a loop's variable holds: its number, and the whole path.
    Attribute(usize, Range<usize>),
}

impl SubPlan {
    fn new(text: &str, bindings: &[Binding], own: impl Fn(&str) -> bool, fills_ampersand: bool) -> SubPlan {
        let range = |part: &str| {
            let start = part.as_ptr() as usize - text.as_ptr() as usize;
            start..start + part.len()
        };
        // Variables of the call hide those of `Fn::Map`, and are hidden by those of `Fn::ForEach`.
        let binding = |name: &str| {
            let at = bindings.iter().rposition(|binding| *binding.name == *name);
            at.filter(|&at| !bindings[at].of_map || !own(name))
        };
        let (mut pieces, mut is_closed, mut has_attributes) = (Vec::new(), true, false);
        for part in sub_string::parts(text) {
            pieces.push(match part {
                Part::Text(plain) => Piece::Text(range(plain)),
                Part::Literal(name) => Piece::Literal(range(name)),
                Part::Variable(name) => {
                    let object = name.split_once('.').and_then(|(name, _)| binding(name));
                    if let Some(number) = binding(name) {
                        Piece::Item(number)
                    } else if let Some(number) = object.filter(|&at| bindings[at].of_map && !own(name)) {
                        has_attributes = true;
                        Piece::Attribute(number, range(name))
                    } else {
                        is_closed = false;
                        let inner = range(name);
                        Piece::Text(inner.start - 2..inner.end + 1)
                    }
                }
            });
        }
        SubPlan { pieces, is_closed, has_attributes, fills_ampersand }
    }
}
