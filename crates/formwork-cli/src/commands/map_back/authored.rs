//! The authored files of a source map.

use std::path::Path;

use formwork::disk::read_file;
use formwork::{Limits, VirtualPath};
use formwork_map_back::SourceMap;

pub(super) struct Authored {
    sources: formwork::SourceMap,
    changed: Vec<String>,
}

impl Authored {
    /// Reads the files of a map, from the working directory or the directory of the map.
    pub(super) fn read(map: &SourceMap, beside: &Path) -> Authored {
        let mut authored = Authored { sources: formwork::SourceMap::new(), changed: Vec::new() };
        for file in &map.files {
            let Some(path) = super::near(beside, &file.path) else { continue };
            let Ok(read) = read_file(&path, Limits::default().file_bytes) else { continue };
            if formwork::sha256(&read.bytes) != file.sha256 {
                authored.changed.push(file.path.clone());
            }
            let text = String::from_utf8_lossy(&read.bytes).into_owned();
            authored.sources.add(VirtualPath::new(&file.path), text);
        }
        authored
    }

    pub(super) fn sources(&self) -> &formwork::SourceMap {
        &self.sources
    }

    /// The files whose content differs from that of the map.
    pub(super) fn changed(&self) -> impl Iterator<Item = &str> {
        self.changed.iter().map(String::as_str)
    }

    pub(super) fn text(&self, file: &str) -> Option<String> {
        let file = self.sources.find(&VirtualPath::new(file))?;
        Some(self.sources.text(file).to_string())
    }
}
