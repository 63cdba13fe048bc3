//! Variables put into a piece of a file before anything in it is looked up: those of a `ForEach` into what is
//! copied (reference/modules/copies.md#variables, reference/modules/copies.md#fn-foreach), and constants
//! (reference/modules/constants.md#constants).

use formwork_base::{Diagnostic, FrameKind, Span, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, FrameRecord, Function, Kind, NodeId, Origin, Style, symbol};
use formwork_template::sub_text::SubText;
use formwork_template::{logical_id, placeholder, sub_string};

use super::Linker;
use super::collection::Item;
use super::constants::Constants;
use super::instance::InstanceId;
use super::path;
use super::report::describe_kind;

/// What stands for what.
#[derive(Clone, Copy)]
pub(super) enum Variables<'v> {
    /// `Const::Name` in references and in `Fn::Sub`.
    Constants(&'v Constants),
    /// `$Identifier`, `$Index` and `$Value` of a `ForEach` attribute, for an item and its number.
    Shorthand(&'v Item, usize),
    /// `${Name}` and `&{Name}` of an `Fn::ForEach` around imports, in all strings and keys: the name and the item.
    Named(&'v str, &'v Item),
}

/// Names of a `ForEach` attribute that mean something else in `Fn::Sub`: a loop in what is copied declares them, or the
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

/// Variables that are put into a piece of a file.
#[derive(Clone, Copy)]
pub(super) struct Substitution<'v> {
    pub(super) variables: Variables<'v>,
    /// The context in which that is done.
    pub(super) frame: FrameId,
    pub(super) scope: InstanceId,
    pub(super) shadowed: Shadowed,
}

impl<'v> Substitution<'v> {
    fn is_of_copies(&self) -> bool {
        matches!(self.variables, Variables::Shorthand(..))
    }

    /// The same where a loop declares this name.
    fn shadowed_by(&self, name: &str) -> Substitution<'v> {
        Substitution { shadowed: self.shadowed.with(name), ..*self }
    }
}

impl Linker<'_> {
    /// The context of a copy.
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

    /// A node with the variables in place.
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

    /// The parts of an `Fn::ForEach`: in its body the identifier is its own.
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

    /// An `Fn::Map`: all but its collection sees its own variables.
    fn map_with(&mut self, node: NodeId, argument: NodeId, with: &Substitution<'_>) -> NodeId {
        let name = |member, otherwise| {
            self.tree.get_text(argument, member).map_or(otherwise, |node| self.tree.string(node).unwrap_or_default())
        };
        let inner = with.shadowed_by(name("Value", "")).shadowed_by(name("Index", "Index"));
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
            (Variables::Shorthand(item, index), Known::Sub) if let Some(parts) = self.sub_argument(argument) => {
                return self.sub_with_item(node, parts, item, *index, with);
            }
            (Variables::Shorthand(..), Known::Map) if self.tree.kind(argument) == Kind::Map => {
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
            (Variables::Shorthand(item, _), Known::GetAtt | Known::Ref) => {
                let text = self.written_name(argument);
                if text.strip_prefix('$').is_some_and(is_value) {
                    return self.item_member(&text, item, node, with);
                }
            }
            (Variables::Named(name, item), Known::Ref) if self.tree.string(argument) == Some(name) => {
                return self.text_in_place(node, &item.identifier, with.frame);
            }
            _ => {}
        }
        self.children_with(node, with)
    }

    /// A text with its variables replaced; in `Fn::Sub` with what it is a part of.
    fn text_with(&mut self, node: NodeId, sub: Option<NodeId>, with: &Substitution<'_>) -> NodeId {
        let Some(text) = self.tree.string(node) else { return node };
        let made = match &with.variables {
            Variables::Constants(constants) if sub.is_some() || constants.in_plain => {
                return self.constants_in_text(node, sub.unwrap_or(node), constants);
            }
            Variables::Named(name, item) => named_in(text, name, &item.identifier, false),
            Variables::Shorthand(item, index) if text.contains('$') => {
                if text == "$Value" || text.starts_with("$Value.") {
                    let text = text.to_owned();
                    return self.item_member(&text, item, node, with);
                }
                words_in(text, &item.identifier, *index)
            }
            _ => return node,
        };
        if self.tree.text(node) == made { node } else { self.text_in_place(node, &made, with.frame) }
    }

    /// The item, or the part of it that a path leads to. A path that leads nowhere is reported.
    fn member_of_item(&mut self, path: &str, item: &Item, node: NodeId, scope: InstanceId) -> Option<NodeId> {
        let step = match self.walk_steps(item.value, &path::parse(path).steps, node, scope) {
            Ok(value) => return Some(value),
            Err(step) => step,
        };
        let message = format!("the item [{}] has no key {}", shown(&item.identifier), shown(&step));
        let help = "correct the name, or add the key to every item";
        let diagnostic = self.fault(codes::MODULE_FOR_EACH, node, message, help).related(item.place, "the item");
        let members = self.members(item.value);
        self.report(scope, members.into_iter().fold(diagnostic, Diagnostic::note));
        None
    }

    /// The value that `$Value.path` names, in the place of `node`; the node itself when it names none.
    fn item_member(&mut self, text: &str, item: &Item, node: NodeId, with: &Substitution<'_>) -> NodeId {
        let Some(value) = self.member_of_item(text, item, node, with.scope) else { return node };
        let frame = self.frame_within(node, with.frame);
        let placed = self.tree.stand_in(value, node, frame);
        self.values.substituted.insert(placed);
        placed
    }

    /// A call of `Fn::Sub` with `${Identifier}`, `${Index}`, `${Value.member}` and the words `$Identifier` and
    /// `$Index` replaced in its text.
    fn sub_with_item(
        &mut self,
        call: NodeId,
        (text, map): (NodeId, Option<NodeId>),
        item: &Item,
        index: usize,
        with: &Substitution<'_>,
    ) -> NodeId {
        let map = map.map(|map| self.with_variables(map, with));
        let written = self.tree.text(text);
        if !written.contains('$') {
            return self.sub_in_place(call, text, map, with.frame);
        }
        let mut made = SubText::default();
        let words = words_in(written, &item.identifier, index);
        let own = |name: &str| map.is_some_and(|map| self.tree.get_text(map, name).is_some());
        let shadowed = Shadowed {
            identifier: with.shadowed.identifier || own("Identifier"),
            index: with.shadowed.index || own("Index"),
            value: with.shadowed.value || own("Value"),
        };
        for part in sub_string::parts(&words) {
            match part.variable() {
                Some("Identifier") if !shadowed.identifier => made.push_literal(&item.identifier),
                Some("Index") if !shadowed.index => made.push_literal(&index.to_string()),
                Some(name) if is_value(name) && !shadowed.value => {
                    made.push_literal(&self.item_text(name, item, text, with.scope));
                }
                _ => made.push(part),
            }
        }
        made.finish();
        if !made.has_dollars() {
            let is_same = self.tree.text(text) == made.as_str();
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

    /// What `${Value.path}` puts into the text at `node`.
    fn item_text(&mut self, name: &str, item: &Item, node: NodeId, scope: InstanceId) -> String {
        let Some(value) = self.member_of_item(name, item, node, scope) else { return String::new() };
        if self.tree.is_scalar(value) {
            return self.tree.text_form(value).to_owned();
        }
        let what = describe_kind(self.tree, value);
        let message = format!("{} is {what} and cannot be inserted into a string", shown(name));
        let help = format!("use it outside Fn::Sub as `${name}`");
        self.report(scope, self.fault(codes::MODULE_FOR_EACH, node, message, help));
        String::new()
    }

    /// A key with the variable of an `Fn::ForEach` replaced.
    pub(super) fn key_with(&mut self, key: NodeId, with: &Substitution<'_>) -> NodeId {
        let Variables::Named(name, item) = with.variables else { return key };
        let made = named_in(self.tree.text(key), name, &item.identifier, true);
        if self.tree.text(key) == made {
            return key;
        }
        self.tree.key(&made, self.tree.style(key), Origin::Generated(key, with.frame))
    }
}

/// `text` with `${name}` and `&{name}` replaced; in keys `&{name}` leaves letters and digits alone.
fn named_in(text: &str, name: &str, item: &str, is_key: bool) -> String {
    placeholder::fill(text, |found| {
        let is_bare = is_key && found.mark == '&';
        let value = || if is_bare { logical_id::stripped(item).into() } else { item.into() };
        (found.name == Some(name)).then(value)
    })
}

/// Whether a name means the item or a part of it.
fn is_value(name: &str) -> bool {
    name.strip_prefix("Value").is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// `text` with the whole words `$Identifier` and `$Index` replaced.
fn words_in(text: &str, identifier: &str, index: usize) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        let end = behind.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(behind.len());
        made.push_str(before);
        match &behind[..end] {
            "Identifier" => made.push_str(identifier),
            "Index" => made.push_str(&index.to_string()),
            word => made.extend(["$", word]),
        }
        rest = &behind[end..];
    }
    made + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        assert_eq!(words_in("a-$Identifier-$Index", "x", 3), "a-x-3");
        assert_eq!(words_in("$IndexName $Identifiers $", "x", 3), "$IndexName $Identifiers $");
        assert_eq!(words_in("Other[$Index].Out", "x", 0), "Other[0].Out");
    }

    #[test]
    fn names_in_keys_lose_other_characters() {
        assert_eq!(named_in("Box&{K}", "K", "a-1", true), "Boxa1");
        assert_eq!(named_in("b-&{K}-${K}", "K", "a-1", false), "b-a-1-a-1");
    }
}
