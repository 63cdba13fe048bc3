//! One walk over the sections of a file before anything is expanded: loops are looked at as they are declared,
//! and what depends on their variables is marked, once per loop.

use std::cell::{Cell, OnceCell};

use formwork_base::{Diagnostic, IdSet};
use formwork_evaluate::{Compat, Evaluator};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, NodeId, Symbol, Tree, View, flags, symbol};
use formwork_template::fill_in::{Around, Spelling};
use formwork_template::{Section, Template};
use rustc_hash::FxHashMap;

use super::declared::{Collection, Declared, LoopAround, Variable};
use super::loop_dependence::LoopDependence;
use super::parts::Loop;
use super::{Rules, Sections, generated, processed};

/// What the walk found.
pub(super) struct Surveyed {
    pub(super) uses: LoopDependence,
    /// Keys of loops that cannot be expanded.
    pub(super) bad: IdSet<NodeId>,
    /// Whether loops are nested too deep to unroll any.
    pub(super) too_deep: bool,
}

pub(super) struct Survey<'f> {
    pub(super) tree: &'f Tree,
    pub(super) template: &'f Template,
    pub(super) rules: Rules,
    /// Whether placeholders in every plain string are replaced (`--compat sam`).
    pub(super) fill_all: bool,
    /// Loops that stay.
    left: &'f IdSet<NodeId>,
    /// The entries that sections have as they are written, by the name.
    pub(super) members: FxHashMap<(Section, Symbol), NodeId>,
    /// The root of the file, and how it writes functions, found when it is first asked for.
    pub(super) root: NodeId,
    pub(super) spelling: OnceCell<Spelling>,
    /// The section of the current node.
    pub(super) section: Section,
    /// The place of the current string.
    pub(super) around: Around,
    /// The key of the attribute of the current entry that must be a literal string.
    literal: Option<NodeId>,
    /// What the current node is a part of.
    pub(super) collection: Collection,
    /// Whether the current loop is in a list.
    in_list: bool,
    /// Loops around the current node.
    pub(super) loops: Vec<LoopAround<'f>>,
    /// Their variables, from the outermost.
    pub(super) scope: Vec<Variable<'f>>,
    /// Those that were met, a bit each from the outermost.
    pub(super) used: Cell<u64>,
    pub(super) uses: LoopDependence,
    pub(super) declared: Declared<'f>,
    /// Warnings about placeholders and variables.
    pub(super) warnings: Vec<Diagnostic>,
}

/// What the entries of an object are.
#[derive(Clone, Copy)]
pub(super) struct Members {
    kind: MemberKind,
    /// Whether they end up as entries of the section.
    pub(super) of_section: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MemberKind {
    /// Those of a section.
    Section(Section),
    /// Those that the fragment of a loop generates, deeper in a section.
    OfFragment,
    /// Others.
    Other,
}

impl Members {
    /// Entries of an object that is a value.
    pub(super) const OF_VALUE: Members = Members { kind: MemberKind::Other, of_section: false };

    fn of(section: Section) -> Members {
        Members { kind: MemberKind::Section(section), of_section: true }
    }

    fn with(self, kind: MemberKind) -> Members {
        Members { kind, ..self }
    }
}

/// Looks through the sections of a file. Errors and warnings there are reported.
pub(super) fn survey(
    ev: &mut Evaluator<'_>,
    root: NodeId,
    sections: &Sections,
    rules: Rules,
    left: &IdSet<NodeId>,
) -> Surveyed {
    let tree = &*ev.tree;
    let mut members = FxHashMap::default();
    for (name, section) in processed(sections).collect::<Vec<_>>().into_iter().rev() {
        let entries = tree.get(root, name).into_iter().flat_map(|node| tree.entries(node));
        members.extend(entries.map(|entry| ((section, tree.symbol(entry.key)), entry.key)));
    }
    let mut survey = Survey {
        tree,
        template: ev.template,
        rules,
        fill_all: ev.settings.compat == Compat::Sam,
        left,
        members,
        root,
        spelling: OnceCell::new(),
        section: Section::Resources,
        around: Around::Value,
        literal: None,
        collection: Collection::None,
        in_list: false,
        loops: Vec::new(),
        scope: Vec::new(),
        used: Cell::new(0),
        uses: LoopDependence::new(tree),
        declared: Declared::default(),
        warnings: Vec::new(),
    };
    survey.sections(sections);
    let Survey { uses, declared, warnings, .. } = survey;
    let Declared { found, bad, deepest, .. } = declared;
    let deepest = deepest.map(|deepest| deepest.diagnostic(tree));
    let too_deep = deepest.is_some();
    ev.diagnostics.extend(found.into_iter().chain(deepest).chain(warnings));
    Surveyed { uses, bad, too_deep }
}

impl<'f> Survey<'f> {
    fn sections(&mut self, sections: &Sections) {
        let tree = self.tree;
        for entry in tree.entries(self.root) {
            let name = tree.symbol(entry.key);
            let Some((_, members)) = sections.iter().find(|&&(known, _)| known == name) else { continue };
            match members.section() {
                _ if tree.loop_name(entry.key).is_some() => self.misplaced(entry.key, "at the top of a template"),
                Some(section) => {
                    self.section = section;
                    let known = self.warnings.len();
                    self.members_of(entry.value, Members::of(section));
                    if generated(tree, self.root, name).is_none() {
                        self.warnings.truncate(known);
                    }
                }
                None => self.elsewhere(entry.value, tree.text(entry.key)),
            }
        }
        if self.rules.for_each {
            self.repeated_names();
            self.names_against_identifiers();
        }
    }

    /// Looks at something for what depends on it alone: its errors were reported, or are not needed.
    fn unchecked<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let declared = std::mem::take(&mut self.declared);
        let done = work(self);
        self.declared = declared;
        done
    }

    /// Looks at something for what is declared in it alone: nothing is put into it.
    pub(super) fn unfilled<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let (warnings, used) = (self.warnings.len(), self.used.get());
        let done = work(self);
        self.warnings.truncate(warnings);
        self.used.set(used);
        done
    }

    pub(super) fn mark(&mut self, node: NodeId, touched: bool) -> bool {
        if touched {
            self.uses.touch(node);
        }
        touched
    }

    pub(super) fn visit(&mut self, node: NodeId) -> bool {
        self.visit_at(node, self.around)
    }

    /// Looks at a node in a place.
    pub(super) fn visit_at(&mut self, node: NodeId, around: Around) -> bool {
        if !self.tree.has(node, flags::HAS_CALL | flags::HAS_PLACEHOLDER | flags::HAS_LOOP) {
            return false;
        }
        let outer_around = std::mem::replace(&mut self.around, around);
        let outer = self.used.replace(0);
        let touched = self.look(node);
        self.around = outer_around;
        let used = self.used.get() & self.mask();
        if used != 0 {
            self.uses.vary(node);
        }
        self.used.set(outer | used);
        self.mark(node, touched)
    }

    fn look(&mut self, node: NodeId) -> bool {
        let tree = self.tree;
        match tree.view(node) {
            View::String(text) => self.text(node, text),
            View::List(items) => items.iter().fold(false, |touched, &item| {
                self.in_list = self.rules.loops_make_items() && Loop::in_list(tree, item).is_some();
                self.visit_at(item, Around::Value) | touched
            }),
            View::Map => self.members(node, Members::OF_VALUE),
            View::Call(function, argument) => self.call(node, function, argument),
            _ => false,
        }
    }

    /// What generates entries of this kind: an object of them, or a call that becomes one.
    fn members_of(&mut self, node: NodeId, members: Members) -> bool {
        match self.tree.view(node) {
            View::Map => self.members(node, members),
            View::Call(Function::Known(Known::Merge), argument) => {
                self.merged(argument, members);
                self.mark(node, true)
            }
            View::Call(Function::Known(Known::Map), _) => self.fn_map(node, members),
            _ => self.visit_at(node, Around::Value),
        }
    }

    /// The operands of a merge, which are entries of the object around it.
    fn merged(&mut self, argument: NodeId, members: Members) -> bool {
        self.operands(argument, members);
        self.mark(argument, true)
    }

    pub(super) fn operands(&mut self, argument: NodeId, members: Members) -> bool {
        let tree = self.tree;
        match tree.view(argument) {
            View::List(items) => {
                items.iter().fold(false, |touched, &operand| self.members_of(operand, members) | touched)
            }
            View::Call(..) => self.members_of(argument, members.with(MemberKind::Other)),
            _ => self.unchecked(|survey| survey.visit(argument)),
        }
    }

    /// The entries of an object.
    fn members(&mut self, node: NodeId, members: Members) -> bool {
        let (tree, left) = (self.tree, self.left);
        let mut touched = false;
        self.around = Around::Value;
        for entry in tree.entries(node).filter(|entry| !left.contains(&entry.key)) {
            touched |= match tree.symbol(entry.key) {
                // Beside other keys it is not allowed: it is removed.
                symbol::FN_MAP => {
                    self.siblings(entry.key);
                    true
                }
                symbol::FN_MERGE => self.merged(entry.value, members),
                _ if tree.loop_name(entry.key).is_none() => self.entry(entry, members.kind),
                _ if self.rules.for_each => self.for_each(entry, members),
                _ => {
                    self.undeclared(entry.key, members.of_section);
                    self.unchecked(|survey| survey.entry(entry, members.kind))
                }
            };
        }
        self.mark(node, touched)
    }

    /// An entry as written. Only placeholders in keys of a fragment are replaced, unless all are.
    fn entry(&mut self, entry: Entry, kind: MemberKind) -> bool {
        if let MemberKind::Section(section) = kind {
            if section == Section::Resources {
                self.artifacts(entry.value);
            }
            self.literal = literal_attribute(self.tree, entry.value, section);
            let touched = self.visit(entry.value) | self.key(entry.key);
            self.literal = None;
            return touched;
        }
        let is_fragment = kind == MemberKind::OfFragment;
        if !is_fragment && !self.fill_all {
            self.warn_member_name(entry.key);
        }
        if self.tree.symbol(entry.key) == symbol::FN_TRANSFORM {
            self.include(entry.value);
        }
        let takes_items = (is_fragment || self.fill_all) && self.key(entry.key);
        // A reference to a condition, by its long name.
        let is_condition = self.section == Section::Conditions && self.tree.symbol(entry.key) == symbol::CONDITION;
        let around = if is_condition || self.literal == Some(entry.key) { Around::Literal } else { Around::Value };
        self.visit_at(entry.value, around) || takes_items && self.fill_all
    }

    fn for_each(&mut self, entry: Entry, members: Members) -> bool {
        let tree = self.tree;
        let (key, name) = (entry.key, tree.loop_name(entry.key).unwrap_or_default());
        self.deeper(key, false);
        let in_list = std::mem::take(&mut self.in_list);
        match self.layout(entry, name, in_list) {
            Err(diagnostic) => self.wrong(key, *diagnostic, Loop::for_each(tree, entry)),
            Ok(of) => {
                let identifiers = || [of.position, of.variable].into_iter().flatten();
                identifiers().for_each(|identifier| self.names(key, name, identifier));
                let names: Vec<&str> = identifiers().map(|identifier| tree.text(identifier)).collect();
                self.inside(&of, &names, |survey, own| {
                    survey.fragment(of.fragment, members);
                    let is_unused = survey.used.get() & own == 0 && !survey.is_misspelt_in_key(of.fragment, &names);
                    if let Some(identifier) = identifiers().next().filter(|_| is_unused) {
                        survey.warn_unused(identifier);
                    }
                });
            }
        }
        self.mark(entry.value, true)
    }

    /// The fragment of an `Fn::ForEach`.
    fn fragment(&mut self, fragment: NodeId, members: Members) -> bool {
        let inner = members.with(MemberKind::OfFragment);
        match self.tree.view(fragment) {
            View::Map if matches!(members.kind, MemberKind::Section(_)) => self.members(fragment, members),
            View::Call(function, _) if !matches!(function, Function::Known(Known::Map | Known::Merge)) => {
                self.visit(fragment) | self.key(self.tree.call_name(fragment))
            }
            _ => self.members_of(fragment, inner),
        }
    }

    /// A loop whose parts are not what they have to be: nothing else is looked at in it.
    fn wrong(&mut self, id: NodeId, diagnostic: Diagnostic, of: Option<Loop>) {
        self.refuse(id, diagnostic);
        if let Some(of) = of {
            self.unchecked(|survey| survey.visit(of.collection));
        }
    }

    /// Looks at the collection of a loop, and then does `work` with its variables in scope, which are these bits.
    fn inside(&mut self, of: &Loop, names: &[&'f str], work: impl FnOnce(&mut Self, u64)) {
        let is_full = of.is_map || self.rules.formwork;
        let kind = if is_full { Collection::Full } else { Collection::Plain };
        let outer_collection = std::mem::replace(&mut self.collection, kind);
        self.visit(of.collection);
        self.collection = Collection::None;
        let depth = self.scope.len();
        self.loops.push(LoopAround { key: of.site, name: self.tree.loop_name(of.site) });
        self.scope.extend(names.iter().map(|&name| Variable { name, may_be_object: is_full, of: of.site }));
        let outer = self.used.replace(0);
        work(self, self.mask() & !((1 << depth.min(63)) - 1));
        // Variables from the 64th on have one bit together.
        if names.len() == 2 && depth < 62 && self.used.get() & (1 << depth) == 0 {
            self.uses.leave_out_position(of);
        }
        self.scope.truncate(depth);
        self.loops.pop();
        self.used.set((outer | self.used.get()) & self.mask());
        self.collection = outer_collection;
    }

    /// An `Fn::Map`: its variables are in scope in all its parts but the collection.
    pub(super) fn fn_map(&mut self, call: NodeId, members: Members) -> bool {
        let tree = self.tree;
        self.deeper(tree.call_name(call), true);
        match self.map_parts(call) {
            Err(diagnostic) => self.wrong(call, *diagnostic, Loop::map(tree, call)),
            Ok(of) => {
                let names = self.map_declared(&of, members.of_section);
                self.inside(&of, &names, |survey, _| match names.len() {
                    2 => survey.map_inside(&of, members),
                    // It was reported that one of them is wrong.
                    _ => survey.unfilled(|survey| survey.map_inside(&of, members)),
                });
            }
        }
        self.mark(call, true)
    }

    fn map_inside(&mut self, of: &Loop, members: Members) {
        if let Some(key) = of.key {
            self.map_key(key);
        }
        if let Some(when) = of.when {
            self.visit(when);
        }
        if members.kind == MemberKind::Section(Section::Resources) {
            self.artifacts(of.fragment);
        }
        // One entry or element, not an object of entries.
        self.visit(of.fragment);
    }
}

/// The attribute of an entry that must be a literal string: a resource's type, an output's description.
fn literal_attribute(tree: &Tree, member: NodeId, section: Section) -> Option<NodeId> {
    let name = match section {
        Section::Resources => symbol::TYPE,
        Section::Outputs => symbol::DESCRIPTION,
        _ => return None,
    };
    tree.member(member, name).map(|entry| entry.key)
}
