//! Nested templates that need no second look: nothing was found in them and in those that they use, or all of it is in the
//! reports of a template in front of this one. So many templates that are nested in each other, which are each checked by
//! themselves, are looked at a single time, and not again for each template above them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use formwork_base::lock;

use super::outputs::OwnDeclared;
use super::{NestedRun, Use};
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

impl NestedRun<'_, '_> {
    /// Remembers what was compiled with all that it uses.
    pub(super) fn remember(&self) {
        let Some(known) = &self.clean else { return };
        let is_clean = |number: usize| {
            let compiled = &self.done[number];
            compiled.diagnostics().is_empty()
                && compiled.suppressed().is_empty()
                && compiled.ignored().is_empty()
                && self.found.get(&Some(number)).is_none_or(Vec::is_empty)
                && !self.passed_over.contains(&number)
                && !self.uncertain.contains(&number)
        };
        let mut users: HashMap<usize, Vec<usize>> = HashMap::new();
        for stack in &self.stacks {
            users.entry(stack.template).or_default().extend(stack.owner);
        }
        // What uses one of these in turn is like them.
        let with_users = |found: Vec<usize>| {
            let (mut pending, mut all) = (found, HashSet::new());
            while let Some(number) = pending.pop() {
                if all.insert(number) {
                    pending.extend(users.get(&number).into_iter().flatten());
                }
            }
            all
        };
        let unclean = with_users((0..self.done.len()).filter(|&number| !is_clean(number)).collect());
        let uncertain = with_users(self.uncertain.iter().copied().collect());
        let order = self.session.order();
        let mut known = lock(known);
        for (usage, number) in self.seen.iter().filter(|(_, number)| !uncertain.contains(number)) {
            let reported_by = unclean.contains(number).then_some(order);
            let declared = || OwnDeclared::of(&self.done[*number]).map(Arc::new);
            let looked = known.entry(usage.clone()).or_insert_with(|| Looked { declared: declared(), reported_by });
            looked.reported_by = looked.reported_by.zip(reported_by).map(|(one, other)| one.min(other));
        }
    }
}
