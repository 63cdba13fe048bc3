//! Copies of a fragment (reference/for-each.md#substitution, reference/values.md#loop-variables).

use formwork_evaluate::{Outcome, Visibility};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Origin, Style, flags, symbol};

use super::plan::Syntax;
use super::{Expander, Level};

impl Expander<'_, '_> {
    /// Returns a node in this iteration: itself when it does not depend on a variable, `None` when it resolved to
    /// nothing.
    pub(super) fn instantiate(&mut self, node: NodeId) -> Option<NodeId> {
        if !self.uses.is_touched(node) {
            return Some(node);
        }
        if self.ev.tree.is_alias(node) {
            // The copy of the target of an alias is seen in this iteration, through the alias.
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
            Kind::List | Kind::Map if self.may_repeat(node) => self.repeated(node),
            _ => self.instantiate_once(node),
        }
    }

    pub(super) fn instantiate_once(&mut self, node: NodeId) -> Option<NodeId> {
        match self.ev.tree.kind(node) {
            Kind::List => {
                self.in_list += 1;
                let list = self.spliced(node);
                self.in_list -= 1;
                Some(list)
            }
            Kind::Map if self.has_plain_members(node) => Some(self.plain_map(node)),
            Kind::Map => Some(self.map(node, Level::Inner)),
            Kind::Call => self.call(node),
            _ => Some(node),
        }
    }

    fn spliced(&mut self, node: NodeId) -> NodeId {
        let mut items = Vec::new();
        self.splice(node, &mut items);
        self.list(node, &items)
    }

    /// Fills the placeholders of a plain string: the path of an artifact, or any string as in SAM CLI.
    fn fill_text(&mut self, node: NodeId) -> NodeId {
        if !self.uses.is_filled(node) {
            return node;
        }
        let text = self.with_words_apart(node);
        let plan = self.plan(text, None, Syntax::Placeholders);
        let Some(filled) = self.fill(text, &plan, false) else { return node };
        self.ev.tree.computed(filled.text.as_str(), Origin::Generated(node, self.frame))
    }

    fn call(&mut self, node: NodeId) -> Option<NodeId> {
        let (function, argument) = self.ev.tree.call(node);
        match function {
            Function::Known(Known::Ref) => {
                let item = self.ev.tree.string(argument).and_then(|name| self.binding(name));
                if let Some(item) = item {
                    return Some(self.ev.tree.stand_in(item, node, self.frame));
                }
                if self.ev.tree.symbol(self.ev.tree.call_name(node)) == symbol::FN_REF {
                    return Some(self.respelled(node, argument));
                }
            }
            Function::Known(Known::Sub) => return Some(self.sub(node, argument)),
            Function::Known(Known::Map) => return Some(self.map_value(node)),
            Function::Known(Known::Merge) if !self.rules.is_used => return Some(self.merge_value(node)),
            Function::Known(Known::GetAtt) => return Some(self.get_att(node, argument)),
            // Variadic functions take the items of a map.
            Function::Known(Known::And | Known::Or | Known::Merge) if self.ev.tree.kind(argument) == Kind::List => {
                let argument = self.spliced(argument);
                return Some(self.ev.tree.call_like(node, argument, self.frame));
            }
            _ => {}
        }
        let varies = self.uses.varies(node);
        let argument = self.arguments(function, argument);
        let call = self.ev.tree.call_like(node, argument, self.frame);
        match function {
            Function::Known(Known::Join | Known::Split | Known::Select | Known::FindInMap)
                if varies && !self.waits_for_copies(call) =>
            {
                let made = self.fold(call);
                let keeps_all = matches!(function, Function::Known(Known::Join | Known::Split));
                if made != Some(call) && !keeps_all && self.ev.tree.has(argument, flags::HAS_CALL) {
                    // An element that is not selected, or a default that is not needed.
                    self.ev.look_at_unused(argument);
                }
                made
            }
            _ => Some(call),
        }
    }

    /// Replaces `Fn::Ref`, the looping RFC's spelling, by `Ref`.
    fn respelled(&mut self, node: NodeId, argument: NodeId) -> NodeId {
        let argument = self.argument(argument);
        let (style, origin) = (self.ev.tree.style(node), Origin::Generated(node, self.frame));
        let name = self.ev.tree.call_name(node);
        let name = self.ev.tree.key(Known::Ref.long(), Style::Plain, Origin::Generated(name, self.frame));
        self.ev.tree.add_call(Function::Known(Known::Ref), name, argument, style, origin)
    }

    /// Instantiates `Fn::GetAtt`: a value of an object item, else the attribute of a resource. A computed name is split
    /// at its first dot (reference/map-and-merge.md#map-references).
    fn get_att(&mut self, node: NodeId, argument: NodeId) -> NodeId {
        let tree = &*self.ev.tree;
        let path = match *tree.items(argument) {
            [] => tree.string(argument).map(str::to_owned),
            [name, attribute] => {
                tree.string(name).zip(tree.string(attribute)).map(|(name, attribute)| format!("{name}.{attribute}"))
            }
            _ => None,
        };
        if let Some(path) = path {
            match self.attribute_of(&path) {
                Some(Ok(item)) => return self.ev.tree.stand_in(item, node, self.frame),
                Some(Err(_)) => {
                    self.report_no_attribute(node, &path);
                    // A string in its place, without further reports.
                    return self.ev.tree.computed(&path, Origin::Generated(node, self.frame));
                }
                None => {}
            }
        }
        let origin = Origin::Generated(argument, self.frame);
        let made = if let Some(text) = self.closed_text(argument) {
            let tree = &mut *self.ev.tree;
            let made = match text.split_once('.') {
                Some((name, attribute)) => {
                    let items = [tree.computed(name, origin), tree.computed(attribute, origin)];
                    tree.list(&items, Style::Flow, origin)
                }
                None => tree.computed(&text, origin),
            };
            self.reuse(text);
            made
        } else {
            let made = self.argument(argument);
            let tree = &mut *self.ev.tree;
            let computed = (tree.kind(argument) == Kind::Call).then(|| tree.string(made)).flatten();
            match computed.and_then(|text| text.find('.')) {
                Some(dot) => {
                    let items = [tree.part(made, ..dot, origin), tree.part(made, dot + 1.., origin)];
                    tree.list(&items, Style::Flow, origin)
                }
                None => made,
            }
        };
        self.ev.tree.call_like(node, made, self.frame)
    }

    /// The call's value when its arguments are all constant now, else the call.
    fn fold(&mut self, call: NodeId) -> Option<NodeId> {
        match self.ev.with_visibility(Visibility::Constant, |ev| ev.resolve_silently(call)) {
            Outcome::Known(value) => Some(value),
            Outcome::Omit(no_value) => {
                self.open.no_value = Some(no_value);
                None
            }
            _ => Some(call),
        }
    }

    /// Instantiates the arguments of a call of `function`. The options of `Fn::FindInMap` stay an object with a
    /// `DefaultValue`: where that is `AWS::NoValue`, the call is, not the option (reference/functions.md#find-in-map).
    fn arguments(&mut self, function: Function, argument: NodeId) -> NodeId {
        let options = self.ev.tree.items(argument).get(3).copied().filter(|&options| {
            let is_written = |key| !matches!(self.ev.tree.symbol(key), symbol::FN_MAP | symbol::FN_MERGE);
            function == Function::Known(Known::FindInMap)
                && self.ev.tree.get(options, symbol::DEFAULT_VALUE).is_some()
                && self.uses.is_touched(options)
                && self
                    .ev
                    .tree
                    .entries(options)
                    .all(|entry| is_written(entry.key) && self.ev.tree.loop_name(entry.key).is_none())
        });
        let Some(options) = options else { return self.argument(argument) };
        let mut items = self.ev.tree.items(argument).to_vec();
        for item in &mut items {
            *item = if *item == options { self.options(options) } else { self.or_no_value(*item) };
        }
        self.list(argument, &items)
    }

    fn options(&mut self, node: NodeId) -> NodeId {
        let mut entries: Vec<Entry> = self.ev.tree.entries(node).collect();
        for entry in &mut entries {
            *entry = Entry { key: self.other_key(entry.key), value: self.or_no_value(entry.value) };
        }
        let style = self.style_of(node);
        self.ev.tree.map(&entries, style, Origin::Generated(node, self.frame))
    }

    /// Instantiates the arguments of a call that may be kept: `AWS::NoValue` is kept among them, except in the list of
    /// `Fn::Join`.
    fn argument(&mut self, argument: NodeId) -> NodeId {
        if self.ev.tree.kind(argument) != Kind::List {
            return self.or_no_value(argument);
        }
        let mut items = Vec::new();
        for at in 0..self.ev.tree.len(argument) {
            let item = self.ev.tree.items(argument)[at];
            items.push(self.or_no_value(item));
        }
        self.list(argument, &items)
    }

    pub(super) fn or_no_value(&mut self, node: NodeId) -> NodeId {
        if let Some(made) = self.instantiate(node) {
            return made;
        }
        // A value that resolved to nothing is written as an argument by the node that returned it.
        self.open.no_value.take().unwrap_or(node)
    }
}
