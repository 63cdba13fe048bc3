//! Keeps a deployed stack in sync with its sources (reference/sync.md).
//!
//! A [`Snapshot`] is the state of a project at one moment: one hash of its expanded templates without the paths of
//! artifacts, with the values of the deployment, and the key of each artifact. [`Snapshot::decide`] compares two of
//! them: a change of a template is deployed, a change of code is pushed to the one resource that it belongs to. Both
//! work without disk and network.
//!
//! [`Stacks`] finds the names of deployed resources, and [`Pusher`] makes the calls that push code by
//! [`formwork_aws::JsonClient`]; `push` has a file for each kind of code.
//!
//! [`run`] goes round after round (`rounds`): it builds (`formwork_run::build`), takes a snapshot, and deploys
//! (`formwork_stacks::deploy`) or pushes. The templates of a snapshot are those that the build surveyed, as their
//! author wrote them; the contents are those of the built template as it would be packaged. `formwork_run::watch` watches
//! files: directories are watched before a round reads them, or read once more after it.
#![allow(clippy::disallowed_methods, reason = "network and clock enter here")]

mod code;
mod decision;
mod push;
mod rounds;
mod snapshot;
mod stacks;
mod without_paths;

pub use code::{Code, CodeKind};
pub use decision::{Cause, Decision, Scope};
pub use push::{LambdaCode, PushError, Pushed, Pusher};
pub use rounds::{SyncArgs, run};
pub use snapshot::{Artifact, ArtifactId, Snapshot, SnapshotBuilder};
pub use stacks::{NotDeployed, Stacks};
