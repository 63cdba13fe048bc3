//! Deployed stacks, as reports for people and programs: the review of a change set ([`changes`], [`drift`],
//! [`findings`], [`hooks`]), what a deployment or deletion prints and asks while it runs ([`observer`], [`delete`]), how it
//! ended ([`ending`], [`refusal`], [`summary`]), why a stack failed ([`diagnose`]), its events and logs ([`events`],
//! [`logs`]), and the steps of a refactor ([`refactor`]).
//!
//! `formwork-deploy` makes the calls and returns data; here data becomes words, at the author's lines ([`places`]) and
//! without a secret ([`secrets`]). Terminals are the business of `formwork-console`. What the words of a command line choose
//! comes as plain data, and what a command does with it is `run` of its module.
#![allow(clippy::disallowed_methods, reason = "the environment and the zone of the machine enter here")]

mod account;
pub mod around;
pub mod capabilities;
pub mod changes;
pub mod delete;
pub mod deploy;
pub mod diagnose;
pub mod drift;
pub mod ending;
pub mod events;
pub mod examined;
mod exit;
pub mod express;
mod failed_event;
pub mod finding_counts;
pub mod findings;
pub mod hooks;
pub mod imports;
pub mod layout;
pub mod list;
pub mod local;
pub mod logs;
pub mod observer;
pub mod outputs;
pub mod packaging;
pub mod places;
pub mod printed_end;
pub mod refactor;
pub mod refusal;
pub mod renames;
pub mod reporter;
pub mod retries;
pub mod rollback_configuration;
pub mod saved_answers;
pub mod seconds;
pub mod secrets;
pub mod stack_snapshot;
pub mod stopped;
pub mod summary;
pub mod validate;

pub use account::account_of;
pub use exit::Exit;
