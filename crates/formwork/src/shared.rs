//! The state that all revisions of a session share.

use std::sync::atomic::{AtomicUsize, Ordering};

use formwork_base::Host;

use crate::indexes::Indexes;

pub(crate) struct Shared<'h> {
    pub(crate) host: Box<dyn Host + 'h>,
    pub(crate) indexes: Indexes,
    analyses: AtomicUsize,
}

impl<'h> Shared<'h> {
    pub(crate) fn new(host: Box<dyn Host + 'h>) -> Shared<'h> {
        Shared { host, indexes: Indexes::default(), analyses: AtomicUsize::new(0) }
    }
}

impl Shared<'_> {
    pub(crate) fn count_analysis(&self) {
        self.analyses.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn analyses(&self) -> usize {
        self.analyses.load(Ordering::Relaxed)
    }
}
