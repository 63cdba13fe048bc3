//! Records the uses that a run has compiled.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use formwork_base::lock;

use super::NestedRun;
use super::clean::Looked;
use super::outputs::OwnDeclared;

impl NestedRun<'_, '_> {
    /// Records the templates of the run with all their nested uses.
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
        // Templates that nest one of these are like them.
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
