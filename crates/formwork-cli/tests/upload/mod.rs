//! Uploads to S3, as scripts use them: against a server of our own that can do what no real one does on
//! demand: refuse, stall, lie, break off (reference/packaging.md#upload,
//! reference/packaging.md#refusals).
#![cfg(all(feature = "aws", unix))]

mod endings;
mod faults;
mod parts;
mod project;
mod refusals;
mod regions;
pub(crate) mod server;
mod standard;
mod uploads;
