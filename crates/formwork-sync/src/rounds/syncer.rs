//! What is known of a stack from round to round.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use formwork_aws::JsonClient;
use formwork_watch::Interest;

use super::choices::Choices;
use super::snapshot::Taken;
use super::tell::Tell;
use super::words::SyncChoices;
use crate::{ArtifactId, Snapshot, Stacks};

/// What is known of a stack from round to round.
pub(super) struct Syncer<'a> {
    pub(super) args: &'a SyncChoices,
    pub(super) choices: &'a Choices,
    pub(super) interrupt: &'a AtomicBool,
    pub(super) tell: Tell,
    /// What is to be watched, once it is known.
    pub(super) interest: Option<Interest>,
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

impl<'a> Syncer<'a> {
    pub(super) fn new(args: &'a SyncChoices, choices: &'a Choices, interrupt: &'a AtomicBool) -> Syncer<'a> {
        Syncer {
            args,
            choices,
            interrupt,
            tell: Tell::new(args.deploy.report),
            interest: None,
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
