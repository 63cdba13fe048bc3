//! Diagnostics: computed for each state, and published.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;

use super::{Compiled, Event, Server, Shown, Slow};
use crate::diagnostics::Diagnosed;
use crate::document::Document;
use crate::settings::CheckTrigger;
use crate::view::View;
use crate::{context, diagnostics, handlers};

impl Server {
    /// Computes the diagnostics of open documents, unless those of this state are known.
    pub(super) fn diagnose(&mut self) {
        let is_outdated = self.diagnostics.revision < self.view.revision || self.diagnostics.is_wanted;
        let is_due = is_outdated && !self.diagnostics.is_compiling && self.is_initialized;
        if !is_due || self.is_shut_down {
            return;
        }
        let runs = |path: &PathBuf| match self.run_of(path) {
            CheckTrigger::OnType => true,
            // As for pulled diagnostics: whatever else starts a run, an unsaved text waits.
            CheckTrigger::OnSave => !self.view.unsaved.contains(path),
            CheckTrigger::Off => false,
        };
        let due: BTreeSet<PathBuf> = self.view.documents.keys().filter(|path| runs(path)).cloned().collect();
        if due.is_empty() && !self.view.documents.is_empty() {
            return;
        }
        self.diagnostics.is_compiling = true;
        self.diagnostics.is_wanted = false;
        self.diagnostics.compiling = Slow::NotYet(Instant::now());
        let (view, events, log) = (self.view.clone(), self.events.clone(), self.log.clone());
        // Edited documents are first, since their author waits for them.
        let due = || view.documents.iter().filter(|(path, _)| due.contains(*path));
        let edited = due().filter(|(path, _)| self.diagnostics.edited.contains(*path));
        let others = due().filter(|(path, _)| !self.diagnostics.edited.contains(*path));
        let of = |(path, document): (&PathBuf, &Arc<Document>)| (path.clone(), Arc::clone(document));
        let batches: [Vec<_>; 2] = [edited.map(of).collect(), others.map(of).collect()];
        let views: Vec<String> = self.views.keys().cloned().collect();
        let published = Arc::clone(&self.diagnostics.published);
        self.compiler.run(move || {
            let mut compiled = Compiled { revision: view.revision, is_whole: true, ..Compiled::default() };
            for batch in batches {
                let found = diagnosed(&view, batch, &published, &mut compiled);
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
            if compiled.is_whole {
                compiled.imported = context::imported(&view);
            }
            if compiled.panics > 0 {
                log.line("a check panicked");
            }
            let _ = events.send(Event::Compiled(compiled));
        });
    }

    /// Publishes the diagnostics of a run, if the documents are unchanged and the client still needs them.
    pub(super) fn publish(&mut self, found: Vec<(PathBuf, Diagnosed)>) {
        for (path, found) in found {
            let Diagnosed { document, items, .. } = &found;
            let is_its = self.view.documents.get(&path).is_some_and(|now| Arc::ptr_eq(now, document));
            if !is_its || self.run_of(&path) == CheckTrigger::Off {
                continue;
            }
            let known = self.diagnostics.published.get(&path);
            let is_new_to_nobody = known.is_none() && items.is_empty() && !self.view.is_template(&path);
            if is_new_to_nobody {
                continue;
            }
            let has_changed = known.is_none_or(|known| known.items != *items);
            let is_other_version = known.is_none_or(|known| known.document.version != document.version);
            self.diagnostics.has_changed_others |= has_changed && !self.diagnostics.edited.contains(&path);
            if (has_changed || is_other_version) && !self.view.client.pulls() {
                let params = json!({"uri": document.uri, "version": document.version, "diagnostics": **items});
                self.notify("textDocument/publishDiagnostics", params);
            }
            Arc::make_mut(&mut self.diagnostics.published).insert(path, found);
        }
    }

    pub(super) fn compiled(&mut self, compiled: Compiled) {
        self.diagnostics.is_compiling = false;
        self.end_compiling();
        self.counts.panics += compiled.panics;
        if !compiled.is_whole || compiled.revision != self.view.revision {
            return;
        }
        if compiled.imported != *self.view.imported {
            // Some documents became templates, or are no longer templates: the next run has their diagnostics.
            self.view.imported = Arc::new(compiled.imported);
            self.next();
            return self.refresh_all();
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

    /// Clears the published diagnostics of documents for which they are off.
    pub(super) fn unpublish(&mut self) {
        let published = Arc::unwrap_or_clone(std::mem::take(&mut self.diagnostics.published));
        let (off, kept): (BTreeMap<_, _>, BTreeMap<_, _>) =
            published.into_iter().partition(|(path, _)| self.run_of(path) == CheckTrigger::Off);
        self.diagnostics.published = Arc::new(kept);
        for Diagnosed { document, items, .. } in off.into_values() {
            if !items.is_empty() && !self.view.client.pulls() {
                let params = json!({"uri": document.uri, "version": document.version, "diagnostics": []});
                self.notify("textDocument/publishDiagnostics", params);
            }
        }
    }
}

/// The diagnostics of some documents, until the state is outdated.
fn diagnosed(
    view: &View,
    documents: Vec<(PathBuf, Arc<Document>)>,
    published: &BTreeMap<PathBuf, Diagnosed>,
    compiled: &mut Compiled,
) -> Vec<(PathBuf, Diagnosed)> {
    let mut found = Vec::new();
    for (path, document) in documents {
        if !compiled.is_whole {
            break;
        }
        let known = published.get(&path);
        let run = AssertUnwindSafe(|| diagnostics::unpublished(view, &path, document, known));
        match std::panic::catch_unwind(run) {
            Ok(Ok(of_it)) => found.extend(of_it.map(|of_it| (path, of_it))),
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
