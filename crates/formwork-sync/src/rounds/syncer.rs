//! The state of a sync between rounds.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use formwork_aws::JsonClient;
use formwork_build::Written;
use formwork_run::watch::Interest;

use super::args::SyncArgs;
use super::snapshot::Taken;
use super::sync_reporter::SyncReporter;
use super::wanted::Wanted;
use crate::{ArtifactId, Snapshot, Stacks};

/// The state of a sync between rounds.
pub(super) struct Syncer<'a> {
    pub(super) args: &'a SyncArgs,
    pub(super) wanted: &'a Wanted,
    pub(super) interrupt: &'a AtomicBool,
    pub(super) reporter: SyncReporter,
    /// The files to watch, known after the first round.
    pub(super) interest: Option<Interest>,
    pub(super) outputs: Outputs,
    pub(super) is_complete: bool,
    /// The snapshot that the stack has.
    pub(super) deployed: Option<Snapshot>,
    pub(super) pushed: BTreeSet<ArtifactId>,
    /// The snapshot of the last attempt.
    pub(super) tried: Option<Snapshot>,
    pub(super) warned: BTreeSet<String>,
    /// The deployed resources, valid until the next deployment.
    pub(super) stacks: Option<Stacks>,
    pub(super) client: Option<JsonClient>,
}

/// Files that build tools write into directories of sources, where they run in them: their changes do not count.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    known: BTreeSet<PathBuf>,
    /// The files that changed during the last build that wrote into sources.
    changed: BTreeSet<PathBuf>,
}

impl Outputs {
    /// Records the files that a build wrote. An existing file that changed may have been edited by its author, so it
    /// counts as an output only when the next build changes it again.
    pub(super) fn learn(&mut self, written: &Written) {
        if *written == Written::default() {
            return;
        }
        self.known.extend(written.new.iter().cloned());
        let changed: BTreeSet<PathBuf> = written.changed.iter().cloned().collect();
        self.known.extend(changed.intersection(&self.changed).cloned());
        self.changed = changed;
    }

    pub(super) fn known_paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.known.iter()
    }
}

impl<'a> Syncer<'a> {
    pub(super) fn new(args: &'a SyncArgs, wanted: &'a Wanted, interrupt: &'a AtomicBool) -> Syncer<'a> {
        Syncer {
            args,
            wanted,
            interrupt,
            reporter: SyncReporter::new(args.deploy.report),
            interest: None,
            outputs: Outputs::default(),
            is_complete: false,
            deployed: None,
            pushed: BTreeSet::new(),
            tried: None,
            warned: BTreeSet::new(),
            stacks: None,
            client: None,
        }
    }

    /// Records that the code of a resource was pushed.
    pub(super) fn accept(&mut self, taken: &Taken, id: &ArtifactId) {
        self.pushed.insert(id.clone());
        if let Some(deployed) = &mut self.deployed {
            deployed.accept(&taken.snapshot, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_two_builds_change_is_an_output() {
        let written = |new: &[&str], changed: &[&str]| Written {
            new: new.iter().map(PathBuf::from).collect(),
            changed: changed.iter().map(PathBuf::from).collect(),
        };
        let mut outputs = Outputs::default();
        let shown =
            |outputs: &Outputs| outputs.known_paths().map(|path| path.display().to_string()).collect::<Vec<_>>();
        outputs.learn(&written(&["out"], &["app.js", "made.js"]));
        assert_eq!(shown(&outputs), ["out"]);
        // No build took place in between.
        outputs.learn(&Written::default());
        outputs.learn(&written(&[], &["made.js"]));
        assert_eq!(shown(&outputs), ["made.js", "out"], "somebody edited app.js");
        outputs.learn(&written(&[], &["app.js"]));
        assert_eq!(shown(&outputs), ["made.js", "out"]);
    }
}
