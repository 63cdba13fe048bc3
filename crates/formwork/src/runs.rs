//! The compilations of one revision, as long as they are used.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Weak};

use formwork_base::{Goal, VirtualPath};
use rustc_hash::{FxHashMap, FxHasher};

use crate::compilation::Compilation;
use crate::options::Options;

/// Unused compilations are removed when there are this many, and then each time when as many were added.
const FEW: usize = 64;

#[derive(Default)]
pub(crate) struct Runs {
    /// By [`fingerprint`]: one template may be used thousands of times, with other values of its parameters each time.
    alike: FxHashMap<u64, Vec<CachedRun>>,
    /// The number of compilations that were added since unused ones were removed.
    added: usize,
    left: usize,
}

#[derive(Clone)]
struct CachedRun {
    root: VirtualPath,
    goal: Goal,
    options: Arc<Options>,
    compiled: Weak<Compilation>,
}

impl CachedRun {
    fn is(&self, root: &VirtualPath, goal: Goal, options: &Arc<Options>) -> bool {
        let same_options = || Arc::ptr_eq(&self.options, options) || self.options == *options;
        self.goal == goal && self.root == *root && same_options()
    }
}

fn fingerprint(root: &VirtualPath, options: &Options) -> u64 {
    let mut hasher = FxHasher::default();
    root.hash(&mut hasher);
    for parameter in &options.parameters {
        (&parameter.name, &parameter.value).hash(&mut hasher);
    }
    options.previous_value_parameters.hash(&mut hasher);
    hasher.finish()
}

fn in_use(alike: &[CachedRun], root: &VirtualPath, goal: Goal, options: &Arc<Options>) -> Option<Arc<Compilation>> {
    alike.iter().find(|known| known.is(root, goal, options))?.compiled.upgrade()
}

impl Runs {
    /// Returns a compilation with equal options that is still in use.
    pub(crate) fn get(&self, root: &VirtualPath, goal: Goal, options: &Arc<Options>) -> Option<Arc<Compilation>> {
        let alike = self.alike.get(&fingerprint(root, options))?;
        in_use(alike, root, goal, options)
    }

    /// Records a compilation, unless an equal one is in use: then all users receive that one.
    pub(crate) fn add(
        &mut self,
        root: &VirtualPath,
        goal: Goal,
        options: &Arc<Options>,
        compiled: Compilation,
    ) -> Arc<Compilation> {
        if self.added >= self.left.max(FEW) {
            *self = self.where_used(|_| true);
        }
        let alike = self.alike.entry(fingerprint(root, options)).or_default();
        if let Some(known) = in_use(alike, root, goal, options) {
            return known;
        }
        let compiled = Arc::new(compiled);
        alike.retain(|known| known.compiled.strong_count() > 0);
        let (root, options) = (root.clone(), Arc::clone(options));
        alike.push(CachedRun { root, goal, options, compiled: Arc::downgrade(&compiled) });
        self.added += 1;
        compiled
    }

    /// Removes the compilations that depend on any of these files.
    pub(crate) fn without(&self, changed: &[&VirtualPath]) -> Runs {
        self.where_used(|compiled| !changed.iter().any(|path| compiled.depends_on(path)))
    }

    /// The used compilations for which `stays` is true.
    fn where_used(&self, stays: impl Fn(&Compilation) -> bool) -> Runs {
        let stays = |known: &&CachedRun| known.compiled.upgrade().is_some_and(|compiled| stays(&compiled));
        let alike = self.alike.iter().map(|(&fingerprint, alike)| (fingerprint, alike.iter().filter(stays).cloned()));
        let alike = alike.map(|(fingerprint, alike)| (fingerprint, alike.collect::<Vec<CachedRun>>()));
        let alike: FxHashMap<_, _> = alike.filter(|(_, alike)| !alike.is_empty()).collect();
        Runs { left: alike.values().map(Vec::len).sum(), alike, added: 0 }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use formwork_base::{Goal, MemoryHost, VirtualPath};

    use super::FEW;
    use crate::options::Options;
    use crate::session::Session;

    /// Options that the test holds, each with another value: the number that others hold, too, is the number of
    /// records.
    fn all_options(count: usize) -> Vec<Arc<Options>> {
        let options = |number: usize| Options::default().with_parameter("Name", number.to_string());
        (0..count).map(|number| Arc::new(options(number))).collect()
    }

    #[test]
    fn what_nobody_uses_is_forgotten() {
        let template = "Parameters: {Name: {Type: String}}\nResources: {Topic: {Type: AWS::SNS::Topic}}\n";
        let session = Session::new(MemoryHost::new().with("t.yaml", template), Options::default());
        let root = VirtualPath::new("t.yaml");
        let compile =
            |options: &Arc<Options>| session.with_options(Arc::clone(options)).snapshot().compile(&root, Goal::Check);
        let (kept, dropped) = (all_options(2 * FEW), all_options(20 * FEW));
        let held: Vec<_> = kept.iter().map(compile).collect();
        for options in &dropped {
            compile(options);
        }
        let remembered = dropped.iter().filter(|options| Arc::strong_count(options) > 1).count();
        assert!(remembered <= kept.len(), "{remembered} of {} are remembered", dropped.len());
        for (options, compiled) in kept.iter().zip(&held) {
            assert!(Arc::ptr_eq(&compile(options), compiled), "what is in use is compiled once");
        }
    }
}
