//! What was indexed of files, for editors.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use formwork_base::{Limits, VirtualPath, lock};
use formwork_query::FileIndex;
use formwork_syntax::Source;

/// Indexes of files, by path, each with the source that it is of.
#[derive(Debug, Default)]
pub(crate) struct Indexes(Mutex<HashMap<VirtualPath, Indexed>>);

/// Most bytes of files whose indexes stay, though nobody uses them.
const MOST_KEPT: usize = 2 << 20;

/// A source and its index.
type Indexed = (Arc<Source>, Arc<FileIndex>);

impl Indexes {
    /// Forgets the index of a file whose content is read again.
    pub(crate) fn forget(&self, path: &VirtualPath) {
        lock(&self.0).remove(path);
    }

    /// Returns the index of a file, which is indexed when it changed. It is parsed at most once, by whoever comes first.
    pub(crate) fn index(&self, path: &VirtualPath, source: Arc<Source>, limits: &Limits) -> Arc<FileIndex> {
        let known = lock(&self.0).get(path).cloned();
        if let Some((_, index)) = known.filter(|(of, _)| Arc::ptr_eq(of, &source)) {
            return index;
        }
        let index = Arc::new(FileIndex::new(path.clone(), &source, limits));
        let mut known = lock(&self.0);
        known.insert(path.clone(), (source, Arc::clone(&index)));
        // What nobody uses any more stays as long as there is room: modules are asked for again and again.
        let bytes: usize = known.values().map(|(source, _)| source.bytes().len()).sum();
        if bytes > MOST_KEPT {
            known.retain(|_, (_, index)| Arc::strong_count(index) > 1);
        }
        index
    }
}
