//! The variables of a `ForEach` put into what is copied (reference/modules/copies.md#variables,
//! reference/modules/copies.md#fn-foreach).

use formwork_base::{Diagnostic, FrameKind, Span, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, FrameRecord, Function, Kind, NodeId, Symbol};
use formwork_template::{logical_id, placeholder};

use super::Linker;
use super::collection::Item;
use super::instance::InstanceId;
use super::path;

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
        let (name, loop_name): (Symbol, Symbol) = (self.tree.intern(name), self.tree.intern(loop_name));
        let record = FrameRecord {
            parent: outer,
            kind: FrameKind::Loop,
            site,
            name,
            loop_name,
            value: Some(item.value),
            index: index as u32,
            position: None,
            item: item.place,
        };
        self.tree.frames_mut().push(record)
    }

    /// What is copied, with the variables of one copy in place.
    pub(super) fn with_variables(
        &mut self,
        node: NodeId,
        variables: &Variables<'_>,
        frame: FrameId,
        scope: InstanceId,
    ) -> NodeId {
        match self.tree.kind(node) {
            Kind::String => self.text_with(node, variables, false, frame, scope),
            Kind::Call => self.call_with(node, variables, frame, scope),
            Kind::Map if matches!(variables, Variables::Named { .. }) => {
                let entries: Vec<Entry> = self.tree.entries(node).collect();
                let with = |entry: &Entry| Entry {
                    key: self.key_with(entry.key, variables, frame),
                    value: self.with_variables(entry.value, variables, frame, scope),
                };
                let made: Vec<Entry> = entries.iter().map(with).collect();
                if made == entries { node } else { self.map_in_place(node, &made, frame) }
            }
            _ => {
                let children = self.tree.children(node).into_iter();
                let made: Vec<NodeId> =
                    children.map(|child| self.with_variables(child, variables, frame, scope)).collect();
                self.children_in_place(node, &made, frame)
            }
        }
    }

    fn call_with(&mut self, node: NodeId, variables: &Variables<'_>, frame: FrameId, scope: InstanceId) -> NodeId {
        let (function, argument) = self.tree.call(node);
        if let (Variables::Shorthand { .. }, Function::Known(Known::GetAtt | Known::Ref)) = (variables, function) {
            let parts = self.tree.items(argument);
            let text = if !parts.is_empty() && parts.iter().all(|&part| self.tree.is_scalar(part)) {
                parts.iter().map(|&part| self.tree.text(part)).collect::<Vec<_>>().join(".")
            } else {
                self.tree.text(argument).to_owned()
            };
            if text == "$Value" || text.starts_with("$Value.") || text.starts_with("$Value[") {
                let Variables::Shorthand { item, .. } = variables else { return node };
                return self.item_member(&text, item, node, frame, scope).unwrap_or(node);
            }
        }
        if let (Variables::Named { name, text }, Function::Known(Known::Ref)) = (variables, function)
            && self.tree.string(argument) == Some(name)
        {
            return self.text_in_place(node, text, frame);
        }
        let made = if function == Function::Known(Known::Sub) {
            self.sub_argument_with(argument, variables, frame, scope)
        } else {
            self.with_variables(argument, variables, frame, scope)
        };
        // A text without variables needs no function.
        let is_text = function == Function::Known(Known::Sub)
            && made != argument
            && self.tree.string(made).is_some_and(|text| !formwork_template::sub_string::has_variables(text));
        if is_text {
            let frame = self.frame_within(node, frame);
            return self.tree.stand_in(made, node, frame);
        }
        self.call_in_place(node, made, frame)
    }

    fn sub_argument_with(
        &mut self,
        argument: NodeId,
        variables: &Variables<'_>,
        frame: FrameId,
        scope: InstanceId,
    ) -> NodeId {
        let made = match *self.tree.items(argument) {
            [text, map] => {
                [self.text_with(text, variables, true, frame, scope), self.with_variables(map, variables, frame, scope)]
            }
            _ if self.tree.kind(argument) == Kind::String => {
                return self.text_with(argument, variables, true, frame, scope);
            }
            _ => return self.with_variables(argument, variables, frame, scope),
        };
        self.children_in_place(argument, &made, frame)
    }

    /// A text with its variables replaced.
    fn text_with(
        &mut self,
        node: NodeId,
        variables: &Variables<'_>,
        in_sub: bool,
        frame: FrameId,
        scope: InstanceId,
    ) -> NodeId {
        if self.tree.kind(node) != Kind::String {
            return node;
        }
        let text = self.tree.text(node).to_owned();
        let made = match variables {
            Variables::Named { name, text: item } => named_in(&text, name, item, false),
            Variables::Shorthand { .. } if !text.contains('$') => return node,
            Variables::Shorthand { item, .. } if !in_sub && (text == "$Value" || text.starts_with("$Value.")) => {
                return self.item_member(&text, item, node, frame, scope).unwrap_or(node);
            }
            Variables::Shorthand { item, index } => {
                let made = words_in(&text, &item.identifier, *index);
                if in_sub { self.braces_in(&made, item, *index, node, scope) } else { made }
            }
        };
        if made == text { node } else { self.text_in_place(node, &made, frame) }
    }

    /// The item or the member of it that `$Value.path` names, in the place of `node`.
    fn item_member(
        &mut self,
        text: &str,
        item: &Item,
        node: NodeId,
        frame: FrameId,
        scope: InstanceId,
    ) -> Option<NodeId> {
        let path = path::parse(text);
        match self.walk_steps(item.value, &path.steps, node, scope) {
            Ok(value) => {
                let outer = self.frame_within(node, frame);
                let placed = self.tree.stand_in(value, node, outer);
                self.finals.insert(placed);
                Some(placed)
            }
            Err(step) => {
                self.report_no_member(&step, item, node, scope);
                None
            }
        }
    }

    fn report_no_member(&mut self, step: &str, item: &Item, node: NodeId, scope: InstanceId) {
        let keys: Vec<&str> = self.tree.entries(item.value).map(|entry| self.tree.text(entry.key)).collect();
        let mut diagnostic = Diagnostic::new(
            codes::MODULE_FOR_EACH,
            format!("the item [{}] has no member {}", shown(&item.identifier), shown(step)),
        )
        .at(self.tree.span(node))
        .related(item.place, "the item");
        if !keys.is_empty() {
            diagnostic = diagnostic.note(format!("it has: {}", shown(&keys.join(", "))));
        }
        self.report(scope, diagnostic.help("correct the name, or give every item the member"));
    }

    /// `${Identifier}`, `${Index}`, `${Value.member}` in the text of an `Fn::Sub`.
    fn braces_in(&mut self, text: &str, item: &Item, index: usize, node: NodeId, scope: InstanceId) -> String {
        use formwork_template::sub_string::{Part, escape, parts};
        let mut made = String::with_capacity(text.len());
        for part in parts(text) {
            let Part::Variable(written) = part else {
                part.write(&mut made);
                continue;
            };
            let name = written.trim();
            match name {
                "Identifier" => made.push_str(&escape(&item.identifier)),
                "Index" => made.push_str(&index.to_string()),
                _ if name == "Value" || name.starts_with("Value.") || name.starts_with("Value[") => {
                    let path = path::parse(name);
                    match self.walk_steps(item.value, &path.steps, node, scope) {
                        Ok(value) if self.tree.is_scalar(value) => made.push_str(&escape(self.tree.text_form(value))),
                        Ok(value) => {
                            let what = super::report::kind_words(self.tree, value);
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
    pub(super) fn key_with(&mut self, key: NodeId, variables: &Variables<'_>, frame: FrameId) -> NodeId {
        let Variables::Named { name, text } = variables else { return key };
        let written = self.tree.text(key);
        let made = named_in(written, name, text, true);
        if made == written {
            return key;
        }
        let style = self.tree.style(key);
        self.tree.key(&made, style, formwork_syntax::Origin::Generated(key, frame))
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
