//! The sources of a computed value, in order.

use formwork_base::{FrameKind, Span};
use formwork_evaluate::{Outcome, Truth, Visibility};
use formwork_modules::UsedConstant;
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Function, Kind, NodeId, symbol};
use formwork_template::placeholder::placeholders;
use formwork_template::sub_string::{self, Part};

use crate::constants::is_constant;
use crate::origin::Source;
use crate::session::Session;

impl Session<'_, '_> {
    pub(crate) fn sources(&mut self, node: NodeId, frame: FrameId, visibility: Visibility, out: &mut Vec<Source>) {
        if self.is_in_module(frame) {
            return;
        }
        let tree = self.tree();
        match tree.kind(node) {
            Kind::Call => self.call_sources(node, frame, visibility, out),
            Kind::List => {
                for item in tree.items(node).to_vec() {
                    self.sources(item, frame, visibility, out);
                }
            }
            Kind::Map => {
                for entry in tree.entries(node).collect::<Vec<_>>() {
                    self.sources(entry.value, frame, visibility, out);
                }
            }
            Kind::String => {
                let parent = self.authored.parent(node);
                let of_sub = parent.is_some_and(|parent| {
                    let around =
                        if tree.kind(parent) == Kind::List { self.authored.parent(parent) } else { Some(parent) };
                    around.is_some_and(|call| tree.argument_of(call, Known::Sub).is_some())
                });
                if of_sub || !self.constants(node).is_empty() {
                    self.text_sources(node, None, frame, visibility, out);
                } else if !frame.is_none() {
                    self.key_sources(node, frame, out);
                }
            }
            _ => {}
        }
    }

    fn call_sources(&mut self, node: NodeId, frame: FrameId, visibility: Visibility, out: &mut Vec<Source>) {
        if let &[used] = self.constants(node) {
            return self.constant_sources(used, frame, visibility, out);
        }
        let tree = self.tree();
        let (function, argument) = tree.call(node);
        let Function::Known(known) = function else {
            return self.sources(argument, frame, visibility, out);
        };
        match known {
            Known::Ref => match tree.string(argument).map(str::to_owned) {
                Some(name) => self.name_sources(&name, frame, visibility, out),
                None => self.sources(argument, frame, visibility, out),
            },
            Known::Sub => {
                let (text, map) = match *tree.items(argument) {
                    [] => (argument, None),
                    [text, ref rest @ ..] => (text, rest.first().copied()),
                };
                self.text_sources(text, map, frame, visibility, out);
            }
            Known::GetAtt if self.put_in(node, frame, out) => {}
            Known::GetAtt => {
                let first = tree.items(argument).first().copied().unwrap_or(argument);
                if let Some(name) = tree.string(first).map(str::to_owned) {
                    self.name_sources(&name, frame, visibility, out);
                }
                self.sources(argument, frame, visibility, out);
            }
            Known::If => self.if_sources(argument, frame, visibility, out),
            Known::Select => self.select_sources(argument, frame, visibility, out),
            Known::FindInMap => self.mapping_sources(argument, frame, visibility, out),
            Known::Condition => {
                if let Some(name) = tree.string(argument).map(str::to_owned) {
                    out.extend(self.condition(&name));
                }
            }
            Known::GetAZs | Known::ImportValue => {
                self.sources(argument, frame, visibility, out);
                let name = match known {
                    Known::GetAZs => formwork_evaluate::facts::AVAILABILITY_ZONE,
                    _ => "Exports",
                };
                out.push(Source {
                    kind: FrameKind::Fact,
                    name: name.to_owned(),
                    value: None,
                    span: Span::NONE,
                    given: None,
                    frame: FrameId::NONE,
                });
            }
            _ => self.sources(argument, frame, visibility, out),
        }
    }

    /// Adds the variables of a string of `Fn::Sub`, in order.
    fn text_sources(
        &mut self,
        node: NodeId,
        map: Option<NodeId>,
        frame: FrameId,
        visibility: Visibility,
        out: &mut Vec<Source>,
    ) {
        let text = self.tree().text(node).to_owned();
        let mut constants = self.constants(node).iter();
        for part in sub_string::parts(&text) {
            let Part::Variable(name) = part else { continue };
            if is_constant(name) {
                if let Some(&used) = constants.next() {
                    self.constant_sources(used, frame, visibility, out);
                }
                continue;
            }
            if self.put_into_text(node, name, frame, out) {
                continue;
            }
            let own = map.and_then(|map| self.tree().get_text(map, name));
            match own {
                Some(value) => self.sources(value, frame, visibility, out),
                None => self.name_sources(name, frame, visibility, out),
            }
        }
    }

    fn name_sources(&mut self, name: &str, frame: FrameId, visibility: Visibility, out: &mut Vec<Source>) {
        // The name may be an attribute of an item that is an object.
        let variable = name.split_once('.').map_or(name, |(variable, _)| variable);
        if let Some((at, record)) = self.replay.binding(frame, variable) {
            out.extend(self.loop_source(at));
            // The sources of a computed item follow it.
            let written = record.value.map(|value| self.tree().authored(value));
            if let Some(written) = written.filter(|&node| self.tree().kind(node) == Kind::Call) {
                self.sources(written, record.parent, Visibility::Full, out);
            }
            return;
        }
        let Some(symbol) = self.tree().symbols().get(name).filter(|_| visibility == Visibility::Full) else { return };
        out.extend(self.argument(symbol));
    }

    /// Returns a condition as a source, if it is decided.
    fn condition(&mut self, name: &str) -> Option<Source> {
        let truth = match self.replay.evaluator().condition(name)? {
            Truth::True => "true",
            Truth::False => "false",
            _ => return None,
        };
        let (key, _) = self.replay.seen().condition_node(name)?;
        Some(Source {
            kind: FrameKind::Condition,
            name: name.to_owned(),
            value: Some(truth.to_owned()),
            span: self.tree().span(key),
            given: None,
            frame: FrameId::NONE,
        })
    }

    fn if_sources(&mut self, argument: NodeId, frame: FrameId, visibility: Visibility, out: &mut Vec<Source>) {
        let &[name, then, otherwise] = self.tree().items(argument) else { return };
        let name = self.tree().text(name).to_owned();
        let truth = if visibility == Visibility::Full { self.replay.evaluator().condition(&name) } else { None };
        if let Some(Truth::True | Truth::False) = truth {
            out.extend(self.condition(&name));
            let branch = if truth == Some(Truth::True) { then } else { otherwise };
            self.sources(branch, frame, visibility, out);
        } else {
            self.sources(then, frame, visibility, out);
            self.sources(otherwise, frame, visibility, out);
        }
    }

    fn select_sources(&mut self, argument: NodeId, frame: FrameId, visibility: Visibility, out: &mut Vec<Source>) {
        let &[index, list] = self.tree().items(argument) else { return };
        self.sources(index, frame, visibility, out);
        let position = self.known_text(index, frame, visibility).and_then(|text| text.trim().parse::<usize>().ok());
        match position.filter(|_| self.tree().kind(list) == Kind::List) {
            Some(position) => {
                if let Some(&item) = self.tree().items(list).get(position) {
                    self.sources(item, frame, visibility, out);
                }
            }
            None => self.sources(list, frame, visibility, out),
        }
    }

    fn mapping_sources(&mut self, argument: NodeId, frame: FrameId, visibility: Visibility, out: &mut Vec<Source>) {
        let parts = self.tree().items(argument).to_vec();
        let keys: Vec<Option<String>> =
            parts.iter().take(3).map(|&key| self.known_text(key, frame, visibility)).collect();
        let known: Option<Vec<String>> = keys.into_iter().collect();
        let entry = known.as_ref().and_then(|keys| self.mapping_entry(keys));
        let found = entry.is_some();
        if let Some((entry, node)) = entry {
            out.push(entry);
            for used in self.constants(self.tree().authored(node)) {
                self.constant_sources(*used, frame, visibility, out);
            }
        }
        for &key in parts.iter().take(3) {
            self.sources(key, frame, visibility, out);
        }
        let default = parts.get(3).and_then(|&options| self.tree().get(options, symbol::DEFAULT_VALUE));
        if let Some(default) = default.filter(|_| !found) {
            self.sources(default, frame, visibility, out);
        }
    }

    /// Returns an entry of the Mappings section, and its value.
    fn mapping_entry(&self, keys: &[String]) -> Option<(Source, NodeId)> {
        let tree = self.tree();
        let mut node = self.replay.seen().template.mappings?;
        for key in keys {
            node = tree.get_text(node, key)?;
        }
        let source = Source {
            kind: FrameKind::Mapping,
            name: keys.join("."),
            value: tree.is_scalar(node).then(|| tree.text_form(node).to_owned()),
            span: tree.span(node),
            given: None,
            frame: FrameId::NONE,
        };
        Some((source, node))
    }

    /// Returns the string of an authored node in a context, if it is known.
    pub(crate) fn known_text(&mut self, node: NodeId, frame: FrameId, visibility: Visibility) -> Option<String> {
        let Some(Outcome::Known(value)) = self.again(node, frame, visibility) else { return None };
        self.tree().is_scalar(value).then(|| self.tree().text_form(value).to_owned())
    }

    /// Returns an authored node with its constants and the items of its context substituted; the context stays entered.
    /// `None` when the items removed it.
    pub(crate) fn instantiated(&mut self, node: NodeId, frame: FrameId) -> Option<NodeId> {
        self.replay.enter(frame);
        self.replay.instantiate(self.without_constants(node))
    }

    /// Evaluates an authored node again, in a context; `None` when the loop's items removed it.
    pub(crate) fn again(&mut self, node: NodeId, frame: FrameId, visibility: Visibility) -> Option<Outcome> {
        let made = self.instantiated(node, frame)?;
        Some(self.replay.evaluator().with_visibility(visibility, |ev| ev.resolve_silently(made)))
    }

    /// Adds the loop variables in a key or plain string, in order.
    pub(crate) fn key_sources(&mut self, node: NodeId, frame: FrameId, out: &mut Vec<Source>) {
        let text = self.tree().text(node).to_owned();
        for placeholder in placeholders(&text) {
            if let Some((at, _)) = placeholder.name.and_then(|name| self.replay.binding(frame, name)) {
                out.extend(self.loop_source(at));
            }
        }
    }

    /// Adds the reasons why a call that was replaced returned this node.
    pub(crate) fn choice_sources(&mut self, call: NodeId, chosen: NodeId, frame: FrameId, out: &mut Vec<Source>) {
        let (function, argument) = self.tree().call(call);
        let items = self.tree().items(argument).to_vec();
        match function {
            Function::Known(Known::If) => {
                let name = items.first().map(|&name| self.tree().text(name).to_owned()).unwrap_or_default();
                out.extend(self.condition(&name));
            }
            Function::Known(Known::Select) => {
                if let Some(&index) = items.first().filter(|&&index| index != chosen) {
                    self.sources(index, frame, Visibility::Full, out);
                }
            }
            _ => {
                for &key in items.iter().take(3) {
                    self.sources(key, frame, Visibility::Full, out);
                }
            }
        }
    }

    fn constant_sources(&mut self, used: UsedConstant, frame: FrameId, visibility: Visibility, out: &mut Vec<Source>) {
        out.push(self.inserted_source(&used.inserted));
        let definition = self.tree().authored(used.inserted.value);
        match self.tree().kind(definition) {
            Kind::String => self.text_sources(definition, None, frame, visibility, out),
            _ => self.sources(definition, frame, visibility, out),
        }
    }
}
