//! Stack commands and their reports for people and programs. `formwork-deploy` makes the calls and returns data; this
//! crate turns the data into words, at the author's lines ([`places`]) and without secrets ([`secrets`]). The arguments
//! of a command are one struct; the function `run` of a module executes the command.
//!
//! # Printing
//!
//! [`reporter::DeployReporter`] is the one printer, on the `Reporter` of `formwork-run`. It masks `NoEcho` values
//! in all messages of CloudFormation. [`observer`] prints and asks while an operation runs; [`changes`], [`drift`],
//! [`findings`] and [`hooks`] are the review of a change set; [`ending`], [`refusal`] and [`summary`] report the end.
//! [`places::Sources`] finds the author's line of a logical ID, in the root or in a nested template.
//!
//! # Deployments and deletions
//!
//! [`deploy`] merges the arguments with the configuration (`wanted`) and performs the steps (`run`).
//! Its goal is `Goal::Deploy`: a check, with CloudFormation's leniency for undeclared names. The template is analyzed
//! again with the values that the stack keeps, if there are any, and the same analysis is packaged ([`local`]).
//! `guided` asks for missing values; [`saved_answers`] adds the answers to samconfig.toml and leaves the rest of it as
//! it is. [`delete`] prints with the same reporter.
//!
//! # Around a stack
//!
//! [`diagnose`], [`events`], [`list`], [`logs`] and [`outputs`] share [`around`]: a `Connection`, which prints the
//! errors of calls, `TemplateOf` and `Places`, which expand the template at hand with the values of the stack; a
//! resource has a place when its ID and type are in the template. [`refactor`] reads the stacks, compares them by
//! `formwork-refactor`, asks, and performs the steps; [`renames`] advises that command when a change set only renames.
//!
//! `crates/formwork-cli/tests/deploy` runs the program against a scripted CloudFormation, which checks the requests and
//! their order; snapshots hold the output for people. `crates/formwork-cli/tests/support/http.rs` is the HTTP server of
//! this and of the other doubles: S3, web servers, proxies.
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
