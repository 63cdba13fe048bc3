//! What depends on a loop's variable, found once per loop.

use std::cell::Cell;

use formwork_base::{Diagnostic, codes};
use formwork_evaluate::{Compat, Evaluator};
use formwork_syntax::document::shown;
use formwork_syntax::function::{self, Known};
use formwork_syntax::{Function, Kind, NodeId, Symbol, Tree, View, flags, symbol};
use formwork_template::Section;
use formwork_template::artifact;

/// Marks of nodes, by id.
#[derive(Debug)]
pub(super) struct Uses {
    marks: Vec<u8>,
}

/// Something at or below the node depends on a variable, or a loop stands below it.
const TOUCHED: u8 = 1;
/// A text that takes the items although it is plain: the path of an artifact.
const FILLED: u8 = 2;

impl Uses {
    /// Looks through the processed sections of a template.
    pub(super) fn find(ev: &mut Evaluator<'_>, root: NodeId) -> Uses {
        let mut warnings = Vec::new();
        let mut finder = Finder {
            tree: ev.tree,
            fill_all: ev.settings.compat == Compat::Sam,
            marks: vec![0; ev.tree.node_count() + 1],
            scope: Vec::new(),
            used: Cell::new(0),
            warnings: &mut warnings,
        };
        for section in [Section::Conditions, Section::Resources, Section::Outputs] {
            if let Some(node) = super::section(finder.tree, root, section) {
                finder.members(node, section);
            }
        }
        let uses = Uses { marks: finder.marks };
        for warning in warnings {
            ev.diagnostics.push(warning);
        }
        uses
    }

    /// Whether the node has to be written anew in each iteration.
    pub(super) fn is_touched(&self, node: NodeId) -> bool {
        self.marks.get(node.index()).is_some_and(|mark| mark & TOUCHED != 0)
    }

    /// Whether the text takes the items although it is plain.
    pub(super) fn is_filled(&self, node: NodeId) -> bool {
        self.marks.get(node.index()).is_some_and(|mark| mark & FILLED != 0)
    }
}

struct Finder<'f> {
    tree: &'f Tree,
    /// Whether every plain text takes the items (`--compat sam`).
    fill_all: bool,
    marks: Vec<u8>,
    scope: Vec<Symbol>,
    /// The variables of the scope that were met, a bit each from the outermost.
    used: Cell<u64>,
    warnings: &'f mut Vec<Diagnostic>,
}

impl Finder<'_> {
    fn mark(&mut self, node: NodeId, touched: bool) -> bool {
        if touched {
            self.marks[node.index()] |= TOUCHED;
        }
        touched
    }

    /// The members of a section, or of a fragment that makes such members.
    fn members(&mut self, node: NodeId, section: Section) -> bool {
        let mut touched = false;
        for entry in self.tree.entries(node) {
            touched |= if function::loop_name(self.tree.text(entry.key)).is_some() {
                self.for_each(entry.value, Some(section))
            } else {
                if section == Section::Resources {
                    self.artifacts(entry.value);
                }
                self.visit(entry.value) | self.key(entry.key)
            };
        }
        self.mark(node, touched)
    }

    fn for_each(&mut self, parts: NodeId, section: Option<Section>) -> bool {
        if let &[identifier, collection, fragment] = self.tree.items(parts) {
            self.visit(collection);
            // Identifiers of sound loops were interned before; a loop of the wrong layout is not run.
            let Some(name) = self.tree.symbols().get(self.tree.text(identifier)) else { return self.mark(parts, true) };
            self.scope.push(name);
            let own = 1 << (self.scope.len() - 1).min(63);
            self.used.set(self.used.get() & !own);
            match section {
                Some(section) if self.tree.kind(fragment) == Kind::Map => self.members(fragment, section),
                _ if self.tree.kind(fragment) == Kind::Map => self.map(fragment, true),
                _ => self.visit(fragment) | self.key(self.tree.call_name(fragment)),
            };
            self.scope.pop();
            if self.used.get() & own == 0 {
                self.warn_unused(identifier);
            }
        }
        self.mark(parts, true)
    }

    fn key(&self, key: NodeId) -> bool {
        if !self.tree.has(key, flags::HAS_PLACEHOLDER) || self.scope.is_empty() {
            return false;
        }
        let text = self.tree.text(key);
        self.placeholder(text, '$');
        self.placeholder(text, '&');
        true
    }

    fn is_variable(&self, name: &str) -> bool {
        let symbol = self.tree.symbols().get(name);
        let at = symbol.and_then(|symbol| self.scope.iter().rposition(|&known| known == symbol));
        at.inspect(|&at| self.meet(at)).is_some()
    }

    fn meet(&self, at: usize) {
        self.used.set(self.used.get() | 1 << at.min(63));
    }

    /// The first variable of the scope whose placeholder with this mark stands in a text.
    fn placeholder(&self, text: &str, mark: char) -> Option<String> {
        let mut first = None;
        for (at, &name) in self.scope.iter().enumerate() {
            let placeholder = format!("{mark}{{{}}}", self.tree.name(name));
            if text.contains(placeholder.as_str()) {
                self.meet(at);
                first = first.or(Some(placeholder));
            }
        }
        first
    }

    fn warn_unused(&mut self, identifier: NodeId) {
        let name = shown(self.tree.text(identifier));
        self.warnings.push(
            Diagnostic::new(
                codes::UNUSED_IDENTIFIER,
                format!("the identifier {name} is used in no key and no value of its loop"),
            )
            .at(self.tree.span(identifier))
            .label("never used")
            .note("every iteration makes the same")
            .help(format!("put `${{{name}}}` into the key, or write the fragment without a loop")),
        );
    }

    fn visit(&mut self, node: NodeId) -> bool {
        if !self.tree.has(node, flags::HAS_CALL | flags::HAS_PLACEHOLDER | flags::HAS_LOOP) {
            return false;
        }
        let touched = match self.tree.view(node) {
            View::String(text) => self.text(node, text),
            View::List(items) => {
                let mut touched = false;
                for &item in items {
                    touched |= self.visit(item);
                }
                touched
            }
            View::Map => self.map(node, false),
            View::Call(function, argument) => self.call(function, argument),
            _ => false,
        };
        self.mark(node, touched)
    }

    /// The members of a map. Only the keys of a fragment take the items, unless all texts do.
    fn map(&mut self, node: NodeId, is_fragment: bool) -> bool {
        let mut touched = false;
        for entry in self.tree.entries(node) {
            touched |= if function::loop_name(self.tree.text(entry.key)).is_some() {
                self.for_each(entry.value, None)
            } else {
                if !is_fragment && !self.fill_all {
                    self.warn_member_name(entry.key);
                }
                let takes_items = (is_fragment || self.fill_all) && self.key(entry.key);
                self.visit(entry.value) || takes_items && self.fill_all
            };
        }
        self.mark(node, touched)
    }

    fn text(&mut self, node: NodeId, text: &str) -> bool {
        let found = self.placeholder(text, '$').or_else(|| self.placeholder(text, '&'));
        let Some(placeholder) = found else { return false };
        if self.fill_all {
            self.marks[node.index()] |= FILLED;
        }
        if self.marks[node.index()] & FILLED != 0 {
            return true;
        }
        let span = self.tree.span(node);
        self.warnings.push(
            Diagnostic::new(
                codes::PLACEHOLDER_LITERAL,
                format!("\"{}\" stays as it is: placeholders in plain text are not filled in", shown(&placeholder)),
            )
            .at(span)
            .label("plain text")
            .note("the service fills placeholders in where Fn::Sub stands, and in the keys of the loop's fragment")
            .help(match text.lines().count() {
                1 => format!("write `{{\"Fn::Sub\": \"{}\"}}`", shown(text).replace("&{", "${")),
                _ => "put `Fn::Sub` around the text".to_owned(),
            }),
        );
        false
    }

    fn call(&mut self, function: Function, argument: NodeId) -> bool {
        match function {
            Function::Known(Known::Ref) => match self.tree.string(argument) {
                Some(name) if self.is_variable(name) => true,
                _ => self.visit(argument),
            },
            Function::Known(Known::Sub) => {
                let (text, map) = match *self.tree.items(argument) {
                    [] => (argument, None),
                    [text, ref rest @ ..] => (text, rest.first().copied()),
                };
                let written = self.tree.text(text);
                let mut touched = self.placeholder(written, '$').is_some();
                if let Some(placeholder) = self.placeholder(written, '&') {
                    if self.fill_all {
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
            _ => self.visit(argument),
        }
    }

    fn warn_member_name(&mut self, key: NodeId) {
        if !self.key(key) {
            return;
        }
        let text = self.tree.text(key);
        let Some(placeholder) = self.placeholder(text, '$').or_else(|| self.placeholder(text, '&')) else { return };
        self.warnings.push(
            Diagnostic::new(
                codes::PLACEHOLDER_LITERAL,
                format!(
                    "\"{}\" stays as it is: placeholders in this member name are not filled in",
                    shown(&placeholder)
                ),
            )
            .at(self.tree.span(key))
            .label("a member name below the fragment's own")
            .note("the service fills placeholders in in the keys of the loop's fragment, not in the names below them")
            .help("make the member with a loop of its own, whose fragment has this key"),
        );
    }

    fn warn_ampersand(&mut self, text: NodeId, placeholder: &str) {
        self.warnings.push(
            Diagnostic::new(
                codes::AMPERSAND_LITERAL,
                format!("\"{}\" stays as it is: `&{{}}` works in keys only", shown(placeholder)),
            )
            .at(self.tree.span(text))
            .note("the service leaves `&{}` in the text of Fn::Sub alone")
            .help(format!(
                "look the name up in a mapping by the item, or choose items of letters and digits and write `{}`",
                shown(placeholder).replacen('&', "$", 1)
            )),
        );
    }

    /// Marks the artifact properties of a resource: plain text, or plain text branches of `Fn::If`
    /// (spec language-extensions.md, section 5.4).
    fn artifacts(&mut self, resource: NodeId) {
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
                    self.artifact(entry.value, path);
                }
            }
            [name, ref rest @ ..] => {
                if let Some(value) = self.tree.get_text(node, name) {
                    self.artifact(value, rest);
                }
            }
        }
    }

    fn fill_branches(&mut self, node: NodeId) {
        match self.tree.view(node) {
            View::String(text) if self.placeholder(text, '$').or_else(|| self.placeholder(text, '&')).is_some() => {
                self.marks[node.index()] |= FILLED;
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
