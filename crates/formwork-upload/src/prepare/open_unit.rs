//! A template whose needs are being resolved.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use formwork::nested::Use;
use formwork::{Diagnostic, Packaging, VirtualPath};
use formwork_package::{ArtifactRef, OpenParameters};

use super::Resolution;

pub(super) struct OpenUnit {
    pub(super) path: VirtualPath,
    pub(super) packaging: Packaging,
    pub(super) real: PathBuf,
    pub(super) open: OpenParameters,
    pub(super) found: Vec<Resolution>,
    pub(super) errors: NeedErrors,
    /// The key of a nested stack; `None` for the root.
    pub(super) usage: Option<Use>,
}

/// The error of a need; `None` when it was reported before.
pub(super) type NeedError = Option<Box<Diagnostic>>;

pub(super) enum Step {
    Found(Resolution),
    /// A nested stack, whose own needs come first.
    Nested(Box<OpenUnit>),
}

/// The errors in the needs of a template. Errors of one place are one diagnostic.
#[derive(Default)]
pub(super) struct NeedErrors {
    by_place: BTreeMap<(u32, u32), Diagnostic>,
    others: Vec<Diagnostic>,
}

impl NeedErrors {
    pub(super) fn add(&mut self, need: Option<&ArtifactRef>, error: NeedError) {
        let (Some(need), Some(error)) = (need, error) else { return };
        if need.span.start() == 0 {
            return self.others.push(*error);
        }
        match self.by_place.entry((need.span.start(), need.span.end())) {
            Entry::Occupied(first) => {
                let first = first.into_mut();
                first.notes.push(format!("also: {}", error.message));
                first.count += 1;
            }
            Entry::Vacant(place) => {
                place.insert(*error);
            }
        }
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.others.into_iter().chain(self.by_place.into_values()).collect()
    }
}
