//! What depends on a loop's variable.

use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, View, flags, symbol};
use formwork_template::artifact;
use formwork_template::fill_in::{Around, Spelling};
use formwork_template::placeholder::placeholders;
use formwork_template::reference::sub_parts;
use formwork_template::sub_string;

use super::declared::Variable;
use super::parts::Loop;
use super::survey::{Members, Survey};

impl Survey<'_> {
    /// The bits of the variables in the scope.
    pub(super) fn mask(&self) -> u64 {
        1_u64.checked_shl(self.scope.len() as u32).map_or(u64::MAX, |bit| bit - 1)
    }

    /// The key of an `Fn::Map`: a text is an `Fn::Sub` in all but name, and `&{}` works here, too.
    pub(super) fn map_key(&mut self, key: NodeId) {
        let text = self.tree.argument_of(key, Known::Sub);
        self.placeholder(self.tree.text(text.unwrap_or(key)), '$');
        self.placeholder(self.tree.text(text.unwrap_or(key)), '&');
        let warnings = self.warnings.len();
        if self.tree.kind(key) != Kind::String {
            self.visit(key);
        }
        if text.is_some() {
            self.warnings.truncate(warnings);
        }
        self.mark(key, true);
    }

    /// Whether a key may take items; the variables in it are used.
    pub(super) fn key(&self, key: NodeId) -> bool {
        let may_take = self.tree.has(key, flags::HAS_PLACEHOLDER) && !self.scope.is_empty();
        if may_take {
            self.placeholder(self.tree.text(key), '$');
            self.placeholder(self.tree.text(key), '&');
        }
        may_take
    }

    /// The first variable of the scope whose placeholder is in a text, by preference with `${}`.
    pub(super) fn any_placeholder(&self, text: &str) -> Option<String> {
        self.placeholder(text, '$').or_else(|| self.placeholder(text, '&'))
    }

    /// The number of the variable with this name.
    fn variable(&self, name: &str) -> Option<usize> {
        self.scope.iter().rposition(|variable| variable.name == name)
    }

    fn mark_used(&self, at: usize) {
        self.used.set(self.used.get() | 1 << at.min(63));
    }

    /// The first variable of the scope whose placeholder with this mark is in a string.
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

    pub(super) fn text(&mut self, node: NodeId, text: &str) -> bool {
        let Some(placeholder) = self.any_placeholder(text) else { return false };
        if self.fill_all {
            self.uses.fill(node);
        }
        if self.uses.is_filled(node) {
            return true;
        }
        self.warn_plain_text(node, &placeholder);
        false
    }

    pub(super) fn call(&mut self, node: NodeId, function: Function, argument: NodeId) -> bool {
        match function {
            Function::Known(Known::Ref) => {
                self.fill_name(argument);
                let is_respelled = self.tree.symbol(self.tree.call_name(node)) == symbol::FN_REF;
                if is_respelled {
                    self.warn_spelling(node);
                }
                let variable = self.tree.string(argument).and_then(|name| self.variable(name));
                variable.inspect(|&at| self.mark_used(at));
                variable.is_some() || self.visit_at(argument, Around::Call(node)) || is_respelled
            }
            Function::Known(Known::GetAtt) => {
                let name = self.tree.items(argument).first().copied().unwrap_or(argument);
                self.fill_name(name);
                let name = self.tree.string(name).map(|name| name.split_once('.').map_or(name, |(name, _)| name));
                let variable = name.and_then(|name| self.variable(name)).inspect(|&at| self.mark_used(at));
                let object = variable.filter(|&at| self.scope[at].may_be_object);
                self.visit_at(argument, Around::Call(node)) || object.is_some()
            }
            Function::Known(Known::Map) => self.fn_map(node, Members::OF_VALUE),
            Function::Known(Known::Merge) => {
                let touched = self.operands(argument, Members::OF_VALUE);
                self.mark(argument, touched);
                true
            }
            Function::Known(known @ (Known::Range | Known::Zip)) => {
                self.list_function(node, known);
                self.visit(argument);
                true
            }
            Function::Known(Known::Sub) => {
                let (text, map) = sub_parts(self.tree, argument);
                self.loops_beside(argument, map);
                let written = self.tree.text(text);
                let mut touched = self.placeholder(&sub_string::plain(written), '$').is_some();
                if let Some(placeholder) = self.placeholder(written, '&') {
                    if self.fill_all || self.rules.formwork {
                        touched = true;
                    } else {
                        self.warn_ampersand(text, &placeholder);
                    }
                }
                touched = self.mark(text, touched);
                if let Some(map) = map {
                    touched |= self.visit(map);
                }
                self.mark(argument, touched)
            }
            Function::Known(Known::Condition) => self.visit_at(argument, Around::Literal),
            Function::Known(Known::Transform) => {
                self.include(argument);
                self.visit_at(argument, Around::Call(node))
            }
            // A condition; a delimiter.
            Function::Known(known @ (Known::If | Known::Join | Known::Split))
                if self.tree.kind(argument) == Kind::List =>
            {
                self.first_literal(argument, known == Known::If)
            }
            _ => self.visit_at(argument, Around::Call(node)),
        }
    }

    /// Looks at loops in the argument of an `Fn::Sub` where none has a place.
    fn loops_beside(&mut self, argument: NodeId, map: Option<NodeId>) {
        let (tree, alone) = (self.tree, [argument]);
        let parts = if tree.kind(argument) == Kind::List { tree.items(argument) } else { &alone };
        for &part in parts.iter().filter(|&&part| Some(part) != map && tree.has(part, flags::HAS_LOOP)) {
            self.unfilled(|survey| survey.visit(part));
        }
    }

    /// Marks a name in `Ref` or `Fn::GetAtt` that takes the items: with `Formwork` declared a loop can
    /// refer to what its keys named with `&{}`.
    fn fill_name(&mut self, name: NodeId) {
        if self.rules.formwork && self.tree.string(name).is_some_and(|text| self.placeholder(text, '&').is_some()) {
            self.uses.fill(name);
        }
    }

    /// The arguments of a call of which the first one is literal. A function in the place of the condition of an
    /// `Fn::If` is rejected as written: its placeholders are not reported a second time.
    fn first_literal(&mut self, argument: NodeId, is_if: bool) -> bool {
        let known = self.warnings.len();
        let mut touched = false;
        for (at, &item) in self.tree.items(argument).iter().enumerate() {
            touched |= self.visit_at(item, if at == 0 { Around::Literal } else { Around::Value });
            if at == 0 && is_if && self.tree.kind(item) == Kind::Call && !self.rules.formwork {
                self.warnings.truncate(known);
            }
        }
        self.mark(argument, touched)
    }

    /// How the file writes functions.
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
        if let Some(location) = crate::include::location(self.tree, argument) {
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
