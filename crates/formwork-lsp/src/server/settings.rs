//! Settings of clients: the initial ones, those of the editor's configuration, and those of each workspace directory.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Asked, Server};
use crate::roots::Roots;
use crate::settings::Settings;
use crate::uri;

impl Server {
    pub(super) fn configure_first(&mut self, options: &Value) {
        if !options.is_object() {
            return;
        }
        let mut settings = Settings::default();
        let wrong = settings.merge(options);
        self.report_settings(wrong);
        self.initial = settings.clone();
        self.take_over(settings, BTreeMap::new());
    }

    pub(super) fn ask_for_configuration(&mut self) {
        if !self.view.client.can("/workspace/configuration") {
            return;
        }
        let folders = self.view.roots.folders.clone();
        let of_folder = |folder: &PathBuf| json!({"scopeUri": uri::of_path(folder), "section": "formwork"});
        let items: Vec<Value> =
            std::iter::once(json!({"section": "formwork"})).chain(folders.iter().map(of_folder)).collect();
        self.ask_for("workspace/configuration", json!({"items": items}), Asked::Configuration(folders));
    }

    /// Applies the client's answer: the settings of files outside of `folders`, then of each of them.
    pub(super) fn configured(&mut self, folders: Vec<PathBuf>, sections: &[Value]) {
        let mut wrong = Vec::new();
        let mut made = sections.iter().map(|section| {
            let mut settings = self.initial.clone();
            wrong.extend(settings.merge(section));
            settings
        });
        let Some(own) = made.next() else { return };
        let of_folders = folders.into_iter().zip(made).collect();
        wrong.sort();
        wrong.dedup();
        self.report_settings(wrong);
        if self.take_over(own, of_folders) {
            self.refresh_all();
        }
    }

    /// Applies settings that the client sent on its own: they apply everywhere.
    pub(super) fn reconfigure(&mut self, section: &Value) {
        let mut own = (*self.view.settings).clone();
        let wrong = own.merge(section);
        self.report_settings(wrong);
        let mut of_folders = (*self.view.folder_settings).clone();
        for settings in of_folders.values_mut() {
            settings.merge(section);
        }
        if self.take_over(own, of_folders) {
            self.refresh_all();
        }
    }

    fn report_settings(&self, wrong: Vec<String>) {
        for why in wrong {
            self.notify("window/logMessage", json!({"type": 2, "message": why}));
        }
    }

    fn take_over(&mut self, own: Settings, of_folders: BTreeMap<PathBuf, Settings>) -> bool {
        if own == *self.view.settings && of_folders == *self.view.folder_settings {
            return false;
        }
        self.view.settings = Arc::new(own);
        self.view.folder_settings = Arc::new(of_folders);
        self.set_roots((*self.view.roots).clone());
        self.unpublish();
        true
    }

    /// Sets the directories, trust and settings, and drops everything that was compiled with others.
    pub(super) fn set_roots(&mut self, mut roots: Roots) {
        let root_of = |settings: &Settings| settings.project_root.as_ref().map(PathBuf::from);
        roots.root_setting = root_of(&self.view.settings);
        let of_folder = |folder: &PathBuf| {
            let settings = self.view.folder_settings.get(folder).unwrap_or(&self.view.settings);
            Some((folder.clone(), root_of(settings)?))
        };
        roots.root_settings = roots.folders.iter().filter_map(of_folder).collect();
        self.view.settled = if *self.view.roots == roots {
            self.view.world.forget_options()
        } else {
            self.view.roots = Arc::new(roots);
            self.view.world.forget()
        };
        self.next();
    }
}
