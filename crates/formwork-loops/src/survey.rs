//! A walk over the sections of a file before anything is expanded: the declarations of loops are checked, and nodes
//! that depend on their variables are marked, once per loop.

use std::cell::{Cell, OnceCell};

use formwork_base::{Diagnostic, IdSet};
use formwork_evaluate::{Compat, Evaluator};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Tree, View, flags, symbol};
use formwork_template::fill_in::Around;
use formwork_template::reference::sub_parts;
use formwork_template::{Section, sub_string};
use rustc_hash::FxHashMap;

use super::declared::{Collection, Declared, LoopAround, Variable};
use super::loop_dependence::LoopDependence;
use super::parts::Loop;
use super::survey_state::{EntryScope, EntryScopeKind, Survey};
use super::{Rules, Sections, generated, processed};

pub(super) struct Surveyed {
    pub(super) uses: LoopDependence,
    pub(super) bad: IdSet<NodeId>,
    pub(super) too_deep: bool,
}

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
                    self.members_of(entry.value, EntryScope::of(section));
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

    fn visit(&mut self, node: NodeId) -> bool {
        self.visit_at(node, self.around)
    }

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
            View::Map => self.members(node, EntryScope::OF_VALUE),
            View::Call(function, argument) => self.call(node, function, argument),
            _ => false,
        }
    }

    /// Visits a node that generates entries of this kind: an object of them, or a call that becomes one.
    fn members_of(&mut self, node: NodeId, scope: EntryScope) -> bool {
        match self.tree.view(node) {
            View::Map => self.members(node, scope),
            View::Call(Function::Known(Known::Merge), argument) => {
                self.merged(argument, scope);
                self.mark(node, true)
            }
            View::Call(Function::Known(Known::Map), _) => self.fn_map(node, scope),
            _ => self.visit_at(node, Around::Value),
        }
    }

    fn merged(&mut self, argument: NodeId, scope: EntryScope) -> bool {
        self.operands(argument, scope);
        self.mark(argument, true)
    }

    fn operands(&mut self, argument: NodeId, scope: EntryScope) -> bool {
        let tree = self.tree;
        match tree.view(argument) {
            View::List(items) => {
                items.iter().fold(false, |touched, &operand| self.members_of(operand, scope) | touched)
            }
            View::Call(..) => self.members_of(argument, scope.with(EntryScopeKind::Other)),
            _ => self.unchecked(|survey| survey.visit(argument)),
        }
    }

    fn members(&mut self, node: NodeId, scope: EntryScope) -> bool {
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
                symbol::FN_MERGE => self.merged(entry.value, scope),
                _ if tree.loop_name(entry.key).is_none() => self.entry(entry, scope.kind),
                _ if self.rules.for_each => self.for_each(entry, scope),
                _ => {
                    self.undeclared(entry.key, scope.of_section);
                    self.unchecked(|survey| survey.entry(entry, scope.kind))
                }
            };
        }
        self.mark(node, touched)
    }

    /// Visits an entry as written. Only placeholders in keys of a fragment are replaced, unless all are.
    fn entry(&mut self, entry: Entry, kind: EntryScopeKind) -> bool {
        if let EntryScopeKind::Section(section) = kind {
            if section == Section::Resources {
                self.artifacts(entry.value);
            }
            self.literal = literal_attribute(self.tree, entry.value, section);
            let touched = self.visit(entry.value) | self.key(entry.key);
            self.literal = None;
            return touched;
        }
        let is_fragment = kind == EntryScopeKind::OfFragment;
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

    fn for_each(&mut self, entry: Entry, scope: EntryScope) -> bool {
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
                    survey.fragment(of.fragment, scope);
                    let is_unused = survey.used.get() & own == 0 && !survey.is_misspelt_in_key(of.fragment, &names);
                    if let Some(identifier) = identifiers().next().filter(|_| is_unused) {
                        survey.warn_unused(identifier);
                    }
                });
            }
        }
        self.mark(entry.value, true)
    }

    fn fragment(&mut self, fragment: NodeId, scope: EntryScope) -> bool {
        let inner = scope.with(EntryScopeKind::OfFragment);
        match self.tree.view(fragment) {
            View::Map if matches!(scope.kind, EntryScopeKind::Section(_)) => self.members(fragment, scope),
            View::Call(function, _) if !matches!(function, Function::Known(Known::Map | Known::Merge)) => {
                self.visit(fragment) | self.key(self.tree.call_name(fragment))
            }
            _ => self.members_of(fragment, inner),
        }
    }

    fn wrong(&mut self, id: NodeId, diagnostic: Diagnostic, of: Option<Loop>) {
        self.refuse(id, diagnostic);
        if let Some(of) = of {
            self.unchecked(|survey| survey.visit(of.collection));
        }
    }

    /// Visits the collection of a loop, and then does `work` with its variables in scope, which are these bits.
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
        // Variables from the 64th on share one bit.
        if names.len() == 2 && depth < 62 && self.used.get() & (1 << depth) == 0 {
            self.uses.leave_out_position(of);
        }
        self.scope.truncate(depth);
        self.loops.pop();
        self.used.set((outer | self.used.get()) & self.mask());
        self.collection = outer_collection;
    }

    /// Visits an `Fn::Map`: its variables are in scope in all its parts but the collection.
    fn fn_map(&mut self, call: NodeId, scope: EntryScope) -> bool {
        let tree = self.tree;
        self.deeper(tree.call_name(call), true);
        match self.map_parts(call) {
            Err(diagnostic) => self.wrong(call, *diagnostic, Loop::map(tree, call)),
            Ok(of) => {
                let names = self.map_declared(&of, scope.of_section);
                self.inside(&of, &names, |survey, _| match names.len() {
                    2 => survey.map_inside(&of, scope),
                    // The error in one of them was reported.
                    _ => survey.unfilled(|survey| survey.map_inside(&of, scope)),
                });
            }
        }
        self.mark(call, true)
    }

    fn map_inside(&mut self, of: &Loop, scope: EntryScope) {
        if let Some(key) = of.key {
            self.map_key(key);
        }
        if let Some(when) = of.when {
            self.visit(when);
        }
        if scope.kind == EntryScopeKind::Section(Section::Resources) {
            self.artifacts(of.fragment);
        }
        // A single entry or element, not an object of entries.
        self.visit(of.fragment);
    }

    /// Visits the key of an `Fn::Map`: a string is evaluated like an `Fn::Sub`, and `&{}` is replaced, too.
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

    fn text(&mut self, node: NodeId, text: &str) -> bool {
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
                let variable = name.and_then(|name| self.variable(name)).inspect(|&at| self.mark_used(at));
                let object = variable.filter(|&at| self.scope[at].may_be_object);
                self.visit_at(argument, Around::Call(node)) || object.is_some()
            }
            Function::Known(Known::Map) => self.fn_map(node, EntryScope::OF_VALUE),
            Function::Known(Known::Merge) => {
                let touched = self.operands(argument, EntryScope::OF_VALUE);
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

    fn loops_beside(&mut self, argument: NodeId, map: Option<NodeId>) {
        let (tree, alone) = (self.tree, [argument]);
        let parts = if tree.kind(argument) == Kind::List { tree.items(argument) } else { &alone };
        for &part in parts.iter().filter(|&&part| Some(part) != map && tree.has(part, flags::HAS_LOOP)) {
            self.unfilled(|survey| survey.visit(part));
        }
    }

    /// Visits the arguments of a call of which the first one is literal. A function in place of the condition of an
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
}

/// Returns the attribute of an entry that must be a literal string: a resource's type, an output's description.
fn literal_attribute(tree: &Tree, member: NodeId, section: Section) -> Option<NodeId> {
    let name = match section {
        Section::Resources => symbol::TYPE,
        Section::Outputs => symbol::DESCRIPTION,
        _ => return None,
    };
    tree.member(member, name).map(|entry| entry.key)
}
