//! Tags of a resource: duplicate keys, and keys that belong to AWS (reference/schemas.md#rules).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::{NodeId, View};

use super::rules::unique;
use super::step::Step;
use super::walk::{At, Walk};
use super::words;

impl Walk<'_> {
    /// Checks the keys of the tags of a resource.
    pub(super) fn tags(&mut self, properties: At) {
        let name = self.resource.and_then(|resource| resource.tag_property());
        let Some(name) = name.filter(|_| self.is_plain_object(properties.node)) else { return };
        let tree = self.tree;
        let Some(tags) = tree.get_text(properties.node, name) else { return };
        self.path.clear();
        self.path.push(Step::Key(name));
        self.in_context(tags, |walk| match tree.view(tags) {
            View::List(items) => {
                unique(walk, &["Key"], items);
                for (number, &item) in items.iter().enumerate() {
                    let key = tree.get_text(item, "Key").filter(|_| tree.kind(item) == formwork_syntax::Kind::Map);
                    walk.path.push(Step::Element(number));
                    if let Some(key) = key {
                        walk.reserved_tag(key);
                    }
                    walk.path.pop();
                }
            }
            View::Map => tree.entries(tags).for_each(|entry| walk.reserved_tag(entry.key)),
            _ => {}
        });
        self.path.clear();
    }

    fn reserved_tag(&mut self, key: NodeId) {
        let text = self.tree.string(key).filter(|text| text.starts_with("aws:"));
        let (Some(text), Some(severity)) = (text, self.warning()) else { return };
        let subject = words::subject(&self.path, self.tree.text(self.id));
        let title = format!("{subject} has the reserved key {}", shown(text));
        let diagnostic = Diagnostic::titled(codes::VALUE_NOT_ALLOWED, title)
            .at(self.tree.span(key))
            .note("keys that begin with `aws:` belong to AWS")
            .help(self.advice(key, "another key"));
        self.push(diagnostic, severity, "tag");
    }
}
