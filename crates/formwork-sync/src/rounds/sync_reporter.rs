//! Reports of a sync for people and programs, on standard error.

use std::collections::BTreeSet;
use std::path::PathBuf;

use formwork_report::{MessageFormat, printable};
use formwork_run::console::ReportArgs;
use formwork_run::host::shown;
use formwork_run::terminal::{Form, say, say_line};
use serde_json::{Value, json};

use crate::{ArtifactId, Cause, Pushed};

/// Maximum number of changed files that are listed; the rest are counted.
const NAMED: usize = 5;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reported {
    Everything,
    /// Without the resources that were up to date.
    Updates,
}

/// Reports events: a line for people, an object for programs, nothing under `--quiet`.
#[derive(Clone, Copy)]
pub(super) struct SyncReporter {
    report: ReportArgs,
}

impl SyncReporter {
    pub(super) fn new(report: ReportArgs) -> SyncReporter {
        SyncReporter { report }
    }

    fn line(self, line: &str, object: &Value) {
        if self.report.quiet {
            return;
        }
        match self.report.message_format {
            MessageFormat::Json => say(&format!("{}\n", json!({"sync": object})), Form::Json),
            _ => say_line(line),
        }
    }

    pub(super) fn waiting(self) {
        self.line("watching for changes; Ctrl-C ends it", &json!({"state": "watching"}));
    }

    pub(super) fn ended(self) {
        self.line("interrupted; nothing is watched any more", &json!({"state": "ended"}));
    }

    pub(super) fn changed(self, paths: &BTreeSet<PathBuf>) {
        let names: Vec<String> = paths.iter().map(|path| shown(path).display().to_string()).collect();
        let mut list = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        if names.len() > NAMED {
            list = format!("{list} and {} more", names.len() - NAMED);
        }
        self.line(&format!("changed: {}", printable(&list)), &json!({"state": "changed", "files": names}));
    }

    pub(super) fn nothing(self) {
        self.line("nothing to sync: templates and code are as they were", &json!({"state": "unchanged"}));
    }

    pub(super) fn deploying(self, cause: &Cause) {
        let why = match cause {
            Cause::First => "the stack is deployed as a whole".to_owned(),
            Cause::Template => "the template or its values changed: the stack is deployed".to_owned(),
            Cause::File(id, why) => format!("a file of {id} changed, and {why}: the stack is deployed"),
        };
        self.line(&why, &json!({"state": "deploying", "reason": why}));
    }

    /// Reports a change of the template that is not deployed.
    pub(super) fn left(self) {
        let why = "the template or its values changed: with --code nothing is deployed";
        self.line(&format!("warning: {why}"), &json!({"state": "template-changed"}));
    }

    pub(super) fn pushed(self, id: &ArtifactId, pushed: &Pushed) {
        let (line, calls) = match pushed {
            Pushed::UpToDate => (format!("{id} is up to date"), Vec::new()),
            Pushed::Updated(calls) => (format!("updated {id}: {}", calls.join(", ")), calls.clone()),
        };
        let state = if calls.is_empty() { "up-to-date" } else { "updated" };
        self.line(&line, &json!({"state": state, "resource": id.to_string(), "calls": calls}));
    }
}
