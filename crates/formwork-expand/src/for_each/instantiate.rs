//! Making the copies of a fragment (spec language-extensions.md, section 5.4 and section 15, rule
//! 2).

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

    fn binding(&self, name: &str) -> Option<Binding> {
        self.bindings.iter().rev().find(|binding| self.ev.tree.name(binding.name) == name).copied()
    }

    fn call(&mut self, node: NodeId) -> Option<NodeId> {
        let (function, argument) = self.ev.tree.call(node);
        match function {
            Function::Known(Known::Ref) => {
                let binding = self.ev.tree.string(argument).and_then(|name| self.binding(name));
                if let Some(binding) = binding {
                    return Some(self.ev.tree.stand_in(binding.item, node, self.frame));
                }
            }
            Function::Known(Known::Sub) => return self.sub(node, argument),
            _ => {}
        }
        let argument = self.argument(function, argument);
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
    fn argument(&mut self, function: Function, argument: NodeId) -> NodeId {
        if self.ev.tree.kind(argument) != Kind::List {
            return self.or_no_value(argument);
        }
        let items = self.ev.tree.items(argument).to_vec();
        let _ = function;
        let items: Vec<NodeId> = items.into_iter().map(|item| self.or_no_value(item)).collect();
        self.list(argument, &items)
    }

    fn or_no_value(&mut self, node: NodeId) -> NodeId {
        if let Some(made) = self.instantiate(node) {
            return made;
        }
        // What came to nothing says so as an argument: by the node that yielded it.
        let (function, argument) = self.ev.tree.call(node);
        let argument = self.argument(function, argument);
        let call = self.ev.tree.call_like(node, argument, self.frame);
        match self.ev.with_sight(Sight::Constant, |ev| ev.resolve_silently(call)) {
            Outcome::Omit(no_value) => no_value,
            _ => node,
        }
    }

    /// `Fn::Sub`: the items go into its text, escaped so that they are never read as variables.
    fn sub(&mut self, node: NodeId, argument: NodeId) -> Option<NodeId> {
        let (text, map) = match *self.ev.tree.items(argument) {
            [] => (argument, None),
            [text, ref rest @ ..] => (text, rest.first().copied()),
        };
        let new_text = self.sub_text(text);
        let call = match map {
            None if new_text == text => node,
            None => {
                let argument = if text == argument { new_text } else { self.list(argument, &[new_text]) };
                self.ev.tree.call_like(node, argument, self.frame)
            }
            Some(map) => {
                let new_map = self.sub_map(map);
                let list = self.list(argument, &[new_text, new_map]);
                self.ev.tree.call_like(node, list, self.frame)
            }
        };
        match self.ev.with_sight(Sight::Constant, |ev| ev.resolve_silently(call)) {
            Outcome::Known(value) => Some(value),
            Outcome::Residual(left) => Some(left),
            _ => Some(call),
        }
    }

    /// The values of a map of variables; its names stay.
    fn sub_map(&mut self, map: NodeId) -> NodeId {
        if self.ev.tree.kind(map) != Kind::Map || !self.uses.is_touched(map) {
            return map;
        }
        let entries: Vec<Entry> = self.ev.tree.entries(map).collect();
        let entries: Vec<Entry> =
            entries.into_iter().map(|entry| Entry { key: entry.key, value: self.or_no_value(entry.value) }).collect();
        let style = self.ev.tree.style(map);
        self.ev.tree.map(&entries, style, Origin::Made(map, self.frame))
    }

    fn sub_text(&mut self, text: NodeId) -> NodeId {
        if !self.uses.is_touched(text) || self.ev.tree.kind(text) != Kind::String {
            return text;
        }
        let written = self.ev.tree.text(text).to_owned();
        let fills_ampersand = self.ev.settings.compat == Compat::Sam;
        let mut filled = String::with_capacity(written.len() + 32);
        for part in sub_string::parts(&written) {
            match part {
                Part::Text(plain) if fills_ampersand => filled.push_str(&self.filled(plain).0),
                Part::Text(plain) => filled.push_str(plain),
                Part::Literal(name) => {
                    filled.push_str("${!");
                    filled.push_str(name);
                    filled.push('}');
                }
                Part::Variable(name) => match self.binding(name) {
                    Some(binding) => filled.push_str(&sub_string::escape(self.ev.tree.text_form(binding.item))),
                    None => {
                        filled.push_str("${");
                        filled.push_str(name);
                        filled.push('}');
                    }
                },
            }
        }
        self.ev.tree.computed(&filled, Origin::Made(text, self.frame))
    }
}
