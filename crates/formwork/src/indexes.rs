//! What was indexed of files, for editors.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use formwork_base::{Limits, VirtualPath, lock};
use formwork_query::FileIndex;
use formwork_syntax::Source;

/// Indexes of files, by path, each with the source that it is of.
#[derive(Debug, Default)]
pub(crate) struct Indexes(Mutex<HashMap<VirtualPath, Indexed>>);

/// A source and its index.
type Indexed = (Arc<Source>, Arc<FileIndex>);

impl Indexes {
    /// Returns the index of a file, which is indexed when it changed. It is parsed at most once, by whoever comes first.
    pub(crate) fn index(&self, path: &VirtualPath, source: Arc<Source>, limits: &Limits) -> Arc<FileIndex> {
        let known = lock(&self.0).get(path).cloned();
        if let Some((_, index)) = known.filter(|(of, _)| Arc::ptr_eq(of, &source)) {
            return index;
        }
        let index = Arc::new(FileIndex::new(path.clone(), &source, limits));
        lock(&self.0).insert(path.clone(), (source, Arc::clone(&index)));
        index
    }
}
