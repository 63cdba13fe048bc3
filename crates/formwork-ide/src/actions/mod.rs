//! Code actions of an editor. Each is compiled before it is offered, or before it is applied: an action that adds a
//! diagnostic is not offered, and a refactoring must not change the expansion.

mod allow;
mod candidates;
mod create;
mod entry;
mod extract_constant;
mod extract_module;
mod extract_parameter;
mod fix_all;
mod fixes;
mod inline_constant;
mod inline_import;
mod inline_loop;
mod inline_parameter;
mod join;
mod site;
mod spelling;
mod style;
mod to_loop;
mod to_sub;

use std::ops::Range;

use formwork::{Cancellation, Cancelled, FileRange, VirtualPath};

use self::candidates::Candidates;
use crate::proof::Before;
use crate::{Edit, FileEdits, Ide};

/// A kind of code action, by its name in the protocol of editors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// A fix of a diagnostic.
    QuickFix,
    /// All safe fixes of the file.
    FixAll,
    /// The extraction of a value to a declaration.
    Extract,
    /// The replacement of a name by its value.
    Inline,
    /// The conversion to another form.
    Rewrite,
}

impl ActionKind {
    /// All kinds.
    pub const ALL: [ActionKind; 5] =
        [ActionKind::QuickFix, ActionKind::FixAll, ActionKind::Extract, ActionKind::Inline, ActionKind::Rewrite];

    /// Returns the name in the protocol of editors.
    pub fn name(self) -> &'static str {
        match self {
            ActionKind::QuickFix => "quickfix",
            ActionKind::FixAll => "source.fixAll.formwork",
            ActionKind::Extract => "refactor.extract",
            ActionKind::Inline => "refactor.inline",
            ActionKind::Rewrite => "refactor.rewrite",
        }
    }
}

/// A code action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// The title, in a few words.
    pub title: String,
    /// The kind.
    pub kind: ActionKind,
    /// `true` if it is most likely what the author wants.
    pub is_preferred: bool,
    /// `true` if it was compiled. Otherwise [`prove`] decides whether it may be applied.
    pub is_proved: bool,
    /// The edits.
    pub edits: Vec<FileEdits>,
    /// The diagnostic that it fixes: code and place.
    pub fixes: Option<(String, FileRange)>,
}

pub(crate) struct Spot<'s, 'h> {
    pub(crate) ide: &'s Ide<'h>,
    pub(crate) file: &'s VirtualPath,
    pub(crate) range: Range<u32>,
    pub(crate) before: Before<'s, 'h>,
}

impl Spot<'_, '_> {
    fn action(&self, title: impl Into<String>, kind: ActionKind, mut edits: Vec<Edit>) -> Action {
        edits.sort();
        let edits = vec![FileEdits { file: self.file.clone(), is_new: false, edits }];
        Action { title: title.into(), kind, is_preferred: false, is_proved: true, edits, fixes: None }
    }

    fn touches(&self, range: &Range<u32>) -> bool {
        range.start <= self.range.end && self.range.start <= range.end
    }

    fn text(&self) -> &str {
        self.ide.file(self.file).map_or("", |index| index.text())
    }

    fn is_json(&self) -> bool {
        self.text().trim_start().starts_with('{')
    }
}

/// The requested actions.
pub struct Wanted<'w> {
    /// Returns `true` for the requested kinds.
    pub kinds: &'w dyn Fn(ActionKind) -> bool,
    /// Set to also offer quick fixes that were not compiled, if there are many.
    pub are_unproved: bool,
    /// Ends the search.
    pub cancellation: &'w Cancellation,
}

/// Returns the actions for a range of the template's file. A range may have as many quick fixes as diagnostics, of
/// which only a few are compiled: the others are left out, or offered unverified.
///
/// # Errors
/// [`Cancelled`] when the caller no longer waits for them.
pub fn actions(
    ide: &Ide<'_>,
    file: &VirtualPath,
    range: Range<u32>,
    wanted: &Wanted<'_>,
) -> Result<Vec<Action>, Cancelled> {
    if file != ide.root() || ide.file(file).is_none() {
        return Ok(Vec::new());
    }
    let spot = Spot { ide, file, range, before: Before::new(ide, wanted.cancellation) };
    let is_wanted = wanted.kinds;
    let mut found = Vec::new();
    if is_wanted(ActionKind::QuickFix) {
        let candidates = Candidates::new(&spot, wanted.are_unproved);
        found.extend(quick_fixes(&spot, candidates)?);
    }
    if is_wanted(ActionKind::FixAll) {
        found.extend(fix_all::action(&spot));
    }
    if is_wanted(ActionKind::Extract) {
        found.extend(extract_parameter::action(&spot));
        found.extend(extract_constant::action(&spot));
        found.extend(extract_module::action(&spot));
    }
    if is_wanted(ActionKind::Inline) {
        found.extend(inline_loop::action(&spot));
        found.extend(inline_parameter::action(&spot));
        found.extend(inline_constant::action(&spot));
        found.extend(inline_import::action(&spot));
    }
    if is_wanted(ActionKind::Rewrite) {
        found.extend(spelling::action(&spot));
        found.extend(join::actions(&spot));
        found.extend(to_sub::action(&spot));
        found.extend(to_loop::action(&spot));
        found.extend(style::action(&spot));
    }
    wanted.cancellation.check()?;
    Ok(found)
}

fn quick_fixes(spot: &Spot<'_, '_>, mut candidates: Candidates<'_, '_, '_>) -> Result<Vec<Action>, Cancelled> {
    fixes::add(spot, &mut candidates);
    create::add(spot, &mut candidates);
    allow::add(spot, &mut candidates);
    candidates.found()
}

/// Returns a quick fix by its title, compiled: one that [`actions`] offered unverified for the range. `None` when it
/// would add a diagnostic.
///
/// # Errors
/// [`Cancelled`] when the caller no longer waits for it.
pub fn prove(
    ide: &Ide<'_>,
    file: &VirtualPath,
    range: Range<u32>,
    title: &str,
    cancellation: &Cancellation,
) -> Result<Option<Action>, Cancelled> {
    if file != ide.root() || ide.file(file).is_none() {
        return Ok(None);
    }
    let spot = Spot { ide, file, range, before: Before::new(ide, cancellation) };
    let found = quick_fixes(&spot, Candidates::named(&spot, title))?;
    Ok(found.into_iter().next())
}
