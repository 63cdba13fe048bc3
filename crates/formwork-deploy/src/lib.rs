//! Deployment of stacks: what becomes of a template at the service (reference/deploy.md#steps).
//!
//! [`Service`] is the synchronous front: one method a step, in the order in which a deployment goes
//! through them: [`Service::look`], [`Service::remove`] or [`Service::settle`],
//! [`Service::known_parameters`], [`Service::propose`], [`Service::execute`], [`Service::watch`],
//! [`Service::outputs`]. Each step is one file of `steps`. What is decided without the service stands
//! beside them and is pure: [`mod@status`], [`Standing`], [`Change`], [`Event`].
//!
//! Nothing is printed here and no template is read. A [`Watcher`] is told what happens.
#![allow(clippy::disallowed_methods, reason = "network, clock and signals enter here")]

mod change_set;
mod event;
mod pace;
mod proposal;
mod service;
mod standing;
pub mod status;
mod steps;
mod stop;
mod unique_name;
mod waiting;
mod watcher;

pub use change_set::{Action, Change, ChangeSet, Replacement};
pub use event::Event;
pub use pace::Pace;
pub use proposal::{Proposal, Sent, TemplateSource};
pub use service::Service;
pub use standing::{Stack, Standing};
pub use steps::discard::Withdrawn;
pub use steps::propose::{Proposed, Unproposed};
pub use steps::validate::Validated;
pub use steps::watch::{Ended, Operation, OperationKind};
pub use stop::Stop;
pub use watcher::Watcher;
