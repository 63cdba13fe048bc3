//! What is known of a stack from round to round.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use formwork_aws::JsonClient;
use formwork_build::Written;
use formwork_watch::Interest;

use super::args::SyncArgs;
use super::snapshot::Taken;
use super::tell::Tell;
use super::wanted::Wanted;
use crate::{ArtifactId, Snapshot, Stacks};

/// What is known of a stack from round to round.
pub(super) struct Syncer<'a> {
    pub(super) args: &'a SyncArgs,
    pub(super) wanted: &'a Wanted,
    pub(super) interrupt: &'a AtomicBool,
    pub(super) tell: Tell,
    /// What is to be watched, once it is known.
    pub(super) interest: Option<Interest>,
    /// What the tools that build write into sources.
    pub(super) outputs: Outputs,
    /// Whether the last round built everything.
    pub(super) is_complete: bool,
    /// What the stack is like.
    pub(super) deployed: Option<Snapshot>,
    /// The code that was pushed since the last deployment.
    pub(super) pushed: BTreeSet<ArtifactId>,
    /// What was last tried.
    pub(super) tried: Option<Snapshot>,
    /// The warnings about artifacts that were printed.
    pub(super) warned: BTreeSet<String>,
    /// The deployed resources, until the next deployment.
    pub(super) stacks: Option<Stacks>,
    pub(super) client: Option<JsonClient>,
}

/// What the tools that build write into directories of sources, where they run in them: a change of it is none of a source.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    known: BTreeSet<PathBuf>,
    /// The files that changed during the last build that wrote into sources.
    changed: BTreeSet<PathBuf>,
}

impl Outputs {
    /// Learns from a build. A file that was there before and changed meanwhile may have been edited: it is an output when it
    /// does so in the next build as well.
    pub(super) fn learn(&mut self, written: &Written) {
        if *written == Written::default() {
            return;
        }
        self.known.extend(written.new.iter().cloned());
        let changed: BTreeSet<PathBuf> = written.changed.iter().cloned().collect();
        self.known.extend(changed.intersection(&self.changed).cloned());
        self.changed = changed;
    }

    /// The files and directories.
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
            tell: Tell::new(args.deploy.report),
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

    /// The code of a resource is what was pushed.
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
        // Nothing was built in between.
        outputs.learn(&Written::default());
        outputs.learn(&written(&[], &["made.js"]));
        assert_eq!(shown(&outputs), ["made.js", "out"], "somebody edited app.js");
        outputs.learn(&written(&[], &["app.js"]));
        assert_eq!(shown(&outputs), ["made.js", "out"]);
    }
}
