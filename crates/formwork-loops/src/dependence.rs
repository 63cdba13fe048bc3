//! Detection of loop variables in strings, and of the strings besides `Fn::Sub` into which items are inserted.

use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View, flags, symbol};
use formwork_template::artifact;
use formwork_template::fill_in::Spelling;
use formwork_template::placeholder::placeholders;

use super::declared::Variable;
use super::parts::Loop;
use super::survey_state::Survey;

impl Survey<'_> {
    pub(super) fn mask(&self) -> u64 {
        1_u64.checked_shl(self.scope.len() as u32).map_or(u64::MAX, |bit| bit - 1)
    }

    /// Returns `true` when a key may contain items, and marks its variables as used.
    pub(super) fn key(&self, key: NodeId) -> bool {
        let may_take = self.tree.has(key, flags::HAS_PLACEHOLDER) && !self.scope.is_empty();
        if may_take {
            self.placeholder(self.tree.text(key), '$');
            self.placeholder(self.tree.text(key), '&');
        }
        may_take
    }

    /// Returns the first variable of the scope whose placeholder is in a string, preferring `${}`.
    pub(super) fn any_placeholder(&self, text: &str) -> Option<String> {
        self.placeholder(text, '$').or_else(|| self.placeholder(text, '&'))
    }

    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        self.scope.iter().rposition(|variable| variable.name == name)
    }

    pub(super) fn mark_used(&self, at: usize) {
        self.used.set(self.used.get() | 1 << at.min(63));
    }

    /// Returns the first variable of the scope whose placeholder with this mark is in a string.
    pub(super) fn placeholder(&self, text: &str, mark: char) -> Option<String> {
        let mut first: Option<(usize, String)> = None;
        for found in placeholders(text).filter(|found| found.mark == mark) {
            for (at, &Variable { name, may_be_object, .. }) in self.scope.iter().enumerate() {
                let (is_item, is_attribute) = found.names(name);
                if !(is_item || is_attribute) {
                    continue;
                }
                // An attribute counts as a use even where items are strings: the collection is the error then.
                self.mark_used(at);
                if !(is_item || may_be_object) {
                    continue;
                }
                let end = if is_item { '}' } else { '.' };
                if first.as_ref().is_none_or(|&(known, _)| at < known) {
                    first = Some((at, format!("{mark}{{{name}{end}")));
                }
            }
        }
        first.map(|(_, written)| written)
    }

    /// Marks a name in `Ref` or `Fn::GetAtt` that contains items: with `Formwork` declared a loop can refer to logical
    /// IDs that its keys generated with `&{}`.
    pub(super) fn fill_name(&mut self, name: NodeId) {
        if self.rules.formwork && self.tree.string(name).is_some_and(|text| self.placeholder(text, '&').is_some()) {
            self.uses.fill(name);
        }
    }

    pub(super) fn spelling(&self) -> Spelling {
        *self.spelling.get_or_init(|| Spelling::of(self.tree, self.root))
    }

    /// Marks the artifact properties of a resource: plain strings, or plain strings in branches of `Fn::If`
    /// (reference/for-each.md#substitution).
    pub(super) fn artifacts(&mut self, resource: NodeId) {
        let (Some(kind), Some(properties)) =
            (self.tree.get(resource, symbol::TYPE), self.tree.get(resource, symbol::PROPERTIES))
        else {
            return;
        };
        for artifact in artifact::of_type(self.tree.text(kind)) {
            self.artifact(properties, artifact.property);
        }
    }

    fn artifact(&mut self, node: NodeId, path: &[&str]) {
        match *path {
            [] => self.fill_branches(node),
            ["*", ref rest @ ..] => {
                self.artifact(node, rest);
                for entry in self.tree.entries(node) {
                    // Also in the fragment of a loop.
                    let fragment = Loop::for_each(self.tree, entry).map(|of| of.fragment);
                    self.artifact(fragment.unwrap_or(entry.value), path);
                }
            }
            [name, ref rest @ ..] => {
                if let Some(value) = self.tree.get_text(node, name) {
                    self.artifact(value, rest);
                }
            }
        }
    }

    /// Marks the path of an included file (reference/packaging.md#includes).
    pub(super) fn include(&mut self, argument: NodeId) {
        if let Some(location) = formwork_template::include::location(self.tree, argument) {
            self.fill_branches(location);
        }
    }

    fn fill_branches(&mut self, node: NodeId) {
        match self.tree.view(node) {
            View::String(text) if self.any_placeholder(text).is_some() => {
                self.uses.fill(node);
            }
            View::Call(Function::Known(Known::If), argument) => {
                for &branch in self.tree.items(argument).iter().skip(1) {
                    self.fill_branches(branch);
                }
            }
            _ => {}
        }
    }
}
