//! Trying edits before they are offered: the template is compiled with them.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use formwork::nested::PathErrors;
use formwork::{Code, FileBytes, Goal, Host, Options, ReadError, Report, Session, Snapshot, Values, VirtualPath};

use crate::edit::apply;
use crate::{FileEdits, Ide};

/// The files of a template with edits.
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

/// A session of the template with edits, which nobody else sees.
pub(crate) fn trial<'i>(ide: &'i Ide<'_>, edits: &[FileEdits]) -> Session<'i> {
    let edited = edits.iter().map(|file| {
        let text = ide.snapshot().source(&file.file).map(|source| source.text().text().to_string()).unwrap_or_default();
        (file.file.clone(), FileBytes::from(apply(&text, &file.edits)))
    });
    let host = Trial { snapshot: ide.snapshot(), edited: edited.collect() };
    Session::new(host, ide.snapshot().options().clone())
}

/// How often each code is reported.
fn codes<'r>(reports: impl Iterator<Item = &'r Report>) -> BTreeMap<Code, u32> {
    let mut codes = BTreeMap::new();
    for diagnostic in reports.flat_map(Report::diagnostics) {
        *codes.entry(diagnostic.code).or_default() += diagnostic.count.max(1);
    }
    codes
}

/// Returns a code that is reported more often with the edits than without.
pub(crate) fn added_code(ide: &Ide<'_>, edits: &[FileEdits]) -> Option<Code> {
    added_code_in(ide, &trial(ide, edits))
}

/// The same of a session with the edits.
fn added_code_in(ide: &Ide<'_>, session: &Session<'_>) -> Option<Code> {
    let compiled = session.snapshot().compile(ide.root(), Goal::Check);
    let mut root = Report::from(std::sync::Arc::clone(&compiled));
    let nested = session.compile_nested(&compiled, Goal::Check, PathErrors::Reported);
    root.add(nested.found);
    let before = codes(ide.reports().iter());
    let after = codes(std::iter::once(&root).chain(&nested.reports));
    after.into_iter().find(|(code, count)| before.get(code).is_none_or(|known| count > known)).map(|(code, _)| code)
}

/// The data of a template without edits: computed once for all actions at a place.
pub(crate) struct Before<'s, 'h> {
    ide: &'s Ide<'h>,
    expanded: OnceCell<Option<String>>,
    resolved: OnceCell<Option<String>>,
}

impl<'s, 'h> Before<'s, 'h> {
    pub(crate) fn new(ide: &'s Ide<'h>) -> Before<'s, 'h> {
        Before { ide, expanded: OnceCell::new(), resolved: OnceCell::new() }
    }

    fn expanded(&self) -> Option<&str> {
        self.expanded.get_or_init(|| expanded_data(self.ide.snapshot(), self.ide.root())).as_deref()
    }

    /// The data of the resolved template; `None` when there are errors.
    pub(crate) fn resolved(&self) -> Option<&str> {
        self.resolved.get_or_init(|| resolved_data(self.ide.snapshot(), self.ide.root())).as_deref()
    }
}

/// The data of the expansion, as dense JSON; `None` when there are errors.
pub(crate) fn data(session: &Session<'_>, root: &VirtualPath) -> Option<String> {
    expanded_data(&session.snapshot(), root)
}

fn expanded_data(snapshot: &Snapshot<'_>, root: &VirtualPath) -> Option<String> {
    data_of(snapshot, root, Goal::Expand, Values::Keep)
}

/// The data of the resolved template, as dense JSON; `None` when there are errors.
fn resolved_data(snapshot: &Snapshot<'_>, root: &VirtualPath) -> Option<String> {
    data_of(snapshot, root, Goal::Resolve, Values::Resolve)
}

fn data_of(snapshot: &Snapshot<'_>, root: &VirtualPath, goal: Goal, values: Values) -> Option<String> {
    let options = Options { values, ..snapshot.options().clone() };
    let compiled = snapshot.with_options(options).compile(root, goal);
    compiled.output().ok().map(formwork::Output::minified)
}

/// Whether the resolved template has the same data with the edits, as far as `compared` leaves it, and no new diagnostic.
pub(crate) fn is_same_resolved(before: &Before<'_, '_>, edits: &[FileEdits], compared: fn(&str) -> String) -> bool {
    let ide = before.ide;
    let Some(before) = before.resolved().map(compared) else { return false };
    let session = trial(ide, edits);
    let after = resolved_data(&session.snapshot(), ide.root());
    after.is_some_and(|after| before == compared(&after)) && added_code_in(ide, &session).is_none()
}

/// Whether the template stays as it is but for how it is written: no diagnostic is new, and the expansion is the same
/// data. Without an expansion nothing is proved.
pub(crate) fn is_same(before: &Before<'_, '_>, edits: &[FileEdits]) -> bool {
    let ide = before.ide;
    let Some(before) = before.expanded() else { return false };
    let session = trial(ide, edits);
    expanded_data(&session.snapshot(), ide.root()).is_some_and(|after| before == after)
        && added_code_in(ide, &session).is_none()
}

/// Whether the template has the same data with the edits, whatever the order of its entries, and no new diagnostic.
pub(crate) fn is_same_but_order(before: &Before<'_, '_>, edits: &[FileEdits]) -> bool {
    // Entries of objects are compared by name.
    let parsed = |text: &str| -> Option<serde_json::Value> { serde_json::from_str(text).ok() };
    let ide = before.ide;
    let Some(before) = before.expanded() else { return false };
    let session = trial(ide, edits);
    let Some(after) = expanded_data(&session.snapshot(), ide.root()) else { return false };
    let is_same = before == after || parsed(before).is_some_and(|before| parsed(&after) == Some(before));
    is_same && added_code_in(ide, &session).is_none()
}
