//! The variables of a `ForEach` put into what is copied (reference/modules/copies.md#variables,
//! reference/modules/copies.md#fn-foreach).

use formwork_base::{Diagnostic, FrameKind, Span, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, FrameRecord, Function, Kind, NodeId, Origin};
use formwork_template::sub_string::{self, Part};
use formwork_template::{logical_id, placeholder};

use super::Linker;
use super::collection::Item;
use super::instance::InstanceId;
use super::path;
use super::report::kind_words;

/// What stands for what in a copy.
pub(super) enum Variables<'v> {
    /// `$Identifier`, `$Index` and `$Value` of a `ForEach` attribute.
    Shorthand {
        /// The item.
        item: &'v Item,
        /// Its number.
        index: usize,
    },
    /// `${Name}` and `&{Name}` of an `Fn::ForEach` around imports, in all strings and keys.
    Named {
        /// The variable.
        name: &'v str,
        /// The item's text.
        text: &'v str,
    },
}

/// A copy that is generated.
pub(super) struct Copying<'v> {
    pub(super) variables: Variables<'v>,
    /// Its context.
    pub(super) frame: FrameId,
    pub(super) scope: InstanceId,
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
        let record = FrameRecord { loop_name, value, index, item: item.place, ..record };
        self.tree.frames_mut().push(record)
    }

    /// What is copied, with the variables of one copy in place.
    pub(super) fn with_variables(&mut self, node: NodeId, copy: &Copying<'_>) -> NodeId {
        match self.tree.kind(node) {
            Kind::String => self.text_with(node, copy, false),
            Kind::Call => self.call_with(node, copy),
            Kind::Map => {
                let entries: Vec<Entry> = self.tree.entries(node).collect();
                let with = |entry: &Entry| Entry {
                    key: self.key_with(entry.key, copy),
                    value: self.with_variables(entry.value, copy),
                };
                let made: Vec<Entry> = entries.iter().map(with).collect();
                if made == entries { node } else { self.map_in_place(node, &made, copy.frame) }
            }
            _ => {
                let children = self.tree.children(node).into_iter();
                let made: Vec<NodeId> = children.map(|child| self.with_variables(child, copy)).collect();
                self.children_in_place(node, &made, copy.frame)
            }
        }
    }

    fn call_with(&mut self, node: NodeId, copy: &Copying<'_>) -> NodeId {
        let (function, argument) = self.tree.call(node);
        match (&copy.variables, function) {
            (Variables::Shorthand { item, .. }, Function::Known(Known::GetAtt | Known::Ref)) => {
                let text = self.written_name(argument);
                if text.strip_prefix("$Value").is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])) {
                    return self.item_member(&text, item, node, copy).unwrap_or(node);
                }
            }
            (Variables::Named { name, text }, Function::Known(Known::Ref))
                if self.tree.string(argument) == Some(name) =>
            {
                return self.text_in_place(node, text, copy.frame);
            }
            (_, Function::Known(Known::Sub)) => {
                if let Some((text, map)) = self.sub_argument(argument) {
                    let text = self.text_with(text, copy, true);
                    let map = map.map(|map| self.with_variables(map, copy));
                    return self.sub_in_place(node, text, map, copy.frame);
                }
            }
            _ => {}
        }
        let made = self.with_variables(argument, copy);
        self.call_in_place(node, made, copy.frame)
    }

    /// A text with its variables replaced.
    fn text_with(&mut self, node: NodeId, copy: &Copying<'_>, in_sub: bool) -> NodeId {
        if self.tree.kind(node) != Kind::String {
            return node;
        }
        let text = self.tree.text(node).to_owned();
        let made = match &copy.variables {
            Variables::Named { name, text: item } => named_in(&text, name, item, false),
            Variables::Shorthand { .. } if !text.contains('$') => return node,
            Variables::Shorthand { item, .. } if !in_sub && (text == "$Value" || text.starts_with("$Value.")) => {
                return self.item_member(&text, item, node, copy).unwrap_or(node);
            }
            Variables::Shorthand { item, index } => {
                let made = words_in(&text, &item.identifier, *index);
                if in_sub { self.braces_in(&made, item, *index, node, copy.scope) } else { made }
            }
        };
        if made == text { node } else { self.text_in_place(node, &made, copy.frame) }
    }

    /// The item or the member of it that `$Value.path` names, in the place of `node`.
    fn item_member(&mut self, text: &str, item: &Item, node: NodeId, copy: &Copying<'_>) -> Option<NodeId> {
        match self.walk_steps(item.value, &path::parse(text).steps, node, copy.scope) {
            Ok(value) => {
                let outer = self.frame_within(node, copy.frame);
                let placed = self.tree.stand_in(value, node, outer);
                self.finals.insert(placed);
                Some(placed)
            }
            Err(step) => {
                self.report_no_member(&step, item, node, copy.scope);
                None
            }
        }
    }

    fn report_no_member(&mut self, step: &str, item: &Item, node: NodeId, scope: InstanceId) {
        let message = format!("the item [{}] has no member {}", shown(&item.identifier), shown(step));
        let help = "correct the name, or give every item the member";
        let diagnostic = self.fault(codes::MODULE_FOR_EACH, node, message, help).related(item.place, "the item");
        let members = self.members(item.value);
        self.report(scope, members.into_iter().fold(diagnostic, Diagnostic::note));
    }

    /// `${Identifier}`, `${Index}`, `${Value.member}` in the text of an `Fn::Sub`.
    fn braces_in(&mut self, text: &str, item: &Item, index: usize, node: NodeId, scope: InstanceId) -> String {
        let mut made = String::with_capacity(text.len());
        for part in sub_string::parts(text) {
            let Part::Variable(written) = part else {
                part.write(&mut made);
                continue;
            };
            let name = written.trim();
            match name {
                "Identifier" => made.push_str(&sub_string::escape(&item.identifier)),
                "Index" => made.push_str(&index.to_string()),
                _ if name == "Value" || name.starts_with("Value.") || name.starts_with("Value[") => {
                    match self.walk_steps(item.value, &path::parse(name).steps, node, scope) {
                        Ok(value) if self.tree.is_scalar(value) => {
                            made.push_str(&sub_string::escape(self.tree.text_form(value)));
                        }
                        Ok(value) => {
                            let what = kind_words(self.tree, value);
                            let message = format!("{} is {what}, which has no place in a text", shown(name));
                            let help = format!("use it outside Fn::Sub as `${name}`");
                            self.report(scope, self.fault(codes::MODULE_FOR_EACH, node, message, help));
                        }
                        Err(step) => self.report_no_member(&step, item, node, scope),
                    }
                }
                _ => part.write(&mut made),
            }
        }
        made
    }

    /// A key with the variable of an `Fn::ForEach` replaced.
    pub(super) fn key_with(&mut self, key: NodeId, copy: &Copying<'_>) -> NodeId {
        let Variables::Named { name, text } = copy.variables else { return key };
        let written = self.tree.text(key);
        let made = named_in(written, name, text, true);
        if made == written {
            return key;
        }
        self.tree.key(&made, self.tree.style(key), Origin::Generated(key, copy.frame))
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

/// `text` with the whole words `$Identifier` and `$Index` replaced.
fn words_in(text: &str, identifier: &str, index: usize) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        made.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        let end = behind.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(behind.len());
        match &behind[..end] {
            "Identifier" => made.push_str(identifier),
            "Index" => made.push_str(&index.to_string()),
            word => {
                made.push('$');
                made.push_str(word);
            }
        }
        rest = &behind[end..];
    }
    made.push_str(rest);
    made
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
