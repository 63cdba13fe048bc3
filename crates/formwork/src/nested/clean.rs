//! Nested templates that need no second look: nothing was found in them and in those that they use, or all of it is in the
//! reports of a template in front of this one. So many templates that are nested in each other, which are each checked by
//! themselves, are looked at a single time, and not again for each template above them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use formwork_base::lock;

use super::Use;
use super::outputs::OwnDeclared;
use crate::options::Options;

/// What is known of the uses that were looked at.
pub(super) type Known = HashMap<Use, Looked>;

/// A use that was looked at, with all that it uses.
#[derive(Debug)]
pub(super) struct Looked {
    /// The outputs that its template declares.
    pub(super) declared: Option<Arc<OwnDeclared>>,
    /// The number of the first template of the run whose reports have what was found in it; nothing where that is nothing.
    pub(super) reported_by: Option<usize>,
}

impl Looked {
    /// Whether the template with this number need not look at it: what it would report is reported in front of it.
    pub(super) fn is_enough_for(&self, number: usize) -> bool {
        self.reported_by.is_none_or(|first| first < number)
    }
}

/// The uses that were looked at in a run over many templates, whose files do not change. Threads share it.
#[derive(Debug, Default)]
pub struct CleanUses {
    known: Mutex<Vec<Alike>>,
}

/// Uses that are alike in what decides besides them.
#[derive(Debug)]
struct Alike {
    options: Options,
    /// The directory that paths are relative to.
    directory: String,
    uses: Arc<Mutex<Known>>,
}

impl CleanUses {
    /// Those of the nested templates of a session with these options, whose paths are relative to `directory`.
    pub(super) fn of(&self, options: &Options, directory: String) -> Arc<Mutex<Known>> {
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
