//! The names that a value uses, and the loops in it.

use formwork_syntax::function::{self, Known};
use formwork_syntax::{Entry, Function, Kind, NodeId, View};
use formwork_template::reference::sub_parts;
use formwork_template::sub_string::{self, Part};

use crate::locate::{Locator, part};
use crate::names::{Expects, LoopDeclaration, LoopKind, TextRange};
use crate::symbol::SymbolKind;
use crate::walk::Walk;

/// The prefix of the name of a constant.
const CONSTANT: &str = "Const::";

impl<'i> Walk<'i> {
    pub(crate) fn value(&mut self, node: NodeId) {
        // Nodes below an alias are visited at their authored position.
        if self.tree().is_alias(node) {
            return;
        }
        match self.tree().view(node) {
            View::Map => self.members(node),
            View::List(items) => self.values(items),
            View::Call(function, argument) => self.call(node, function, argument),
            View::String(_) => {
                if self.fills_strings {
                    self.placeholders(node);
                }
                self.shorthand_words(node);
            }
            _ => {}
        }
    }

    fn values(&mut self, items: &[NodeId]) {
        for &item in items {
            self.value(item);
        }
    }

    fn members(&mut self, map: NodeId) {
        for entry in self.tree().entries(map) {
            if function::loop_name(self.tree().text(entry.key)).is_some() {
                self.for_each(entry, Walk::value);
            } else {
                self.placeholders(entry.key);
                self.value(entry.value);
            }
        }
    }

    fn call(&mut self, node: NodeId, function: Function, argument: NodeId) {
        let tree = self.tree();
        let items = tree.items(argument);
        match function {
            Function::Known(Known::Ref) => self.reference(argument),
            Function::Known(Known::Condition) => self.push_text(argument, Expects::Condition),
            Function::Known(Known::GetAtt) => self.get_att(argument),
            Function::Known(Known::Sub) => self.sub(argument),
            Function::Known(Known::Map) => self.map(node, argument),
            Function::Known(Known::Invoke) => self.invoke(items),
            Function::Known(known @ (Known::If | Known::FindInMap | Known::ValueOf)) => {
                let expects = match known {
                    Known::If => Expects::Condition,
                    Known::FindInMap => Expects::Mapping,
                    _ => Expects::Value,
                };
                let Some((&name, rest)) = items.split_first() else { return self.value(argument) };
                if tree.is_scalar(name) {
                    self.push_text(name, expects);
                } else {
                    self.value(name);
                }
                self.values(rest);
            }
            _ => self.value(argument),
        }
    }

    fn reference(&mut self, argument: NodeId) {
        let tree = self.tree();
        if !tree.is_scalar(argument) {
            return self.value(argument);
        }
        let text = tree.text(argument);
        let range = Locator::new(self.file, argument).next(text);
        self.named(text, &range);
        self.placeholders(argument);
        self.shorthand_words(argument);
    }

    fn get_att(&mut self, argument: NodeId) {
        let tree = self.tree();
        match *tree.items(argument) {
            [] if tree.is_scalar(argument) => self.reference(argument),
            [name, ref rest @ ..] => {
                self.reference(name);
                let import = tree.string(name).and_then(|text| self.import(split(text).0));
                match (rest, import) {
                    (&[output], Some(import)) if tree.string(output).is_some() => {
                        self.push_text(output, Expects::ModuleOutput(import));
                    }
                    _ => self.values(rest),
                }
            }
            [] => self.value(argument),
        }
    }

    fn sub(&mut self, argument: NodeId) {
        let tree = self.tree();
        let (text_node, variables) = sub_parts(tree, argument);
        let text = tree.string(text_node).unwrap_or_default();
        let own: Vec<&str> =
            variables.map_or_else(Vec::new, |map| tree.entries(map).map(|entry| tree.text(entry.key)).collect());
        if let Some(map) = variables {
            let scope = self.range(text_node);
            for entry in tree.entries(map) {
                let at = self.declare_entry(SymbolKind::SubVariable, entry);
                self.names.declarations[at].scopes = Some(vec![scope.clone()]);
            }
            self.value(map);
        }
        let mut locator = Locator::new(self.file, text_node);
        for (part_of_text, written) in sub_string::written_parts(text) {
            let Part::Variable(name) = part_of_text else { continue };
            let full = &written["${".len()..written.len() - "}".len()];
            let whole = locator.between("${", full, "}");
            let range = part(&whole, full, full.len() - full.trim_start().len(), name.len());
            if own.contains(&name) {
                self.push(name, range, Expects::SubVariable);
            } else {
                self.named(name, &range);
            }
        }
        self.shorthand_words(text_node);
        if text_node == argument && !tree.is_scalar(argument) {
            self.value(argument);
        }
    }

    /// Adds a name with an attribute or selectors, as in `Ref`, `Fn::GetAtt` and `Fn::Sub`. `range` is that of the
    /// whole string.
    fn named(&mut self, text: &str, range: &TextRange) {
        if let Some(name) = text.strip_prefix(CONSTANT) {
            let range = part(range, text, CONSTANT.len(), name.len());
            return self.push(name, range, Expects::Constant);
        }
        let (head, member) = split(text);
        // A variable of the module language: `$Value.Name`.
        if head.starts_with('$') && !head.starts_with("${") {
            return;
        }
        self.push(head, part(range, text, 0, head.len()), Expects::Value);
        if let (Some((from, member)), Some(import)) = (member, self.import(head)) {
            self.push(member, part(range, text, from, member.len()), Expects::ModuleOutput(import));
        }
    }

    fn invoke(&mut self, items: &[NodeId]) {
        let &[name, properties, outputs] = items else {
            return self.values(items);
        };
        let tree = self.tree();
        self.push_text(name, Expects::Import);
        let import = tree.string(name).and_then(|name| self.import(name));
        let Some(import) = import else { return self.value(properties) };
        self.properties(properties, import);
        let list = if tree.kind(outputs) == Kind::List { tree.items(outputs) } else { &[outputs] };
        for &output in list {
            self.push_text(output, Expects::ModuleOutput(import));
        }
    }

    /// Visits an `Fn::ForEach` (reference/for-each.md#layout); `body` visits its fragment.
    pub(crate) fn for_each(&mut self, entry: Entry, body: impl FnOnce(&mut Walk<'i>, NodeId)) {
        let tree = self.tree();
        let name = function::loop_name(tree.text(entry.key)).unwrap_or_default();
        let range = self.entry_range(entry);
        let declaration = self.declare(SymbolKind::Loop, name, entry.key, range);
        let &[variable, collection, fragment] = tree.items(entry.value) else {
            return self.value(entry.value);
        };
        let scope = vec![self.range(fragment)];
        let variable_name = tree.text(variable).to_owned();
        let declared = self.declare(SymbolKind::LoopVariable, &variable_name, variable, self.range(variable));
        self.names.declarations[declared].scopes = Some(scope.clone());
        self.names.loops.push(LoopDeclaration {
            kind: LoopKind::ForEach,
            name: Some(name.to_owned()),
            variables: vec![variable_name],
            site: self.range(entry.key),
            collection: Some(self.range(collection)),
            body: scope,
        });
        self.value(collection);
        self.within(declaration, |walk| body(walk, fragment));
    }

    /// Visits an `Fn::Map` (reference/map-and-merge.md#map-members).
    pub(crate) fn map(&mut self, node: NodeId, argument: NodeId) {
        let tree = self.tree();
        let member = |name: &str| tree.get_text(argument, name);
        let parts = [member("Key"), member("Fragment")];
        let scope: Vec<TextRange> = parts.into_iter().flatten().map(|part| self.range(part)).collect();
        let mut variables = Vec::new();
        for name in ["Index", "Value"] {
            let explicit = member(name).filter(|&node| tree.is_scalar(node));
            let text = explicit.map_or(name, |node| tree.text(node)).to_owned();
            let place = explicit.unwrap_or_else(|| tree.call_name(node));
            let declared = self.declare(SymbolKind::LoopVariable, &text, place, self.range(place));
            self.names.declarations[declared].scopes = Some(scope.clone());
            variables.push(text);
        }
        let collection = member("Collection");
        self.names.loops.push(LoopDeclaration {
            kind: LoopKind::Map,
            name: None,
            variables,
            site: self.range(tree.call_name(node)),
            collection: collection.map(|node| self.range(node)),
            body: scope,
        });
        for part in collection.into_iter().chain(parts.into_iter().flatten()) {
            self.value(part);
        }
    }

    /// Visits the properties of an import: keys are parameters of its module.
    pub(crate) fn properties(&mut self, map: NodeId, import: usize) {
        let tree = self.tree();
        if tree.kind(map) != Kind::Map {
            return self.value(map);
        }
        for entry in tree.entries(map) {
            self.push_text(entry.key, Expects::ModuleParameter(import));
            self.value(entry.value);
        }
    }
}

/// Splits a reference into its name and its last step, with the offset of that: `Net[a.b].Id` is `Net` and `Id`.
fn split(text: &str) -> (&str, Option<(usize, &str)>) {
    let (mut depth, mut head, mut last) = (0_u32, None, None);
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' => {
                if c == '[' {
                    head = head.or(Some(at));
                }
                depth += 1;
            }
            ']' | '}' => depth = depth.saturating_sub(1),
            '.' if depth == 0 => {
                head = head.or(Some(at));
                last = Some(at + 1);
            }
            _ => {}
        }
    }
    (&text[..head.unwrap_or(text.len())], last.map(|from| (from, &text[from..])))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn references_have_a_name_and_a_last_step() {
        assert_eq!(split("Bucket"), ("Bucket", None));
        assert_eq!(split("Bucket.Arn"), ("Bucket", Some((7, "Arn"))));
        assert_eq!(split("Net[a.b].Id"), ("Net", Some((9, "Id"))));
        assert_eq!(split("Net.*.Id"), ("Net", Some((6, "Id"))));
        assert_eq!(split("Bucket${A.b}.Arn"), ("Bucket${A.b}", Some((13, "Arn"))));
        assert_eq!(split("Net."), ("Net", Some((4, ""))));
    }
}
