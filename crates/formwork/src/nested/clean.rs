//! Nested templates that need not be compiled again: either they and the templates that they nest have no diagnostics,
//! or a report of an earlier template of the run has all of them. So templates that nest each other, each of which is
//! also checked by itself, are compiled once and not again for each template above them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use formwork_base::lock;

use super::Use;
use super::outputs::OwnDeclared;
use crate::options::Options;

pub(super) type UseCache = HashMap<Use, Looked>;

#[derive(Debug)]
pub(super) struct Looked {
    pub(super) declared: Option<Arc<OwnDeclared>>,
    /// The number of the first template of the run whose reports have the diagnostics; `None` without diagnostics.
    pub(super) reported_by: Option<usize>,
}

impl Looked {
    /// Returns `true` if the template with this number need not compile it: its diagnostics are reported by an earlier
    /// one.
    pub(super) fn is_enough_for(&self, number: usize) -> bool {
        self.reported_by.is_none_or(|first| first < number)
    }
}

/// The uses that were compiled in a run over many templates, whose files do not change. Threads share it.
#[derive(Debug, Default)]
pub struct CleanUses {
    known: Mutex<Vec<Alike>>,
}

/// Settings that influence the results of uses.
#[derive(Debug)]
struct Alike {
    options: Options,
    /// The directory to which paths are relative.
    directory: String,
    uses: Arc<Mutex<UseCache>>,
}

impl CleanUses {
    /// Returns the known uses of a session with these options, whose paths are relative to `directory`.
    pub(super) fn of(&self, options: &Options, directory: String) -> Arc<Mutex<UseCache>> {
        let options = Options { display_prefix: String::new(), ..options.without_own() };
        let mut known = lock(&self.known);
        let same = known.iter().find(|alike| alike.directory == directory && alike.options == options);
        if let Some(alike) = same {
            return Arc::clone(&alike.uses);
        }
        let uses = Arc::default();
        known.push(Alike { options, directory, uses: Arc::clone(&uses) });
        uses
    }
}
