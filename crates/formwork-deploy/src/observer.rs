//! The observer of a deployment, which also answers its questions.

use std::fmt;

use formwork_aws::AwsError;

use crate::change_set::{Change, ChangeSet};
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::examination::Examination;
use crate::stack_resource::StackResource;
use crate::stack_state::Stack;

/// A front end of a deployment: it prints what happens, and asks people.
pub trait DeployObserver: EventSink {
    /// The deployment goes on.
    fn progress(&mut self, progress: Progress<'_>);

    /// The deployment needs an answer.
    fn ask(&mut self, question: Question<'_>) -> Answer;
}

/// What happens in a deployment, besides the events of stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// The stack cannot be updated: it is deleted and created again.
    Replacing(&'a Stack),
    /// The operation that is in progress has to end first.
    Waiting(&'a Stack),
    /// There is nothing to change.
    NoChanges,
    /// The change set is created and its changes are computed.
    CreatingChangeSet,
    /// The change set is there.
    ChangeSetCreated(&'a ChangeSet),
    /// Early validation and hooks were asked about; comes behind the change set that it is about.
    Examined(&'a Examination),
    /// The empty stack that a validated change set created cannot be deleted.
    EmptyStackLeft(&'a DeployError),
    /// The stack does not exist, so that nothing of it drifted.
    NothingDrifted,
    /// The change set was executed earlier: nothing is done.
    AlreadyExecuted(&'a ChangeSet),
    /// Rollback is disabled, and these changes replace a resource, or may: CloudFormation rejects that.
    Replaces(&'a [&'a Change]),
    /// Resources of one type are removed and added, which may be renames. This is the processed template of the stack.
    MayBeRenamed(&'a str),
    /// The change set is not executed.
    LeftUnexecuted(&'a ChangeSet),
    /// The change set is being executed.
    Executing,
    /// The update is cancelled, and followed until it is undone.
    Cancelling,
    /// The create of a stack was to be cancelled, and cannot be.
    NotCancellable,
    /// The stack is created or updated.
    Deployed,
    /// The stack is deployed, and its outputs cannot be read.
    OutputsUnknown(&'a DeployError),
    /// The stack is deployed, and its policy cannot be set.
    PolicyNotSet(&'a DeployError),
    /// It is not known which resources their `DeletionPolicy` keeps.
    PoliciesUnknown(&'a DeployError),
    /// The objects of a bucket are deleted.
    EmptyingBucket(&'a StackResource),
    /// So many objects of a bucket were deleted.
    BucketEmptied(&'a StackResource, u64),
    /// The stack is being deleted.
    DeletionBegun,
    /// So many uploaded files of a stack that is gone were deleted from a bucket.
    ArtifactsDeleted(&'a str, u64),
    /// The stack is gone, and its uploaded files cannot be deleted.
    ArtifactsLeft(&'a AwsError),
}

/// What a deployment asks before it executes a change set, and a deletion before it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Question<'a> {
    /// Whether it is executed.
    Execute(&'a ChangeSet),
    /// Whether it is executed although these changes may lose data.
    LoseData(&'a ChangeSet, Vec<&'a Change>),
    /// Whether a stack with these resources is deleted.
    Delete(&'a [StackResource]),
}

/// What is answered to a [`Question`].
pub enum Answer {
    /// Execute the change set.
    Yes,
    /// Leave it unexecuted.
    No,
    /// Nobody is there to be asked. Only a question about data, or about a deletion, is an error then.
    Unattended,
    /// Somebody is asked. The function waits for the answer on a thread of its own, so that Ctrl-C and the time
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
