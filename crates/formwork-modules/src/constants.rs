//! Replacement of `Constants` (reference/modules/constants.md#constants), before anything else in their file.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, FrameKind, IdMap, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, FrameRecord, Function, Kind, NodeId, Origin, Style, Symbol};
use formwork_template::sub_string;

use super::instance::InstanceId;
use super::report::describe_kind;
use super::stop::Resolved;
use super::{Inserted, Linker};

const MARK: &str = "Const::";
const MISSPELT: &str = "Constants::";

/// A constant that a reference or a string uses.
#[derive(Clone, Copy, Debug)]
pub struct UsedConstant {
    /// The constant.
    pub inserted: Inserted,
    /// The start of its value in the string with constants replaced; 0 for a whole value.
    pub(super) offset: usize,
}

pub(super) struct Constants {
    pub(super) values: IdMap<Symbol, NodeId>,
    pub(super) section: Option<NodeId>,
    /// Set when variables in plain strings are replaced: inside the section itself.
    pub(super) in_plain: bool,
    pub(super) scope: InstanceId,
}

impl Linker<'_> {
    pub(super) fn constant_referred_to(&mut self, call: NodeId, argument: NodeId, constants: &Constants) -> NodeId {
        let written = self.tree.string(argument).unwrap_or_default().to_owned();
        let Ok(Some(inserted)) = self.constant(&written, call, argument, constants) else { return call };
        self.emitted.result.constants.insert(call, vec![UsedConstant { inserted, offset: 0 }]);
        self.constant_in_place(inserted, call)
    }

    /// Replaces `${Const::name}` in the string of a node; returns a node without it unchanged.
    pub(super) fn constants_in_text(&mut self, node: NodeId, place: NodeId, constants: &Constants) -> NodeId {
        if !self.tree.text(node).contains("Const") {
            return node;
        }
        let text = self.tree.text(node).to_owned();
        let (mut used, mut open) = (Vec::new(), Vec::new());
        let made = sub_string::fill(&text, |written, offset| match self.constant(written, node, node, constants) {
            Ok(None) => None,
            Ok(Some(inserted)) => {
                used.push(UsedConstant { inserted, offset });
                let text = self.constant_as_text(inserted, place, constants.scope);
                open.extend(sub_string::unclosed(&text).map(|rest| (inserted, rest.to_owned(), offset + text.len())));
                Some(text)
            }
            Err(_) => Some(String::new()),
        });
        // The text behind a constant must not close a variable of it.
        for (constant, rest, _) in open.into_iter().filter(|&(.., end)| made[end..].contains('}')) {
            let name = shown(self.tree.name(constant.name));
            let message =
                format!("a variable in the constant {name} has no closing brace: `invalid string, unclosed variable`");
            let help = "add `}` in the constant, or use it outside Fn::Sub";
            let diagnostic = self.error(codes::SUB_VARIABLE, place, message, help);
            let diagnostic = diagnostic.note(format!("`{}` has no closing brace", shown(&rest)));
            self.report(constants.scope, diagnostic.related(self.tree.span(constant.value), "the constant"));
        }
        if made == text || self.charge(made.len(), node, constants.scope).is_err() {
            return node;
        }
        self.emitted.result.constants.insert(node, used);
        self.tree.computed(&made, Origin::Generated(place, FrameId::NONE))
    }

    fn constant_as_text(&mut self, constant: Inserted, place: NodeId, scope: InstanceId) -> String {
        let value = constant.value;
        let text = self.tree.argument_of(value, Known::Sub).filter(|&text| self.tree.kind(text) == Kind::String);
        if text.is_some() || self.tree.is_scalar(value) {
            return self.tree.text_form(text.unwrap_or(value)).to_owned();
        }
        let (name, what) = (self.tree.name(constant.name), describe_kind(self.tree, value));
        let message = format!("the constant {} is {what} and cannot be inserted into a string", shown(name));
        let help = format!("use it as a whole value with `!Ref Const::{name}`");
        self.report(scope, self.error(codes::CONSTANT, place, message, help));
        String::new()
    }

    fn constant(
        &mut self,
        written: &str,
        at: NodeId,
        text: NodeId,
        constants: &Constants,
    ) -> Resolved<Option<Inserted>> {
        if let Some(name) = written.strip_prefix(MISSPELT) {
            let shown = shown(name);
            let message = format!("a reference to a constant begins with Const::, not Constants::, here for {shown}");
            let help = format!("write `Const::{name}`");
            return self.wrong(constants.scope, self.error(codes::CONSTANT, text, message, help));
        }
        let Some(name) = written.strip_prefix(MARK) else { return Ok(None) };
        let symbol = self.tree.intern(name);
        if let Some(&value) = constants.values.get(&symbol) {
            return Ok(Some(Inserted { kind: FrameKind::Constant, name: symbol, value }));
        }
        let message = format!("constant {} is not declared here: `Unknown constant: {}`", shown(name), shown(name));
        let names = || self.names_in(constants.section);
        let (note, help) = if names().any(|known| known == name) {
            (Some("a constant can only use constants that are declared above it"), "move its declaration up".to_owned())
        } else if let Some(near) = self.suggestion(name, names()) {
            (None, format!("did you mean `{near}`?"))
        } else {
            let note = "constants are visible only in the file that declares them";
            (Some(note), "declare it in the Constants section of this file".to_owned())
        };
        let diagnostic = self.error(codes::CONSTANT, at, message, help);
        self.wrong(constants.scope, note.into_iter().fold(diagnostic, Diagnostic::note))
    }

    /// Returns the constants in the string of a call of `Fn::Sub`, in order; the constant itself when the call is its
    /// value.
    pub(super) fn constants_in(&self, call: NodeId, text: NodeId) -> Vec<UsedConstant> {
        let (call, text) = (self.tree.authored(call), self.tree.authored(text));
        let text = self.tree.argument_of(text, Known::Sub).unwrap_or(text);
        let used = [call, text].into_iter().find_map(|node| self.emitted.result.constants.get(&node));
        used.cloned().unwrap_or_default()
    }

    fn constant_in_place(&mut self, constant: Inserted, call: NodeId) -> NodeId {
        let frame = self.value_frame(constant, call, FrameId::NONE);
        let value = constant.value;
        let has_variables = self.tree.string(value).is_some_and(sub_string::has_variables);
        let placed = self.tree.stand_in(value, call, frame);
        if !has_variables {
            return placed;
        }
        // Its variables are only replaced inside Fn::Sub.
        let key = self.tree.key(Known::Sub.long(), Style::Plain, Origin::Generated(call, frame));
        let style = if self.tree.style(call) == Style::Tag { Style::Tag } else { Style::Plain };
        self.tree.add_call(Function::Known(Known::Sub), key, placed, style, Origin::Generated(call, frame))
    }

    /// Returns a frame with the name by which a value replaced `call`: for lists, mappings and calls, whose parts have
    /// their own places. Other values need no frame.
    pub(super) fn value_frame(&mut self, inserted: Inserted, call: NodeId, outer: FrameId) -> FrameId {
        let Inserted { kind, name, value } = inserted;
        if !self.tree.is_collection(value) {
            return outer;
        }
        let (site, item) = (self.tree.span(call), self.tree.span(value));
        self.tree.frames_mut().push(FrameRecord { item, ..FrameRecord::new(outer, kind, site, name) })
    }
}
