//! The observer of a deployment, which also answers its questions.

use std::fmt;

use formwork_aws::AwsError;

use crate::change_set::{Change, ChangeSet};
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::examination::Examination;
use crate::stack_resource::StackResource;
use crate::stack_state::Stack;

/// A front end of a deployment: it prints the progress, and asks people.
pub trait DeployObserver: EventSink {
    /// Receives the progress of the deployment.
    fn progress(&mut self, progress: Progress<'_>);

    /// Answers a question of the deployment.
    fn ask(&mut self, question: Question<'_>) -> Answer;
}

/// The progress of a deployment, besides the events of stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// The stack cannot be updated: it is deleted and created again.
    Replacing(&'a Stack),
    /// The operation in progress has to end first.
    Waiting(&'a Stack),
    /// The stack is up to date.
    NoChanges,
    /// The change set is created and its changes are computed.
    CreatingChangeSet,
    /// The change set is created.
    ChangeSetCreated(&'a ChangeSet),
    /// The results of early validation and hooks, after the change set that they are about.
    Examined(&'a Examination),
    /// The empty stack that a validated change set created cannot be deleted.
    EmptyStackLeft(&'a DeployError),
    /// The stack does not exist, so that nothing of it drifted.
    NothingDrifted,
    /// The change set was executed earlier, and is not executed again.
    AlreadyExecuted(&'a ChangeSet),
    /// Rollback is disabled, and these changes replace, or may replace, a resource: CloudFormation rejects that.
    Replaces(&'a [&'a Change]),
    /// Resources of one type are removed and added, which may be renames. The value is the processed template of the
    /// stack.
    MayBeRenamed(&'a str),
    /// The change set is not executed.
    LeftUnexecuted(&'a ChangeSet),
    /// The change set is being executed.
    Executing,
    /// The update is cancelled, and followed until it is undone.
    Cancelling,
    /// The creation of a stack was to be cancelled, and cannot be.
    NotCancellable,
    /// The stack is created or updated.
    Deployed,
    /// The stack is deployed, and its outputs cannot be read.
    OutputsUnknown(&'a DeployError),
    /// The stack is deployed, and its policy cannot be set.
    PolicyNotSet(&'a DeployError),
    /// The resources that a `DeletionPolicy` keeps are unknown.
    PoliciesUnknown(&'a DeployError),
    /// The objects of a bucket are deleted.
    EmptyingBucket(&'a StackResource),
    /// The number of deleted objects of a bucket.
    BucketEmptied(&'a StackResource, u64),
    /// The stack is being deleted.
    DeletionBegun,
    /// The number of uploaded files of a deleted stack that were deleted from a bucket.
    ArtifactsDeleted(&'a str, u64),
    /// The stack is deleted, and its uploaded files cannot be.
    ArtifactsLeft(&'a AwsError),
}

/// A question before a change set is executed or a deletion begins.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Question<'a> {
    /// Execute this change set?
    Execute(&'a ChangeSet),
    /// Execute this change set although these changes may lose data?
    LoseData(&'a ChangeSet, Vec<&'a Change>),
    /// Delete a stack with these resources?
    Delete(&'a [StackResource]),
}

/// The answer to a [`Question`].
pub enum Answer {
    /// Execute the change set.
    Yes,
    /// Leave it unexecuted.
    No,
    /// Nobody can be asked. This is an error only for a question about data or a deletion.
    Unattended,
    /// The question is open. The function waits for the answer on a thread of its own, so that Ctrl-C and the time
    /// limit end the wait.
    Pending(Box<dyn FnOnce() -> bool + Send>),
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Answer::Yes => "Yes",
            Answer::No => "No",
            Answer::Unattended => "Unattended",
            Answer::Pending(_) => "Pending",
        })
    }
}
