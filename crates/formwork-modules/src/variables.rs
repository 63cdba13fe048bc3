//! Replacement of variables in a part of a file before any look-up: those of a `ForEach` in the copied node
//! (reference/modules/copies.md#variables, reference/modules/copies.md#fn-foreach), and constants
//! (reference/modules/constants.md#constants).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, FrameKind, Span, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, FrameRecord, Function, Kind, NodeId, Origin, Style, symbol};
use formwork_template::sub_string::{self, Part};
use formwork_template::sub_text::SubText;

use super::Linker;
use super::constants::Constants;
use super::instance::InstanceId;
use super::items::Item;
use super::items::Items;
use super::path;
use super::report::describe_kind;

#[derive(Clone, Copy)]
pub(super) enum Variables<'v> {
    Constants(&'v Constants),
    /// Variables of a `ForEach` attribute, of an `Fn::ForEach` around imports, or of both.
    Items(Items<'v>),
}

/// Names of a `ForEach` attribute with another meaning in `Fn::Sub`: a loop in the copied node declares them, or the
/// call itself.
#[derive(Clone, Copy, Default)]
pub(super) struct Shadowed {
    identifier: bool,
    index: bool,
    value: bool,
}

impl Shadowed {
    fn with(self, name: &str) -> Shadowed {
        Shadowed {
            identifier: self.identifier || name == "Identifier",
            index: self.index || name == "Index",
            value: self.value || name == "Value",
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Substitution<'v> {
    pub(super) variables: Variables<'v>,
    pub(super) frame: FrameId,
    pub(super) scope: InstanceId,
    pub(super) shadowed: Shadowed,
}

impl<'v> Substitution<'v> {
    fn is_of_copies(&self) -> bool {
        matches!(self.variables, Variables::Items(Items { copy: Some(_), .. }))
    }

    fn shadowed_by(&self, name: &str) -> Substitution<'v> {
        Substitution { shadowed: self.shadowed.with(name), ..*self }
    }
}

impl Linker<'_> {
    pub(super) fn iteration(
        &mut self,
        outer: FrameId,
        site: Span,
        name: &str,
        loop_name: &str,
        item: &Item,
        index: usize,
    ) -> FrameId {
        let (name, loop_name) = (self.tree.intern(name), self.tree.intern(loop_name));
        let (value, index) = (Some(item.value), index as u32);
        let record = FrameRecord::new(outer, FrameKind::Loop, site, name);
        self.tree.frames_mut().push(FrameRecord { loop_name, value, index, item: item.place, ..record })
    }

    pub(super) fn with_variables(&mut self, node: NodeId, with: &Substitution<'_>) -> NodeId {
        let made = match self.tree.kind(node) {
            Kind::String => self.text_with(node, None, with),
            Kind::Call => self.call_with(node, with),
            Kind::Map => {
                let mut made: Vec<Entry> = self.tree.entries(node).collect();
                for Entry { key, value } in &mut made {
                    let is_loop = with.is_of_copies() && self.tree.loop_name(*key).is_some();
                    let filled = if is_loop { self.loop_with(*value, with) } else { self.with_variables(*value, with) };
                    (*key, *value) = (self.key_with(*key, with), filled);
                }
                self.map_in_place(node, &made, with.frame)
            }
            _ => self.children_with(node, with),
        };
        if made != node && matches!(with.variables, Variables::Constants(_)) {
            self.emitted.result.replaced.insert(node, made);
        }
        made
    }

    fn children_with(&mut self, node: NodeId, with: &Substitution<'_>) -> NodeId {
        let children = self.tree.children(node).into_iter();
        let made: Vec<NodeId> = children.map(|child| self.with_variables(child, with)).collect();
        self.children_in_place(node, &made, with.frame)
    }

    /// Replaces variables in the parts of an `Fn::ForEach`, whose identifier hides them in its body.
    fn loop_with(&mut self, parts: NodeId, with: &Substitution<'_>) -> NodeId {
        let &[identifier, collection, body] = self.tree.items(parts) else { return self.children_with(parts, with) };
        let inner = with.shadowed_by(self.tree.string(identifier).unwrap_or_default());
        let made = [
            self.with_variables(identifier, with),
            self.with_variables(collection, with),
            self.with_variables(body, &inner),
        ];
        self.children_in_place(parts, &made, with.frame)
    }

    /// Replaces variables in an `Fn::Map`, whose own variables hide them in all parts but its collection.
    fn map_with(&mut self, node: NodeId, argument: NodeId, with: &Substitution<'_>) -> NodeId {
        let name = |member, otherwise| {
            self.tree.get_text(argument, member).map_or(otherwise, |node| self.tree.string(node).unwrap_or_default())
        };
        let inner = with.shadowed_by(name("Value", "Value")).shadowed_by(name("Index", "Index"));
        let mut made: Vec<Entry> = self.tree.entries(argument).collect();
        for Entry { key, value } in &mut made {
            let is_collection = self.tree.symbol(*key) == symbol::COLLECTION;
            *value = self.with_variables(*value, if is_collection { with } else { &inner });
        }
        let argument = self.map_in_place(argument, &made, with.frame);
        self.call_in_place(node, argument, with.frame)
    }

    fn call_with(&mut self, node: NodeId, with: &Substitution<'_>) -> NodeId {
        let (Function::Known(known), argument) = self.tree.call(node) else { return self.children_with(node, with) };
        match (&with.variables, known) {
            (Variables::Items(items), Known::Sub) if let Some(parts) = self.sub_argument(argument) => {
                return self.sub_with_items(node, parts, *items, with);
            }
            (Variables::Items(_), Known::Map) if with.is_of_copies() && self.tree.kind(argument) == Kind::Map => {
                return self.map_with(node, argument, with);
            }
            (_, Known::Sub) if let Some((text, map)) = self.sub_argument(argument) => {
                let place = if map.is_some() { text } else { node };
                let text = self.text_with(text, Some(place), with);
                let map = map.map(|map| self.with_variables(map, with));
                return self.sub_in_place(node, text, map, with.frame);
            }
            (Variables::Constants(constants), Known::Ref) => {
                return self.constant_referred_to(node, argument, constants);
            }
            (Variables::Items(Items { named: Some((name, item)), .. }), Known::Ref)
                if self.tree.string(argument) == Some(name) =>
            {
                return self.text_in_place(node, &item.identifier, with.frame);
            }
            (Variables::Items(items @ Items { copy: Some((item, _)), .. }), Known::GetAtt | Known::Ref) => {
                let text = self.written_name(argument);
                if text.strip_prefix('$').is_some_and(is_value) {
                    return self.item_member(&items.fill_path(&text), item, node, with);
                }
            }
            _ => {}
        }
        self.children_with(node, with)
    }

    /// Replaces variables in a string; `sub` is the `Fn::Sub` around it.
    fn text_with(&mut self, node: NodeId, sub: Option<NodeId>, with: &Substitution<'_>) -> NodeId {
        let Some(text) = self.tree.string(node) else { return node };
        let made = match &with.variables {
            Variables::Constants(constants) if sub.is_some() || constants.in_plain => {
                return self.constants_in_text(node, sub.unwrap_or(node), constants);
            }
            Variables::Items(items) if text.contains(['$', '&']) => match items.copy {
                Some((item, _)) if text == "$Value" || text.starts_with("$Value.") => {
                    let text = items.fill_path(text);
                    return self.item_member(&text, item, node, with);
                }
                _ => items.fill(text),
            },
            _ => return node,
        };
        if self.tree.text(node) == made { node } else { self.text_in_place(node, &made, with.frame) }
    }

    /// Returns the item, or the part of it at the end of a path. A path that does not exist is reported.
    fn member_of_item(&mut self, path: &str, item: &Item, node: NodeId, scope: InstanceId) -> Option<NodeId> {
        let step = match self.walk_steps(item.value, &path::parse(path).steps, node, scope) {
            Ok(value) => return Some(value),
            Err(step) => step,
        };
        let message = format!("the item [{}] has no key {}", shown(&item.identifier), shown(&step));
        let help = "correct the name, or add the key to every item";
        let diagnostic = self.error(codes::MODULE_FOR_EACH, node, message, help).related(item.place, "the item");
        let members = self.members(item.value);
        self.report(scope, members.into_iter().fold(diagnostic, Diagnostic::note));
        None
    }

    /// Returns the value of `$Value.path` in place of `node`; the node itself when the path does not exist.
    fn item_member(&mut self, text: &str, item: &Item, node: NodeId, with: &Substitution<'_>) -> NodeId {
        let Some(value) = self.member_of_item(text, item, node, with.scope) else { return node };
        let frame = self.frame_within(node, with.frame);
        let placed = self.tree.stand_in(value, node, frame);
        self.values.substituted.insert(placed);
        placed
    }

    /// Inserts the items into the string of a call of `Fn::Sub`: no item is read as a variable, or as the beginning of
    /// one.
    fn sub_with_items(
        &mut self,
        call: NodeId,
        (text, map): (NodeId, Option<NodeId>),
        items: Items<'_>,
        with: &Substitution<'_>,
    ) -> NodeId {
        let map = map.map(|map| self.with_variables(map, with));
        let written = self.tree.text(text);
        if !written.contains(['$', '&']) {
            return self.sub_in_place(call, text, map, with.frame);
        }
        let own = |name: &str| map.is_some_and(|map| self.tree.get_text(map, name).is_some());
        let shadowed = Shadowed {
            identifier: with.shadowed.identifier || own("Identifier"),
            index: with.shadowed.index || own("Index"),
            value: with.shadowed.value || own("Value"),
        };
        let (mut made, mut plain, mut has_variables) = (SubText::default(), String::new(), false);
        let written = written.to_owned();
        for (part, as_written) in sub_string::written_parts(&written) {
            let (filled, is_literal) = match part {
                Part::Text(part) => (items.fill(part), true),
                Part::Literal(part) => {
                    let filled = items.fill(part);
                    made.push(Part::Literal(&filled));
                    Part::Literal(&filled).write_plain(&mut plain);
                    continue;
                }
                Part::Variable(name) => match self.variable_with(name, items, shadowed, text, with.scope) {
                    Some(value) => (value, true),
                    None => (items.fill(as_written), false),
                },
            };
            plain.push_str(&filled);
            has_variables |= !is_literal;
            if is_literal {
                made.push_literal(&filled);
            } else {
                made.push_of_variable(&filled);
            }
        }
        made.finish();
        let is_same = self.tree.text(text) == made.as_str();
        // An unclosed variable of the file is an error of the call, which is kept.
        if !has_variables && map.is_none() && !is_same && sub_string::unclosed(&written).is_none() {
            return self.text_in_place(call, &plain, with.frame);
        }
        if !made.has_dollars() {
            let text = if is_same { text } else { self.text_in_place(text, made.as_str(), with.frame) };
            return self.sub_in_place(call, text, map, with.frame);
        }
        let origin = Origin::Generated(text, self.frame_within(call, with.frame));
        let map = made.with_dollar(self.tree, map, origin);
        let text = self.text_in_place(text, made.as_str(), with.frame);
        let parts: Vec<NodeId> = [text].into_iter().chain(map).collect();
        let argument = self.tree.list(&parts, Style::Plain, origin);
        self.call_in_place(call, argument, with.frame)
    }

    /// Returns the item, or the part of it, of a variable of `Fn::Sub` in the string at `node`.
    fn variable_with(
        &mut self,
        name: &str,
        items: Items<'_>,
        shadowed: Shadowed,
        node: NodeId,
        scope: InstanceId,
    ) -> Option<String> {
        if let Some((_, item)) = items.named.filter(|&(named, _)| named == name) {
            return Some(item.identifier.clone());
        }
        let (item, index) = items.copy?;
        match name {
            "Identifier" if !shadowed.identifier => Some(item.identifier.clone()),
            "Index" if !shadowed.index => Some(index.to_string()),
            name if is_value(name) && !shadowed.value => Some(self.item_text(name, item, node, scope)),
            _ => None,
        }
    }

    fn item_text(&mut self, name: &str, item: &Item, node: NodeId, scope: InstanceId) -> String {
        let Some(value) = self.member_of_item(name, item, node, scope) else { return String::new() };
        if self.tree.is_scalar(value) {
            return self.tree.text_form(value).to_owned();
        }
        let what = describe_kind(self.tree, value);
        let message = format!("{} is {what} and cannot be inserted into a string", shown(name));
        let help = format!("use it outside Fn::Sub as `${name}`");
        self.report(scope, self.error(codes::MODULE_FOR_EACH, node, message, help));
        String::new()
    }

    pub(super) fn key_with(&mut self, key: NodeId, with: &Substitution<'_>) -> NodeId {
        let Variables::Items(items @ Items { named: Some(_), .. }) = with.variables else { return key };
        let made = items.fill_key(self.tree.text(key));
        if self.tree.text(key) == made {
            return key;
        }
        self.tree.key(&made, self.tree.style(key), Origin::Generated(key, with.frame))
    }
}

fn is_value(name: &str) -> bool {
    name.strip_prefix("Value").is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
