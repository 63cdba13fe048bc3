//! The state of a survey at a node: the surrounding loops, and the findings so far.

use std::cell::{Cell, OnceCell};

use formwork_base::{Diagnostic, IdSet};
use formwork_syntax::{NodeId, Symbol, Tree};
use formwork_template::fill_in::{Around, Spelling};
use formwork_template::{Section, Template};
use rustc_hash::FxHashMap;

use super::Rules;
use super::declared::{Collection, Declared, LoopAround, Variable};
use super::loop_dependence::LoopDependence;

pub(super) struct Survey<'f> {
    pub(super) tree: &'f Tree,
    pub(super) template: &'f Template,
    pub(super) rules: Rules,
    /// Set when placeholders in every plain string are replaced (`--compat sam`).
    pub(super) fill_all: bool,
    pub(super) left: &'f IdSet<NodeId>,
    pub(super) members: FxHashMap<(Section, Symbol), NodeId>,
    pub(super) root: NodeId,
    pub(super) spelling: OnceCell<Spelling>,
    pub(super) section: Section,
    pub(super) around: Around,
    /// The key of the attribute of the current entry that must be a literal string.
    pub(super) literal: Option<NodeId>,
    pub(super) collection: Collection,
    pub(super) in_list: bool,
    pub(super) loops: Vec<LoopAround<'f>>,
    /// The variables of `loops`, outermost first.
    pub(super) scope: Vec<Variable<'f>>,
    /// The variables that were used, a bit each, outermost first.
    pub(super) used: Cell<u64>,
    pub(super) uses: LoopDependence,
    pub(super) declared: Declared<'f>,
    pub(super) warnings: Vec<Diagnostic>,
}

#[derive(Clone, Copy)]
pub(super) struct EntryScope {
    pub(super) kind: EntryScopeKind,
    /// Set when they end up as entries of the section.
    pub(super) of_section: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryScopeKind {
    Section(Section),
    OfFragment,
    Other,
}

impl EntryScope {
    pub(super) const OF_VALUE: EntryScope = EntryScope { kind: EntryScopeKind::Other, of_section: false };

    pub(super) fn of(section: Section) -> EntryScope {
        EntryScope { kind: EntryScopeKind::Section(section), of_section: true }
    }

    pub(super) fn with(self, kind: EntryScopeKind) -> EntryScope {
        EntryScope { kind, ..self }
    }
}

impl Survey<'_> {
    /// Visits a part only for its dependence: its errors were reported, or are not needed.
    pub(super) fn unchecked<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let declared = std::mem::take(&mut self.declared);
        let done = work(self);
        self.declared = declared;
        done
    }

    /// Visits a part only for its declarations: no items are inserted into it.
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

    pub(super) fn loop_of(&self, variable: &str) -> Option<NodeId> {
        self.scope.iter().find(|known| known.name == variable).map(|known| known.of)
    }

    pub(super) fn member(&self, section: Section, name: &str) -> Option<NodeId> {
        self.members.get(&(section, self.tree.symbols().get(name)?)).copied()
    }

    pub(super) fn parameter(&self, name: &str) -> Option<NodeId> {
        let name = self.tree.symbols().get(name)?;
        self.template.parameter(name).map(|parameter| parameter.key)
    }

    pub(super) fn refuse(&mut self, node: NodeId, diagnostic: Diagnostic) {
        self.declared.bad.insert(node);
        self.declared.found.push(diagnostic);
    }
}
