//! The files that a run has read, and where further ones come from.

use formwork_base::{FileId, Severity};
use formwork_syntax::{Files, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::address::Address;
use super::archive::Archives;
use super::stop::Resolved;
use crate::include::Includes;

/// A file that was read.
#[derive(Clone, Debug)]
pub(super) struct ModuleFile {
    /// Where it is.
    pub(super) address: Address,
    /// The text of the module.
    pub(super) file: FileId,
    /// The root of the module, constants in place.
    pub(super) root: NodeId,
}

/// Modules, included files and archives.
pub(super) struct Loaded<'c> {
    /// The files of the run.
    pub(super) reading: &'c Files<'c>,
    /// How bad it is that the content of an included file is not known.
    pub(super) includes: Option<Severity>,
    /// Files that modules include.
    pub(super) included: &'c mut Includes,
    /// Files that were read, each once.
    pub(super) files: Vec<ModuleFile>,
    /// Their numbers, by where they are from.
    pub(super) by_address: FxHashMap<Address, Resolved<usize>>,
    /// Archives that were opened.
    pub(super) archives: Archives,
    /// Remote sources that are pinned by a hash, and those that were warned of.
    pub(super) pinned: FxHashSet<String>,
}

impl<'c> Loaded<'c> {
    /// The template alone.
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
