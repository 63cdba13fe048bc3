//! Diagnostics: computed for each state, and published.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;

use super::{Compiled, Event, Server, Shown, Slow};
use crate::diagnostics::{Seen, Unseen};
use crate::document::Document;
use crate::settings::Run;
use crate::view::View;
use crate::{diagnostics, handlers};

impl Server {
    /// Computes the diagnostics of open documents, when they are not those of this state.
    pub(super) fn diagnose(&mut self) {
        let is_outdated = self.diagnostics.revision < self.view.revision || self.diagnostics.is_wanted;
        let is_due = is_outdated && !self.diagnostics.is_compiling && self.is_initialized;
        if !is_due || self.is_shut_down {
            return;
        }
        let runs = |path: &PathBuf| match self.run_of(path) {
            Run::OnType => true,
            // As where they are pulled: whatever else starts a run, an unsaved text waits.
            Run::OnSave => !self.view.unsaved.contains(path),
            Run::Off => false,
        };
        let due: BTreeSet<PathBuf> = self.view.documents.keys().filter(|path| runs(path)).cloned().collect();
        if due.is_empty() && !self.view.documents.is_empty() {
            return;
        }
        self.diagnostics.is_compiling = true;
        self.diagnostics.is_wanted = false;
        self.diagnostics.compiling = Slow::NotYet(Instant::now());
        let (view, events, log) = (self.view.clone(), self.events.clone(), self.log.clone());
        // Somebody waits for what was edited.
        let due = || view.documents.iter().filter(|(path, _)| due.contains(*path));
        let edited = due().filter(|(path, _)| self.diagnostics.edited.contains(*path));
        let others = due().filter(|(path, _)| !self.diagnostics.edited.contains(*path));
        let of = |(path, document): (&PathBuf, &Arc<Document>)| (path.clone(), Arc::clone(document));
        let batches: [Vec<_>; 2] = [edited.map(of).collect(), others.map(of).collect()];
        let views: Vec<String> = self.views.keys().cloned().collect();
        let seen = Arc::clone(&self.diagnostics.seen);
        self.compiler.run(move || {
            let mut compiled = Compiled { revision: view.revision, is_whole: true, panics: 0, views: Vec::new() };
            for batch in batches {
                let found = diagnosed(&view, batch, &seen, &mut compiled);
                let _ = events.send(Event::Diagnosed(found));
            }
            for uri in views.into_iter().take_while(|_| compiled.is_whole) {
                let text = AssertUnwindSafe(|| handlers::expanded::text_of(&view, &uri));
                match std::panic::catch_unwind(text) {
                    Ok(Ok(Some(text))) => compiled.views.push((uri, hash(&text))),
                    Ok(_) => {}
                    Err(_) => compiled.panics += 1,
                }
            }
            if compiled.panics > 0 {
                log.line("a check panicked");
            }
            let _ = events.send(Event::Compiled(compiled));
        });
    }

    /// Publishes what a run found, as far as it is of documents as they are now and somebody still wants it.
    pub(super) fn publish(&mut self, found: Vec<Unseen>) {
        for Unseen { path, document, problems, items } in found {
            let is_its = self.view.documents.get(&path).is_some_and(|now| Arc::ptr_eq(now, &document));
            if !is_its || self.run_of(&path) == Run::Off {
                continue;
            }
            if let Some(problems) = problems {
                Arc::make_mut(&mut self.diagnostics.seen).insert(path.clone(), (Arc::clone(&document), problems));
            }
            let version = document.version;
            let known = self.diagnostics.published.get(&path);
            let is_known = known.is_some_and(|(of, known)| *of == version && *known == items);
            let is_new_to_nobody = known.is_none() && items.is_empty() && !document.is_template();
            if is_known || is_new_to_nobody {
                continue;
            }
            let has_changed = known.is_none_or(|(_, known)| *known != items);
            self.diagnostics.has_changed_others |= has_changed && !self.diagnostics.edited.contains(&path);
            if !self.view.client.pulls() {
                let params = json!({"uri": document.uri, "version": version, "diagnostics": items});
                self.notify("textDocument/publishDiagnostics", params);
            }
            self.diagnostics.published.insert(path, (version, items));
        }
    }

    pub(super) fn compiled(&mut self, compiled: Compiled) {
        self.diagnostics.is_compiling = false;
        self.end_compiling();
        self.counts.panics += compiled.panics;
        if !compiled.is_whole || compiled.revision != self.view.revision {
            return;
        }
        self.diagnostics.revision = compiled.revision;
        self.diagnostics.edited.clear();
        self.watch_again();
        if std::mem::take(&mut self.diagnostics.has_changed_others) {
            self.refresh(&["/workspace/diagnostics/refreshSupport"]);
        }
        for (uri, hash) in compiled.views {
            let Some(known) = self.views.get_mut(&uri) else { continue };
            let is_same = *known == Shown::Text(hash) || *known == Shown::At(compiled.revision);
            *known = Shown::Text(hash);
            if !is_same && self.view.client.can("/workspace/textDocumentContent") {
                self.ask("workspace/textDocumentContent/refresh", json!({"uri": uri}));
            }
        }
    }

    /// Forgets what was computed of documents.
    pub(super) fn unsee(&mut self, is_one: impl Fn(&Path) -> bool) {
        Arc::make_mut(&mut self.diagnostics.seen).retain(|path, _| !is_one(path));
    }

    /// Takes back the diagnostics of documents for which nobody wants any.
    pub(super) fn unpublish(&mut self) {
        let published = std::mem::take(&mut self.diagnostics.published);
        let (off, kept): (BTreeMap<_, _>, BTreeMap<_, _>) =
            published.into_iter().partition(|(path, _)| self.run_of(path) == Run::Off);
        self.diagnostics.published = kept;
        self.unsee(|path| off.contains_key(path));
        for (path, (version, items)) in off {
            let document = self.view.document(&path).filter(|_| !items.is_empty() && !self.view.client.pulls());
            if let Some(uri) = document.map(|document| document.uri.clone()) {
                let params = json!({"uri": uri, "version": version, "diagnostics": []});
                self.notify("textDocument/publishDiagnostics", params);
            }
        }
    }
}

/// The diagnostics of some documents, as far as the state is not outdated.
fn diagnosed(
    view: &View,
    documents: Vec<(PathBuf, Arc<Document>)>,
    seen: &Seen,
    compiled: &mut Compiled,
) -> Vec<Unseen> {
    let mut found = Vec::new();
    for (path, document) in documents {
        if !compiled.is_whole {
            break;
        }
        match std::panic::catch_unwind(AssertUnwindSafe(|| diagnostics::unseen(view, path, document, seen))) {
            Ok(Ok(unseen)) => found.extend(unseen),
            // A later state has its own.
            Ok(Err(_)) => compiled.is_whole = false,
            Err(_) => compiled.panics += 1,
        }
    }
    found
}

pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
