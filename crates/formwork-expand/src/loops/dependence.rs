//! What depends on a loop's variable, found once per loop.

use std::cell::{Cell, OnceCell};

use formwork_base::Diagnostic;
use formwork_evaluate::{Compat, Evaluator};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Tree, View, flags, symbol};
use formwork_template::Section;
use formwork_template::artifact;
use formwork_template::fill_in::{Around, Spelling};
use formwork_template::placeholder::placeholders;
use formwork_template::reference::sub_parts;

use rustc_hash::FxHashSet;

use super::parts::Loop;
use super::{Rules, Sections, generated, processed};

/// Marks of nodes, by id.
#[derive(Debug)]
pub(super) struct LoopDependence {
    marks: Vec<u8>,
}

/// Something at or below the node depends on a variable, or a loop or merge stands there.
const TOUCHED: u8 = 1;
/// Something at or below the node depends on a variable of a loop around the node.
const VARIES: u8 = 4;
/// A text that takes the items although it is plain: the path of an artifact, or a name in a reference.
const FILLED: u8 = 2;

impl LoopDependence {
    /// Looks through the processed sections of a template.
    pub(super) fn find(
        ev: &mut Evaluator<'_>,
        root: NodeId,
        sections: &Sections,
        rules: Rules,
        left: &FxHashSet<NodeId>,
        wrong: &FxHashSet<NodeId>,
    ) -> LoopDependence {
        let mut warnings = Vec::new();
        let mut finder = Finder {
            tree: ev.tree,
            fill_all: ev.settings.compat == Compat::Sam,
            rules,
            left,
            wrong,
            marks: vec![0; ev.tree.node_count() + 1],
            root,
            spelling: OnceCell::new(),
            around: Around::Value,
            literal: None,
            is_in_conditions: false,
            scope: Vec::new(),
            objects: Vec::new(),
            used: Cell::new(0),
            warnings: &mut warnings,
        };
        for (name, section) in processed(sections) {
            if let Some(node) = generated(finder.tree, root, name) {
                finder.members_of(node, Members::Section(section));
            }
        }
        let uses = LoopDependence { marks: finder.marks };
        for warning in warnings {
            ev.diagnostics.push(warning);
        }
        uses
    }

    /// Whether the node has to be written anew in each iteration.
    pub(super) fn is_touched(&self, node: NodeId) -> bool {
        self.marks.get(node.index()).is_some_and(|mark| mark & TOUCHED != 0)
    }

    /// Whether it is another thing in each iteration of the loops around it.
    pub(super) fn varies(&self, node: NodeId) -> bool {
        self.marks.get(node.index()).is_some_and(|mark| mark & VARIES != 0)
    }

    /// Whether the text takes the items although it is plain.
    pub(super) fn is_filled(&self, node: NodeId) -> bool {
        self.marks.get(node.index()).is_some_and(|mark| mark & FILLED != 0)
    }
}

pub(super) struct Finder<'f> {
    pub(super) tree: &'f Tree,
    /// Whether every plain text takes the items (`--compat sam`).
    fill_all: bool,
    rules: Rules,
    /// Loops that stay.
    left: &'f FxHashSet<NodeId>,
    /// Loops in which nothing is looked at.
    wrong: &'f FxHashSet<NodeId>,
    marks: Vec<u8>,
    /// The root of the file, and how it writes functions, found when it is first asked for.
    pub(super) root: NodeId,
    spelling: OnceCell<Spelling>,
    /// Where the text at hand stands.
    pub(super) around: Around,
    /// The key of the attribute of the member at hand that takes literal text alone.
    literal: Option<NodeId>,
    is_in_conditions: bool,
    pub(super) scope: Vec<&'f str>,
    /// For each variable of the scope, whether it may be an object.
    objects: Vec<bool>,
    /// The variables of the scope that were met, a bit each from the outermost.
    used: Cell<u64>,
    pub(super) warnings: &'f mut Vec<Diagnostic>,
}

/// What the members of an object are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Members {
    /// Those of a section.
    Section(Section),
    /// Those that the fragment of a loop generates, deeper in a section.
    OfFragment,
    /// Others.
    Other,
}

impl Members {
    fn section(self) -> Option<Section> {
        match self {
            Members::Section(section) => Some(section),
            Members::OfFragment | Members::Other => None,
        }
    }
}

impl<'f> Finder<'f> {
    fn mark(&mut self, node: NodeId, touched: bool) -> bool {
        if touched {
            self.marks[node.index()] |= TOUCHED;
        }
        touched
    }

    /// What generates members of this kind: an object of them, or a call that becomes one.
    fn members_of(&mut self, node: NodeId, members: Members) -> bool {
        match (self.tree.view(node), members) {
            (View::Map, _) => self.members(node, members),
            (View::Call(Function::Known(Known::Merge), argument), _) => {
                self.operands(argument, members);
                self.mark(node, true)
            }
            (View::Call(Function::Known(Known::Map), _), Members::Section(section)) => self.fn_map(node, Some(section)),
            _ => self.visit(node),
        }
    }

    /// The operands of a merge, which are members of the object around it.
    fn operands(&mut self, argument: NodeId, members: Members) -> bool {
        for &operand in self.tree.items(argument) {
            self.members_of(operand, members);
        }
        if self.tree.kind(argument) != Kind::List {
            self.visit(argument);
        }
        self.mark(argument, true)
    }

    /// The members of an object.
    fn members(&mut self, node: NodeId, members: Members) -> bool {
        let mut touched = false;
        self.around = Around::Value;
        for entry in self.tree.entries(node).filter(|entry| !self.left.contains(&entry.key)) {
            touched |= if self.rules.for_each && self.tree.loop_name(entry.key).is_some() {
                self.for_each(entry, members.section())
            } else if self.tree.symbol(entry.key) == symbol::FN_MERGE {
                self.operands(entry.value, members)
            } else if self.tree.symbol(entry.key) == symbol::FN_MAP {
                // Beside other members it has no place: it is taken out.
                true
            } else if let Members::Section(section) = members {
                self.member_of_section(entry, section)
            } else {
                self.member(entry, members == Members::OfFragment)
            };
        }
        self.mark(node, touched)
    }

    fn member_of_section(&mut self, entry: Entry, section: Section) -> bool {
        if section == Section::Resources {
            self.artifacts(entry.value);
        }
        self.literal = literal_attribute(self.tree, entry.value, section);
        self.is_in_conditions = section == Section::Conditions;
        let touched = self.visit(entry.value) | self.key(entry.key);
        self.literal = None;
        touched
    }

    /// Only the keys of a fragment take the items, unless all texts do.
    fn member(&mut self, entry: Entry, is_fragment: bool) -> bool {
        if !is_fragment && !self.fill_all {
            self.warn_member_name(entry.key);
        }
        let takes_items = (is_fragment || self.fill_all) && self.key(entry.key);
        // A reference to a condition, by its long name.
        let is_condition = self.is_in_conditions && self.tree.symbol(entry.key) == symbol::CONDITION;
        let around = if is_condition || self.literal == Some(entry.key) { Around::Literal } else { Around::Value };
        self.visit_at(entry.value, around) || takes_items && self.fill_all
    }

    fn for_each(&mut self, entry: Entry, section: Option<Section>) -> bool {
        if let Some(of) = Loop::for_each(self.tree, entry) {
            self.inside(&of, |finder, own| {
                let (tree, fragment) = (finder.tree, of.fragment);
                let members = section.map_or(Members::OfFragment, Members::Section);
                match (tree.kind(fragment), tree.argument_of(fragment, Known::Merge)) {
                    (Kind::Map, _) => finder.members(fragment, members),
                    (_, Some(argument)) => {
                        finder.operands(argument, Members::OfFragment);
                        finder.mark(fragment, true)
                    }
                    (Kind::Call, _) => finder.visit(fragment) | finder.key(tree.call_name(fragment)),
                    _ => finder.visit(fragment),
                };
                if let Some(identifier) = of.position.or(of.variable).filter(|_| finder.used.get() & own == 0) {
                    finder.warn_unused(identifier);
                }
            });
        }
        self.mark(entry.value, true)
    }

    /// Looks at the collection of a loop, and then does `work` with its variables in scope, which are these bits.
    fn inside(&mut self, of: &Loop, work: impl FnOnce(&mut Self, u64)) {
        self.visit(of.collection);
        if self.wrong.contains(&of.id) {
            return;
        }
        let tree: &'f Tree = self.tree;
        let ((position, variable), depth) = (of.variables(tree), self.scope.len());
        self.scope.extend(position.into_iter().chain([variable]));
        self.objects.resize(self.scope.len(), of.is_map || self.rules.formwork);
        let outer = self.used.replace(0);
        work(self, self.mask() & !((1 << depth.min(63)) - 1));
        self.scope.truncate(depth);
        self.objects.truncate(depth);
        self.used.set((outer | self.used.get()) & self.mask());
    }

    /// An `Fn::Map`: its variables are in visibility in all its parts but the collection.
    fn fn_map(&mut self, call: NodeId, section: Option<Section>) -> bool {
        if let Some(of) = Loop::map(self.tree, call) {
            self.inside(&of, |finder, _| {
                if let Some(key) = of.key {
                    finder.map_key(key);
                }
                if let Some(when) = of.when {
                    finder.visit(when);
                }
                if section == Some(Section::Resources) {
                    finder.artifacts(of.fragment);
                }
                // One member or item, not an object of members.
                finder.visit(of.fragment);
            });
        }
        self.mark(call, true)
    }

    /// The bits of the variables in the scope.
    fn mask(&self) -> u64 {
        1_u64.checked_shl(self.scope.len() as u32).map_or(u64::MAX, |bit| bit - 1)
    }

    /// The key of an `Fn::Map`: a text is an `Fn::Sub` in all but name, and `&{}` works here, too.
    fn map_key(&mut self, key: NodeId) {
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
        self.scope.iter().rposition(|&known| known == name)
    }

    fn mark_used(&self, at: usize) {
        self.used.set(self.used.get() | 1 << at.min(63));
    }

    /// The first variable of the scope whose placeholder with this mark stands in a text.
    pub(super) fn placeholder(&self, text: &str, mark: char) -> Option<String> {
        let mut first: Option<(usize, String)> = None;
        for found in placeholders(text).filter(|found| found.mark == mark) {
            for (at, &name) in self.scope.iter().enumerate() {
                let (is_item, is_attribute) = found.names(name);
                if !(is_item || is_attribute && self.objects[at]) {
                    continue;
                }
                self.mark_used(at);
                let end = if is_item { '}' } else { '.' };
                if first.as_ref().is_none_or(|&(known, _)| at < known) {
                    first = Some((at, format!("{mark}{{{name}{end}")));
                }
            }
        }
        first.map(|(_, written)| written)
    }

    fn visit(&mut self, node: NodeId) -> bool {
        self.visit_at(node, self.around)
    }

    /// Looks at a node in a place.
    fn visit_at(&mut self, node: NodeId, around: Around) -> bool {
        if !self.tree.has(node, flags::HAS_CALL | flags::HAS_PLACEHOLDER | flags::HAS_LOOP) {
            return false;
        }
        let outer_around = std::mem::replace(&mut self.around, around);
        let outer = self.used.replace(0);
        let touched = self.look(node);
        self.around = outer_around;
        let used = self.used.get() & self.mask();
        if used != 0 {
            self.marks[node.index()] |= VARIES;
        }
        self.used.set(outer | used);
        self.mark(node, touched)
    }

    fn look(&mut self, node: NodeId) -> bool {
        match self.tree.view(node) {
            View::String(text) => self.text(node, text),
            View::List(items) => {
                items.iter().fold(false, |touched, &item| self.visit_at(item, Around::Value) | touched)
            }
            View::Map => self.members(node, Members::Other),
            View::Call(function, argument) => self.call(node, function, argument),
            _ => false,
        }
    }

    fn text(&mut self, node: NodeId, text: &str) -> bool {
        let Some(placeholder) = self.any_placeholder(text) else { return false };
        if self.fill_all {
            self.marks[node.index()] |= FILLED;
        }
        if self.marks[node.index()] & FILLED != 0 {
            return true;
        }
        self.warn_plain_text(node, &placeholder);
        false
    }

    fn call(&mut self, node: NodeId, function: Function, argument: NodeId) -> bool {
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
                let object = name.and_then(|name| self.variable(name)).filter(|&at| self.objects[at]);
                object.inspect(|&at| self.mark_used(at));
                self.visit_at(argument, Around::Call(node)) || object.is_some()
            }
            Function::Known(Known::Map) => self.fn_map(node, None),
            Function::Known(Known::Merge | Known::Range | Known::Zip) => {
                self.visit(argument);
                true
            }
            Function::Known(Known::Sub) => {
                let (text, map) = sub_parts(self.tree, argument);
                let written = self.tree.text(text);
                let mut touched = self.placeholder(written, '$').is_some();
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
            // A condition; a delimiter.
            Function::Known(known @ (Known::If | Known::Join | Known::Split))
                if self.tree.kind(argument) == Kind::List =>
            {
                self.first_literal(argument, known == Known::If)
            }
            _ => self.visit_at(argument, Around::Call(node)),
        }
    }

    /// Marks a name in `Ref` or `Fn::GetAtt` that takes the items: with `Formwork` declared a loop can
    /// refer to what its keys named with `&{}`.
    fn fill_name(&mut self, name: NodeId) {
        if self.rules.formwork && self.tree.string(name).is_some_and(|text| self.placeholder(text, '&').is_some()) {
            self.marks[name.index()] |= FILLED;
        }
    }

    /// The arguments of a call of which the first one is literal. A function in the place of the condition of an
    /// `Fn::If` is refused as it is written: what its placeholders become is no second finding.
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

    /// Marks the artifact properties of a resource: plain text, or plain text branches of `Fn::If`
    /// (reference/for-each.md#substitution).
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

    fn fill_branches(&mut self, node: NodeId) {
        match self.tree.view(node) {
            View::String(text) if self.any_placeholder(text).is_some() => {
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

/// The attribute of a member that takes literal text alone: a resource's type, an output's description.
fn literal_attribute(tree: &Tree, member: NodeId, section: Section) -> Option<NodeId> {
    let name = match section {
        Section::Resources => symbol::TYPE,
        Section::Outputs => symbol::DESCRIPTION,
        _ => return None,
    };
    tree.member(member, name).map(|entry| entry.key)
}
