//! What was indexed of files, for editors.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use formwork_base::{FileBytes, Limits, VirtualPath};
use formwork_query::FileIndex;

/// Indexes of files, by path, each with the content that it is of.
#[derive(Debug, Default)]
pub(crate) struct Indexes(RefCell<HashMap<VirtualPath, (FileBytes, Arc<FileIndex>)>>);

impl Indexes {
    /// Returns the index of a file with this content, which is indexed when it changed.
    pub(crate) fn index(&self, path: &VirtualPath, bytes: FileBytes, limits: &Limits) -> Arc<FileIndex> {
        let known = self.0.borrow().get(path).cloned();
        if let Some((_, index)) = known.filter(|(of, _)| *of == bytes) {
            return index;
        }
        let index = Arc::new(FileIndex::new(path.clone(), &bytes, limits));
        self.0.borrow_mut().insert(path.clone(), (bytes, Arc::clone(&index)));
        index
    }
}
