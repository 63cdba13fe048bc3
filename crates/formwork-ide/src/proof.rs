//! Verifies edits before they are offered, by compiling the template with them.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use formwork::nested::PathErrors;
use formwork::{
    Cancellation, Cancelled, Code, Compilation, FileBytes, Goal, Host, ReadError, Report, Session, Snapshot, Values,
    VirtualPath,
};

use crate::edit::apply;
use crate::{FileEdits, Ide};

struct Trial<'i, 'h> {
    snapshot: &'i Snapshot<'h>,
    edited: BTreeMap<VirtualPath, FileBytes>,
}

impl Host for Trial<'_, '_> {
    fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        match self.edited.get(path) {
            Some(bytes) => Ok(bytes.clone()),
            None => self.snapshot.read(path),
        }
    }

    fn full_path(&self, path: &VirtualPath) -> String {
        self.snapshot.host().full_path(path)
    }

    fn identity(&self, path: &VirtualPath) -> String {
        self.snapshot.host().identity(path)
    }

    fn read_remote(&self, address: &str) -> Result<FileBytes, ReadError> {
        self.snapshot.host().read_remote(address)
    }

    fn is_pinned(&self, address: &str) -> bool {
        self.snapshot.host().is_pinned(address)
    }
}

/// A private session of the template with edits.
pub(crate) fn trial<'i>(ide: &'i Ide<'_>, edits: &[FileEdits]) -> Session<'i> {
    let edited = edits.iter().map(|file| {
        let text = ide.snapshot().source(&file.file).map(|source| source.text().text().to_string()).unwrap_or_default();
        (file.file.clone(), FileBytes::from(apply(&text, &file.edits)))
    });
    let host = Trial { snapshot: ide.snapshot(), edited: edited.collect() };
    Session::new(host, ide.snapshot().options().clone())
}

fn codes<'r>(reports: impl Iterator<Item = &'r Report>) -> BTreeMap<Code, u32> {
    let mut codes = BTreeMap::new();
    for diagnostic in reports.flat_map(Report::diagnostics) {
        *codes.entry(diagnostic.code).or_default() += diagnostic.count.max(1);
    }
    codes
}

/// Returns a code that is reported more often with the edits than without.
///
/// # Errors
/// [`Cancelled`] when the caller no longer waits for it.
pub(crate) fn added_code(
    ide: &Ide<'_>,
    edits: &[FileEdits],
    cancellation: &Cancellation,
) -> Result<Option<Code>, Cancelled> {
    added_code_in(ide, &trial(ide, edits), cancellation)
}

fn added_code_in(ide: &Ide<'_>, session: &Session<'_>, cancellation: &Cancellation) -> Result<Option<Code>, Cancelled> {
    let compiled = session.snapshot().compile_unless(ide.root(), Goal::Check, cancellation)?;
    let mut root = Report::from(std::sync::Arc::clone(&compiled));
    let nested = session.compile_nested(&compiled, Goal::Check, PathErrors::Reported);
    root.add(nested.found);
    let before = codes(ide.reports().iter());
    let after = codes(std::iter::once(&root).chain(&nested.reports));
    let added = |(code, count): &(Code, u32)| before.get(code).is_none_or(|known| count > known);
    Ok(after.into_iter().find(added).map(|(code, _)| code))
}

/// Returns `true` if a code is reported less often with the edits, and no other one more often.
///
/// # Errors
/// [`Cancelled`] when the caller no longer waits for it.
pub(crate) fn suppresses(
    ide: &Ide<'_>,
    edits: &[FileEdits],
    code: Code,
    cancellation: &Cancellation,
) -> Result<bool, Cancelled> {
    let session = trial(ide, edits);
    let compiled = session.snapshot().compile_unless(ide.root(), Goal::Check, cancellation)?;
    let count = |compiled: &Compilation| compiled.diagnostics().iter().filter(|found| found.code == code).count();
    Ok(count(&compiled) < count(ide.compilation()) && added_code_in(ide, &session, cancellation)?.is_none())
}

/// The data of a template without edits: computed once for all actions at a place. After a cancellation, every proof
/// fails.
pub(crate) struct Before<'s, 'h> {
    ide: &'s Ide<'h>,
    cancellation: Cancellation,
    expanded: OnceCell<Option<String>>,
    resolved: OnceCell<Option<String>>,
}

impl<'s, 'h> Before<'s, 'h> {
    pub(crate) fn new(ide: &'s Ide<'h>, cancellation: &Cancellation) -> Before<'s, 'h> {
        let cancellation = cancellation.clone();
        Before { ide, cancellation, expanded: OnceCell::new(), resolved: OnceCell::new() }
    }

    pub(crate) fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    pub(crate) fn adds_nothing(&self, edits: &[FileEdits]) -> bool {
        matches!(added_code(self.ide, edits, &self.cancellation), Ok(None))
    }

    fn adds_nothing_in(&self, session: &Session<'_>) -> bool {
        matches!(added_code_in(self.ide, session, &self.cancellation), Ok(None))
    }

    fn expanded(&self) -> Option<&str> {
        self.expanded.get_or_init(|| self.expanded_data(self.ide.snapshot())).as_deref()
    }

    fn expanded_data(&self, snapshot: &Snapshot<'_>) -> Option<String> {
        data_of(snapshot, self.ide.root(), (Goal::Expand, Values::Keep), &self.cancellation)
    }

    fn resolved_data(&self, snapshot: &Snapshot<'_>) -> Option<String> {
        data_of(snapshot, self.ide.root(), (Goal::Resolve, Values::Resolve), &self.cancellation)
    }

    pub(crate) fn resolved(&self) -> Option<&str> {
        self.resolved.get_or_init(|| self.resolved_data(self.ide.snapshot())).as_deref()
    }
}

/// The data of the expansion, as JSON without white space; `None` when there are errors.
pub(crate) fn data(session: &Session<'_>, root: &VirtualPath, cancellation: &Cancellation) -> Option<String> {
    data_of(&session.snapshot(), root, (Goal::Expand, Values::Keep), cancellation)
}

fn data_of(
    snapshot: &Snapshot<'_>,
    root: &VirtualPath,
    (goal, values): (Goal, Values),
    cancellation: &Cancellation,
) -> Option<String> {
    let snapshot = snapshot.with_options(snapshot.options().for_output(values));
    let compiled = snapshot.compile_unless(root, goal, cancellation).ok()?;
    compiled.output().ok().map(formwork::Output::minified)
}

/// Returns `true` if the edits neither change the part of the resolved template that `compared` keeps, nor add a
/// diagnostic.
pub(crate) fn is_same_resolved(state: &Before<'_, '_>, edits: &[FileEdits], compared: fn(&str) -> String) -> bool {
    let Some(before) = state.resolved().map(compared) else { return false };
    let session = trial(state.ide, edits);
    let after = state.resolved_data(&session.snapshot());
    after.is_some_and(|after| before == compared(&after)) && state.adds_nothing_in(&session)
}

/// Returns `true` if the edits only change how the template is written: they add no diagnostic, and the expansion has
/// the same data. Without an expansion nothing is proved.
pub(crate) fn is_same(state: &Before<'_, '_>, edits: &[FileEdits]) -> bool {
    let Some(before) = state.expanded() else { return false };
    let session = trial(state.ide, edits);
    state.expanded_data(&session.snapshot()).is_some_and(|after| before == after) && state.adds_nothing_in(&session)
}

/// Returns `true` if the edits only change the order of entries, and add no diagnostic.
pub(crate) fn is_same_but_order(state: &Before<'_, '_>, edits: &[FileEdits]) -> bool {
    // Entries of objects are compared by name.
    let parsed = |text: &str| -> Option<serde_json::Value> { serde_json::from_str(text).ok() };
    let Some(before) = state.expanded() else { return false };
    let session = trial(state.ide, edits);
    let Some(after) = state.expanded_data(&session.snapshot()) else { return false };
    let is_same = before == after || parsed(before).is_some_and(|before| parsed(&after) == Some(before));
    is_same && state.adds_nothing_in(&session)
}
