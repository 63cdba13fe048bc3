//! `Constants` (reference/modules/constants.md#constants): replaced before anything else in their file.

use formwork_base::{Diagnostic, FileId, FrameKind, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, FrameRecord, Function, Kind, NodeId, Origin, Style, Symbol};
use formwork_template::sub_string::{self, Part};
use rustc_hash::FxHashMap;

use super::goals::Made;
use super::instance::InstanceId;
use super::{Inserted, Linker};

/// What a reference to a constant begins with.
const MARK: &str = "Const::";
/// What a misspelt reference begins with.
const MISSPELT: &str = "Constants::";

/// A constant that a reference or a text uses.
#[derive(Clone, Copy, Debug)]
pub struct UsedConstant {
    /// The constant.
    pub inserted: Inserted,
    /// Where its text begins in the text with constants replaced; 0 for a whole value.
    pub(super) offset: usize,
}

/// The constants of a file.
struct Constants {
    /// Values of those that are worked out.
    values: FxHashMap<String, NodeId>,
    /// Names of all, for advice.
    names: Vec<String>,
    scope: InstanceId,
    /// Whether variables in plain strings count: inside the section itself.
    in_plain: bool,
}

impl Linker<'_> {
    /// The root of a file with its constants in place. The section itself stays.
    pub(super) fn without_constants(&mut self, root: NodeId, file: FileId, scope: InstanceId) -> NodeId {
        let section = self.tree.get_text(root, "Constants");
        if section.is_none() && !self.sources.text(file).contains("Const") {
            return root;
        }
        let mut constants = Constants { values: FxHashMap::default(), names: Vec::new(), scope, in_plain: true };
        if let Some(section) = section {
            if self.tree.kind(section) != Kind::Map {
                let message = "Constants is no mapping of names to values";
                let help = "write `Constants: {Name: value}`";
                self.report(scope, self.fault(codes::CONSTANT, section, message, help));
            }
            let entries: Vec<Entry> = self.tree.entries(section).collect();
            constants.names = entries.iter().map(|entry| self.tree.text(entry.key).to_owned()).collect();
            for entry in entries {
                let value = self.replace_constants(entry.value, &constants);
                constants.values.insert(self.tree.text(entry.key).to_owned(), value);
            }
        }
        constants.in_plain = false;
        let sections: Vec<NodeId> = self.tree.entries(root).map(|entry| entry.value).collect();
        let replaced = |value| if Some(value) == section { value } else { self.replace_constants(value, &constants) };
        let made: Vec<NodeId> = sections.into_iter().map(replaced).collect();
        self.tree.with_children(root, &made, FrameId::NONE)
    }

    fn replace_constants(&mut self, node: NodeId, constants: &Constants) -> NodeId {
        let made = self.replaced_in(node, constants);
        if made != node {
            self.result.replaced.insert(node, made);
        }
        made
    }

    fn replaced_in(&mut self, node: NodeId, constants: &Constants) -> NodeId {
        match self.tree.kind(node) {
            Kind::List | Kind::Map => self.replace_below(node, constants),
            Kind::Call => self.replace_in_call(node, constants),
            _ if constants.in_plain => self.replace_in_text(node, node, constants).unwrap_or(node),
            _ => node,
        }
    }

    fn replace_in_call(&mut self, node: NodeId, constants: &Constants) -> NodeId {
        let (function, argument) = self.tree.call(node);
        match function {
            Function::Known(Known::Ref) => {
                let written = self.tree.string(argument).unwrap_or_default().to_owned();
                let Ok(Some((name, value))) = self.constant(&written, node, argument, constants) else { return node };
                let used = UsedConstant { inserted: self.inserted_constant(name, value), offset: 0 };
                self.result.constants.insert(node, vec![used]);
                self.constant_in_place(name, value, node)
            }
            Function::Known(Known::Sub) if let Some((text, map)) = self.sub_argument(argument) => {
                let place = if map.is_some() { text } else { node };
                let replaced = self.replace_in_text(text, place, constants).unwrap_or(text);
                let map = map.map(|map| self.replace_constants(map, constants));
                self.sub_in_place(node, replaced, map, FrameId::NONE)
            }
            _ => self.replace_below(node, constants),
        }
    }

    fn replace_below(&mut self, node: NodeId, constants: &Constants) -> NodeId {
        let children = self.tree.children(node);
        let made: Vec<NodeId> = children.into_iter().map(|child| self.replace_constants(child, constants)).collect();
        self.children_in_place(node, &made, FrameId::NONE)
    }

    /// The text of a node with `${Const::name}` replaced; `None` when it has none.
    fn replace_in_text(&mut self, node: NodeId, place: NodeId, constants: &Constants) -> Option<NodeId> {
        let text = self.tree.string(node).filter(|text| text.contains("Const"))?.to_owned();
        let mut made = String::with_capacity(text.len());
        let mut is_changed = false;
        let mut used = Vec::new();
        for part in sub_string::parts(&text) {
            let found = match part {
                Part::Variable(written) => self.constant(written.trim(), node, node, constants),
                _ => Ok(None),
            };
            is_changed |= found != Ok(None);
            let Ok(found) = found else { continue };
            let Some((name, value)) = found else {
                part.write(&mut made);
                continue;
            };
            used.push(UsedConstant { inserted: self.inserted_constant(name, value), offset: made.len() });
            if let Some(text) = self.tree.argument_of(value, Known::Sub).and_then(|text| self.tree.string(text)) {
                made.push_str(text);
            } else if self.tree.is_scalar(value) {
                made.push_str(self.tree.text_form(value));
            } else {
                let what = super::report::kind_words(self.tree, value);
                let message = format!("the constant {} is {what}, which has no place in a text", shown(name));
                let help = format!("put the whole value in with `!Ref Const::{name}`");
                self.report(constants.scope, self.fault(codes::CONSTANT, place, message, help));
            }
        }
        if !is_changed || self.charge(made.len(), node, constants.scope).is_err() {
            return None;
        }
        self.result.constants.insert(node, used);
        Some(self.tree.scalar(Kind::String, Style::Plain, &made, Origin::Generated(place, FrameId::NONE)))
    }

    /// The constant that a name refers to and its value; nothing for the name of something else.
    fn constant<'n>(
        &mut self,
        written: &'n str,
        at: NodeId,
        text: NodeId,
        constants: &Constants,
    ) -> Made<Option<(&'n str, NodeId)>> {
        if let Some(name) = written.strip_prefix(MISSPELT) {
            let shown = shown(name);
            let message = format!("a reference to a constant begins with Const::, not Constants::, here for {shown}");
            let help = format!("write `Const::{name}`");
            return self.wrong(constants.scope, self.fault(codes::CONSTANT, text, message, help));
        }
        let Some(name) = written.strip_prefix(MARK) else { return Ok(None) };
        if let Some(&value) = constants.values.get(name) {
            return Ok(Some((name, value)));
        }
        let message = format!("there is no constant {} here: `Unknown constant: {}`", shown(name), shown(name));
        let names = || constants.names.iter().map(String::as_str);
        let (note, help) = if names().any(|known| known == name) {
            (Some("a constant may use those that stand above it"), "move its declaration up".to_owned())
        } else if let Some(near) = self.suggestion(name, names()) {
            (None, format!("did you mean `{near}`?"))
        } else {
            let note = "constants are known in the file that declares them";
            (Some(note), "declare it in the Constants section of this file".to_owned())
        };
        let diagnostic = self.fault(codes::CONSTANT, at, message, help);
        self.wrong(constants.scope, note.into_iter().fold(diagnostic, Diagnostic::note))
    }

    /// The constants in the text of a call of `Fn::Sub`, in order; the constant itself where the call is its
    /// value.
    pub(super) fn constants_in(&self, call: NodeId, text: NodeId) -> Vec<UsedConstant> {
        let (call, text) = (self.tree.authored(call), self.tree.authored(text));
        let text = self.tree.argument_of(text, Known::Sub).unwrap_or(text);
        let used = [call, text].into_iter().find_map(|node| self.result.constants.get(&node));
        used.cloned().unwrap_or_default()
    }

    fn inserted_constant(&mut self, name: &str, value: NodeId) -> Inserted {
        Inserted { kind: FrameKind::Constant, name: self.tree.intern(name), value }
    }

    fn constant_in_place(&mut self, name: &str, value: NodeId, call: NodeId) -> NodeId {
        let name = self.tree.intern(name);
        let frame = self.value_frame(FrameKind::Constant, name, value, call, FrameId::NONE);
        let has_variables = self.tree.string(value).is_some_and(sub_string::has_variables);
        let placed = self.tree.stand_in(value, call, frame);
        if !has_variables {
            return placed;
        }
        // Its variables mean something only inside Fn::Sub.
        let key = self.tree.key(Known::Sub.long(), Style::Plain, Origin::Generated(call, frame));
        let style = if self.tree.style(call) == Style::Tag { Style::Tag } else { Style::Plain };
        self.tree.add_call(Function::Known(Known::Sub), key, placed, style, Origin::Generated(call, frame))
    }

    /// A frame that says by what name a value was put in place of `call`: for lists, maps and calls,
    /// whose parts keep their own places. Other values need none.
    pub(super) fn value_frame(
        &mut self,
        kind: FrameKind,
        name: Symbol,
        value: NodeId,
        call: NodeId,
        outer: FrameId,
    ) -> FrameId {
        if !matches!(self.tree.kind(value), Kind::List | Kind::Map | Kind::Call) {
            return outer;
        }
        let (site, item) = (self.tree.span(call), self.tree.span(value));
        self.tree.frames_mut().push(FrameRecord { item, ..FrameRecord::new(outer, kind, site, name) })
    }
}
