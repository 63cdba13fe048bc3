//! Nested templates in which nothing was found, and nothing in those that they use: another template of the run that
//! uses one of them in the same way need not look at it again. So many templates that are nested in each other, which are
//! each checked by themselves, are looked at a single time, and not again for each template above them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use formwork_base::lock;

use super::outputs::OwnDeclared;
use super::{NestedRun, Use};
use crate::options::Options;

/// What is known of a clean use: the outputs that its template declares.
pub(super) type Known = HashMap<Use, Option<Arc<OwnDeclared>>>;

/// The clean uses of a run over many templates, whose files do not change. Threads share it.
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
    /// Remembers what is clean of what was compiled.
    pub(super) fn remember(&self) {
        let Some(clean) = &self.clean else { return };
        let is_clean = |number: usize| {
            let compiled = &self.done[number];
            compiled.diagnostics().is_empty()
                && compiled.suppressed().is_empty()
                && compiled.ignored().is_empty()
                && self.found.get(&Some(number)).is_none_or(Vec::is_empty)
                && !self.uncertain.contains(&number)
        };
        let mut users: HashMap<usize, Vec<usize>> = HashMap::new();
        for stack in &self.stacks {
            users.entry(stack.template).or_default().extend(stack.owner);
        }
        let mut pending: Vec<usize> = (0..self.done.len()).filter(|&number| !is_clean(number)).collect();
        let mut unclean: HashSet<usize> = HashSet::new();
        while let Some(number) = pending.pop() {
            if unclean.insert(number) {
                pending.extend(users.get(&number).into_iter().flatten());
            }
        }
        let mut clean = lock(clean);
        for (usage, number) in self.seen.iter().filter(|(_, number)| !unclean.contains(number)) {
            let declared = || OwnDeclared::of(&self.done[*number]).map(Arc::new);
            clean.entry(usage.clone()).or_insert_with(declared);
        }
    }
}
