//! Collects the names of a file: one walk over its tree.

use formwork_syntax::function::{self, Known};
use formwork_syntax::{Entry, Function, Kind, NodeId, Tree, View};
use formwork_template::reference::{self, sub_parts};
use formwork_template::sub_string::{self, Part};

use crate::locate::{Locator, part};
use crate::names::{Declaration, Expects, Names, TextRange, Use};
use crate::parsed::ParsedFile;
use crate::symbol::SymbolKind;

/// The names that a shorthand loop of the module language declares (reference/modules/copies.md#variables).
pub(crate) const SHORTHAND: [&str; 3] = ["Identifier", "Index", "Value"];

pub(crate) struct Walk<'i> {
    pub(crate) file: &'i ParsedFile,
    pub(crate) names: Names,
    /// The declaration around what is walked.
    pub(crate) parent: Option<usize>,
    /// Names of all imports, and of the loops that they are in, in the order in which they are walked.
    pub(crate) imports: Vec<(String, Option<String>)>,
    /// Whether placeholders are replaced in every string.
    pub(crate) fills_strings: bool,
    /// Number of shorthand loops around.
    pub(crate) shorthand: usize,
}

impl<'i> Walk<'i> {
    pub(crate) fn new(file: &'i ParsedFile) -> Walk<'i> {
        Walk { file, names: Names::default(), parent: None, imports: Vec::new(), fills_strings: false, shorthand: 0 }
    }

    pub(crate) fn tree(&self) -> &'i Tree {
        self.file.tree()
    }

    pub(crate) fn range(&self, node: NodeId) -> TextRange {
        self.file.text_range(self.tree().span(node))
    }

    pub(crate) fn push(&mut self, name: &str, range: TextRange, expects: Expects) {
        self.names.uses.push(Use { name: name.to_owned(), range, expects });
    }

    /// A use of the whole text of a node.
    pub(crate) fn push_text(&mut self, node: NodeId, expects: Expects) {
        let is_text = self.tree().is_scalar(node) || self.tree().kind(node) == Kind::Key;
        let Some(text) = is_text.then(|| self.tree().text(node)) else { return };
        let range = Locator::new(self.file, node).next(text);
        self.push(text, range, expects);
        self.placeholders(node);
    }

    /// Declares the name that a key or scalar is.
    pub(crate) fn declare(&mut self, kind: SymbolKind, name: &str, name_node: NodeId, range: TextRange) -> usize {
        let name_range = Locator::new(self.file, name_node).next(name);
        let declaration = Declaration {
            kind,
            name: name.to_owned(),
            detail: None,
            name_range,
            range,
            scopes: None,
            parent: self.parent,
        };
        self.names.declarations.push(declaration);
        self.names.declarations.len() - 1
    }

    /// Declares an entry of a section.
    pub(crate) fn declare_entry(&mut self, kind: SymbolKind, entry: Entry) -> usize {
        let range = self.entry_range(entry);
        let at = self.declare(kind, self.tree().text(entry.key), entry.key, range);
        self.placeholders(entry.key);
        at
    }

    pub(crate) fn entry_range(&self, entry: Entry) -> TextRange {
        let (key, value) = (self.range(entry.key), self.tree().site(entry.value));
        let end = if value.is_none() { key.end } else { self.file.text_range(value).end };
        key.start..end.max(key.end)
    }

    /// Walks what is below a declaration.
    pub(crate) fn within(&mut self, declaration: usize, walk: impl FnOnce(&mut Walk<'i>)) {
        let outer = self.parent.replace(declaration);
        walk(self);
        self.parent = outer;
    }

    /// Walks a value: everything in it that names something.
    pub(crate) fn value(&mut self, node: NodeId) {
        // What is below an alias is walked where it is written.
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

    /// A name with an attribute or selectors, as `Ref`, `Fn::GetAtt` and `Fn::Sub` write it. `range` is that of the
    /// whole text.
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

    /// The import that a name means: its own, that of the loop that generates it, or that of one copy.
    pub(crate) fn import(&self, head: &str) -> Option<usize> {
        let find = |name: &str| {
            self.imports.iter().position(|(known, in_loop)| known == name || in_loop.as_deref() == Some(name))
        };
        find(head).or_else(|| find(head.trim_end_matches(|c: char| c.is_ascii_digit())))
    }

    /// The names in a `DependsOn`.
    pub(crate) fn depends_on(&mut self, node: NodeId) {
        for name in reference::depends_on(self.tree(), node) {
            self.push_text(name.node, Expects::Dependency);
            self.shorthand_words(name.node);
        }
    }

    /// Placeholders of loops in a key or a name: `${Name}` and `&{Name}` (reference/for-each.md#substitution).
    pub(crate) fn placeholders(&mut self, node: NodeId) {
        let text = self.tree().text(node);
        let mut locator = Locator::new(self.file, node);
        for (at, _) in text.match_indices('{') {
            let Some(close) = text[at..].find('}') else { return };
            let name = &text[at + 1..at + close];
            if let Some(mark) = text[..at].chars().last().filter(|&mark| matches!(mark, '$' | '&')) {
                let range = locator.between(&format!("{mark}{{"), name, "}");
                self.push(name, range, Expects::LoopVariable);
            }
        }
    }

    /// Variables of shorthand loops in any string: `$Identifier`, `$Index`, `$Value.Name`.
    fn shorthand_words(&mut self, node: NodeId) {
        let text = self.tree().text(node);
        if self.shorthand == 0 || !text.contains('$') {
            return;
        }
        let mut locator = Locator::new(self.file, node);
        for (at, _) in text.match_indices('$') {
            let word = &text[at + 1..];
            let end = word.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(word.len());
            if SHORTHAND.contains(&&word[..end]) {
                let range = locator.between("$", &word[..end], "");
                self.push(&word[..end], range, Expects::LoopVariable);
            }
        }
    }
}

/// What the name of a constant begins with.
const CONSTANT: &str = "Const::";

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
