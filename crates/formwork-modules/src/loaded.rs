//! The files that a run has read, and the sources of further ones.

use formwork_base::{FileId, Severity};
use formwork_syntax::{Files, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::address::Address;
use super::archive::Archives;
use super::stop::Resolved;
use crate::include::Includes;

#[derive(Clone, Debug)]
pub(super) struct ModuleFile {
    pub(super) address: Address,
    pub(super) file: FileId,
    pub(super) root: NodeId,
}

pub(super) struct Loaded<'c> {
    pub(super) reading: &'c Files<'c>,
    /// The severity of an included file with unknown content.
    pub(super) includes: Option<Severity>,
    pub(super) included: &'c mut Includes,
    pub(super) files: Vec<ModuleFile>,
    pub(super) by_address: FxHashMap<Address, Resolved<usize>>,
    pub(super) archives: Archives,
    /// Remote sources that are pinned by a hash, and those that were warned of.
    pub(super) pinned: FxHashSet<String>,
}

impl<'c> Loaded<'c> {
    pub(super) fn new(
        reading: &'c Files<'c>,
        includes: Option<Severity>,
        included: &'c mut Includes,
        template: ModuleFile,
    ) -> Loaded<'c> {
        Loaded {
            reading,
            includes,
            included,
            by_address: FxHashMap::from_iter([(template.address.clone(), Ok(0))]),
            files: vec![template],
            archives: Archives::default(),
            pinned: FxHashSet::default(),
        }
    }
}
