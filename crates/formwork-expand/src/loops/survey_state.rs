//! What a survey knows at a node: the loops around it, and what was found so far.

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
    /// Whether placeholders in every plain string are replaced (`--compat sam`).
    pub(super) fill_all: bool,
    /// Loops that stay.
    pub(super) left: &'f IdSet<NodeId>,
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
    pub(super) literal: Option<NodeId>,
    /// What the current node is a part of.
    pub(super) collection: Collection,
    /// Whether the current loop is in a list.
    pub(super) in_list: bool,
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
    pub(super) kind: MemberKind,
    /// Whether they end up as entries of the section.
    pub(super) of_section: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberKind {
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

    pub(super) fn of(section: Section) -> Members {
        Members { kind: MemberKind::Section(section), of_section: true }
    }

    pub(super) fn with(self, kind: MemberKind) -> Members {
        Members { kind, ..self }
    }
}

impl Survey<'_> {
    /// Looks at something for what depends on it alone: its errors were reported, or are not needed.
    pub(super) fn unchecked<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
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

    /// The loop around the current node that has a variable of this name.
    pub(super) fn loop_of(&self, variable: &str) -> Option<NodeId> {
        self.scope.iter().find(|known| known.name == variable).map(|known| known.of)
    }

    /// A key of a section as written.
    pub(super) fn member(&self, section: Section, name: &str) -> Option<NodeId> {
        self.members.get(&(section, self.tree.symbols().get(name)?)).copied()
    }

    /// The key of the parameter with this name.
    pub(super) fn parameter(&self, name: &str) -> Option<NodeId> {
        let name = self.tree.symbols().get(name)?;
        self.template.parameter(name).map(|parameter| parameter.key)
    }

    /// An error of something that is then not expanded.
    pub(super) fn refuse(&mut self, node: NodeId, diagnostic: Diagnostic) {
        self.declared.bad.insert(node);
        self.declared.found.push(diagnostic);
    }
}
