//! The references of moved resources to their template: each becomes an input of the module.

use std::collections::BTreeMap;
use std::ops::Range;

use formwork::query::FileIndex;
use formwork::tree::{Entry, Function, Kind, Known};
use formwork::{NodeId, Tree};

use super::{one_line, part_with};
use crate::Edit;
use crate::visit::visit;

pub(super) struct Input {
    pub(super) kind: String,
    /// The value that the import passes, in source form.
    pub(super) value: String,
}

pub(super) struct Inputs<'i> {
    index: &'i FileIndex,
    is_json: bool,
    /// Logical IDs, and their names in the module.
    renamed: &'i [(&'i str, &'i str)],
    all: BTreeMap<String, Input>,
    edits: Vec<Edit>,
    /// The common condition of the resources so far.
    condition: Option<String>,
    has_resource: bool,
}

impl<'i> Inputs<'i> {
    pub(super) fn new(index: &'i FileIndex, is_json: bool, renamed: &'i [(&'i str, &'i str)]) -> Inputs<'i> {
        Inputs {
            index,
            is_json,
            renamed,
            all: BTreeMap::new(),
            edits: Vec::new(),
            condition: None,
            has_resource: false,
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &Input)> {
        self.all.iter().map(|(name, input)| (name.as_str(), input))
    }

    pub(super) fn condition(&self) -> Option<&str> {
        self.condition.as_deref()
    }

    pub(super) fn rewritten(&self, parts: &[Range<usize>]) -> Option<String> {
        let parts = parts.iter().map(|part| part_with(self.index.text(), part, &self.edits));
        Some(parts.collect::<Option<Vec<_>>>()?.concat())
    }

    fn tree(&self) -> &'i Tree {
        self.index.tree()
    }

    fn inner(&self, id: &str) -> Option<&'i str> {
        self.renamed.iter().find(|(old, _)| *old == id).map(|(_, new)| *new)
    }

    /// Processes a resource that moves. `None` when it cannot be moved.
    pub(super) fn resource(&mut self, entry: Entry) -> Option<()> {
        let tree = self.tree();
        let key = self.index.range_of(tree.span(entry.key));
        let id = tree.text(entry.key);
        self.replace_word(key, id, self.inner(id)?)?;
        let condition = tree.entries(entry.value).find(|attribute| tree.text(attribute.key) == "Condition");
        let name = match condition {
            Some(attribute) => Some(tree.string(attribute.value)?.to_owned()),
            None => None,
        };
        if self.has_resource && self.condition != name {
            return None;
        }
        (self.has_resource, self.condition) = (true, name);
        if let Some(attribute) = condition {
            let range = self.index.range_of(tree.span(attribute.key)).start
                ..self.index.range_of(tree.site(attribute.value)).end;
            self.edits.push(super::super::inline_parameter::removal(self.index.text(), false, &range)?);
        }
        for attribute in tree.entries(entry.value) {
            match tree.text(attribute.key) {
                "Condition" => {}
                "DependsOn" => self.depends_on(attribute.value)?,
                _ => self.node(attribute.value, tree.text(attribute.key))?,
            }
        }
        Some(())
    }

    /// Names other than those of moved resources must be full IDs in a module, too.
    fn depends_on(&mut self, node: NodeId) -> Option<()> {
        let tree = self.tree();
        let items = if tree.kind(node) == Kind::List { tree.items(node).to_vec() } else { vec![node] };
        for item in items {
            let id = tree.string(item)?;
            if let Some(new) = self.inner(id) {
                self.replace_word(self.index.range_of(tree.span(item)), id, new)?;
            }
        }
        Some(())
    }

    fn replace_word(&mut self, range: Range<u32>, old: &str, new: &str) -> Option<()> {
        let source = self.index.text().get(range.start as usize..range.end as usize)?;
        let at = range.start + source.find(old)? as u32;
        self.edits.push(Edit::new(at, at + old.len() as u32, new));
        Some(())
    }

    fn node(&mut self, node: NodeId, key: &str) -> Option<()> {
        let tree = self.tree();
        if tree.is_alias(node) {
            return None;
        }
        match tree.kind(node) {
            Kind::List => tree.items(node).iter().try_for_each(|&item| self.node(item, key)),
            Kind::Map => {
                let mut entries = tree.entries(node);
                entries.try_for_each(|entry| {
                    let own = tree.text(entry.key);
                    (!own.starts_with("Fn::ForEach")).then_some(())?;
                    self.node(entry.value, own)
                })
            }
            Kind::Call => self.call(node, key),
            _ => Some(()),
        }
    }

    fn call(&mut self, node: NodeId, key: &str) -> Option<()> {
        let tree = self.tree();
        let (function, argument) = tree.call(node);
        match function {
            Function::Known(Known::Ref) => self.reference(node, tree.string(argument)?),
            Function::Known(Known::GetAtt) => self.attribute(node, argument),
            Function::Known(Known::Sub) => self.sub(argument, key),
            Function::Known(Known::If | Known::FindInMap | Known::Condition | Known::And | Known::Or | Known::Not) => {
                self.lift(node, key)
            }
            Function::Known(Known::Map | Known::Transform) => None,
            Function::Known(_) => self.node(argument, key),
            Function::Other(_) => None,
        }
    }

    fn reference(&mut self, node: NodeId, name: &str) -> Option<()> {
        if name.starts_with("AWS::") {
            return Some(());
        }
        let range = self.index.range_of(self.tree().span(self.tree().call(node).1));
        if let Some(new) = self.inner(name) {
            return self.replace_word(range, name, new);
        }
        let input = name.strip_prefix("Const::").unwrap_or(name);
        if !input.chars().all(|c| c.is_ascii_alphanumeric()) {
            return None;
        }
        let value = self.ref_to(name);
        let kind = self.kind_of(name);
        self.add(input, kind, value)?;
        if input == name { Some(()) } else { self.replace_word(range, name, input) }
    }

    /// Handles `Id.Attribute`, in one string or in two.
    fn attribute(&mut self, node: NodeId, argument: NodeId) -> Option<()> {
        let tree = self.tree();
        let (id, attribute) = match tree.kind(argument) {
            Kind::List => match tree.items(argument) {
                &[id, attribute] => (tree.string(id)?.to_owned(), tree.string(attribute)?.to_owned()),
                _ => return None,
            },
            _ => tree.string(argument)?.split_once('.').map(|(id, attribute)| (id.to_owned(), attribute.to_owned()))?,
        };
        if let Some(new) = self.inner(&id) {
            let first =
                if tree.kind(argument) == Kind::List { tree.items(argument).first().copied()? } else { argument };
            return self.replace_word(self.index.range_of(tree.span(first)), &id, new);
        }
        let value = one_line(self.index, node)?.to_owned();
        let input = input_name(&format!("{id}{attribute}"));
        self.add(&input, "String".to_owned(), value)?;
        self.replace_node(node, &input)
    }

    fn sub(&mut self, argument: NodeId, key: &str) -> Option<()> {
        let tree = self.tree();
        let (text, variables) = match tree.items(argument) {
            _ if tree.kind(argument) != Kind::List => (argument, None),
            &[text, variables] => (text, Some(variables)),
            _ => return None,
        };
        let range = self.index.range_of(tree.span(text));
        let source = self.index.text().get(range.start as usize..range.end as usize)?;
        let own = |name: &str| variables.is_some_and(|variables| tree.get_text(variables, name).is_some());
        for (at, _) in source.match_indices("${") {
            let inner = source.get(at + 2..)?.split_once('}')?.0;
            let name = inner.trim();
            if name.starts_with('!') || name.starts_with("AWS::") || own(name) {
                continue;
            }
            let start = range.start + at as u32 + 2;
            let whole = start..start + inner.len() as u32;
            let (id, attribute) = name.split_once('.').map_or((name, None), |(id, attribute)| (id, Some(attribute)));
            if let Some(new) = self.inner(id) {
                self.replace_word(whole, id, new)?;
                continue;
            }
            let plain = id.strip_prefix("Const::").unwrap_or(id);
            if !plain.chars().all(|c| c.is_ascii_alphanumeric()) {
                return None;
            }
            let (input, value) = match attribute {
                Some(attribute) => (input_name(&format!("{plain}{attribute}")), self.get_att(id, attribute)),
                None => (plain.to_owned(), self.ref_to(id)),
            };
            let kind = if attribute.is_none() { self.kind_of(id) } else { "String".to_owned() };
            self.add(&input, kind, value)?;
            self.edits.push(Edit::new(whole.start, whole.end, input));
        }
        match variables {
            Some(variables) => self.node(variables, key),
            None => Some(()),
        }
    }

    /// Passes a call that depends on conditions or mappings of the template as a whole.
    fn lift(&mut self, node: NodeId, key: &str) -> Option<()> {
        let (tree, index, renamed) = (self.tree(), self.index, self.renamed);
        let mut is_own = false;
        visit(tree, node, &mut |visited| {
            let range = index.range_of(tree.span(visited.node));
            let source = index.text().get(range.start as usize..range.end as usize).unwrap_or_default();
            is_own |= tree.is_scalar(visited.node) && renamed.iter().any(|(id, _)| source.contains(id));
        });
        if is_own {
            return None;
        }
        let value = one_line(self.index, node)?.to_owned();
        let base = input_name(key);
        let names = std::iter::once(base.clone()).chain((2_u32..100).map(|number| format!("{base}{number}")));
        let is_free =
            |name: &String| self.all.get(name).is_none_or(|known| known.value == value) && !self.is_declared(name);
        let input = names.into_iter().find(is_free)?;
        self.add(&input, "String".to_owned(), value)?;
        self.replace_node(node, &input)
    }

    /// Returns `true` if a name may have another meaning in the moved text.
    fn is_declared(&self, name: &str) -> bool {
        let (tree, root) = (self.tree(), self.index.root());
        let has = |section: &str| {
            let section = root.and_then(|root| tree.get_text(root, section));
            section.is_some_and(|section| tree.get_text(section, name).is_some())
        };
        has("Parameters") || has("Resources") || has("Modules") || self.renamed.iter().any(|(_, new)| *new == name)
    }

    fn replace_node(&mut self, node: NodeId, input: &str) -> Option<()> {
        let range = self.index.range_of(self.tree().site(node));
        let source = one_line(self.index, node)?;
        let end = range.start + source.len() as u32;
        let text = self.ref_to(input);
        self.edits.push(Edit::new(range.start, end, text));
        Some(())
    }

    fn ref_to(&self, name: &str) -> String {
        if self.is_json { format!("{{\"Ref\": \"{name}\"}}") } else { format!("!Ref {name}") }
    }

    fn get_att(&self, id: &str, attribute: &str) -> String {
        if self.is_json {
            format!("{{\"Fn::GetAtt\": [\"{id}\", \"{attribute}\"]}}")
        } else {
            format!("!GetAtt {id}.{attribute}")
        }
    }

    /// The type of a parameter, or `String`.
    fn kind_of(&self, name: &str) -> String {
        let tree = self.tree();
        let section = self.index.root().and_then(|root| tree.get_text(root, "Parameters"));
        let kind = section.and_then(|section| tree.get_text(section, name)).and_then(|own| tree.get_text(own, "Type"));
        kind.and_then(|kind| tree.string(kind)).unwrap_or("String").to_owned()
    }

    fn add(&mut self, name: &str, kind: String, value: String) -> Option<()> {
        // An input takes precedence over a resource of the module.
        if self.renamed.iter().any(|(_, new)| *new == name) {
            return None;
        }
        if let Some(known) = self.all.get(name) {
            (known.value == value).then_some(())
        } else {
            self.all.insert(name.to_owned(), Input { kind, value });
            Some(())
        }
    }
}

fn input_name(text: &str) -> String {
    let name: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    if name.is_empty() { "Value".to_owned() } else { name }
}
