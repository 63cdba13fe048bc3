//! Modes in which nodes are rewritten.

use formwork_evaluate::Values;
use formwork_syntax::Symbol;

use super::Linker;

#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Modes {
    /// Set when the rewritten node is in the result unchanged, and the next stage computes it.
    pub(super) is_body: bool,
    /// Set in the argument of `Fn::ToJsonString`, where null is a value.
    pub(super) nulls_are_data: bool,
    /// Set when conditions are rewritten to be checked: none is decided or simplified.
    pub(super) is_checking: bool,
    /// Full names of conditions that hold at the node: that of its entry, and that of the branch it is in.
    pub(super) under: [Option<Symbol>; 2],
}

impl Linker<'_> {
    pub(super) fn with_modes<R>(&mut self, modes: Modes, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.values.modes, modes);
        let result = work(self);
        self.values.modes = outer;
        result
    }

    pub(super) fn known<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let Modes { is_checking, under, .. } = self.values.modes;
        self.with_modes(Modes { is_checking, under, ..Modes::default() }, work)
    }

    /// Calls `work` for a value that is written into the result unchanged. With `--values all` its calls are left for
    /// the stage that computes all of them.
    pub(super) fn in_body<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let is_body = matches!(self.settings.values, Values::All | Values::Resolve);
        self.with_modes(Modes { is_body, ..self.values.modes }, work)
    }
}
