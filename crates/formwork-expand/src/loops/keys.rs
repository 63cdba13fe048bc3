//! Keys that loops make (reference/for-each.md#substitution, reference/for-each.md#keys).

use formwork_base::{Diagnostic, codes};
use formwork_evaluate::Compat;
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, Kind, NodeId, Origin};
use formwork_template::placeholder::Scanner;
use formwork_template::{Section, logical_id};

use super::text::{Filled, Syntax};
use super::{Expander, Level};

impl Expander<'_, '_> {
    /// The key that a member of a fragment gets in this iteration; `None` when it is wrong.
    pub(super) fn produced_key(&mut self, entry: Entry, level: Level) -> Option<NodeId> {
        let plan = self.plan(entry.key, None, Syntax::Placeholders);
        let Filled { text, unknown, .. } = self.fill_soundly(entry.key, &plan, false)?;
        let unknown = unknown.filter(|_| self.ev.settings.compat != Compat::Sam);
        let section = match level {
            Level::Section(section) => Some(section),
            Level::Inner => None,
        };
        if section.is_some() && !logical_id::is_alphanumeric(&text) || unknown.is_some() {
            self.report_key(entry.key, &text, unknown.as_deref());
            return None;
        }
        if let Some(section) = section {
            self.check_member(entry, section, &text);
        }
        Some(self.key_like(entry.key, &text))
    }

    /// A key that is no member of a fragment: it takes items only as SAM CLI does it.
    pub(super) fn other_key(&mut self, key: NodeId) -> NodeId {
        if self.ev.settings.compat != Compat::Sam || self.bindings.is_empty() {
            return key;
        }
        let plan = self.plan(key, None, Syntax::Placeholders);
        match self.fill(key, &plan, false) {
            Some(filled) if filled.text != self.ev.tree.text(key) => self.key_like(key, &filled.text),
            _ => key,
        }
    }

    fn key_like(&mut self, key: NodeId, text: &str) -> NodeId {
        let style = self.ev.tree.style(key);
        self.ev.tree.key(text, style, Origin::Generated(key, self.frame))
    }

    fn report_key(&mut self, key: NodeId, text: &str, unknown: Option<&str>) {
        let shown_key = shown(text);
        let sentence = format!("OutputKey '{shown_key}' should be alphanumeric");
        let what = match unknown {
            Some(name) => {
                format!("the key {shown_key} names {}, which is no identifier of a loop around it", shown(name))
            }
            None => format!("the key {shown_key} is no name of letters and digits"),
        };
        let written = self.ev.tree.text(key);
        let mut diagnostic = Diagnostic::new(codes::PRODUCED_NAME, format!("{what}: `{sentence}`"))
            .at(self.ev.tree.span(key))
            .label(format!("gives {shown_key}"))
            .note(formwork_evaluate::transform_note(&sentence));
        diagnostic = match unknown {
            Some(_) => diagnostic.help("use the identifier of a loop around it: no other name may stand in a key"),
            None if written.contains("${") => diagnostic.help(format!(
                "write `\"{}\"`: it takes the letters and digits of the item",
                alphanumeric_key(written)
            )),
            None => {
                diagnostic.help("names of resources, outputs and conditions made by loops have letters and digits only")
            }
        };
        self.report(diagnostic);
    }

    /// What a loop makes in a section is a resource, an output or a condition.
    fn check_member(&mut self, entry: Entry, section: Section, name: &str) {
        let tree = &*self.ev.tree;
        let kind = tree.kind(entry.value);
        let is_sound = match (section, kind) {
            (Section::Conditions, Kind::Map) => tree.len(entry.value) == 1,
            (Section::Conditions, kind) => kind == Kind::Call,
            (_, kind) => kind == Kind::Map,
        };
        if is_sound {
            return;
        }
        let name = shown(name);
        let (what, sentence) = match section {
            Section::Conditions => ("a condition", format!("[/Conditions/{name}] condition definition is malformed")),
            Section::Outputs if kind == Kind::Null => {
                ("an output", format!("[/Outputs/{name}] 'null' values are not allowed"))
            }
            Section::Outputs => ("an output", format!("[/Outputs/{name}] output definition is malformed")),
            _ => ("a resource", format!("[/Resources/{name}] resource definition is malformed")),
        };
        let diagnostic = Diagnostic::new(codes::NOT_AN_OBJECT, format!("{name} is not {what}: `{sentence}`"))
            .at(tree.span(entry.key))
            .label(format!("makes {name}"))
            .help(format!("the fragment of a loop in {} maps names to definitions", section.name()));
        self.report(diagnostic);
    }
}

/// A key that generates alphanumeric names: its items and the text around them without other characters.
pub(super) fn alphanumeric_key(written: &str) -> String {
    let mut out = String::with_capacity(written.len());
    let mut scanner = Scanner::new(written);
    let is_allowed = char::is_ascii_alphanumeric;
    while let Some((before, found)) = scanner.next_placeholder() {
        out.extend(before.chars().filter(is_allowed));
        match found.name {
            Some(name) => out.extend(["&{", name, "}"]),
            None => out.extend(found.written.chars().filter(is_allowed)),
        }
    }
    out.extend(scanner.rest().chars().filter(is_allowed));
    out
}

#[cfg(test)]
mod tests {
    use super::alphanumeric_key;

    #[test]
    fn a_proposed_key_is_alphanumeric_but_for_its_items() {
        assert_eq!(alphanumeric_key("Topic${Name}"), "Topic&{Name}");
        assert_eq!(alphanumeric_key("a b-${N}_&{M}$"), "ab&{N}&{M}");
    }
}
