//! Indexes of files, for editors.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use formwork_base::{Limits, VirtualPath, lock};
use formwork_query::FileIndex;
use formwork_syntax::SourceContent;

/// Indexes of files by path, each with the source from which it was built.
#[derive(Debug, Default)]
pub(crate) struct Indexes(Mutex<HashMap<VirtualPath, Indexed>>);

/// The largest number of bytes of files whose unused indexes are kept.
const MOST_KEPT: usize = 2 << 20;

type Indexed = (Arc<SourceContent>, Arc<FileIndex>);

impl Indexes {
    pub(crate) fn forget(&self, path: &VirtualPath) {
        lock(&self.0).remove(path);
    }

    /// Returns the index of a file, which is rebuilt when the content changed. A content is parsed at most once, on the
    /// thread that comes first.
    pub(crate) fn index(&self, path: &VirtualPath, source: Arc<SourceContent>, limits: &Limits) -> Arc<FileIndex> {
        let known = lock(&self.0).get(path).cloned();
        if let Some((_, index)) = known.filter(|(of, _)| Arc::ptr_eq(of, &source)) {
            return index;
        }
        let index = Arc::new(FileIndex::new(path.clone(), &source, limits));
        let mut known = lock(&self.0);
        known.insert(path.clone(), (source, Arc::clone(&index)));
        // Unused indexes are kept as long as there is room: modules are requested again and again.
        let bytes: usize = known.values().map(|(source, _)| source.bytes().len()).sum();
        if bytes > MOST_KEPT {
            known.retain(|_, (_, index)| Arc::strong_count(index) > 1);
        }
        index
    }
}
