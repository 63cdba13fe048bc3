//! Making the copies of a fragment (spec language-extensions.md, section 5.4 and section 15, rule
//! 2).

use std::ops::Range;
use std::rc::Rc;

use formwork_evaluate::{Compat, Outcome, Sight};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Origin};
use formwork_template::sub_string::{self, Part};

use super::{Binding, Expander, Level};

impl Expander<'_, '_> {
    /// A node in this iteration: itself when nothing in it depends on a variable, `None` when it
    /// came to nothing.
    pub(super) fn instantiate(&mut self, node: NodeId) -> Option<NodeId> {
        if !self.uses.is_touched(node) {
            return Some(node);
        }
        if self.ev.tree.is_alias(node) {
            // The copy of what an alias stands for is seen in this iteration, through the alias.
            let outer = self.frame;
            let own = self.ev.tree.frame_of(node);
            self.frame = self.ev.tree.frames_mut().join(outer, own);
            let made = self.instantiate_touched(node);
            self.frame = outer;
            return made;
        }
        self.instantiate_touched(node)
    }

    fn instantiate_touched(&mut self, node: NodeId) -> Option<NodeId> {
        match self.ev.tree.kind(node) {
            Kind::String => Some(self.fill_text(node)),
            Kind::List => {
                self.in_list += 1;
                let items = self.ev.tree.items(node).to_vec();
                let items: Vec<NodeId> = items.into_iter().filter_map(|item| self.instantiate(item)).collect();
                self.in_list -= 1;
                Some(self.list(node, &items))
            }
            Kind::Map => Some(self.map(node, Level::Inner, false)),
            Kind::Call => self.call(node),
            _ => Some(node),
        }
    }

    fn list(&mut self, node: NodeId, items: &[NodeId]) -> NodeId {
        if self.ev.tree.items(node) == items {
            return node;
        }
        let style = self.ev.tree.style(node);
        self.ev.tree.list(items, style, Origin::Made(node, self.frame))
    }

    /// Plain text that takes the items: the path of an artifact, or any text as SAM CLI does it.
    fn fill_text(&mut self, node: NodeId) -> NodeId {
        if !self.uses.is_filled(node) {
            return node;
        }
        let written = self.ev.tree.text(node).to_owned();
        let (text, _) = self.filled(&written);
        self.ev.tree.computed(&text, Origin::Made(node, self.frame))
    }

    /// The item of the innermost loop with a variable of this name.
    pub(super) fn binding(&self, name: &str) -> Option<NodeId> {
        self.bindings.iter().rev().find(|binding| *binding.name == *name).map(|binding| binding.item)
    }

    fn call(&mut self, node: NodeId) -> Option<NodeId> {
        let (function, argument) = self.ev.tree.call(node);
        match function {
            Function::Known(Known::Ref) => {
                let item = self.ev.tree.string(argument).and_then(|name| self.binding(name));
                if let Some(item) = item {
                    return Some(self.ev.tree.stand_in(item, node, self.frame));
                }
            }
            Function::Known(Known::Sub) => return Some(self.sub(node, argument)),
            _ => {}
        }
        let argument = self.argument(argument);
        let call = self.ev.tree.call_like(node, argument, self.frame);
        match function {
            Function::Known(Known::Join | Known::Split | Known::Select | Known::FindInMap) => self.fold(call),
            _ => Some(call),
        }
    }

    /// The call's value when its arguments are all constant now, else the call.
    fn fold(&mut self, call: NodeId) -> Option<NodeId> {
        match self.ev.with_sight(Sight::Constant, |ev| ev.resolve_silently(call)) {
            Outcome::Known(value) => Some(value),
            Outcome::Omit(_) => None,
            _ => Some(call),
        }
    }

    /// The arguments of a call that may stay: `AWS::NoValue` stays among them, except in the list
    /// of `Fn::Join`.
    fn argument(&mut self, argument: NodeId) -> NodeId {
        if self.ev.tree.kind(argument) != Kind::List {
            return self.or_no_value(argument);
        }
        let items = self.ev.tree.items(argument).to_vec();
        let items: Vec<NodeId> = items.into_iter().map(|item| self.or_no_value(item)).collect();
        self.list(argument, &items)
    }

    fn or_no_value(&mut self, node: NodeId) -> NodeId {
        if let Some(made) = self.instantiate(node) {
            return made;
        }
        // What came to nothing says so as an argument: by the node that yielded it.
        let (_, argument) = self.ev.tree.call(node);
        let argument = self.argument(argument);
        let call = self.ev.tree.call_like(node, argument, self.frame);
        match self.ev.with_sight(Sight::Constant, |ev| ev.resolve_silently(call)) {
            Outcome::Omit(no_value) => no_value,
            _ => node,
        }
    }

    /// `Fn::Sub`: the items go into its text, escaped so that they are never read as variables.
    fn sub(&mut self, node: NodeId, argument: NodeId) -> NodeId {
        let (text, map) = match *self.ev.tree.items(argument) {
            [] => (argument, None),
            [text, ref rest @ ..] => (text, rest.first().copied()),
        };
        let plan = self.plan(text);
        if map.is_none() && text == argument {
            if let Some(plan) = plan {
                if plan.is_closed {
                    let filled = self.fill_plan(text, &plan, false);
                    return self.ev.tree.computed(&filled, Origin::Made(node, self.frame));
                }
                // Other variables are left: nothing is known without them.
                let filled = self.fill_plan(text, &plan, true);
                let text = self.ev.tree.computed(&filled, Origin::Made(text, self.frame));
                return self.ev.tree.call_like(node, text, self.frame);
            }
            return node;
        }
        let new_text = match plan {
            Some(plan) => {
                let filled = self.fill_plan(text, &plan, true);
                self.ev.tree.computed(&filled, Origin::Made(text, self.frame))
            }
            None => text,
        };
        let mut items = vec![new_text];
        if let Some(map) = map {
            items.push(self.sub_map(map));
        }
        let list = self.list(argument, &items);
        let call = self.ev.tree.call_like(node, list, self.frame);
        match self.ev.with_sight(Sight::Constant, |ev| ev.resolve_silently(call)) {
            Outcome::Known(value) => value,
            Outcome::Residual(left) => left,
            _ => call,
        }
    }

    /// The parts of a text that takes items; `None` when it takes none.
    fn plan(&mut self, text: NodeId) -> Option<Rc<SubPlan>> {
        if !self.uses.is_touched(text) || self.ev.tree.kind(text) != Kind::String {
            return None;
        }
        if let Some(plan) = self.plans.get(&text) {
            return Some(Rc::clone(plan));
        }
        let plan =
            Rc::new(SubPlan::new(self.ev.tree.text(text), &self.bindings, self.ev.settings.compat == Compat::Sam));
        self.plans.insert(text, Rc::clone(&plan));
        Some(plan)
    }

    /// The text with the items of this iteration: as the text of a call that stays, or as what the
    /// call yields.
    fn fill_plan(&self, text: NodeId, plan: &SubPlan, as_call: bool) -> String {
        let written = self.ev.tree.text(text);
        let mut filled = String::with_capacity(written.len() + 32);
        for piece in &plan.pieces {
            match piece {
                Piece::Text(range) if plan.fills_ampersand => filled.push_str(&self.filled(&written[range.clone()]).0),
                Piece::Text(range) => filled.push_str(&written[range.clone()]),
                Piece::Literal(range) => {
                    filled.push_str(if as_call { "${!" } else { "${" });
                    filled.push_str(&written[range.clone()]);
                    filled.push('}');
                }
                Piece::Item(number) => {
                    let item = self.ev.tree.text_form(self.bindings[*number].item);
                    if as_call {
                        filled.push_str(&sub_string::escape(item));
                    } else {
                        filled.push_str(item);
                    }
                }
            }
        }
        filled
    }

    /// The values of a map of variables; its names stay. An entry with the name of a loop's variable
    /// has no use: the item took its place in the text.
    fn sub_map(&mut self, map: NodeId) -> NodeId {
        if self.ev.tree.kind(map) != Kind::Map {
            return map;
        }
        let tree = &*self.ev.tree;
        let entries: Vec<Entry> =
            tree.entries(map).filter(|entry| self.binding(tree.text(entry.key)).is_none()).collect();
        if entries.len() == tree.len(map) && !self.uses.is_touched(map) {
            return map;
        }
        let entries: Vec<Entry> =
            entries.into_iter().map(|entry| Entry { key: entry.key, value: self.or_no_value(entry.value) }).collect();
        let style = self.ev.tree.style(map);
        self.ev.tree.map(&entries, style, Origin::Made(map, self.frame))
    }
}

/// The text of an `Fn::Sub` in a loop body, taken apart.
#[derive(Debug)]
pub(super) struct SubPlan {
    pieces: Vec<Piece>,
    /// Whether the loops' variables are all that it has.
    is_closed: bool,
    /// Whether `&{}` takes items too, as SAM CLI does it.
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
}

impl SubPlan {
    fn new(text: &str, bindings: &[Binding], fills_ampersand: bool) -> SubPlan {
        let range = |part: &str| {
            let start = part.as_ptr() as usize - text.as_ptr() as usize;
            start..start + part.len()
        };
        let (mut pieces, mut is_closed) = (Vec::new(), true);
        for part in sub_string::parts(text) {
            pieces.push(match part {
                Part::Text(plain) => Piece::Text(range(plain)),
                Part::Literal(name) => Piece::Literal(range(name)),
                Part::Variable(name) => {
                    if let Some(number) = bindings.iter().rposition(|binding| *binding.name == *name) {
                        Piece::Item(number)
                    } else {
                        is_closed = false;
                        let inner = range(name);
                        Piece::Text(inner.start - 2..inner.end + 1)
                    }
                }
            });
        }
        SubPlan { pieces, is_closed, fills_ampersand }
    }
}
