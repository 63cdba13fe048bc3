//! Deploys stacks with CloudFormation (reference/deploy.md#steps). The input is a template with its values, the output
//! an [`Outcome`], or a [`DeployFailure`] with the reason and the state that it leaves in the account. This crate
//! prints nothing, reads no template and asks nobody.
//!
//! [`Deployment`] is the entry. [`Deployment::begin`] describes the stack, [`Deployment::prepare`] waits for it or
//! deletes it as the [`DeployRequest`] allows, [`ReadyDeployment::previous_values`] returns the values that the stack
//! keeps, and [`ReadyDeployment::run`] takes the [`Submission`] from a change set to the outputs of the stack. All
//! decisions are made here: the actions that the state of the stack allows, possible loss of data, missing
//! capabilities, the meaning of events, the treatment of a failed stack. A [`DeployObserver`] receives events and
//! [`Progress`] and answers each [`Question`]; a thread waits for the answer of a person, so that Ctrl-C ends the wait.
//!
//! [`Deletion`] is the equivalent for deleting a stack: [`Deletion::begin`] lists the [`StackResource`]s of the stack
//! and of those nested in it, with their [`Fate`]; [`Deletion::run`] asks, empties buckets, deletes and follows.
//!
//! # Steps
//!
//! [`Service`] is the synchronous interface of the single steps, with a method for each step and a file for each in
//! `steps`: each writes its request and reads its answer, by [`formwork_aws::CloudFormation`]. Commands that need only
//! some of them call it, with an [`EventSink`]. Commands around a stack use the methods of `looks`, which change
//! nothing: [`History`] decides which events belong to an operation, [`Diagnosis`] which of them made it fail,
//! `log_merge` in which order lines of several log groups come. `refactor_service` has the methods of a stack refactor.
//!
//! Parts that need no service are pure: [`StackState`] (actions that a status allows), [`Change`] (loss of data),
//! [`Event`] (failures, and their places in nested stacks), [`PreviousValues`], [`missing_capabilities`],
//! [`CleanupAction`], [`TemplateBody`] (in the request, dense, or in a bucket), [`sentence`] and [`Hint`] (the meaning
//! of a sentence of the service), [`moment`] (times).
//!
//! `Deadline` ends every wait with Ctrl-C or at the time limit; `Retry` repeats calls: those that lead to a deployment
//! when they are throttled, those that watch an operation whatever fails, and those after the end a few times.
#![allow(clippy::disallowed_methods, reason = "network, clock and signals enter here")]

mod base;
mod calls;
mod capabilities;
mod change_set;
mod cleanup;
mod deadline;
mod deletion;
mod deployment;
mod diagnosis;
mod endpoint;
mod error;
mod event;
mod event_sink;
mod examination;
mod execution;
mod existing_change_set;
mod failure;
mod hint;
mod history;
mod hook;
mod log_event;
mod log_merge;
mod log_source;
mod looks;
pub mod moment;
mod observer;
mod operation;
mod outcome;
mod poll_intervals;
mod preparation;
mod previous_values;
mod recorded_stack;
mod refactor_service;
mod request;
mod result;
mod retry;
mod rollback_configuration;
pub mod sentence;
mod service;
mod stack_artifacts;
mod stack_refactor;
mod stack_resource;
mod stack_state;
mod stack_summary;
pub mod status;
mod steps;
mod submission;
mod template_body;
mod unavailable;
mod unique_name;
mod validation;

pub use capabilities::{MissingCapability, missing_capabilities};
pub use change_set::{Action, Change, ChangeSet, ChangeSetDeletion, PropertyChange, Replacement};
pub use cleanup::{Cleanup, CleanupAction, OnFailure};
pub use deletion::{DeleteRequest, Deletion, DeletionStart};
pub use deployment::{Deployment, ReadyDeployment};
pub use diagnosis::{Diagnosis, FailedOperation};
pub use endpoint::StackEndpoint;
pub use error::DeployError;
pub use event::Event;
pub use event_sink::EventSink;
pub use examination::Examination;
pub use execution::Execution;
pub use existing_change_set::ExistingChangeSet;
pub use failure::{DeployFailure, Leftover};
pub use hint::Hint;
pub use history::{EventScope, History};
pub use hook::{HookAnnotation, HookFinding, HookInvocation, HookResult};
pub use log_event::{LogEvent, LogQuery, LogSink};
pub use log_source::LogSource;
pub use observer::{Answer, DeployObserver, Progress, Question};
pub use operation::{OperationEnd, OperationKind};
pub use outcome::Outcome;
pub use poll_intervals::PollIntervals;
pub use previous_values::PreviousValues;
pub use recorded_stack::RecordedStack;
pub use request::{Approval, DeployRequest};
pub use result::DeployResult;
pub use rollback_configuration::RollbackConfiguration;
pub use service::Service;
pub use stack_refactor::{StackRefactor, StackRefactorAction, StackRefactorRequest, StackResourceName};
pub use stack_resource::{Fate, StackResource};
pub use stack_state::{Stack, StackState};
pub use stack_summary::StackSummary;
pub use steps::create_change_set::{ChangeSetNotCreated, CreatedChangeSet};
pub use steps::follow::Operation;
pub use steps::resource_identifiers::ResourceIdentifiers;
pub use steps::stack_template::TemplateStage;
pub use steps::validate::ValidatedTemplate;
pub use submission::{ChangeSetRequest, ImportedResource, SentValue, Submission, TemplateSource, merged_tags};
pub use template_body::{TemplateBody, TemplateBodyError, TemplateStore};
pub use unavailable::Unavailable;
pub use validation::{Finding, OperationEvent};
