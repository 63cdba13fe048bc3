//! Keeping a deployed stack like its sources (reference/sync.md).
//!
//! A [`Snapshot`] has what counts of a project at one moment: its templates without the places of their files, and the
//! contents of these files. [`Snapshot::decide`] compares two of them: a change of a template is a deployment, a change
//! of code is pushed to the one resource that it is of. Both know no disk and no network.
//!
//! [`Stacks`] finds the names of deployed resources, and [`Pusher`] makes the calls that push code, a file for each way
//! in `push`. [`run`] goes round after round: it builds, takes a snapshot, and deploys or pushes. Deployments are those of
//! `formwork-stacks`, and files are watched by `formwork-watch`.
#![allow(clippy::disallowed_methods, reason = "network and clock enter here")]

mod blank;
mod code;
mod decision;
mod push;
mod rounds;
mod snapshot;
mod stacks;

pub use code::{Code, CodeKind};
pub use decision::{Cause, Decision, Scope};
pub use push::{LambdaCode, PushError, Pushed, Pusher};
pub use rounds::{SyncChoices, run};
pub use snapshot::{Artifact, ArtifactId, Snapshot, SnapshotBuilder};
pub use stacks::{NotDeployed, Stacks};
