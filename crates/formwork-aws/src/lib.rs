//! What Formwork asks of AWS: live account data, by read-only calls that answer what a run did not know
//! (reference/account-data.md#live), and a bucket for what is packaged (reference/packaging.md#upload).
//!
//! [`fetch`] takes the questions of a run and returns an account [`Snapshot`] with the answers, and a
//! [`Trouble`] for everything that stays unknown. What a snapshot lacks is unknown, never guessed: a
//! listing of which one page failed is left out as a whole. [`Bucket`] stores objects, and is the one
//! thing here that writes.
//!
//! Everything here only reads. The crates that change something at AWS take their configuration
//! ([`lasting_configuration`]) and their view of failures ([`Failure`]) from here.
#![allow(clippy::disallowed_methods, reason = "network, clock and environment enter here")]

mod bounded;
mod clients;
mod connection;
mod credentials;
mod facts;
mod failure;
mod foreign;
mod http_client;
mod objects;
mod paging;
mod plan;
mod settings;
mod signals;
mod snapshot;
mod store;
#[cfg(test)]
mod tests;
mod trouble;
mod trust;
mod xml_api;

pub use connection::{Connection, Fetched, fetch, lasting_configuration, runtime};
pub use facts::{ALL_KINDS, DEFAULT_KINDS};
pub use failure::{Failure, Reason};
pub use objects::{ObjectError, read_object};
pub use paging::Paging;
pub use settings::{Settings, configured_region};
pub use signals::Signals;
pub use snapshot::{Attributes, Snapshot, StoredParameter, Values};
pub use store::{Bucket, Holding, Interrupt, Upload, managed_bucket};
pub use trouble::{TRUST, Trouble, TroubleKind};
