//! `Constants` (reference/modules/constants.md#constants): replaced before anything else in their file.

use formwork_base::{Diagnostic, FileId, FrameKind, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, FrameRecord, Function, Kind, NodeId, Origin, Style, Symbol};
use formwork_template::sub_string::{self, Part};
use rustc_hash::FxHashMap;

use super::instance::InstanceId;
use super::{Inserted, Linker};

/// What a reference to a constant begins with.
const MARK: &str = "Const::";
/// Stands in front of the name in a misspelt reference.
const MISSPELT: char = '\0';

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
        let entries: Vec<Entry> = self.tree.entries(root).collect();
        let mut replaced = Vec::with_capacity(entries.len());
        for entry in &entries {
            let is_section = self.tree.text(entry.key) == "Constants";
            let value = if is_section { entry.value } else { self.replace_constants(entry.value, &constants) };
            replaced.push(Entry { key: entry.key, value });
        }
        if replaced == entries {
            return root;
        }
        let style = self.tree.style(root);
        self.tree.map(&replaced, style, Origin::Generated(root, FrameId::NONE))
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
            Kind::String if constants.in_plain => self.replace_in_text(node, node, constants).unwrap_or(node),
            _ => node,
        }
    }

    fn replace_in_call(&mut self, node: NodeId, constants: &Constants) -> NodeId {
        let (function, argument) = self.tree.call(node);
        match function {
            Function::Known(Known::Ref) => {
                let Some(name) = self.tree.string(argument).and_then(constant_name) else {
                    return node;
                };
                let Some(value) = self.constant(&name, node, argument, constants) else { return node };
                let used = UsedConstant { inserted: self.inserted_constant(&name, value), offset: 0 };
                self.result.constants.insert(node, vec![used]);
                self.constant_in_place(&name, value, node)
            }
            Function::Known(Known::Sub) if self.tree.kind(argument) == Kind::String => {
                let Some(text) = self.replace_in_text(argument, node, constants) else { return node };
                if sub_string::has_variables(self.tree.text(text)) {
                    return self.tree.call_like(node, text, FrameId::NONE);
                }
                self.tree.stand_in(text, node, FrameId::NONE)
            }
            Function::Known(Known::Sub) if self.tree.len(argument) == 2 => {
                let (text, variables) = (self.tree.items(argument)[0], self.tree.items(argument)[1]);
                let replaced = if self.tree.kind(text) == Kind::String {
                    self.replace_in_text(text, text, constants).unwrap_or(text)
                } else {
                    text
                };
                let variables_now = self.replace_constants(variables, constants);
                if replaced == text && variables_now == variables {
                    return node;
                }
                let list = self.list_in_place(argument, &[replaced, variables_now], FrameId::NONE);
                self.tree.call_like(node, list, FrameId::NONE)
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
        let text = self.tree.text(node).to_owned();
        if !text.contains("Const") {
            return None;
        }
        let mut made = String::with_capacity(text.len());
        let mut is_changed = false;
        let mut used = Vec::new();
        for part in sub_string::parts(&text) {
            let name = match part {
                Part::Variable(written) => constant_name(written.trim()),
                _ => None,
            };
            let Some(name) = name else {
                part.write(&mut made);
                continue;
            };
            is_changed = true;
            let Some(value) = self.constant(&name, node, node, constants) else { continue };
            used.push(UsedConstant { inserted: self.inserted_constant(&name, value), offset: made.len() });
            let sub = self.tree.argument_of(value, Known::Sub).and_then(|text| self.tree.string(text));
            if let Some(text) = sub {
                made.push_str(text);
            } else if self.tree.is_scalar(value) {
                made.push_str(self.tree.text_form(value));
            } else {
                let what = super::report::kind_words(self.tree, value);
                let message = format!("the constant {} is {what}, which has no place in a text", shown(&name));
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

    /// The value of a constant; `None` when that was reported.
    fn constant(&mut self, name: &str, at: NodeId, text: NodeId, constants: &Constants) -> Option<NodeId> {
        if let Some(real) = name.strip_prefix(MISSPELT) {
            let message =
                format!("a reference to a constant begins with Const::, not Constants::, here for {}", shown(real));
            let help = format!("write `Const::{real}`");
            self.report(constants.scope, self.fault(codes::CONSTANT, text, message, help));
            return None;
        }
        if let Some(&value) = constants.values.get(name) {
            return Some(value);
        }
        let message = format!("there is no constant {} here: `Unknown constant: {}`", shown(name), shown(name));
        let mut diagnostic = Diagnostic::new(codes::CONSTANT, message).at(self.tree.span(at));
        diagnostic = if constants.names.iter().any(|known| known == name) {
            diagnostic.note("a constant may use those that stand above it").help("move its declaration up")
        } else if let Some(near) = self.suggestion(name, constants.names.iter().map(String::as_str)) {
            diagnostic.help(format!("did you mean `{near}`?"))
        } else {
            diagnostic
                .note("constants are known in the file that declares them")
                .help("declare it in the Constants section of this file")
        };
        self.report(constants.scope, diagnostic);
        None
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

/// The name in `Const::name`; with a mark in front of it for the misspelling `Constants::name`.
fn constant_name(text: &str) -> Option<String> {
    let misspelt = || text.strip_prefix("Constants::").map(|name| format!("{MISSPELT}{name}"));
    text.strip_prefix(MARK).map(str::to_owned).or_else(misspelt)
}
