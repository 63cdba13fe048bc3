//! Scans the workspace for templates.

use std::sync::Arc;

use super::{Event, Server};
use crate::scan::Scanned;

impl Server {
    /// Starts a scan. During a scan, another one is scheduled.
    pub(super) fn scan(&mut self) {
        if std::mem::replace(&mut self.is_scanning, true) {
            self.scans_again = true;
            return;
        }
        let scanned = Arc::new(Scanned::new(Arc::clone(&self.view.roots)));
        self.view.scanned = Arc::clone(&scanned);
        let token = self.begin_progress("Looking for templates", false);
        let events = self.events.clone();
        self.pool.run(move || {
            scanned.look();
            let _ = events.send(Event::Scanned(token));
        });
    }

    pub(super) fn scanned(&mut self, token: Option<&str>) {
        let count = self.view.scanned.templates().count();
        let words = if count == 1 { "1 template".to_owned() } else { format!("{count} templates") };
        self.end_progress(token, Some(&words));
        self.is_scanning = false;
        if std::mem::take(&mut self.scans_again) {
            self.scan();
        }
    }
}
