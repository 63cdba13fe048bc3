//! Trying edits before they are offered: the template is compiled with them.

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
    let session = trial(ide, edits);
    let compiled = session.snapshot().compile(ide.root(), Goal::Check);
    let mut root = Report::from(std::sync::Arc::clone(&compiled));
    let nested = session.compile_nested(&compiled, Goal::Check, PathErrors::Reported);
    root.add(nested.found);
    let before = codes(ide.reports().iter());
    let after = codes(std::iter::once(&root).chain(&nested.reports));
    after.into_iter().find(|(code, count)| before.get(code).is_none_or(|known| count > known)).map(|(code, _)| code)
}

/// The data of the expansion, as dense JSON; `None` when there are errors.
pub(crate) fn data(session: &Session<'_>, root: &VirtualPath) -> Option<String> {
    let options = Options { values: Values::Keep, ..session.options().clone() };
    let compiled = session.with_options(options).compile(root.as_str(), Goal::Expand);
    compiled.output().ok().map(formwork::Output::minified)
}

/// The data of the resolved template, as dense JSON; `None` when there are errors.
pub(crate) fn resolved_data(session: &Session<'_>, root: &VirtualPath) -> Option<String> {
    let options = Options { values: Values::Resolve, ..session.options().clone() };
    let compiled = session.with_options(options).compile(root.as_str(), Goal::Resolve);
    compiled.output().ok().map(formwork::Output::minified)
}

/// Whether the template stays as it is but for how it is written: no diagnostic is new, and the expansion is the same
/// data. Without an expansion nothing is proved.
pub(crate) fn is_same(ide: &Ide<'_>, edits: &[FileEdits]) -> bool {
    if added_code(ide, edits).is_some() {
        return false;
    }
    let before = data(&trial(ide, &[]), ide.root());
    before.is_some() && before == data(&trial(ide, edits), ide.root())
}

/// Whether the template has the same data with the edits, whatever the order of its entries, and no new diagnostic.
pub(crate) fn is_same_but_order(ide: &Ide<'_>, edits: &[FileEdits]) -> bool {
    let parsed =
        |session: &Session<'_>| -> Option<serde_json::Value> { serde_json::from_str(&data(session, ide.root())?).ok() };
    let Some(before) = parsed(&trial(ide, &[])) else { return false };
    // Entries of objects are compared by name.
    parsed(&trial(ide, edits)) == Some(before) && added_code(ide, edits).is_none()
}
