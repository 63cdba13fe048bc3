//! Warnings that are printed before the uploads.

use std::collections::BTreeMap;

use formwork_package::ArtifactRef;

use super::{Mention, Prepared, Resolution};
use crate::assets::Storage;
use crate::warnings;

impl Prepared {
    /// Returns warnings about the contents of the artifacts, each once: likely secrets, and sizes above the limits of
    /// Lambda. Only directories are checked: a file that a template refers to is meant.
    pub fn warnings(&self) -> Vec<String> {
        let mut users: BTreeMap<usize, Vec<&ArtifactRef>> = BTreeMap::new();
        for unit in &self.units {
            for (need, found) in unit.packaging.plan().needs.iter().zip(&unit.found) {
                if let Resolution::Asset(number) = found {
                    users.entry(*number).or_default().push(need);
                }
            }
        }
        let mut all = Vec::new();
        for (number, needs) in users {
            let Some(asset) = self.assets.get(number).filter(|asset| asset.storage == Storage::Directory) else {
                continue;
            };
            let mentions: Vec<Mention> = needs.iter().map(|need| Mention::of(need)).collect();
            all.extend(warnings::of_secrets(&mentions, &warnings::likely_secrets(&asset.files)));
            if needs.iter().any(|need| need.is_unzipped()) {
                all.extend(warnings::of_size(&mentions, asset.bytes()));
            }
        }
        all
    }
}
