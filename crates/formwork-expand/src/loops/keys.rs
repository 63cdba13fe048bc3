//! Keys that loops make (reference/for-each.md#substitution, reference/for-each.md#keys).

use formwork_base::{Diagnostic, codes};
use formwork_evaluate::Compat;
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, Kind, NodeId, Origin, View};
use formwork_template::{Section, logical_id};

use super::sub::{Attribute, Misfit};
use super::{Expander, Level};

/// A text with items in it.
pub(super) struct Filled {
    pub(super) text: String,
    /// The first placeholder in it that is no loop's.
    pub(super) unknown: Option<String>,
    /// Names whose items have no place in a text.
    pub(super) misfits: Vec<(String, Misfit)>,
}

impl Expander<'_, '_> {
    /// The key that a member of a fragment gets in this iteration; `None` when it is wrong.
    pub(super) fn produced_key(&mut self, entry: Entry, level: Level) -> Option<NodeId> {
        let written = self.ev.tree.text(entry.key).to_owned();
        if !self.ev.charge_text(self.filled_size(&written), entry.key) {
            self.stopped = true;
            return None;
        }
        let Filled { text, unknown, misfits } = self.filled(&written);
        if !misfits.is_empty() {
            self.report_misfits(entry.key, misfits);
            return None;
        }
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
        let style = self.ev.tree.style(entry.key);
        Some(self.ev.tree.key(&text, style, Origin::Made(entry.key, self.frame)))
    }

    /// A key that is no member of a fragment: it takes items only as SAM CLI does it.
    pub(super) fn other_key(&mut self, key: NodeId) -> NodeId {
        if self.ev.settings.compat != Compat::Sam || self.bindings.is_empty() {
            return key;
        }
        let written = self.ev.tree.text(key).to_owned();
        if !self.ev.charge_text(self.filled_size(&written), key) {
            self.stopped = true;
            return key;
        }
        let text = self.filled(&written).text;
        if text == written {
            return key;
        }
        let style = self.ev.tree.style(key);
        self.ev.tree.key(&text, style, Origin::Made(key, self.frame))
    }

    /// A text with the items of all loops around it put in.
    pub(super) fn filled(&self, text: &str) -> Filled {
        let mut filled = String::with_capacity(text.len() + 32);
        let (mut unknown, mut misfits) = (None, Vec::new());
        let mut rest = text;
        while let Some(at) = rest.find(['$', '&']) {
            let mark = rest.as_bytes()[at];
            filled.push_str(&rest[..at]);
            rest = &rest[at..];
            let inner = rest[1..].strip_prefix('{');
            let name = inner.and_then(|inner| inner.split_once('}')).map(|(name, _)| name);
            if let Some((named, name)) = name.and_then(|name| self.item_of(name)).zip(name) {
                match named.and_then(|item| self.inserted(item)) {
                    Ok(item) if mark == b'&' => filled.push_str(&logical_id::stripped(item)),
                    Ok(item) => filled.push_str(item),
                    Err(misfit) => misfits.push((name.to_owned(), misfit)),
                }
                rest = &rest[name.len() + 3..];
            } else {
                if inner.is_some() && unknown.is_none() {
                    let end = rest.find('}').map_or(rest.len(), |end| end + 1);
                    unknown = Some(rest[..end].to_owned());
                }
                filled.push(mark.into());
                rest = &rest[1..];
            }
        }
        filled.push_str(rest);
        Filled { text: filled, unknown, misfits }
    }

    /// A text with the letters and digits of the items put in for `&{}` alone.
    pub(super) fn ampersands_filled(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len() + 32);
        let mut rest = text;
        while let Some(at) = rest.find("&{") {
            filled.push_str(&rest[..at]);
            rest = &rest[at..];
            let name = rest[2..].split_once('}').map(|(name, _)| name);
            let item = name.and_then(|name| self.item_of(name)).and_then(Result::ok);
            if let Some((item, name)) = item.and_then(|item| self.inserted(item).ok()).zip(name) {
                filled.push_str(&logical_id::stripped(item));
                rest = &rest[name.len() + 3..];
            } else {
                filled.push_str("&{");
                rest = &rest[2..];
            }
        }
        filled.push_str(rest);
        filled
    }

    /// The item of a variable, or the member of it that a name with dots asks for; `None` for a name
    /// that is no loop's.
    fn item_of(&self, name: &str) -> Option<Result<NodeId, Misfit>> {
        if let Some(item) = self.binding(name) {
            return Some(Ok(item));
        }
        match self.attribute_of(name) {
            Attribute::Found(item) => Some(Ok(item)),
            Attribute::Missing => Some(Err(Misfit::NoAttribute)),
            Attribute::NoObject => None,
        }
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
        let sound = match section {
            Section::Conditions => match tree.view(entry.value) {
                View::Call(..) => true,
                View::Map => tree.len(entry.value) == 1,
                _ => false,
            },
            _ => kind == Kind::Map,
        };
        if sound {
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
    let mut rest = written;
    while let Some(start) = rest.find(['$', '&']) {
        out.extend(rest[..start].chars().filter(char::is_ascii_alphanumeric));
        let placeholder = rest[start + 1..].strip_prefix('{').and_then(|inner| inner.split_once('}'));
        match placeholder {
            Some((name, behind)) => {
                out.extend(["&{", name, "}"]);
                rest = behind;
            }
            None => rest = &rest[start + 1..],
        }
    }
    out.extend(rest.chars().filter(char::is_ascii_alphanumeric));
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
