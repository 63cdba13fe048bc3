//! Between nodes of a tree and [`Value`]s.

use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Function, Kind, NodeId, Origin, Style, Tree, View};
use rustc_hash::FxHashMap;

use crate::make;
use crate::value::{Data, Map, Value};

/// Returns the data below a node. The string argument of a short `!GetAtt` is a list, as the service reads it.
pub(crate) fn read(tree: &Tree, node: NodeId) -> Value {
    let data = match tree.view(node) {
        View::Null => Data::Null,
        View::Bool(truth) => Data::Bool(truth),
        View::Number(text) => Data::Number(text.into()),
        View::String(text) => Data::Text(text.into()),
        View::List(items) => Data::List(items.iter().map(|&item| read(tree, item)).collect()),
        View::Map => {
            let mut map = Map::new();
            for entry in tree.entries(node) {
                map.set_with_key(tree.text(entry.key), Some(entry.key), read(tree, entry.value));
            }
            Data::Map(map)
        }
        View::Call(function, argument) => {
            let mut map = Map::new();
            let value = match attribute(tree, node, function, argument) {
                Some(parts) => make::list(parts),
                None => read(tree, argument),
            };
            map.set_with_key(tree.function_name(function), Some(tree.call_name(node)), value);
            Data::Map(map)
        }
    };
    Value::of_node(data, node)
}

/// Returns the ID and the attribute of a short `!GetAtt`. They are authored strings, which hashes know from made ones.
fn attribute(tree: &Tree, call: NodeId, function: Function, argument: NodeId) -> Option<[Value; 2]> {
    let is_short = function == Function::Known(Known::GetAtt) && tree.style(call) == Style::Tag;
    let (id, attribute) = tree.string(argument).filter(|_| is_short)?.split_once('.')?;
    Some([id, attribute].map(|part| Value::part_of(part, argument)))
}

/// Writes values as nodes.
#[derive(Debug)]
pub(crate) struct Writer<'t> {
    pub(crate) tree: &'t mut Tree,
}

impl Writer<'_> {
    /// Returns the node of a value: the one that it is a copy of, or a new one with the value's origin, else `around`.
    pub(crate) fn write(&mut self, value: &Value, around: NodeId) -> NodeId {
        if let Some(node) = value.node() {
            return node;
        }
        let from = value.origin().unwrap_or(around);
        let origin = Origin::Generated(from, self.tree.frame_of(from));
        match value.data() {
            Data::Null => self.tree.scalar(Kind::Null, Style::Plain, "", origin),
            Data::Bool(truth) => {
                self.tree.scalar(Kind::Bool, Style::Plain, if *truth { "true" } else { "false" }, origin)
            }
            Data::Number(text) => self.tree.scalar(Kind::Number, Style::Plain, text, origin),
            Data::Text(text) => self.tree.computed(text, origin),
            Data::List(items) => {
                let items: Vec<NodeId> = items.iter().map(|item| self.write(item, from)).collect();
                self.tree.list(&items, Style::Plain, origin)
            }
            Data::Map(map) => match self.call(value, from, origin) {
                Some(call) => call,
                None => self.map(map, from, origin, &FxHashMap::default()),
            },
        }
    }

    /// Writes a template. `frames` are the contexts of what is made, by logical ID: a part of a loop's body that does not
    /// use the variable has none of its own.
    pub(crate) fn template(&mut self, map: &Map, root: NodeId, frames: &FxHashMap<&str, FrameId>) -> NodeId {
        let mut entries = Vec::with_capacity(map.len());
        for (name, key, value) in map.members() {
            let resources = value.map().filter(|_| name == "Resources" && value.node().is_none());
            let node = match resources {
                Some(resources) => {
                    let from = value.origin().unwrap_or(root);
                    self.map(resources, from, Origin::Generated(from, self.tree.frame_of(from)), frames)
                }
                None => self.write(value, root),
            };
            entries.push(self.entry(name, key, node, FrameId::NONE));
        }
        self.tree.map(&entries, Style::Plain, Origin::Generated(root, self.tree.frame_of(root)))
    }

    fn map(&mut self, map: &Map, from: NodeId, origin: Origin, frames: &FxHashMap<&str, FrameId>) -> NodeId {
        let mut entries = Vec::with_capacity(map.len());
        for (name, key, value) in map.members() {
            let node = self.write(value, from);
            let frame = if frames.is_empty() { None } else { frames.get(name).copied() };
            entries.push(self.entry(name, key, node, frame.unwrap_or_default()));
        }
        self.tree.map(&entries, Style::Plain, origin)
    }

    /// Returns an entry; a new key of a value without a context has `frame`.
    fn entry(&mut self, name: &str, key: Option<NodeId>, value: NodeId, frame: FrameId) -> Entry {
        let is_same = |key: &NodeId| self.tree.kind(*key) == Kind::Key && self.tree.text(*key) == name;
        let key = key.filter(is_same).unwrap_or_else(|| {
            // A key that is made of an authored string or name has its origin.
            let from = self.tree.authored(key.unwrap_or(value));
            let own = self.tree.frame_of(value);
            let frame = if own.is_none() { frame } else { own };
            self.tree.key(name, Style::Plain, Origin::Generated(from, frame))
        });
        Entry { key, value }
    }

    fn call(&mut self, value: &Value, from: NodeId, origin: Origin) -> Option<NodeId> {
        let (name, argument) =
            value.call().filter(|(name, _)| *name != "Condition" && !name.starts_with("Fn::ForEach"))?;
        let short = short_argument(name, argument);
        let argument = match &short {
            Some(text) => self.tree.computed(text, origin),
            None => self.write(argument, from),
        };
        let function = match Known::from_long(name) {
            Some(known) => Function::Known(known),
            None => Function::Other(self.tree.intern(name)),
        };
        let is_tag = matches!(function, Function::Known(known) if !known.short().is_empty());
        let style = if is_tag { Style::Tag } else { Style::Plain };
        let key = self.tree.key(name, Style::Plain, origin);
        Some(self.tree.add_call(function, key, argument, style, origin))
    }
}

/// Returns the string argument of a short `!GetAtt`.
fn short_argument(name: &str, argument: &Value) -> Option<String> {
    match argument.list().filter(|_| name == "Fn::GetAtt")? {
        [id, attribute] => Some(format!("{}.{}", id.text()?, attribute.text()?)),
        _ => None,
    }
}
